"""Quick tests that spare slow ones: they never miss what the slow one would have found."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_understanding.cascade.asks import acts, requests
from gaia_understanding.cascade.traps import injection, origin, pastime
from gaia_understanding.cascade.view import look
from gaia_understanding.prepare.extract import meeting
from gaia_understanding.prepare.extract.request_rules import request_rules

PLAIN = st.sampled_from("abcdefghijklmnopqrstuvwxyz 0123456789.,;:!?()'\"-_/")


def matching(lazy: object, alphabet: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Texts that a lazy pattern finds something in."""
    source: str = vars(lazy)["_source"]()
    return st.from_regex(source, alphabet=alphabet)


@settings(max_examples=40, deadline=None)
@given(matching(vars(requests)["_RHETORICAL"]))
def test_every_rhetorical_question_holds_one_of_its_words(text: str) -> None:
    assert vars(requests)["_RHETORICAL_WORDS"].stand_in(text)


@settings(max_examples=60, deadline=None)
@given(matching(vars(meeting)["_PROPOSAL"]))
def test_every_proposal_to_meet_holds_one_of_its_words(text: str) -> None:
    assert vars(meeting)["_proposes"](text, 0, len(text))


@settings(max_examples=60, deadline=None)
@given(matching(vars(pastime)["_CHAIN"]))
def test_every_wish_to_be_passed_on_is_found_by_its_verb(text: str) -> None:
    found = vars(pastime)["_CHAIN"].search(text)
    assert vars(pastime)["_chain"](text) == found[0]


@settings(max_examples=40, deadline=None)
@given(matching(vars(injection)["_SYSTEM"]))
def test_every_line_of_a_system_holds_one_of_its_marks(text: str) -> None:
    assert any(mark in text for mark in vars(injection)["_SYSTEM_MARKS"])


@settings(max_examples=40, deadline=None)
@given(matching(vars(injection)["_ADDRESSED"]))
def test_every_word_to_an_assistant_names_one(text: str) -> None:
    assert vars(injection)["_speaks_to_assistant"](text)


@settings(max_examples=40, deadline=None)
@given(matching(vars(acts)["_PLAN"], PLAIN))
def test_every_plan_holds_one_of_its_words(text: str) -> None:
    assert vars(acts)["_PLAN_WORDS"].stand_in(text)


@given(st.text("ab1!|@ \u03b1é", max_size=12))
def test_a_sign_inside_a_word_is_found_wherever_it_stands(text: str) -> None:
    expected = re.search(r"[01345@$!|](?<=[a-z].)[a-z]", text) is not None
    assert (b"a1a" in vars(origin)["_kinds"](text)) == expected


GAPS = st.lists(st.text(" \n\t\x0b", min_size=1, max_size=2), min_size=5, max_size=5)


@given(st.text("abé \n\t\x1c", max_size=10), GAPS)
def test_no_row_of_six_letters_is_missed(before: str, spaces: list[str]) -> None:
    row = "".join(letter + space for letter, space in zip("véagr", spaces, strict=True))
    assert "letters:spaced" in vars(origin)["_search_disguises"](f"{before} {row}a {before}", frozenset())


@given(
    st.lists(st.sampled_from(("v", "é", "ab", "1", "-")), max_size=12), st.sampled_from((" ", "  ", "\n \t"))
)
def test_only_six_words_of_one_letter_in_a_row_are_taken_for_spaced_letters(
    words: list[str], gap: str
) -> None:
    spaced_out = "\1" * 6 in "".join(chr(len(word)) for word in words)
    found = vars(origin)["_search_disguises"](gap.join(words), frozenset())
    assert ("letters:spaced" in found) == spaced_out


SPOKEN = "please can you could would send let me know by friday if no need to ? ! , . ' - we i the"
WORDS = st.sampled_from(tuple(SPOKEN.split()))


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=12))
def test_an_ascii_sentence_is_judged_as_by_the_rule_that_knows_all_letters(words: list[str]) -> None:
    sentence = " " + " ".join(words)
    for rule in request_rules("en").rules:
        pattern = re.compile(rule.source)
        wide = pattern.search(sentence) if rule.hints else pattern.match(sentence)
        assert rule.matches(sentence) == (wide is not None), rule.source


@settings(max_examples=80, deadline=None)
@given(
    st.one_of(matching(vars(injection)["_SYSTEM"]), matching(vars(injection)["_ADDRESSED"])),
    st.sampled_from(("The system says ", "Le système, the system: ", "Das „System“ sagt ", "system。")),
)
def test_no_word_to_a_machine_is_missed_where_the_text_speaks_of_a_system(text: str, before: str) -> None:
    view = look("", f"{before} {text} ", (f"{before} {text}",))
    named = "inj_machine" in view.body_hits
    assert vars(injection)["_names_machine"](view) == named
