"""Faults that users of agents for mail report, each as a conversation in which a model commits it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from tests.origins import PERSON

pytest.importorskip("openai")

from gaia_email.actions.applying import AppliedActions
from gaia_email.app import App
from gaia_email.app.documents.talk_events import TalkEvent
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.chat.session import Session
from gaia_email.interfaces.chat.tools import ConversationTools
from gaia_email_registry.errors import ProviderError
from tests.chat.scripted_model import Move, Plan, as_json, by_plan, is_step, scripted, step_of
from tests.chat.streaming import in_halves
from tests.chat.test_conversations import Nobody, Talk, Turn, applied
from tests.models.model_server import Answer, Chat, streamed

LINE = "tell me about it"


@pytest.fixture(scope="module")
def sample() -> Iterator[SourceSpec]:
    with sample_source(App()) as (_, source):
        yield source


def asked(sample: SourceSpec, *moves: Move, before: tuple[str, ...] = (), line: str = LINE) -> Turn:
    """What comes of a line for which the model makes these moves."""
    with scripted(by_plan({line: moves})):
        talk = Talk(sample)
        for one in before:
            talk.say(one)
        return talk.say(line)


INVOICES: Move = ("search_mail", {"query": "invoice"})


@pytest.mark.parametrize(
    "said",
    [
        "12 messages match invoice [r1].",
        "Twelve mails are about invoices [r1].",
        "There are several messages that match invoice [r1].",
        "5 of them are urgent mails [r1].",
        "5 unread messages match invoice [r1].",
        "2 messages match invoice [m1].",
        "All messages match invoice [m1].",
    ],
)
def test_1_a_count_is_told_only_as_a_tool_counted_it(said: str, sample: SourceSpec) -> None:
    turn = asked(sample, INVOICES, said)
    assert said.rpartition(" [")[0] not in turn.text
    assert "5 messages match invoice" in turn.text


def test_1_counts_of_two_buckets_are_not_swapped(sample: SourceSpec) -> None:
    with scripted(by_plan({})):
        day = next(e for e in Talk(sample).say("my inbox").events if e["type"] == "tool_result")["data"]
    urgent, low = day["urgent"], day["low_priority"]
    right = f"{urgent} threads are urgent and {low} are low priority [r1]."
    wrong = f"{low} threads are urgent and {urgent} are low priority [r1]."
    shown = asked(sample, ("daily_summary", {}), f"{right} {wrong}")
    assert f"{urgent} threads are urgent and {low} are low priority" in shown.text
    assert f"{low} threads are urgent" not in shown.text


@pytest.mark.parametrize(
    "said",
    [
        "There is no mail about invoices [r1].",
        "Nothing is due [r1].",
        "Nobody wrote about an invoice [m1].",
        "Sam has not answered [m1].",
        "You have no other messages [r1].",
    ],
)
def test_2_nothing_is_told_only_where_a_tool_found_nothing(said: str, sample: SourceSpec) -> None:
    turn = asked(sample, INVOICES, said)
    assert said.rpartition(" [")[0] not in turn.text


def test_2_nothing_of_a_search_that_did_not_see_all_is_not_told(
    sample: SourceSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ConversationTools.search_mail

    def part(self: ConversationTools, query: str, start: int) -> dict[str, object]:
        return {**whole(self, query, start), "headers_only": 40}

    monkeypatch.setattr(ConversationTools, "search_mail", part)
    turn = asked(sample, ("search_mail", {"query": "zyzzyva"}), "There is nothing about zyzzyva [r1].")
    assert "There is nothing" not in turn.text
    assert "of 40 only at the headers" in turn.text


def test_3_of_two_that_fit_none_is_answered(sample: SourceSpec) -> None:
    turn = asked(
        sample,
        ("draft_reply", {"message": "the papierhaus one", "say": "Noted."}),
        before=("search invoice",),
        line="write back to papierhaus that it is noted",
    )
    assert turn.calls == []
    assert "Noted." not in turn.text


def test_3_a_draft_names_whom_it_goes_to(sample: SourceSpec) -> None:
    turn = asked(
        sample,
        ("draft_reply", {"message": "m2", "say": "Noted."}),
        before=("search invoice",),
        line="write to the second that it is noted, in two words",
    )
    call = next(event for event in turn.events if event["type"] == "tool_result")
    assert f"A reply to {call['data']['to']}, not sent and not kept:" in turn.text


def test_4_a_failed_change_is_not_told_as_done(sample: SourceSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object, **__: object) -> AppliedActions:
        return AppliedActions(problem=ProviderError("the server is gone"), halted="the server is gone")

    monkeypatch.setattr("gaia_email.actions.archive.archive", fails)
    with scripted(by_plan({"clear the first": [("archive", {"messages": ["m1"]})]})):
        talk = Talk(sample)
        talk.say("search invoice")
        talk.say("clear the first")
        turn = talk.say("yes")
    assert "could not be archived: the server is gone" in turn.text
    assert "Archived" not in turn.text


@pytest.mark.parametrize(
    "said",
    [
        "I have archived it [m1].",
        "It was sent successfully [m1].",
        "The message has been deleted [m1].",
        "Everything is now archived [m1].",
        "I'll pay it [m1].",
    ],
)
def test_4_nothing_that_was_not_done_is_told_as_done(said: str, sample: SourceSpec) -> None:
    before = applied()
    turn = asked(sample, INVOICES, said)
    assert said.rpartition(" [")[0] not in turn.text
    assert applied() == before


def overflowing(limit: int, then: Chat) -> Chat:
    """A server whose context holds `limit` characters."""

    def chat(body: Any) -> Answer:
        if is_step(body) and len(json.dumps(body["messages"][1])) > limit:
            said = {"error": {"message": "the request exceeds the available context size", "n_ctx": 512}}
            return Answer(status=400, json=said)
        return then(body)

    return chat


def test_5_what_does_not_fit_the_context_is_cut_and_the_line_is_answered(sample: SourceSpec) -> None:
    plan: Plan = {LINE: [INVOICES, ("daily_summary", {}), "5 messages match invoice [r1]."]}
    with scripted(overflowing(3_000, by_plan(plan))) as server:
        turn = Talk(sample).say(LINE)
    assert "5 messages match invoice" in turn.text
    assert max(len(json.dumps(body["messages"][1])) for body in server.chats if is_step(body)) > 3_000


def test_5_where_nothing_fits_it_is_said(sample: SourceSpec) -> None:
    with scripted(overflowing(10, by_plan({}))):
        turn = Talk(sample).say(LINE)
    assert "did not fit into the model's context" in turn.text


def test_6_a_time_is_that_of_this_machines_zone(sample: SourceSpec) -> None:
    turn = asked(sample, INVOICES, "")
    rows = next(event for event in turn.events if event["type"] == "tool_result")["data"]["rows"]
    for row in rows:
        local = datetime.fromisoformat(row["date"]).astimezone()
        assert local.strftime("%d %b %Y %H:%M") == row["when"]
        assert row["when"] in turn.text


def test_7_a_second_line_knows_the_first(sample: SourceSpec) -> None:
    with scripted(by_plan({LINE: [("show_email", {"message": "m2"}), ""]})) as server:
        talk = Talk(sample)
        meant = talk.say("search invoice").last["cites"][1]
        turn = talk.say(LINE)
        told = next(body["messages"][1]["content"] for body in server.chats if is_step(body))
    assert turn.last["cites"] == [meant]
    assert "Earlier the owner said: search invoice" in told
    assert "what the owner was shown before" in told


def test_9_a_model_that_calls_the_same_again_and_again_ends(sample: SourceSpec) -> None:
    with scripted(lambda body: streamed(as_json(INVOICES))) as server:
        turn = Talk(sample).say(LINE)
        steps = [body for body in server.chats if is_step(body)]
    assert turn.calls == ["search_mail"]
    assert len(steps) <= 5
    assert "5 messages match invoice" in turn.text


def test_10_a_message_that_was_never_shown_is_not_acted_on(sample: SourceSpec) -> None:
    turn = asked(sample, ("show_email", {"message": "m99"}), ("why", {"message": "no-such-id-0"}), "")
    assert "show_email" not in turn.calls
    assert "The nearest I know" in turn.text


def test_11_a_sentence_on_a_message_that_does_not_say_it_is_left_out(sample: SourceSpec) -> None:
    turn = asked(sample, INVOICES, "Eve Adams wants 900 euros by Friday [m1]. It is due in 2031 [m2].")
    assert "Eve" not in turn.text
    assert "2031" not in turn.text
    assert "are not shown, since no message bears them out" in turn.text


def test_12_a_list_that_is_cut_is_said_to_be(sample: SourceSpec) -> None:
    turn = asked(sample, ("triage_inbox", {"bucket": "low_priority"}), "")
    assert "here are 5" in turn.text
    assert "'more' shows the next" in turn.text


@pytest.mark.parametrize(
    "said",
    [
        "Pay at http://185.0.2.77/dhl/pay [m1].",
        "Write to audit@talentwave.example [m1].",
        "See www.evil.example for more [m1].",
    ],
)
def test_13_no_link_and_no_address_of_a_mail_is_passed_on(said: str, sample: SourceSpec) -> None:
    turn = asked(sample, ("search_mail", {"query": "parcel on hold"}), said)
    assert said.rpartition(" [")[0] not in turn.text


def test_14_of_a_message_that_looks_like_fraud_only_the_program_speaks_and_marks_it(
    sample: SourceSpec,
) -> None:
    turn = asked(sample, ("search_mail", {"query": "parcel on hold"}), "Your parcel is on hold [m1].")
    assert "Your parcel is on hold [" not in "".join(event.get("delta", "") for event in turn.events)
    assert "Your parcel is on hold." not in turn.text
    assert "⚠ phishing" in turn.text
    assert "no language model was shown it" in turn.text


def test_15_thoughts_are_not_shown(sample: SourceSpec) -> None:
    def thinks(body: Any) -> Answer:
        if not is_step(body):
            return by_plan({})(body)
        _, made = step_of(body)
        said = as_json(INVOICES) if made == 0 else "5 messages match invoice [r1]."
        return streamed(f"<think>The owner is silly, 77 mails.</think>\n{said}")

    with scripted(thinks):
        turn = Talk(sample).say(LINE)
    assert "5 messages match invoice" in turn.text
    assert "silly" not in json.dumps(turn.events)


def test_what_was_found_before_the_server_failed_is_shown(sample: SourceSpec) -> None:
    plan = by_plan({LINE: [INVOICES]})

    def fails_later(body: Any) -> Answer:
        if is_step(body) and step_of(body)[1]:
            return Answer(status=500, json={"error": {"message": "out of memory"}})
        return plan(body)

    with scripted(fails_later):
        turn = Talk(sample).say(LINE)
    assert "This is what was found until then." in str(turn.events)
    assert "5 messages match invoice" in turn.text


def test_a_sentence_that_holds_is_shown_while_the_model_still_writes(sample: SourceSpec) -> None:
    goes_on = threading.Event()
    plan = by_plan({LINE: [INVOICES]})

    def writes_slowly(body: Any) -> Answer:
        if is_step(body) and step_of(body)[1]:
            answers.append(
                in_halves("5 messages match invoice [r1]. ", "Nothing is due [r1].", until=goes_on)
            )
            return answers[-1]
        return plan(body)

    answers: list[Answer] = []

    def hear(event: TalkEvent) -> None:
        if event.type == "token":
            goes_on.set()

    with scripted(writes_slowly):
        Session(App(), sample, hear, Nobody(), origin=PERSON).say(LINE)
    assert answers[0].went_on == [True]
