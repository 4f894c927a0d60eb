"""Selectors: each rule of the dialect with an example of its own."""

from __future__ import annotations

import pytest

from gaia_email_control.javascript import JavaScriptError, JsValue
from gaia_email_control.selectors import (
    extract_selectors,
    format_selector,
    normalize_segment,
    parse_selector,
    resolve_selector,
    selector_matches,
)

TRIAGE: JsValue = {"agentId": "triage-1", "definitionId": "Triage", "nodeQualifier": "Desk.local"}
ALIASED: JsValue = {"agentId": "mail", "aliases": ["  @mail@attic.  ", "@other#x"]}


def selector(text: str) -> JsValue:
    found = parse_selector(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("  Mail Agent ", "mail-agent"),
        ("releases//2.0/rc", "releases-2.0-rc"),
        ("a\\b", "a-b"),
        ("--a--b--", "a--b"),
        ("été", "t"),
        ("a\u00a0\u3000b", "a-b"),
        ("\ufeffa\u2029", "a"),
        ("\x85a\x1f", "a"),
        ("a\U0001f4e7\U0001f4e8b", "a-b"),
        ("a\ud83db", "a-b"),
        ("\u212aelvin", "kelvin"),
        ("\u017fa", "a"),
        ("\u0130ris", "i-ris"),
        ("/-/", ""),
    ],
)
def test_a_segment_is_compared_without_case_and_odd_characters(written: str, compared: str) -> None:
    assert normalize_segment(written) == compared
    assert normalize_segment(compared) == compared


@pytest.mark.parametrize(
    ("written", "raw", "label"),
    [
        ("@Mail", "Mail", "@mail"),
        ("mail", "mail", "@mail"),
        ("\ufeff@@mail?!)]", "mail", "@mail"),
        ("@mail@Attic#In/box", "mail@Attic#In/box", "@mail@attic#in-box"),
        ("@mail#a#b", "mail#a#b", "@mail#a"),
        ("@mail@a@b", "mail@a@b", "@mail@a"),
        ("@mail#a@b", "mail#a@b", "@mail#a-b"),
        ("@mail@#-", "mail@#-", "@mail"),
        ("@ mail .", " mail ", "@mail"),
        ("@mail\x1f", "mail\x1f", "@mail"),
    ],
)
def test_a_selector_is_read_with_what_was_written_and_its_label(written: str, raw: str, label: str) -> None:
    found = parse_selector(written)
    assert found is not None
    assert (found["raw"], found["label"]) == (raw, label)


@pytest.mark.parametrize("text", ["", " ", "@", "@.,!?;:)]", "@#inbox", "@ @attic", "é", "\ufeff"])
def test_what_leaves_no_definition_is_no_selector(text: str) -> None:
    assert parse_selector(text) is None


def test_a_qualifier_of_which_nothing_is_left_is_not_there() -> None:
    assert parse_selector("mail@-#!x") == {
        "raw": "mail@-#!x",
        "label": "@mail#x",
        "definitionId": "mail",
        "workspaceQualifier": "x",
    }


def test_a_label_has_its_sigil_unless_exactly_false_is_said() -> None:
    parts: JsValue = {"definitionId": "Mail", "nodeQualifier": "", "workspaceQualifier": "In box"}
    assert format_selector(parts) == "@mail#in-box"
    assert format_selector(parts, {"includeSigil": False}) == "mail#in-box"
    others: list[JsValue] = [{"includeSigil": 0}, {"includeSigil": None}, {}, [], "", 5, False]
    for other in others:
        assert format_selector(parts, other) == "@mail#in-box"
    assert format_selector({"definitionId": "?", "nodeQualifier": 5}) == "@"
    assert format_selector({"definitionId": "?"}, {"includeSigil": False}) == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@a, @b and mail@c or (@d)", ["a", "b"]),
        ("@one@two@three @four#five#six", ["one@two", "four#five"]),
        ("@a\u2003@b\ufeff@c\x1f@d\x85@e", ["a", "b", "c"]),
        ("@ma\u017f @\u212aim", ["ma"]),
        ("@Mail @x @MAIL.", ["MAIL", "x"]),
        ("@... @- @/", []),
        ("@a\n\n@b\r@c", ["a", "b", "c"]),
        ("@@a @a@@b", ["a"]),
        ("", []),
    ],
)
def test_selectors_stand_in_a_text_after_white_space_once_each(text: str, found: list[str]) -> None:
    assert [one["raw"] for one in extract_selectors(text)] == found


def test_a_candidate_is_meant_by_its_definition_or_else_its_id() -> None:
    assert selector_matches(selector("@triage"), TRIAGE)
    assert not selector_matches(selector("@triage-1"), TRIAGE)
    assert selector_matches(selector("@mail"), ALIASED)
    assert selector_matches(selector("@mail"), {"agentId": "mail", "definitionId": "", "nodeQualifier": None})


def test_each_qualifier_given_must_be_the_candidates_own() -> None:
    assert selector_matches(selector("@triage@desk.local"), TRIAGE)
    assert not selector_matches(selector("@triage@desk"), TRIAGE)
    assert not selector_matches(selector("@triage@desk.local#inbox"), TRIAGE)
    assert not selector_matches(
        selector("@triage@desk#inbox"), {"agentId": "triage", "workspaceQualifier": "inbox"}
    )


def test_an_alias_stands_for_a_whole_label_of_its_own_definition_only() -> None:
    assert selector_matches(selector("@mail@attic"), ALIASED)
    assert not selector_matches(selector("@mail@attic#x"), ALIASED)
    assert not selector_matches(selector("@other#x"), ALIASED)
    upper: JsValue = {"agentId": "mail", "aliases": ["@Mail@Attic"]}
    assert not selector_matches(selector("@mail@attic"), upper)


def test_of_several_the_one_with_the_definition_as_its_id_is_meant_else_the_first() -> None:
    named: JsValue = {"agentId": "Triage"}
    second: JsValue = {"agentId": "second", "definitionId": "triage"}
    assert resolve_selector(selector("@triage"), [TRIAGE, second, named]) is named
    assert resolve_selector(selector("@triage"), [TRIAGE, second]) is TRIAGE
    assert resolve_selector(selector("@triage"), []) is None


def test_with_a_qualifier_several_are_none() -> None:
    twin: JsValue = {"agentId": "twin", "definitionId": "triage", "nodeQualifier": "desk.local"}
    assert resolve_selector(selector("@triage@desk.local"), [TRIAGE, twin]) is None
    assert resolve_selector(selector("@triage@desk.local"), [TRIAGE, ALIASED]) is TRIAGE


MALFORMED: list[tuple[JsValue, JsValue, str]] = [
    ({}, None, "Cannot read properties of null (reading 'filter')"),
    ({}, "text", "candidates.filter is not a function"),
    (None, [], "Cannot read properties of null (reading 'nodeQualifier')"),
    ({}, [{}], "Cannot read properties of undefined (reading 'trim')"),
    ({}, [{"agentId": 7}], "value.trim is not a function"),
    ({}, [None], "Cannot read properties of null (reading 'definitionId')"),
]


@pytest.mark.parametrize(("selector", "candidates", "message"), MALFORMED)
def test_a_malformed_argument_is_answered_as_javascript_does(
    selector: JsValue, candidates: JsValue, message: str
) -> None:
    with pytest.raises(JavaScriptError) as raised:
        resolve_selector(selector, candidates)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("aliases", "message"),
    [
        (5, "(candidate.aliases ?? []).map is not a function"),
        ({"map": 1}, "(candidate.aliases ?? []).map is not a function"),
        ([None], "Cannot read properties of null (reading 'trim')"),
        ([["@a"]], "alias.trim is not a function"),
    ],
)
def test_malformed_aliases_are_noticed_only_where_they_are_compared(aliases: JsValue, message: str) -> None:
    candidate: JsValue = {"agentId": "mail", "aliases": aliases}
    assert selector_matches(selector("@mail"), candidate)
    with pytest.raises(JavaScriptError) as raised:
        selector_matches(selector("@mail@attic"), candidate)
    assert str(raised.value) == message


@pytest.mark.parametrize("piece", ["@", "@a", ".", "a#", " ", "@a ", "@a@b#c", "-", "/", "@a.,", "\ud83d"])
def test_a_long_text_is_read_in_one_pass(piece: str) -> None:
    text = piece * 100_000 + "x"
    extract_selectors(text)
    parse_selector(text)
    assert extract_selectors(text + " @last")[-1]["raw"] == "last"
