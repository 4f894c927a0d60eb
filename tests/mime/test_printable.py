"""Characters that nobody sees: escaped for programs without loss, shown to people."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_mail_mcp.printable import UNSEEN, safe_json, safe_json_line, visible, visible_text

HOSTILE = {
    "C1 control sequence introducer": "\x9b31m",
    "delete": "a\x7fb",
    "right-to-left override": "gpj.\u202eexe",
    "isolate": "\u2066x\u2069",
    "zero-width space": "pay\u200bpal",
    "word joiner": "a\u2060b",
    "byte order mark": "\ufeffx",
    "soft hyphen": "a\u00adb",
    "line separator": "a\u2028b",
    "tag characters": "\U000e0041\U000e0042\U000e007f",
    "variation selector of the supplement": "x\U000e0100",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_json_shows_none_of_them_and_loses_none(text: str) -> None:
    plain = json.dumps({"subject": text}, ensure_ascii=False)
    safe = safe_json(plain)
    assert not re.search(f"[{UNSEEN}]", safe)
    assert json.loads(safe) == {"subject": text}
    assert safe_json_line(plain.encode()).decode() == safe


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_text_names_them(text: str) -> None:
    for shown in (visible(text), visible_text(text if not text.isascii() else text + "\xe9")):
        assert not re.search(f"[{UNSEEN}]", shown)


@given(st.text())
def test_any_text_comes_back_from_safe_json(text: str) -> None:
    safe = safe_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(safe) == text
    assert not re.search(f"[{UNSEEN}]", safe)


def test_ordinary_text_of_any_language_stays_as_it_is() -> None:
    text = "Grüße, 你好, שלום, مرحبا, नमस्ते 👍🏽"
    assert safe_json(text) == visible(text) == visible_text(text) == text


def test_an_emoji_that_is_joined_stays_one_and_a_joiner_between_letters_is_seen() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert visible(family) == family
    assert visible("pay\u200dpal") == "pay<U+200D>pal"


def test_lines_and_tabs_of_a_text_stay() -> None:
    assert visible_text("a\tb\r\nc é\n") == "a\tb\r\nc é\n"
