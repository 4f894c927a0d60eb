"""Changes of the policy: tried and shown, saved by a person's word, and by the word about exactly what was shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gaia_email.app import App
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from tests.origins import PERSON

Json = dict[str, Any]
CHANGES: list[tuple[str, Json, str]] = [
    ("set_level", {"cohort": "newsletters", "level": 2}, "level"),
    ("set_policy", {"unsure_below": 70}, "unsure_below"),
    ("set_policy", {"behaviour": "off"}, "behaviour"),
    ("set_policy", {"unsubscribe": "on"}, "unsubscribe"),
    ("add_cohort", {"name": "bills", "rules": ["subject:invoice"], "level": 2}, "cohort_added"),
    ("quiet_hours", {"start": "22:00", "end": "07:00"}, "quiet_hours"),
    ("convention", {"name": "bills", "value": "actionable"}, "convention"),
    ("add_vip", {"address": "ann@one.example"}, "vip_added"),
    ("protect", {"kind": "sender", "value": "one.example"}, "sender_protected"),
]


class Owner:
    """Who changes the policy, with or without being known for a person."""

    def __init__(self, app: App, source: SourceSpec) -> None:
        self.app = app
        self.source = source

    def call(self, named: str, /, *, by_person: bool = True, confirm: Any = None, **asked: object) -> Json:
        operation = OPERATIONS[named]
        call: OperationCall[Any] = OperationCall(
            asked=operation.read(asked),
            origin=PERSON,
            by_person=by_person,
            confirm=confirm,
            sources=() if operation.mailbox == "none" else (self.source,),
        )
        document: Json = dict(operation.run(self.app, call))
        Draft202012Validator(operation.output_schema()).validate(document)  # pyright: ignore[reportUnknownMemberType]
        return document

    def policy(self) -> Json:
        return {**self.call("policy"), "version": 0}


@pytest.fixture
def owner() -> Iterator[Owner]:
    with sample_source(App()) as (app, source):
        yield Owner(app, source)


@pytest.mark.parametrize(("name", "asked", "what"), CHANGES)
def test_a_change_is_tried_without_being_saved_and_then_saved_once(
    owner: Owner, name: str, asked: Json, what: str
) -> None:
    before = owner.policy()
    tried = owner.call(name, by_person=False, dry_run=True, **asked)
    assert (tried["change"]["what"], tried["saved"]) == (what, False)
    assert owner.policy() == before
    assert owner.call(name, **asked)["saved"]
    assert owner.policy() != before
    if name != "add_cohort":
        assert owner.call(name, **asked)["same"]


def test_every_change_is_among_them_or_takes_one_of_them_back() -> None:
    back = {"remove_cohort", "remove_vip", "unprotect", "try_policy"}
    assert {one.name for one in OPERATIONS.values() if one.output == "policy-change"} == {
        name for name, _, _ in CHANGES
    } | back


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("remove_cohort", {"name": "bills"}),
        ("remove_vip", {"address": "ann@one.example"}),
        ("unprotect", {"kind": "sender", "value": "one.example"}),
    ],
)
def test_what_was_added_is_taken_away_again(owner: Owner, name: str, asked: Json) -> None:
    before = owner.policy()
    for change, given, _ in CHANGES:
        if change in ("add_cohort", "add_vip", "protect"):
            owner.call(change, **given)
    added = owner.policy()
    assert owner.call(name, **asked)["saved"]
    assert owner.policy() not in (before, added)
    with pytest.raises(NotFound):
        owner.call("remove_cohort", name="there is none")


def test_what_lets_the_agent_do_more_takes_a_persons_word(owner: Owner) -> None:
    with pytest.raises(NeedsApproval, match="needs your yes"):
        owner.call("set_level", by_person=False, cohort="cross_org", level=5)
    shown = list[Mapping[str, Any]]()

    def confirm(document: Mapping[str, Any]) -> bool:
        shown.append(document)
        return len(shown) > 1

    with pytest.raises(NeedsApproval, match="needs your yes"):
        owner.call("set_level", confirm=confirm, cohort="cross_org", level=5)
    saved = owner.call("set_level", confirm=confirm, cohort="cross_org", level=5)
    assert saved["saved"]
    assert shown[1]["needs_yes"]
    assert shown[1]["change"] == saved["change"]


@pytest.mark.parametrize("asked", [{}, {"behaviour": "on", "unsubscribe": "on"}])
def test_one_setting_is_changed_at_a_time(owner: Owner, asked: Json) -> None:
    with pytest.raises(BadArgument, match="one thing at a time"):
        owner.call("set_policy", **asked)


@pytest.mark.parametrize("asked", [{"start": "22:00"}, {"start": "off", "end": "07:00"}])
def test_quiet_hours_have_a_start_and_an_end(owner: Owner, asked: Json) -> None:
    with pytest.raises(BadArgument, match="a start and an end"):
        owner.call("quiet_hours", **asked)


def test_a_level_and_a_new_cohort_are_tried_on_an_inbox_and_never_saved(owner: Owner) -> None:
    before = owner.policy()
    level = owner.call("try_policy", cohort="newsletters", level=0)
    cohort = owner.call("try_policy", cohort="bills", level=2, rules=["subject:invoice"])
    assert level["backtest"]["total"] == cohort["backtest"]["total"] > 100
    assert cohort["change"]["what"] == "cohort_added"
    assert not level["saved"]
    assert owner.policy() == before
