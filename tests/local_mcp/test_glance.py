"""The first look at a message for a listing: its beginning, and whether it has attachments."""

from __future__ import annotations

import base64
import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_mail.snippet import SNIPPET_CHARACTERS, content, glance, strip_html
from tests.contract.suite.seed import write_message

HEAD = b"Subject: x\nMIME-Version: 1.0\n"


@pytest.mark.parametrize(
    ("rest", "snippet"),
    [
        (b"\nPlain   text,\n on two lines.\n", "Plain text, on two lines."),
        (b"Content-Type: text/html\n\n<style>p{}</style><!-- no --><p>Shown &amp; seen</p>", "Shown & seen"),
        (b"Content-Type: text/html\n\n<style>p{" + b"x" * 20_000 + b"</style>after", "after"),
        (b"Content-Type: text/html\n\n<script>never ends", ""),
        (b"Content-Transfer-Encoding: base64\n\n" + base64.b64encode(b"coded"), "coded"),
        (b"\n\xe2\x80\x8bzero\xe2\x80\x8b width\x00\n", "zero width"),
        (b"", ""),
    ],
)
def test_the_snippet_is_the_beginning_of_the_text_on_one_line(rest: bytes, snippet: str) -> None:
    assert glance(HEAD + rest).snippet == snippet


def test_a_long_text_is_cut_with_a_mark() -> None:
    snippet = glance(HEAD + b"\n" + b"word " * 500).snippet
    assert len(snippet) <= SNIPPET_CHARACTERS
    assert snippet.endswith("…")


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
@pytest.mark.parametrize("markup", [False, True])
@pytest.mark.parametrize("words", ["Grüße aus Łódź", "ordinary words", "日本語"])
def test_a_long_text_shows_its_beginning_however_much_of_it_is_looked_at(
    encoding: str, markup: bool, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"<p>{words} <b>&amp;</b></p>\n" if markup else f"{words} &\n"
    body = (line * 2_000).encode()
    if encoding == "base64":
        body = base64.encodebytes(body)
    elif encoding == "quoted-printable":
        body = quopri.encodestring(body)
    kind = f"Content-Type: text/{'html' if markup else 'plain'}; charset=utf-8\n"
    raw = HEAD + f"{kind}Content-Transfer-Encoding: {encoding}\n\n".encode() + body
    seen = glance(raw).snippet
    assert seen == (" ".join([f"{words} &"] * 99)[: SNIPPET_CHARACTERS - 1].rstrip() + "…")
    monkeypatch.setattr("gaia_mail.snippet._GLIMPSE_BYTES", (1 << 30, 1 << 30))
    assert glance(raw).snippet == seen


def test_attachments_are_seen_and_body_parts_are_none() -> None:
    assert glance(write_message(1, attachment=("a.pdf", b"x"))).has_attachments
    assert not glance(write_message(1)).has_attachments


@pytest.mark.timeout(5)
@pytest.mark.parametrize("piece", ["<style>", "<!--", "<a ", "</", "<script", "&lt;"])
def test_hostile_markup_costs_a_bounded_time(piece: str) -> None:
    strip_html(piece * 200_000)


@given(st.binary(max_size=300))
def test_any_bytes_can_be_looked_at(raw: bytes) -> None:
    assert len(glance(raw).snippet) <= SNIPPET_CHARACTERS
    content(raw)
