"""The policy as a document: it comes back as it was written, and what cannot be is refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.policy.document import Policy, own_cohort
from gaia_email.policy.levels import check_level
from gaia_email.policy.protection import PROTECTED_KINDS, Protected, ProtectedKind
from gaia_email.policy.rules import FIELDS, parse_rule
from gaia_email.policy.switches import Switches
from gaia_email_registry.errors import BadArgument, NotFound
from tests.policy.made import message, policies, switches

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(policies())
@settings(max_examples=100)
def test_any_policy_survives_a_round_trip(policy: Policy) -> None:
    assert Policy.from_json(json.loads(json.dumps(policy.to_json()))) == policy


@given(switches)
def test_any_switches_survive_a_round_trip(switched: Switches) -> None:
    assert Switches.from_json(json.loads(json.dumps(switched.to_json()))) == switched


@given(st.sampled_from(FIELDS), words)
@settings(max_examples=200)
def test_a_rule_that_can_be_read_is_read_the_same_from_what_it_is_written_as(field: str, value: str) -> None:
    try:
        rule = parse_rule(f'{field}:"{value}"')
    except BadArgument:
        return
    assert parse_rule(str(rule)) == rule


@given(st.sampled_from(PROTECTED_KINDS), words)
@settings(max_examples=200)
def test_what_can_be_protected_can_be_taken_off_again(kind: ProtectedKind, value: str) -> None:
    try:
        protected = Protected().add(kind, value)
    except BadArgument:
        return
    (entry,) = protected.entries(kind)
    assert protected.add(kind, entry) == protected
    assert protected.remove(kind, entry) == Protected()


def test_level_six_is_refused_by_name() -> None:
    with pytest.raises(BadArgument, match="fully delegated"):
        Policy().with_level("newsletters", 6)


@pytest.mark.parametrize("level", [-1, 7, 2.0, True, "3", None])
def test_what_is_no_level_is_refused(level: object) -> None:
    with pytest.raises(BadArgument, match="whole number from 0 to 5"):
        check_level(level)


def broken(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(Policy().to_json()))
    change(value)
    return value


Breaking = Callable[[dict[str, Any]], object]

BROKEN: list[tuple[Breaking, str]] = [
    (lambda v: v.pop("cohorts"), "cohorts"),
    (lambda v: v.update(format=2), "newer"),
    (lambda v: v.update(colour="red"), "colour"),
    (lambda v: v["cohorts"].pop(0), "vip"),
    (lambda v: v["cohorts"].reverse(), "default last"),
    (lambda v: v["cohorts"].append(v["cohorts"][0]), "one name"),
    (lambda v: v["cohorts"][0].update(level=6), "fully delegated"),
    (lambda v: v["cohorts"][0].update(match=["from:a@b.example"]), "vip"),
    (lambda v: v["cohorts"].insert(0, {"name": "mine", "level": 1}), "rules"),
    (lambda v: v["cohorts"].insert(0, {"name": "My Own", "level": 1, "match": ["list:x"]}), "My Own"),
    (lambda v: v.update(vips=["ann"]), "ann"),
    (lambda v: v.update(vips="ann@example.org"), "a list"),
    (lambda v: v.update(vips=[1]), "list of texts"),
    (lambda v: v.update(unsure_below=2), "from 0 to 1"),
    (lambda v: v.update(unsure_below=float("nan")), "from 0 to 1"),
    (lambda v: v.update(unsubscribe="yes"), "true or false"),
    (lambda v: v.update(quiet_hours={"start": "22:00", "end": "7", "zone": "UTC"}), "'7'"),
    (lambda v: v.update(quiet_hours={"start": "22:00", "end": "07:00", "zone": "Mars"}), "Mars"),
    (lambda v: v.update(quiet_hours={"start": "22:00", "end": "22:00", "zone": "UTC"}), "different"),
    (lambda v: v.update(protected={"senders": ["nobody"]}), "nobody"),
]


@pytest.mark.parametrize(("change", "names"), BROKEN)
def test_what_cannot_be_is_refused_and_named(change: Breaking, names: str) -> None:
    with pytest.raises(BadArgument) as refused:
        Policy.from_json(broken(change))
    assert names in refused.value.message


@pytest.mark.parametrize("value", [None, [], "policy", 3])
def test_a_document_is_an_object(value: object) -> None:
    with pytest.raises(BadArgument):
        Policy.from_json(value)


def test_a_built_in_cohort_stays_and_ones_own_can_go() -> None:
    policy = Policy().with_cohort(own_cohort("mine", 3, ("list:dev.example",)))
    assert policy.without_cohort("mine") == Policy()
    with pytest.raises(BadArgument, match="stays"):
        policy.without_cohort("social")
    with pytest.raises(BadArgument, match="already"):
        policy.with_cohort(own_cohort("mine", 1, ("list:dev.example",)))
    with pytest.raises(NotFound, match="There is no cohort"):
        policy.with_level("friends", 3)


@pytest.mark.parametrize(
    ("sender", "protected"),
    [
        ("ann@example.org", True),
        ("bob@example.org", False),
        ("x@bank.example", True),
        ("x@mail.bank.example", True),
        ("x@mybank.example", False),
        ("bank.example@evil.example", False),
    ],
)
def test_a_protected_sender_is_an_address_or_a_domain_with_what_is_below(
    sender: str, protected: bool
) -> None:
    entries = Protected().add("sender", "Ann@Example.org").add("sender", "@bank.example")
    assert bool(entries.over(message(sender))) is protected


def test_a_protected_label_is_found_by_any_case() -> None:
    entries = Protected().add("label", "Tax 2026")
    assert entries.over(message(labels=frozenset({"tax 2026"})))
    assert not entries.over(message(labels=frozenset({"tax"})))
