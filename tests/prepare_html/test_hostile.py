"""Markup made to cost time or memory: each must be done within a second or two and never raise."""

from __future__ import annotations

from time import process_time

import pytest

from gaia_mail.html_guard import bound_html
from gaia_understanding.prepare.html.read import read_html

HOSTILE = {
    "nested tags": "<div>" * 10_000 + "deep",
    "very deeply nested tags": "<div>" * 200_000 + "deep",
    "nested quotes": "<blockquote type=cite>" * 10_000 + "deep",
    "nested lists": "<ul><li>" * 10_000 + "deep",
    "nested links": "<a href=x>" * 20_000 + "deep",
    "many nodes": "<p>some words</p>" * 100_000,
    "five megabytes": "<p>" + "some words " * 480_000,
    "many attributes": "<div " + " ".join(f"a{number}=1" for number in range(60_000)) + ">deep",
    "many body tags": "".join(f"<body a{number}=1>" for number in range(30_000)) + "deep",
    "many options": "<select>" + "<option>word" * 50_000,
    "unclosed formatting": "<p>" + "".join(f"<font color={n}>" for n in range(2_000)) + "</p><p>x" * 5_000,
    "many rules": "<style>" + "".join(f".c{n} .d{n}{{display:none}}" for n in range(20_000)) + "</style>deep",
    "deep selectors": "<style>" + "b " * 500 + "{display:none}</style>" + "<b>" * 400 + "deep",
    "selectors over a deep tree": "<style>"
    + "".join(f"x{n} y b{{color:red}}" for n in range(500))
    + "</style>"
    + "<b>" * 500,
    "rules for everything": "<style>" + "p{color:red}" * 3_000 + "</style>" + "<p>x" * 100_000,
    "rules for ancestors": "<style>" + "z p b b p{color:red}" * 3_000 + "</style>" + "<p><b>" * 30_000,
    "negated ancestors": "<style>b:not(z b b b),b:not(z b){display:none}</style>" + "<b>" * 500,
    "counted siblings": "<style>"
    + "".join(f"p:nth-child({n}):last-of-type{{color:red}}" for n in range(90))
    + "</style>"
    + "<p>x" * 20_000,
    "searched attributes": "<style>"
    + "".join(f"[title*=y{n}]{{color:red}}" for n in range(3_000))
    + "</style>"
    + f"<p title='{'x' * 200_000}'>x" * 30,
    "open braces": "<style>" + "{" * 100_000 + "</style>deep",
    "open comments in css": "<style>" + "/*" * 100_000 + "</style>deep",
    "long style": '<p style="' + "color:red;" * 50_000 + '">deep',
    "open comments": "<!--[if mso]>" * 50_000 + "deep",
    "comment of tags": "<!-- " + "<xml>" * 100_000 + " -->deep",
    "many spaces": "<p>" + " " * 2_000_000 + "deep",
    "many rules between lines": "<hr>" * 50_000 + "deep",
    "many attribution-like lines": "<p>On 1 May 2026 at 10:00, a@example.com wrote:</p>" * 5_000
    + "<blockquote>x</blockquote>" * 2_000,
    "entities": "&amp" * 500_000,
    "quotes without end": '<a href="' * 50_000,
    "templates": "<template>" * 5_000 + "deep",
    "surrogates and nulls": "\ud800<p>\x00</p>" * 1_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markup_costs_bounded_time(name: str) -> None:
    started = process_time()
    read_html(HOSTILE[name], reply=True)
    assert process_time() - started < 4


def test_ordinary_markup_is_let_through_unchanged() -> None:
    markup = "<p class=a>x</p>" * 400
    assert bound_html(markup) == (markup, ())


def test_large_well_formed_markup_is_let_through_unchanged() -> None:
    markup = (
        "<html><body>"
        + "<div class='a'><p>x<br><img src=y><b>z</b></p></div><!-- <i> -->" * 5_000
        + "</body></html>"
    )
    assert bound_html(markup) == (markup, ())


def test_what_was_left_out_is_said() -> None:
    assert "nests too deeply" in bound_html("<div>" * 5_000)[1][0]


def test_text_below_too_many_tags_is_kept() -> None:
    assert "deep" in read_html(HOSTILE["very deeply nested tags"]).text


def test_attributes_that_count_are_kept_when_there_are_too_many() -> None:
    markup = (
        "x" * 70_000
        + "<div hidden "
        + " ".join(f"a{number}" for number in range(1_000))
        + ">secret words here</div>"
    )
    assert [run.text for run in read_html(markup).hidden] == ["secret words here"]
