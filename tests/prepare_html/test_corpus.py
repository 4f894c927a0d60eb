"""Our reading measured on the development data: no false alarms on ordinary mail, replies parted exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from time import process_time
from typing import NotRequired, TypedDict

from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.read import parse_message
from gaia_understanding.prepare.pipeline import prepare

MakeMessage = Callable[..., ParsedMessage]

BY_STYLE = {
    "display:none",
    "visibility:hidden",
    "opacity:0",
    "font-size:0",
    "color-on-color",
    "transparent-text",
    "off-screen",
    "clipped",
    "zero-size",
    "alternative-mismatch",
    "zero-width",
    "bidi-control",
    "unicode-tags",
    "variation-selectors",
    "filler",
    "combining",
}


class Row(TypedDict):
    task: str
    input: str
    expected_text_any: NotRequired[list[str]]
    expected_html_nows: NotRequired[str]


def _expected(row: Row) -> list[str]:
    texts = row.get("expected_text_any")
    if texts:
        return texts
    return [unescape(re.sub("<[^>]*>", "", row.get("expected_html_nows") or ""))]


def test_html_replies_are_parted_as_expected(data: Path, make_message: MakeMessage) -> None:
    rows: list[Row] = [
        json.loads(line) for line in (data / "reply" / "expected.jsonl").read_text().splitlines()
    ]
    rows = [row for row in rows if row.get("task") == "reply_html"]
    right = 0
    for row in rows:
        prepared = prepare(make_message(html=row["input"], subject="Re: question"))
        got = "".join(prepared.normalized.split())
        right += got in ["".join(text.split()) for text in _expected(row)]
    assert len(rows) >= 13
    assert right / len(rows) >= 0.92


def test_ordinary_mail_hides_nothing(data: Path) -> None:
    folder = data / "spamassassin" / "messages"
    alarms = [
        (path.name, removal.how)
        for path in sorted(folder.glob("*ham*"))
        for removal in prepare(parse_message(path.read_bytes())).removed
        if removal.step == "hidden" and removal.how in BY_STYLE
    ]
    assert len(alarms) <= 1


def test_broken_mail_is_prepared_in_time(data: Path) -> None:
    paths = sorted((data / "mime" / "messages").iterdir())
    assert paths
    for path in paths:
        message = parse_message(path.read_bytes())
        started = process_time()
        prepare(message)
        assert process_time() - started < 1, path.name
