"""A text as the learned model reads it: words in order, and where its sentences end."""

from __future__ import annotations

from gaia_understanding.cascade.phrases import fold, text_of


def test_a_text_keeps_its_words_in_order_and_where_its_sentences_end() -> None:
    text = fold("Can you come, Ann? We wait!\nNo hurry... Über 3.5 km")
    found = b" ".join(text_of(text, 40)).decode()
    assert found == f"can you come ann ? we wait . no hurry . . . {fold('Über')} 3 . 5 km"


def test_a_text_is_cut_after_so_many_words_and_marks() -> None:
    assert text_of("a b? c d e", 4) == [b"a", b"b", b"?", b"c"]
    assert text_of("", 4) == []
    assert text_of("\ud800 x", 4)[-1] == b"x"
