"""The gate: what runs, what is asked, what is refused, and that a confirmation is good for one call, once."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.policy.gate import (
    CallRefused,
    CallWaiting,
    Consent,
    Gate,
    GateEvent,
    Pass,
    PromptAnswer,
    acts_from,
    consume,
)
from gaia_email.policy.question import CallFacts, CallQuestion, question, recipients
from gaia_email_registry.approvals import Approval as Confirmation
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from gaia_mail.asking.people import same
from gaia_mail.mime.address import validate_address
from tests.gate.every_call import ARGUMENTS, facts_for
from tests.gate.in_memory import InMemory

ME = "me@example.org"
SEND: Mapping[str, object] = {"to": ["ann@other.example"], "subject": "Hello", "body": "x"}


class Person:
    """Answers every question the same way and remembers what was asked."""

    def __init__(self, answer: PromptAnswer = "yes") -> None:
        self.answer: PromptAnswer = answer
        self.asked: list[CallQuestion] = []

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        self.asked.append(asked)
        return self.answer


class GateSetup:
    def __init__(self, answer: PromptAnswer = "yes") -> None:
        self.person = Person(answer)
        self.heard: list[GateEvent] = []
        self.now = 1000.0
        self.kept = InMemory(lambda: self.now)
        self.gate = Gate(
            self.kept, prompt=self.person, heard=self.heard.append, clock=lambda: self.now, valid_s=60
        )

    def ask(
        self, call: ToolCall, consent: Consent | None = None, facts: CallFacts | None = None
    ) -> Pass | CallRefused | CallWaiting:
        return asyncio.run(self.gate.ask(call, consent or Consent(), facts or facts_for(call)))


def call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall.of(ME, tool, arguments)


def send(**changed: object) -> ToolCall:
    return ToolCall.of(ME, "send_email", {**SEND, **changed})


WRITES = [name for name, spec in TOOLS.items() if spec.risk == "write"]
DESTRUCTIVE = [name for name, spec in TOOLS.items() if spec.risk == "destructive"]


def test_every_tool_can_be_called_as_its_tier_says() -> None:
    assert {name: ToolCall.of(ME, name, given).risk for name, given in ARGUMENTS.items()} == {
        name: spec.risk for name, spec in TOOLS.items()
    }


@pytest.mark.parametrize("tool", TOOLS)
def test_a_refusing_user_stops_whatever_nobody_allowed(tool: str) -> None:
    setup = GateSetup("no")
    given = setup.ask(ToolCall.of(ME, tool, ARGUMENTS[tool]))
    assert isinstance(given, Pass) is (TOOLS[tool].risk == "read")
    assert len(setup.person.asked) == (TOOLS[tool].risk != "read")


@pytest.mark.parametrize("tool", WRITES)
def test_a_level_that_acts_makes_a_write_without_asking_and_a_lower_one_asks(tool: str) -> None:
    setup = GateSetup("no")
    wanted = ToolCall.of(ME, tool, ARGUMENTS[tool])
    needed = acts_from(wanted)
    assert isinstance(setup.ask(wanted, Consent(by="level", level=needed)), Pass)
    assert not setup.person.asked
    assert isinstance(setup.ask(wanted, Consent(by="level", level=needed - 1)), CallRefused)
    assert isinstance(setup.ask(wanted, Consent(by="user")), Pass)
    assert len(setup.person.asked) == 1


@pytest.mark.parametrize("tool", DESTRUCTIVE)
@pytest.mark.parametrize("consent", [Consent(by="user"), Consent(by="level", level=5)])
def test_a_destructive_call_is_asked_whoever_wants_it(tool: str, consent: Consent) -> None:
    setup = GateSetup("no")
    assert isinstance(setup.ask(ToolCall.of(ME, tool, ARGUMENTS[tool]), consent), CallRefused)
    assert len(setup.person.asked) == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "level"),
    [
        ("archive_email", {"ids": ["m1"]}, 4),
        ("modify_email", {"messageId": "m1", "removeLabelIds": ["INBOX"]}, 4),
        ("modify_email", {"messageId": "m1", "labelIds": ["Trash"]}, 5),
        ("modify_email", {"message_id": "m1", "add_label_ids": '["SPAM"]'}, 5),
        ("batch_modify_emails", {"ids": ["m1"], "removeLabelIds": "UNREAD"}, 5),
        ("batch_modify_emails", {"ids": ["m1"], "perMessage": {"m1": {"add": ["TRASH"]}}}, 5),
        ("batch_modify_emails", {"ids": ["m1"], "perMessage": '{"m1": {"remove": ["UNREAD"]}}'}, 5),
        ("trash_email", {"ids": ["m1"]}, 5),
        ("mark_read", {"ids": ["m1"]}, 5),
    ],
)
def test_what_hides_mail_needs_the_highest_level_however_it_is_spelled(
    tool: str, arguments: dict[str, object], level: int
) -> None:
    assert acts_from(ToolCall.of(ME, tool, arguments)) == level


@pytest.mark.parametrize(
    "tool", ["Send_Email", "SEND_EMAIL", "send_email ", "send\u200b_email", "ｓend_email"]
)
def test_another_spelling_of_a_tool_is_no_tool(tool: str) -> None:
    with pytest.raises(BadArgument):
        ToolCall.of(ME, tool, SEND)


@pytest.mark.parametrize(
    ("arguments", "risk"),
    [
        ({"draft": True, "Draft": False}, "write"),
        ({"Draft": False, "draft": True}, "write"),
        ({"draft": False, "DRAFT": True}, "destructive"),
        ({"DRAFT": "true"}, "write"),
        ({"draft": None}, "destructive"),
        ({"draft": "false"}, "destructive"),
    ],
)
def test_the_risk_is_that_of_what_will_be_sent_to_the_server(arguments: dict[str, object], risk: str) -> None:
    wanted = ToolCall.of(ME, "reply_to_email", {"message_id": "m1", "body": "x", **arguments})
    assert wanted.risk == risk
    assert ToolCall.of(ME, "reply_to_email", wanted.arguments) == wanted
    assert (wanted.arguments["draft"] is True) == (risk == "write")


def test_an_answer_to_everybody_is_asked_for_and_its_end_is_not() -> None:
    setup = GateSetup("no")
    opted = Consent(by="level", level=5, opted_in=True)
    assert isinstance(setup.ask(call("set_vacation", enabled=True, body="x"), opted), CallRefused)
    assert isinstance(setup.ask(call("set_vacation", enabled="off"), opted), Pass)


def test_two_addresses_that_only_unicode_takes_for_one_are_both_shown() -> None:
    own = frozenset({"me@strasse.example", ME})
    people = recipients(
        send(
            to=[
                "bo@strasse.example",
                "bo@stra\u00dfe.example",
                "BO@Strasse.example",
                "me@stra\u00dfe.example",
            ]
        ),
        CallFacts(own=own),
    )
    assert [(person.address, person.standing) for person in people] == [
        ("bo@strasse.example", "inside"),
        ("bo@stra\u00dfe.example", "other_organisation"),
        ("me@stra\u00dfe.example", "other_organisation"),
    ]


AWKWARD = st.text(alphabet='aß.kK"\\ ()<>,;:@İıé\u200b\u202e\t=?-_[]%+1', min_size=1, max_size=14)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["{0} <{1}@{2}.example>", '"{0}" <{1}@{2}.example>', "({0}) {1}@{2}.example", "{1}@{2}"]),
    AWKWARD,
    AWKWARD,
    AWKWARD,
)
def test_whoever_a_server_would_send_to_is_shown(form: str, name: str, local: str, domain: str) -> None:
    text = form.format(name, local, domain)
    try:
        address = validate_address(text).address
    except BadArgument:
        return
    shown = recipients(send(to=[text]), CallFacts(own=frozenset({ME})))
    assert same(address) in {same(person.address) for person in shown}


def test_a_batch_of_more_than_a_hundred_is_asked_however_its_ids_are_spelled() -> None:
    ids = [f"m{number}" for number in range(101)]
    for spelled in (
        {"messageIds": ids},
        {"ids": ids},
        {"message_ids": '["' + '","'.join(ids) + '"]'},
    ):
        setup = GateSetup("no")
        wanted = call("batch_modify_emails", **spelled, addLabelIds=["STARRED"])
        assert wanted.risk == "destructive"
        assert isinstance(setup.ask(wanted, Consent(by="level", level=5)), CallRefused)


def test_only_the_opt_ins_of_the_specification_run_destructive_calls_unasked() -> None:
    opted = Consent(by="level", level=5, opted_in=True)
    setup = GateSetup("no")
    assert isinstance(setup.ask(call("unsubscribe", message_id="m1"), opted), Pass)
    assert isinstance(setup.ask(call("unsubscribe", message_id="m1"), replace(opted, level=4)), CallRefused)
    assert isinstance(setup.ask(call("delete_email", messageId="m1"), opted), CallRefused)
    assert isinstance(setup.ask(send(), opted), CallRefused)


def test_an_answer_from_a_template_goes_unasked_only_inside_the_organisation() -> None:
    opted = Consent(by="level", level=5, opted_in=True)
    reply = call("reply_to_email", message_id="m1", body="x", auto_submitted=True)
    own = frozenset({ME})

    def asked(address: str, in_text: frozenset[str] = frozenset()) -> bool:
        setup = GateSetup("no")
        facts = CallFacts(own=own, recipients=(("to", address),), in_text=in_text, messages=("Hello",))
        return isinstance(setup.ask(reply, opted, facts), CallRefused)

    assert not asked("bo@mail.example.org")
    assert asked("bo@other.example")
    assert asked("bo@gmail.com")
    assert asked("bo@example.org", in_text=frozenset({"bo@example.org"}))
    unknown = CallFacts(own=own, messages=("Hello",))
    assert isinstance(GateSetup("yes").ask(reply, opted, unknown), CallRefused), (
        "nobody looked up whom it goes to"
    )
    inside = CallFacts(own=own, recipients=(("to", "bo@example.org"),), messages=("Hello",))
    for more in ({"auto_submitted": False}, {"reply_all": True}, {"cc": ["bo@example.org"]}, {"from": ME}):
        other = call("reply_to_email", **{"message_id": "m1", "body": "x", "auto_submitted": True, **more})
        assert isinstance(GateSetup("no").ask(other, opted, inside), CallRefused), more


def test_what_stands_in_the_way_of_the_agent_is_refused_unasked_and_asked_of_the_user() -> None:
    archive = call("archive_email", ids=["m1"])
    setup = GateSetup("yes")
    blocked = Consent(by="level", level=5, obstacles=("ann@example.com is protected.",))
    assert setup.ask(archive, blocked) == CallRefused(reason="ann@example.com is protected.")
    assert [event.kind for event in setup.heard] == ["action.refused"]
    assert not setup.person.asked
    assert isinstance(setup.ask(archive, replace(blocked, by="user")), Pass)
    assert "protected" in setup.person.asked[0].why


def test_a_pass_is_spent_by_the_one_call_it_is_for() -> None:
    given = GateSetup().ask(send())
    assert consume(given) == send()
    with pytest.raises(NeedsApproval, match="used up"):
        consume(given)


def test_nobody_else_makes_a_pass() -> None:
    with pytest.raises(NeedsApproval):
        Pass(object(), send())
    made = Pass.__new__(Pass)
    for forged in (made, "yes", None, GateSetup("no").ask(send()), send()):
        with pytest.raises(NeedsApproval):
            consume(forged)
    given = GateSetup().ask(send())
    for copying in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            copying(given)


def open_question(setup: GateSetup, wanted: ToolCall) -> str:
    waiting = setup.ask(wanted)
    assert isinstance(waiting, CallWaiting)
    return waiting.asked.confirmation_id


def test_two_approvals_of_one_confirmation_have_one_effect() -> None:
    setup = GateSetup("later")
    key = open_question(setup, send())
    assert setup.gate.approve(key, by="cli")
    assert not setup.gate.approve(key, by="web")
    effects = [setup.gate.redeem(key, send()) for _ in range(3)]
    assert [type(effect) for effect in effects] == [Pass, CallRefused, CallRefused]
    assert [event.by for event in setup.heard if event.kind == "approval.granted"] == ["cli"]


@pytest.mark.parametrize(
    "changed",
    [
        {"to": ["eve@evil.example"]},
        {"to": ["ann@other.example", "eve@evil.example"]},
        {"subject": "Hello "},
        {"body": "y"},
        {"bcc": ["eve@evil.example"]},
    ],
)
def test_a_changed_argument_is_refused_and_uses_nothing_up(changed: dict[str, object]) -> None:
    setup = GateSetup("later")
    key = open_question(setup, send())
    setup.gate.approve(key, by="cli")
    assert isinstance(setup.gate.redeem(key, send(**changed)), CallRefused)
    assert isinstance(setup.gate.redeem(key, send()), Pass)


def test_another_account_or_tool_with_the_same_arguments_is_another_call() -> None:
    setup = GateSetup("later")
    key = open_question(setup, send())
    setup.gate.approve(key, by="cli")
    assert isinstance(setup.gate.redeem(key, ToolCall.of("you@example.org", "send_email", SEND)), CallRefused)
    assert isinstance(setup.gate.redeem(key, ToolCall.of(ME, "draft_email", SEND)), CallRefused)


def test_spelling_a_call_differently_makes_no_other_call_of_it() -> None:
    one = ToolCall.of(ME, "archive_email", {"ids": ["m1"]})
    assert one == ToolCall.of(ME, "archive_email", {"messageIds": '["m1"]', "confirm": "token"})
    assert ToolCall.parse(one.text) == one
    with pytest.raises(BadArgument):
        ToolCall.of(ME, "archive_email", {"ids": ["m1"], "permanent": True})
    with pytest.raises(BadArgument):
        ToolCall.of(ME, "burn_email", {})
    with pytest.raises(BadArgument):
        ToolCall.parse(one.text.replace(",", ", "))


def test_a_confirmation_that_was_refused_or_is_too_old_does_nothing() -> None:
    setup = GateSetup("later")
    refused = open_question(setup, send())
    assert setup.gate.reject(refused, by="cli")
    assert not setup.gate.approve(refused, by="web")
    assert isinstance(setup.gate.redeem(refused, send()), CallRefused)
    late = open_question(setup, send())
    granted = open_question(setup, send())
    setup.gate.approve(granted, by="cli")
    setup.now += 61
    assert not setup.gate.approve(late, by="cli")
    assert isinstance(setup.gate.redeem(late, send()), CallRefused)
    assert isinstance(setup.gate.redeem(granted, send()), CallRefused)
    with pytest.raises(NotFound):
        setup.gate.approve("nothing", by="cli")


def test_an_answer_that_takes_too_long_does_nothing() -> None:
    setup = GateSetup("yes")

    class Slow(Person):
        async def ask(self, asked: CallQuestion) -> PromptAnswer:
            setup.now += 61
            return "yes"

    gate = Gate(setup.kept, prompt=Slow(), clock=lambda: setup.now, valid_s=60)
    assert isinstance(asyncio.run(gate.ask(send(), Consent())), CallRefused)


def test_without_a_prompt_every_question_is_answered_no() -> None:
    assert isinstance(asyncio.run(Gate(InMemory()).ask(send(), Consent(by="user"))), CallRefused)


def test_the_question_is_kept_with_the_call_it_is_about() -> None:
    setup = GateSetup("later")
    kept = setup.kept.get(open_question(setup, send()))
    assert isinstance(kept, Confirmation)
    assert (kept.call, kept.state, kept.expires_at) == (send(), "open", 1060.0)


def test_recipients_are_marked_by_where_they_are_and_who_named_them() -> None:
    facts = CallFacts(
        own=frozenset({"Me@Example.org", "me@gmail.com"}),
        known=frozenset({"ann@other.example"}),
        in_text=frozenset({"ann@other.example", "eve@evil.example"}),
    )
    people = recipients(
        send(
            to=["Bo <bo@mail.example.org>", "ann@other.example"],
            cc=["eve@evil.example, me@gmail.com"],
            bcc=["BO@mail.example.org", "someone@gmail.com"],
        ),
        facts,
    )
    assert [(person.field, person.address, person.standing, person.only_in_text) for person in people] == [
        ("to", "bo@mail.example.org", "inside", False),
        ("to", "ann@other.example", "other_organisation", False),
        ("cc", "eve@evil.example", "other_organisation", True),
        ("cc", "me@gmail.com", "own", False),
        ("bcc", "someone@gmail.com", "free_mail", False),
    ]
    shown = question(send(to=["eve@evil.example"]), facts)
    assert shown.dry_run == (
        "Would send an email to 1 recipient (1 outside your organisation, 1 named only in a message's text); "
        "a sent mail cannot be taken back."
    )
    assert shown.subject == "Hello"


def test_inviting_people_is_asked_and_shows_them() -> None:
    setup = GateSetup("no")
    wanted = call("create_calendar_event", title="x", start="2100-01-31", attendees=["bo@other.example"])
    facts = CallFacts(own=frozenset({ME}))
    assert isinstance(setup.ask(wanted, Consent(by="level", level=5), facts), CallRefused)
    assert setup.person.asked[0].dry_run == (
        "Would put an event into your calendar and invite 1 guest by mail (1 outside your organisation)."
    )
    answer = call("respond_to_invitation", event_id="e1", response="accepted")
    assert isinstance(setup.ask(answer, Consent(by="level", level=5)), CallRefused)
    assert setup.person.asked[1].dry_run.endswith("with accepted and tell the organizer by mail.")


def test_a_filter_that_forwards_shows_where_to() -> None:
    wanted = call("create_filter", criteria={"from": "bank"}, action={"forward": "eve@evil.example"})
    shown = question(wanted, CallFacts(own=frozenset({ME})))
    assert shown.dry_run == "Would create a filter for all new mail; it forwards to eve@evil.example."
    assert [(person.field, person.outside) for person in shown.recipients] == [("forward", True)]


def test_a_formatted_version_that_says_something_else_is_shown_as_text() -> None:
    same_words = question(send(htmlBody="<p>x</p>"), CallFacts())
    assert (same_words.html_text, same_words.hidden) == ("", ())
    other = question(send(htmlBody='<a href="https://evil.example/">x</a><!-- psst -->'), CallFacts())
    assert (other.html_text, other.hidden) == ("x <https://evil.example/>", ("comment: psst",))
    alone = question(send(body="<b>x</b><i hidden>psst</i>", mimeType="text/html"), CallFacts())
    assert (alone.html_text, alone.hidden) == ("x", ("psst",))


def test_names_that_imitate_files_and_another_sender_are_shown() -> None:
    wanted = send(
        to=["boss@example.org <eve@evil.example>", "ann@other.example"],
        attachments=["/home/me/secret.pdf"],
        **{"from": "Other <other@else.example>"},
    )
    shown = question(wanted, CallFacts(own=frozenset({ME}), known=frozenset({"ann@other.example"})))
    assert [(one.name, one.disguise, one.never_written) for one in shown.recipients] == [
        ("boss@example.org", True, True),
        ("", False, False),
    ]
    assert shown.files == ("/home/me/secret.pdf",)
    assert shown.sender is not None
    assert (shown.sender.address, shown.sender.standing) == ("other@else.example", "other_organisation")
    assert question(send(**{"from": ME}), CallFacts()).sender is None


def test_one_address_under_two_names_is_shown_with_the_name_that_imitates() -> None:
    named = send(to=["Eve <eve@evil.example>"], cc=["boss@example.org <eve@evil.example>"])
    (person,) = recipients(named, CallFacts())
    assert (person.field, person.name, person.disguise) == ("to", "boss@example.org", True)


REPLY = CallFacts(recipients=(("to", "ann@other.example"),), subject="Re: Hello", messages=("Hello",))


@pytest.mark.parametrize(
    ("now", "what"),
    [
        (replace(REPLY, recipients=(("to", "eve@evil.example"),)), "whom it goes to"),
        (replace(REPLY, recipients=(*REPLY.recipients, ("cc", "eve@evil.example"))), "whom it goes to"),
        (replace(REPLY, subject="Re: Other"), "its subject"),
        (replace(REPLY, messages=()), "the messages it is about"),
        (replace(REPLY, senders=("eve@evil.example",)), "whom those messages are from"),
    ],
)
def test_what_changed_while_it_was_asked_is_not_done(now: CallFacts, what: str) -> None:
    setup = GateSetup()
    wanted = call("reply_to_email", message_id="m1", body="x")

    async def look_again() -> CallFacts:
        assert setup.person.asked, "after the answer, not before"
        return now

    given = asyncio.run(setup.gate.ask(wanted, Consent(by="user"), REPLY, look_again))
    assert isinstance(given, CallRefused)
    assert given.reason == (
        f"It changed while you were asked, so nothing was done: {what}. Ask for it again to see it as it is now."
    )
    key = setup.person.asked[0].confirmation_id
    assert not setup.gate.approve(key, by="web"), "it is answered for good"
    assert isinstance(setup.gate.redeem(key, wanted), CallRefused)
    assert [event.kind for event in setup.heard] == [
        "approval.requested",
        "approval.refused",
        "action.refused",
        "action.refused",
    ]


def test_what_stayed_as_it_was_is_done_however_it_is_marked_by_now() -> None:
    setup = GateSetup()

    async def look_again() -> CallFacts:
        return replace(
            REPLY, own=frozenset({"ann@other.example"}), known=frozenset(), in_text=frozenset({ME})
        )

    wanted = call("reply_to_email", message_id="m1", body="x")
    assert isinstance(asyncio.run(setup.gate.ask(wanted, Consent(by="user"), REPLY, look_again)), Pass)


def test_what_cannot_be_looked_at_again_is_not_done() -> None:
    setup = GateSetup()

    async def gone() -> CallFacts:
        raise NotFound("The message is not there any more.")

    wanted = call("reply_to_email", message_id="m1", body="x")
    with pytest.raises(NotFound):
        asyncio.run(setup.gate.ask(wanted, Consent(by="user"), REPLY, gone))
    assert isinstance(setup.gate.redeem(setup.person.asked[0].confirmation_id, wanted), CallRefused)


def test_a_yes_given_elsewhere_is_void_too_when_it_changed() -> None:
    setup = GateSetup()
    wanted = call("reply_to_email", message_id="m1", body="x")

    async def look_again() -> CallFacts:
        assert setup.gate.approve(setup.person.asked[0].confirmation_id, by="web")
        return replace(REPLY, subject="Re: Other")

    given = asyncio.run(setup.gate.ask(wanted, Consent(by="user"), REPLY, look_again))
    assert isinstance(given, CallRefused)
    assert isinstance(setup.gate.redeem(setup.person.asked[0].confirmation_id, wanted), CallRefused)


@pytest.mark.parametrize("tool", [name for name, spec in TOOLS.items() if spec.risk != "read"])
def test_every_question_says_in_a_sentence_what_would_happen(tool: str) -> None:
    sentence = question(ToolCall.of(ME, tool, ARGUMENTS[tool]), CallFacts()).dry_run
    assert sentence.startswith("Would ")
    assert sentence.endswith(".")
