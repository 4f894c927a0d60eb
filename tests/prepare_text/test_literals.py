"""Literals are found in one pass exactly where testing one after the other finds them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gaia_understanding.prepare.literal_scanner import Literals, LiteralScanner

WORDS = ("can we ", "é?", "助手", "ab")
WRITTEN = st.text("acnw eé?助手b\n\ud800", max_size=30)


@given(WRITTEN)
def test_one_of_them_stands_where_a_test_of_each_says_so(text: str) -> None:
    assert Literals(*WORDS).stand_in(text) == any(word in text for word in WORDS)


@given(st.lists(st.sampled_from((b"<img", b"<font", b": red", b"<", b" ", b"im", b"g")), max_size=200))
def test_marks_are_found_as_often_as_they_stand(pieces: list[bytes]) -> None:
    data, marks = b"".join(pieces), (b"<img", b"<font", b": red")
    found = LiteralScanner(*marks).found_in(data)
    assert {mark: found.count(mark) for mark in marks} == {mark: data.count(mark) for mark in marks}
