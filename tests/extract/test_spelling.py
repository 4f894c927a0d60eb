"""The spellings of a text: each of its length, and the same whether asked for one by one or together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gaia_understanding.prepare.extract.sentences import placed_sentences, split_sentences
from gaia_understanding.prepare.extract.spelling import Spellings, fold, space_out, to_lower

TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("aZ .!?\n\t’“”–\u00a0\u202fÉİΣ1٣")), max_size=120)


def slowly(text: str) -> str:
    """Character by character; the sigma, whose lower case depends on where it stands, left out."""
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


@given(TEXTS.filter(lambda text: "Σ" not in text))
def test_lowering_in_bytes_says_what_lowering_each_character_says(text: str) -> None:
    assert to_lower(text) == slowly(text)


@given(TEXTS)
def test_spellings_are_those_that_each_function_gives(text: str) -> None:
    spellings = Spellings(text)
    assert (spellings.lower(), spellings.fold(), spellings.spaced_bytes()) == (
        to_lower(text),
        fold(text),
        space_out(text).encode("utf-8", "surrogatepass"),
    )
    assert spellings.folded_bytes() == fold(text).encode("utf-8", "surrogatepass")
    assert {len(to_lower(text)), len(fold(text)), len(space_out(text))} == {len(text)}
    assert spellings.has_digits() == any(map(str.isdecimal, text))
    assert spellings.wide == {character for character in text if not character.isascii()}


@given(TEXTS)
def test_every_sentence_stands_where_it_is_said_to_begin(text: str) -> None:
    sentences, starts = placed_sentences(text)
    assert sentences == split_sentences(text)
    assert [
        text[start : start + len(sentence)] for start, sentence in zip(starts, sentences, strict=True)
    ] == [*sentences]
    assert list(starts) == sorted(starts)
    assert "".join("".join(sentences).split()) == "".join(text.split())
