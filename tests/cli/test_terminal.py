"""Hostile text never reaches the terminal as control."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Sequence
from itertools import chain, repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email.app.documents.cards.wording import age
from gaia_email.interfaces.cli import output
from gaia_email.interfaces.cli.terminal import tsv_field, wants_colour
from gaia_mail.printable import UNSEEN, visible, visible_block
from tests.cli.printed import Run

HOSTILE = (
    b"From: \x1b]0;owned\x07 Eve <eve@evil.example>\n"
    b"To: me@home.example\n"
    b"Subject: =?utf-8?q?=1B[2J=1B]8;;http://evil.example=07click=E2=80=AEtxt.exe?=\n"
    b"Date: Mon, 02 Mar 2026 09:00:00 +0000\n\n"
    b"Could you \x1b[31mplease\x9b31m look at this today?\x08\x08 \xe2\x80\xae\n"
)
DANGEROUS = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))} - {"\n"}


@given(st.text())
def test_visible_text_has_no_controls(text: str) -> None:
    shown = visible(text)
    assert not any(character in DANGEROUS or character == "\n" for character in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    shown.encode("utf-8")


@given(st.text())
def test_a_table_field_is_one_cell(text: str) -> None:
    assert not set(tsv_field(text)) & {"\t", "\n", "\r", "\x1b"}


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert visible(text) == text


def test_lines_stay_lines_in_a_block() -> None:
    assert visible_block("a\n\tb\x1b[0m") == "a\n    b␛[0m"


@pytest.mark.parametrize("view", [["inbox"], ["triage"]])
@pytest.mark.parametrize("terminal", [True, False])
def test_nothing_of_a_hostile_mail_steers_the_terminal(
    view: list[str],
    terminal: bool,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    plain_terminal: None,
) -> None:
    (tmp_path / "hostile.eml").write_bytes(HOSTILE)
    source = ["--eml", str(tmp_path)]
    (row,) = [json.loads(line) for line in run("inbox", *source, "--jsonl").out.splitlines()]
    monkeypatch.setattr(output, "is_terminal", lambda: terminal)
    for args in ([*view, *source], ["why", row["id"], *source], ["show", row["id"], *source]):
        result = run(*args)
        assert result.code == 0
        shown = result.out.replace("\t", "")
        assert not set(shown) & DANGEROUS, args
        assert "\u202e" not in shown


ACTING = re.compile(f"[\x00-\x08\x0b-\x1f{UNSEEN}]")


@pytest.mark.parametrize(
    "command",
    [
        ["classify", "--jsonl", "PATH"],
        ["classify", "--json", "PATH"],
        ["classify", "--fields", "subject,from", "PATH"],
        ["inbox", "--eml", "PATH", "--json"],
        ["inbox", "--eml", "PATH", "--jsonl"],
        ["inbox", "--eml", "PATH", "--fields", "subject,from.name,from"],
    ],
    ids=" ".join,
)
def test_machine_output_holds_nothing_that_acts_and_json_loses_nothing(
    command: list[str], run: Run, tmp_path: Path
) -> None:
    hostile = HOSTILE.replace(b"txt.exe?=", b"txt.exe=C2=9B=E2=80=8B=F3=A0=81=81?=")
    (tmp_path / "hostile.eml").write_bytes(hostile)
    result = run(*[str(tmp_path) if word == "PATH" else word for word in command])
    assert result.code == 0 and "txt.exe" in result.out
    assert not ACTING.search(result.out)
    ending = "txt.exe\x9b\u200b\U000e0041"
    if command[0] == "inbox" and "--fields" in command:
        assert "txt.exe<U+009B><U+200B><U+E0041>" in result.out
    else:
        subjects: list[str] = []
        json.loads(result.out, object_hook=lambda found: subjects.append(found.get("subject", "")))
        assert [subject for subject in subjects if subject.endswith(ending)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "stream", "expected"),
    [
        ({}, Terminal(), True),
        ({}, io.StringIO(), False),
        ({"NO_COLOR": "1"}, Terminal(), False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, Terminal(), False),
        ({"FORCE_COLOR": "1"}, io.StringIO(), True),
        ({"FORCE_COLOR": "0"}, io.StringIO(), False),
        ({"TERM": "dumb"}, Terminal(), False),
    ],
)
def test_colour_follows_the_conventions(environ: dict[str, str], stream: io.StringIO, expected: bool) -> None:
    assert wants_colour(stream, environ) is expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (None, ""),
        (5, "now"),
        (130, "2 min"),
        (7300, "2 h"),
        (86400 * 3, "3 d"),
        (-7200, "ahead"),
        (86400 * 800, "2 y"),
    ],
)
def test_ages_have_one_unit(seconds: float | None, expected: str) -> None:
    assert age(seconds) == expected


def test_a_row_that_is_no_unicode_stops_no_run(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    output.write_jsonl([{"name": "caf\ud800é"}, {"name": "next"}])
    assert capsysbinary.readouterr().out == '{"name":"caf?é"}\n{"name":"next"}\n'.encode()


def counted(
    monkeypatch: pytest.MonkeyPatch, calls: Sequence[tuple[int, int]], seconds: Sequence[float]
) -> str:
    """What a counter shown from 500 steps on writes when it is told so, at these seconds."""
    clock = chain((0.0, *seconds), repeat(0.0))
    monkeypatch.setattr(output, "perf_counter", lambda: next(clock))
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    count = output.counter("understood", 500)
    for done, total in calls:
        count(done, total)
    return stream.getvalue()


def test_progress_is_shown_of_many_steps_of_slow_ones_and_of_a_listing_and_goes_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new = "\r\x1b[K"
    assert counted(monkeypatch, [(100, 200), (200, 200)], [0.1, 0.2]) == ""
    assert counted(monkeypatch, [(100, 500), (500, 500)], []) == f"{new}understood 100 of 500{new}"
    slow = counted(monkeypatch, [(100, 300), (200, 300), (300, 300)], [0.4, 0.6, 0.7])
    assert slow == f"{new}understood 200 of 300{new}"
    listing = counted(monkeypatch, [(0, -1), (500, -1), (0, 0), (0, 0)], [0.0, 0.0, 0.0, 0.1])
    assert listing == f"{new}listing messages …{new}listing messages: 500{new}"
