"""How much of a message the finders read, and that no sentence is lost between them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.entities import extract_entities
from gaia_understanding.prepare.extract.reading import BULK_CHARS, read
from gaia_understanding.prepare.extract.requests import find_requests
from gaia_understanding.prepare.extract.sentences import split_sentences
from gaia_understanding.prepare.model import Prepared

MakePrepared = Callable[..., Prepared]
BULK = (("List-Unsubscribe", "<https://example.com/u>"),)
LONG = "\n".join(f"Offer number {number} is waiting for you in the shop." for number in range(100))


def test_of_a_mailing_only_the_beginning_is_read_sentence_by_sentence(prepared: MakePrepared) -> None:
    sentences = read(prepared(LONG, headers=BULK)).sentences
    assert sentences == split_sentences(LONG)[: len(sentences)]
    assert BULK_CHARS - 100 < sum(map(len, sentences)) < BULK_CHARS


@pytest.mark.parametrize("headers", [(), (*BULK, ("List-Post", "<mailto:list@example.com>"))])
def test_a_letter_and_a_discussion_list_are_read_to_the_end(
    prepared: MakePrepared, headers: tuple[tuple[str, str], ...]
) -> None:
    text = LONG[:3_500] + "\n\nPlease send me the figures by Friday."
    message = prepared(text, headers=headers)
    assert read(message).requests[-1].text == "Please send me the figures by Friday."
    assert extract_entities(message).action_items[-1].due == "2026-03-06"


def test_the_total_at_the_end_of_a_long_mailing_is_still_found(prepared: MakePrepared) -> None:
    message = prepared(f"{LONG}\nTotal: 42.50 EUR", subject="Your order 88123", headers=BULK)
    entities = extract_entities(message)
    assert [money.text for money in entities.money] == ["42.50 EUR"]
    assert entities.receipt is not None
    assert entities.receipt.total == "42.50"


def test_a_word_that_no_finder_knows_does_not_hide_the_one_behind_it(prepared: MakePrepared) -> None:
    message = prepared("Zorb plimf, could you call Margaret tomorrow?")
    assert [span.kind for span in read(message).requests] == ["directive"]
    assert extract_entities(message).people == ("Margaret",)


def test_a_zero_byte_does_not_move_words_into_another_sentence(prepared: MakePrepared) -> None:
    message = prepared("Zorb\0plimf\0went well. Could you call Margaret tomorrow?")
    assert [span.text for span in read(message).requests] == ["Could you call Margaret tomorrow?"]


@pytest.mark.parametrize(
    "opening", ["Zoë’s “café” costs £5 – fine. ", "日本。 €5 • Łódź!\n", "ﬁne\u2003print\u3000here. "]
)
def test_words_call_in_their_own_sentence_whatever_characters_stand_before_it(
    prepared: MakePrepared, opening: str
) -> None:
    reading = read(prepared(f"{opening}You need to know this. {opening}Could you call Margaret tomorrow?"))
    assert reading.requests == find_requests(reading.sentences, "en")
    assert [span.text for span in reading.requests][-1] == "Could you call Margaret tomorrow?"
    assert {"margaret", "tomorrow", "could"} <= reading.known


def test_a_lazy_expression_works_like_the_compiled_one() -> None:
    lazy = lazy_pattern(r"\d+")
    assert lazy.search("a12b") is not None
    assert lazy.sub("-", "a12b") == "a-b"
    assert lazy.split("a12b") == ["a", "b"]


def test_a_lazy_expression_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        getattr(lazy_pattern("x"), "groups")  # noqa: B009
