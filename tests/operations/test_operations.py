"""Every operation on the sample mailbox: what it is asked with, what it answers, who may call it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gaia_email.app import App
from gaia_email.app.documents.fields import rows_of
from gaia_email.app.operations.operation import NoInput, Operation, OperationCall, operation
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound
from tests.origins import PERSON
from tests.plugins.bundled import is_installed, needs_plugin

Json = dict[str, Any]


class Sample:
    """The sample mailbox, on which operations are called by a person."""

    def __init__(self, app: App, source: SourceSpec) -> None:
        self.app = app
        self.source = source

    def call(self, name: str, /, **asked: object) -> Json:
        """An operation's document, which has to be as its schema says."""
        operation = OPERATIONS[name]
        sources = () if operation.mailbox == "none" else (self.source,)
        call: OperationCall[Any] = OperationCall(
            asked=operation.read(asked), origin=PERSON, by_person=True, sources=sources
        )
        document: Json = dict(operation.run(self.app, call))
        Draft202012Validator(operation.output_schema()).validate(document)  # pyright: ignore[reportUnknownMemberType]
        return document

    def first(self, bucket: str = "actionable") -> str:
        """The id of the first thread of a bucket."""
        rows: list[Json] = self.call("inbox")["buckets"][bucket]
        return str(rows[0]["id"])


@pytest.fixture
def sample() -> Iterator[Sample]:
    with sample_source(App()) as (app, source):
        yield Sample(app, source)


EVERY = [pytest.param(one, id=one.name) for one in OPERATIONS.values()]


@pytest.mark.parametrize("operation", EVERY)
def test_every_operation_says_what_it_does_and_takes_nothing_it_does_not_know(
    operation: Operation[Any],
) -> None:
    assert operation.summary.endswith(".")
    assert operation.input.__doc__
    Draft202012Validator.check_schema(operation.input_schema)
    Draft202012Validator.check_schema(operation.output_schema())
    assert operation.input_schema["additionalProperties"] is False
    with pytest.raises(BadArgument, match="unknown field"):
        operation.read({**_least(operation), "no_such_field": 1})


def _least(operation: Operation[Any]) -> Json:
    """An input with only what has to be there."""
    schema: Json = dict(operation.input_schema)
    kinds: Json = {
        "string": "abcdefgh",
        "integer": 1,
        "boolean": True,
        "array": ["abc"],
        "object": {"abc": "abc"},
    }
    values: Json = schema.get("properties", {})
    return {
        name: values[name]["enum"][0] if "enum" in values[name] else kinds[values[name]["type"]]
        for name in schema.get("required", ())
    }


def test_only_what_drafts_or_restrains_may_be_called_by_others_beside_what_reads() -> None:
    free = {
        name
        for name, one in OPERATIONS.items()
        if one.risk != "read" and not one.takes_person(one.read(_least(one)))
    }
    of_automations = {
        *("disable_automation", "propose_automation", "refine_automation"),
        *("import_automation", "suggest_automations", "unshare_file"),
    }
    assert free == {
        *("draft", "pause", "stop", "travel", "disable", "cancel_run", "remove_schedule", "retriage"),
        *("compose", "outgoing", "reword_text", "dictate", "distrust_model", "models_off"),
        *(of_automations if is_installed("automations") else ()),
        *(("control_revoke", "control_invoke") if is_installed("control") else ()),
    }


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("triage", {"apply": True}),
        ("draft", {"message_id": "m", "save": True}),
        ("set_level", {"cohort": "newsletter", "level": 1}),
        pytest.param(
            "control_invoke", {"action": "execute", "task": "triage"}, marks=needs_plugin("control")
        ),
    ],
)
def test_a_harmless_operation_takes_a_person_where_its_input_makes_it_act(name: str, asked: Json) -> None:
    operation = OPERATIONS[name]
    assert operation.takes_person(operation.read(asked))


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({"query": "a", "limit": "many"}, "/limit"),
        ({"query": "a", "limit": 0}, "/limit"),
        ({"query": 7}, "/query"),
        ({}, ""),
        ([], ""),
        (None, ""),
    ],
)
def test_what_does_not_fit_is_named_by_its_place(asked: object, pointer: str) -> None:
    with pytest.raises(BadArgument) as caught:
        OPERATIONS["search"].read(asked)
    assert caught.value.argument == pointer
    assert caught.value.message.endswith(".")


def test_what_does_not_fit_inside_a_list_is_named_too() -> None:
    with pytest.raises(BadArgument) as caught:
        OPERATIONS["archive"].read({"message_ids": ["a", 2]})
    assert caught.value.argument == "/message_ids/1"


def test_mail_is_read_by_operations_as_by_commands(sample: Sample) -> None:
    inbox = sample.call("inbox", limit=1)
    assert inbox["shown"] <= 5 < inbox["threads"]
    message = sample.first()
    for name in ("why", "show", "classify", "extract", "explain", "thread", "summarise"):
        found = sample.call(name, message_id=message)
        assert found.get("id", message) == message
    assert sample.call("search", query="subject:invoice")["query"] == "subject:invoice"
    assert sample.call("habits")["schema_version"] == 1
    assert 0 < sample.call("inbox", since="2d")["total"] < inbox["total"]


def test_how_everything_stands_needs_no_mailbox(sample: Sample) -> None:
    for name, one in OPERATIONS.items():
        about_nothing = one.mailbox == "none" and not one.input_schema.get("required")
        if one.risk == "read" and about_nothing and name != "doctor" and one.output != "policy-change":
            sample.call(name)
    assert sample.call("doctor", offline=True)["findings"]


def test_a_triage_by_a_person_acts_and_is_undone(sample: Sample) -> None:
    planned = sample.call("triage")
    assert "plan" in planned["buckets"]["low_priority"][0]
    done = sample.call("triage", apply=True)
    run = str(done["run_id"])
    acted = sample.call("actions", run_id=run)
    assert {one["action_id"] for one in done["done"]} <= {one["action_id"] for one in acted["actions"]}
    undone = sample.call("undo", run_id=run)
    assert {one["action_id"] for one in done["done"]} <= {one["action_id"] for one in undone["taken_back"]}


def test_messages_are_archived_snoozed_and_brought_back(sample: Sample) -> None:
    message = sample.first()
    archived = sample.call("archive", message_ids=[message])
    assert [one["message_id"] for one in archived["done"]] == [message]
    assert len(sample.call("undo", id=archived["undo"])["taken_back"]) == 1
    snoozed = sample.call("snooze", message_ids=[message], until="3d")
    assert snoozed["done"]
    assert sample.call("wake")["done"] == []
    with pytest.raises(BadArgument, match="time to come"):
        sample.call("snooze", message_ids=[message], until="2001-01-01")
    with pytest.raises(BadArgument, match="neither"):
        sample.call("snooze", message_ids=[message], until="soon or later")


def test_a_correction_is_recorded_listed_and_taken_back(sample: Sample) -> None:
    message = sample.first()
    said = sample.call("correct", message_id=message, bucket="low_priority")
    assert (said["id"], said["bucket"]) == (message, "low_priority")
    (number,) = (one["number"] for one in sample.call("lessons")["lessons"] if one["id"] == message)
    left = sample.call("forget_lesson", number=number)["lessons"]
    assert number not in [one["number"] for one in left]
    sample.call("correct", message_id=message, bucket="urgent")
    assert sample.call("retract", message_id=message)["retracted"]


def test_a_draft_is_made_and_kept_only_when_asked(sample: Sample) -> None:
    message = sample.first()
    draft = sample.call("draft", message_id=message, say="I will look at it on Monday.")
    assert "Monday" in draft["body"]
    assert not draft["saved"]
    assert sample.call("draft", message_id=message, say="Thank you.", save=True)["saved"]


def test_switches_are_turned(sample: Sample) -> None:
    assert sample.call("pause")["switches"]["paused_at"] is not None
    assert sample.call("stop")["switches"]["stopped_at"] is not None
    with pytest.raises(MailError):
        sample.call("triage", apply=True)
    resumed = sample.call("resume")["switches"]
    assert resumed["paused_at"] is None
    assert resumed["stopped_at"] is None


def test_travel_mode_is_begun_by_anybody_and_ended_before_its_time_by_a_person(sample: Sample) -> None:
    assert sample.call("travel", until="2099-01-01")["switches"]["travel_until"] is not None
    operation = OPERATIONS["travel"]
    for until in ("off", "2098-01-01"):
        asked = operation.read({"until": until})
        with pytest.raises(NeedsApproval, match="Only the user"):
            operation.run(sample.app, OperationCall(asked=asked, origin=PERSON))
    for until, said in (("soon", "neither a date"), ("2001-01-01", "over already")):
        with pytest.raises(BadArgument, match=said):
            sample.call("travel", until=until)
    assert sample.call("travel", until="off")["switches"]["travel_until"] is None


def test_sentences_are_remembered_reworded_and_forgotten(sample: Sample) -> None:
    sample.call("remember", text="I sign with B.")
    (reworded,) = rows_of(sample.call("reword", number=1, text="I sign with A."), "sentences")
    assert reworded["text"] == "I sign with A."
    (kept,) = rows_of(sample.call("remembered"), "sentences")
    assert sample.call("forget", number=kept["n"])["sentences"] == []


def test_what_waits_is_answered_by_its_id(sample: Sample) -> None:
    sample.call("triage", apply=True)
    items = sample.call("pending")["items"]
    assert items
    agreed = sample.call("approve", ids=[items[0]["id"]])
    assert agreed["items"][0]["result"] in ("approved", "seen")
    declined = sample.call("reject", ids=[items[1]["id"]], reason="not now")
    assert declined["items"][0]["result"] == "rejected"
    with pytest.raises(NotFound):
        sample.call("approve", ids=["00000000-0000-4000-8000-000000000000"])
    with pytest.raises(BadArgument, match="one item"):
        sample.call("approve", ids=[items[2]["id"], items[1]["id"]], bucket="urgent")


def test_an_operation_on_one_mailbox_says_so_when_none_is_named() -> None:
    operation = OPERATIONS["habits"]
    with pytest.raises(BadArgument, match="Name one account"):
        operation.run(App(), OperationCall(asked=operation.read({}), origin=PERSON))


def test_two_operations_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="'archive'"):

        @operation(output=object, path="POST /v1/tests", name="archive")
        def again(app: App, call: OperationCall[NoInput]) -> Json:  # pyright: ignore[reportUnusedFunction]
            """Archive."""
            return {}


def test_a_line_of_a_conversation_asks_only_for_what_reads() -> None:
    with pytest.raises(ValueError, match="more than read"):

        @operation(output=object, path="POST /v1/tests", risk="person", chat=("empty the mailbox",))
        def empty(app: App, call: OperationCall[NoInput]) -> Json:  # pyright: ignore[reportUnusedFunction]
            """Empty the mailbox."""
            return {}
