"""Which characters act or hide instead of showing, and how they are written."""

from __future__ import annotations

import json
import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_mail.printable import UNSEEN, safe_json, safe_json_line, visible, visible_text
from gaia_understanding.prepare import invisible

DRAWN = {"\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2", "\U000110bd", "\U000110cd"} | set(
    map(chr, range(0x600, 0x606))
)
"""Format characters with a shape of their own (Prepended_Concatenation_Mark)."""

SAMPLES = "\x7f\x9b\u00ad\u061c\u200b\u200d\u2028\u202e\u2066\ufeff\ufffa\U000e0041\U000e0101"
UNSEEN_ONE = re.compile(f"[{UNSEEN}]")


def test_the_table_has_every_control_format_and_separating_character_of_unicode() -> None:
    missed = [
        f"U+{code:04X}"
        for code in range(0x7F, sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"}
        and chr(code) not in DRAWN
        and not UNSEEN_ONE.match(chr(code))
    ]
    assert missed == []


def test_the_table_has_no_letter_digit_mark_or_sign_that_is_seen() -> None:
    ignorable = re.compile(
        "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0]|[\U000e0000-\U000e0fff]"
    )
    seen = [
        f"U+{code:04X}"
        for code in range(sys.maxunicode + 1)
        if UNSEEN_ONE.match(chr(code))
        and unicodedata.category(chr(code)) not in {"Cc", "Cf", "Zl", "Zp", "Cn"}
        and not ignorable.match(chr(code))
    ]
    assert seen == []


def test_whatever_is_hidden_for_understanding_is_escaped_too() -> None:
    known = re.compile(f"[{invisible.ZERO_WIDTH}{invisible.BIDI}{invisible.FILLERS}{invisible.TAGS}]")
    missed = [
        f"U+{code:04X}"
        for code in range(sys.maxunicode + 1)
        if known.match(chr(code)) and not UNSEEN_ONE.match(chr(code))
    ]
    assert missed == []


@given(st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from(SAMPLES)))
def test_escaped_json_is_the_same_when_it_is_read_and_holds_nothing_unseen(text: str) -> None:
    written = json.dumps({text: [text]}, ensure_ascii=False)
    line = safe_json_line(written.encode())
    assert json.loads(line) == {text: [text]}
    assert not UNSEEN_ONE.search(line.decode())
    assert safe_json(written) == line.decode()


@pytest.mark.parametrize("character", SAMPLES)
def test_each_sample_is_an_escape_in_json_and_a_code_point_for_people(character: str) -> None:
    assert safe_json_line(f'"{character}"'.encode()).isascii()
    shown = visible_text(f"a{character}b")
    assert shown == visible(f"a{character}b")
    assert shown == ("a\u2421b" if character == "\x7f" else f"a<U+{ord(character):04X}>b")


@pytest.mark.parametrize(
    "text",
    [
        "Ünïcödé – “quotes”\u00a0… 1\u202f€",
        "\u2764\ufe0f\u200d\U0001f525 and \U0001f469\u200d\U0001f4bb",
        "می\u200cخواهم",
        "क्\u200dष",
        "葛\U000e0100飾",
        "two\r\nlines\tand a tab\n",
    ],
)
def test_what_is_in_its_place_stays(text: str) -> None:
    assert visible_text(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pass\u200dword", "pass<U+200D>word"),
        ("می\u200c\u200cخواهم", "می<U+200C><U+200C>خواهم"),
        ("a\U000e0100", "a<U+E0100>"),
        ("over\rwritten", "over␍written"),
        ("\x1b[2Jwiped\x00", "␛[2Jwiped␀"),
        ("x" + "\u200b" * 5_000, "x<U+200B and 4,999 more>"),
        ("lone\ud800", "lone\ufffd"),
    ],
)
def test_what_is_out_of_place_is_shown(text: str, shown: str) -> None:
    assert visible_text(text) == shown


@given(st.text())
def test_shown_text_keeps_its_lines_and_is_shown_once(text: str) -> None:
    once = visible_text(text)
    assert visible_text(once) == once
    assert once.count("\n") == text.count("\n")
    once.encode()
