"""Records, commands and events on the wire: exact names, unknown fields kept, nothing converted."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from gaia_email_control import vocabulary
from gaia_email_control.collaboration_records import (
    ControlQuestion,
    ControlWorkItem,
    read_collaboration_record,
)
from gaia_email_control.commands import COMMAND_TYPES, read_command
from gaia_email_control.events import EVENT_KINDS, EVENT_RECORDS, new_event, read_event
from gaia_email_control.records import (
    ControlActor,
    ControlAgent,
    ControlBinding,
    ControlConversation,
    ControlDelivery,
    ControlDeliveryAttempt,
    ControlDeliveryTarget,
    ControlEndpoint,
    ControlFlight,
    ControlHelper,
    ControlInvocation,
    ControlMessage,
    ControlNode,
)
from gaia_email_control.refusals import MESH, VOICE, command_refusal, delivery_refusal
from gaia_email_control.schemas import control_schema
from gaia_email_control.wire import MOST_LEVELS, WireRecord
from gaia_email_registry.errors import BadArgument
from tests.plugins.control import samples
from tests.plugins.control.generated_calls import odd
from tests.plugins.control.samples import COMMANDS, EVENTS, FLIGHT, MESSAGE, QUESTION, WORK_ITEM, Wire

SPECIFIED: dict[str, type[WireRecord]] = {
    "ActorIdentity": ControlActor,
    "AgentDefinition": ControlAgent,
    "HelperDefinition": ControlHelper,
    "AgentEndpoint": ControlEndpoint,
    "NodeDefinition": ControlNode,
    "Conversation": ControlConversation,
    "Binding": ControlBinding,
    "Message": ControlMessage,
    "Invocation": ControlInvocation,
    "Flight": ControlFlight,
    "DeliveryIntent": ControlDelivery,
    "DeliveryAttempt": ControlDeliveryAttempt,
}
"""The records of the specification by their names there."""


def test_there_is_a_sample_of_every_command_and_event() -> None:
    assert set(EVENTS) == set(EVENT_KINDS) == set(EVENT_RECORDS)
    assert len(COMMANDS) == len(COMMAND_TYPES) == 12


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_is_written_as_it_was_read(kind: str) -> None:
    sent = samples.command(kind)
    assert read_command(sent).to_wire() == sent


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_is_written_as_it_was_read_and_holds_its_record(kind: str) -> None:
    sent = samples.event(kind)
    event = read_event(sent)
    assert event.to_wire() == sent
    assert event.record().to_wire() == next(iter(EVENTS[kind].values()))


def test_every_other_record_is_written_as_it_was_read() -> None:
    assert ControlHelper.from_wire(samples.HELPER).to_wire() == samples.HELPER
    assert ControlDeliveryTarget.from_wire(samples.TARGET).to_wire() == samples.TARGET
    assert read_collaboration_record(WORK_ITEM).to_wire() == WORK_ITEM


def test_every_field_of_a_record_has_been_sampled() -> None:
    for sent, kind in ((MESSAGE, ControlMessage), (QUESTION, ControlQuestion), (WORK_ITEM, ControlWorkItem)):
        assert {field.alias for field in kind.model_fields.values()} <= set(sent)


def test_a_new_record_is_made_by_python_names_and_written_by_the_protocols() -> None:
    flight = ControlFlight(
        id="f1",
        invocation_id="i1",
        requester_id="ann",
        target_agent_id="triage",
        state="running",
        started_at=7,
    )
    assert flight.to_wire() == {
        "id": "f1",
        "invocationId": "i1",
        "requesterId": "ann",
        "targetAgentId": "triage",
        "state": "running",
        "startedAt": 7,
    }
    event = new_event("flight.updated", flight, id="e1", ts=8, actor_id="triage")
    assert event.to_wire() == {
        "id": "e1",
        "kind": "flight.updated",
        "ts": 8,
        "actorId": "triage",
        "payload": {"flight": flight.to_wire()},
    }


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"state": "flying"}, "ControlFlight is not valid: state: Input should be 'queued', 'waking'"),
        ({"startedAt": "5"}, "startedAt: Input should be a number of milliseconds since 1970"),
        ({"startedAt": True}, "startedAt: Input should be a number"),
        ({"startedAt": 1e16}, "startedAt: Input should be a number"),
        ({"startedAt": float("nan")}, "startedAt: Input should be a number"),
        ({"id": 5}, "id: Input should be a valid string"),
        ({"id": None}, "id: Input should be a valid string"),
        ({"metadata": []}, "metadata: Input should be a valid dictionary"),
    ],
)
def test_what_is_wrong_with_a_record_is_told_by_field(change: Wire, told: str) -> None:
    with pytest.raises(BadArgument) as refused:
        ControlFlight.from_wire({**FLIGHT, **change})
    assert told in refused.value.message


def test_pythons_own_names_are_unknown_fields_on_the_wire() -> None:
    sent = {name: value for name, value in FLIGHT.items() if name != "invocationId"}
    with pytest.raises(BadArgument, match="invocationId: Field required"):
        ControlFlight.from_wire({**sent, "invocation_id": "i1"})


def test_what_was_sent_is_never_in_a_refusal() -> None:
    secret = "hunter2\x1b[31m"
    for sent in (
        {"kind": secret},
        {"kind": "agent.invoke", "invocation": {**samples.INVOCATION, "action": secret, "createdAt": secret}},
        {"kind": "collaboration.upsert", "record": {**QUESTION, "kind": secret}},
        {"kind": "collaboration.upsert", "record": secret},
        {"kind": "conversation.post", "message": {secret: secret}},
        secret,
    ):
        with pytest.raises(BadArgument) as refused:
            read_command(sent)
        assert "hunter2" not in refused.value.message
        assert "\x1b" not in refused.value.message


@pytest.mark.parametrize(
    "value", [None, 5, [], "text", {}, {"kind": None}, {"kind": []}, {"kind": "scout.init"}]
)
def test_what_is_no_command_is_told_which_there_are(value: object) -> None:
    with pytest.raises(
        BadArgument, match=r"The command is not valid: the value: (kind|Input should be an object)"
    ):
        read_command(value)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_sent_is_kept_as_it_is_or_refused_in_words(seed: int) -> None:
    random = Random(seed)
    kept = 0
    for _ in range(1500):
        sent = deepcopy(samples.command(random.choice(list(COMMANDS))))
        for _ in range(random.randint(0, 2)):
            disturb(sent, random)
        try:
            read = read_command(sent)
        except BadArgument as refused:
            assert refused.message.startswith(("The command is not valid: ", "A record is nested"))
            continue
        kept += 1
        assert read.to_wire() == sent
    assert kept > 300


def disturb(value: Wire, random: Random) -> None:
    """Put anything at all in the place of a field somewhere inside, or take the field away."""
    inside: dict[str, Any] = value
    while inside:
        name = random.choice(list(inside))
        if isinstance(inside[name], dict) and random.random() < 0.9:
            inside = inside[name]
            continue
        inside[name] = odd(random)
        if random.random() < 0.2:
            del inside[name]
        return


def test_an_event_without_the_record_of_its_kind_is_refused() -> None:
    with pytest.raises(BadArgument, match=r"flight\.updated is not valid: payload\.flight: Field required"):
        read_event({**samples.event("flight.updated"), "payload": {"node": samples.NODE}})
    with pytest.raises(
        BadArgument, match="The question or work item is not valid: the value: kind should be one of"
    ):
        read_event({**samples.event("collaboration.upserted"), "payload": {"record": {"kind": "errand"}}})


def test_what_is_nested_too_deeply_is_refused_and_what_is_not_can_be_written() -> None:
    nested: object = [0]
    for level in range(MOST_LEVELS - 1):
        sent = {**FLIGHT, "x": nested}
        assert ControlFlight.from_wire(sent).to_wire() == sent
        nested = [nested] if level % 2 else {"a": nested}
    for too_deep in ({**FLIGHT, "x": nested}, {**FLIGHT, "metadata": {"a": nested}}):
        with pytest.raises(BadArgument, match="nested at most 64 levels deep"):
            ControlFlight.from_wire(too_deep)


def test_the_schema_is_one_and_says_what_the_types_say() -> None:
    schema = control_schema()
    Draft202012Validator.check_schema(schema)

    def accepts(value: Any) -> bool:
        return bool(Draft202012Validator(schema).is_valid(value))  # pyright: ignore[reportUnknownMemberType]

    for kind in COMMANDS:
        assert accepts(samples.command(kind)), kind
    for kind in EVENTS:
        assert accepts(samples.event(kind)), kind
    assert not accepts({"kind": "agent.invoke", "invocation": FLIGHT})
    assert not accepts({**samples.event("flight.updated"), "payload": {"flight": samples.NODE}})
    assert not accepts({**samples.event("flight.updated"), "ts": "5"})


def test_words_and_fields_are_those_of_the_specification(shared: Path) -> None:
    page = shared / "spec" / "control-protocol.md"
    if not page.is_file():
        pytest.skip("the specification is not here")
    text = page.read_text(encoding="utf-8")
    words = text.partition("## Vocabulary\n```\n")[2].partition("```")[0].replace("\n   ", " ")
    found = re.findall(r"([A-Z]\w+) +([a-z_]+(?: +[a-z_]+)*)(?=\s{2,}[A-Z]|\n|$)", words)
    assert len(found) >= 17
    for name, said in found:
        assert list(get_args(getattr(vocabulary, name))) == said.split(), name
    tables = text.partition("## Records")[2].partition("```\n")[2].partition("```")[0].replace("\n   ", " ")
    for name, kind in SPECIFIED.items():
        fields = re.search(rf"^{name} +(.*)$", tables, re.MULTILINE)
        assert fields is not None
        own_words = re.sub(r"= \w+ \+|\[\{.*?\}\]|\{[^}]*\}|\[\]|\([^)]*\)", "", fields[1]).split()
        inherited = ControlActor.model_fields if fields[1].startswith("=") else {}
        own = [field for field_name, field in kind.model_fields.items() if field_name not in inherited]
        assert [(field.alias, field.is_required()) for field in own] == [
            (word.rstrip("?"), not word.endswith("?")) for word in own_words
        ], name


def test_what_there_are_only_words_for_is_refused_with_a_sentence() -> None:
    def refusal(kind: str, record: str, **changes: object) -> str | None:
        sent: Wire = {"kind": kind, record: {**_as_wire(COMMANDS[kind][record]), **changes}}
        return command_refusal(read_command(sent), node_id="laptop")

    assert refusal("node.upsert", "node") is None
    assert refusal("node.upsert", "node", id="other") == MESH
    assert refusal("node.upsert", "node", advertiseScope="mesh") == MESH
    assert refusal("agent.upsert", "agent") is None
    assert refusal("agent.upsert", "agent", advertiseScope="mesh") == MESH
    assert refusal("agent.upsert", "agent", homeNodeId="other") == MESH
    assert refusal("agent.invoke", "invocation") is None
    assert refusal("agent.invoke", "invocation", targetNodeId=None) is None
    assert refusal("agent.invoke", "invocation", targetNodeId="other") == MESH
    assert refusal("binding.upsert", "binding") is None
    assert refusal("conversation.post", "message") is None
    telegram = refusal("binding.upsert", "binding", platform="Telegram ")
    assert telegram == "There is no bridge to Telegram here; deliver to a device or a webhook instead."


def test_a_delivery_that_nothing_here_can_make_is_refused_with_a_sentence() -> None:
    delivery = ControlDelivery.from_wire(samples.DELIVERY)
    assert delivery_refusal(delivery.target_kind, delivery.transport) is None
    assert delivery_refusal("participant", "peer_broker") == MESH
    assert delivery_refusal("voice_session", "websocket") == delivery_refusal("participant", "tts") == VOICE
    assert "SMS" in str(delivery_refusal("participant", "sms"))


def _as_wire(value: object) -> Wire:
    assert isinstance(value, dict)
    return {str(name): one for name, one in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
