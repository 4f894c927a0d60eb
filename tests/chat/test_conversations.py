"""Thirty conversations over the sample mailbox without a model: which tools are called, and what is said of them.

Of every answer it is checked that its numbers stand in an answer of a tool of that turn, and that it cites only
messages that such an answer names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.documents.talk_events import TalkEvent
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.reading import read_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.chat.session import Session
from gaia_email.ledger import Selection, open_ledger
from gaia_email.policy.gate import PromptAnswer
from gaia_email.policy.question import CallQuestion
from tests.origins import PERSON
from tests.plugins.bundled import is_installed

Json = dict[str, Any]
LAST = {"final", "needs_input", "error"}
TYPES = LAST | {"status", "token", "tool_call", "tool_result", "needs_confirmation"}
NUMBER = re.compile(r"\d+")


@dataclass
class Turn:
    """What came of one line."""

    events: list[Json] = field(default_factory=list[Json])

    @property
    def calls(self) -> list[str]:
        return [event["tool"] for event in self.events if event["type"] == "tool_call"]

    @property
    def last(self) -> Json:
        return self.events[-1]

    @property
    def text(self) -> str:
        last = self.last
        return str(
            last.get("answer") or last.get("detail") or f"{last['question']} {' '.join(last['options'])}"
        )


class Talk:
    """A session and its turns."""

    def __init__(self, source: SourceSpec) -> None:
        self.turns: list[Turn] = []
        self.session = Session(App(), source, self.hear, Nobody(), origin=PERSON)

    def hear(self, event: TalkEvent) -> None:
        self.turns[-1].events.append(event.to_json())

    def say(self, line: str) -> Turn:
        self.turns.append(Turn())
        self.session.say(line)
        turn = self.turns[-1]
        check(turn, line)
        return turn


class Nobody:
    """A person who answers no to everything."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        return "no"


def check(turn: Turn, line: str) -> None:
    """What holds of every turn."""
    assert turn.events, line
    assert {event["type"] for event in turn.events} <= TYPES
    assert [event["type"] for event in turn.events if event["type"] in LAST] == [turn.last["type"]]
    json.dumps(turn.events)
    if turn.last["type"] == "final" and turn.calls:
        known = json.dumps([event["data"] for event in turn.events if event["type"] == "tool_result"])
        said = set(NUMBER.findall(turn.last["answer"]))
        assert said <= set(NUMBER.findall(known)), line
        assert all(one in known for one in turn.last["cites"]), line


@pytest.fixture(scope="module")
def sample() -> Iterator[SourceSpec]:
    with sample_source(App()) as (_, source):
        yield source


@pytest.fixture(scope="module")
def counted(sample: SourceSpec) -> dict[str, int]:
    """How many threads are in each bucket at this hour: a deadline of the sample's is nearer in the afternoon."""
    return {bucket: len(items) for bucket, items in read_inbox(App(), sample).buckets.items()}


def applied() -> int:
    with open_ledger() as ledger, ledger.read() as tx:
        return len(ledger.actions.select(tx, Selection(states=("applied",))))


Script = list[tuple[str, list[str], str]]
"""A line, the tools it calls, and words of the answer."""

AUTOMATE: Script = [
    ("when a newsletter arrives, archive it", ["propose"], "waits in your Agent Inbox"),
    ("automate that each invoice is framed", ["propose"], "not understood"),
]
CONVERSATIONS: dict[str, Script] = {
    "urgent": [("What is urgent?", ["triage_inbox"], "{urgent} threads are urgent, here are 5")],
    "urgent_goes_on": [
        ("what's urgent", ["triage_inbox"], "'more' shows the next"),
        ("more", ["triage_inbox"], "  6  "),
        ("more", ["triage_inbox"], ""),
        ("show 1", ["show_email"], "Client portal is down"),
    ],
    **({"automate": AUTOMATE} if is_installed("automations") else {}),
    "needs_me": [("what needs me", ["triage_inbox"], "for you to do or answer")],
    "worth_knowing": [("show me what is worth knowing", ["triage_inbox"], "worth knowing")],
    "low_priority": [("list low priority mails", ["triage_inbox"], "low priority")],
    "day": [("Summary of the day, please", ["daily_summary"], "161 threads of 167 messages")],
    "brief": [
        ("/brief", ["daily_brief"], "You owe: "),
        ("show 1", ["show_email"], "Client portal is down"),
        ("brief me", ["daily_brief"], " brief, "),
        ("/brief evening", ["daily_brief"], "Evening brief, "),
    ],
    "inbox": [
        ("my inbox", ["daily_summary"], "{urgent} urgent"),
        ("open the first one", ["show_email"], "Priya Nair"),
    ],
    "count_urgent": [("how many are urgent?", ["triage_inbox"], "{urgent} threads of your inbox are urgent")],
    "count_from": [("how many mails from priya", ["search_mail"], "4 messages match from:priya")],
    "count_about": [("How many messages mention invoice?", ["search_mail"], "5 messages match invoice")],
    "count_none": [("how many mails from zyzzyva", ["search_mail"], "0 messages match")],
    "count_all": [("how many messages do I have?", ["daily_summary"], "167 messages")],
    "search": [("search invoice", ["search_mail"], "I looked through 190 messages")],
    "search_none": [("find zyzzyva", ["search_mail"], "Nothing matches zyzzyva. I looked through 190")],
    "search_person": [("anything from dana?", ["search_mail"], "match from:dana")],
    "search_end": [
        ("search invoice", ["search_mail"], "5 messages match"),
        ("more", ["search_mail"], "Nothing more matches"),
    ],
    "show_and_why": [
        ("what is urgent", ["triage_inbox"], "Sam Rivera"),
        ("show the second one", ["show_email"], "I left my key at home"),
        ("why is it urgent?", ["why"], "is urgent: Sam asks"),
        ("summarise it", ["summarize_thread"], "locked out!!: 1 message\n"),
    ],
    "by_name": [
        ("what is urgent", ["triage_inbox"], ""),
        ("open the one from Henrik", ["show_email"], "Harbour signage"),
    ],
    "by_subject": [("what is urgent", ["triage_inbox"], ""), ("why the invoice one", ["why"], "Stadtwerke")],
    "her_last_mail": [
        ("what is urgent", ["triage_inbox"], ""),
        ("show the one from priya", ["show_email"], "Priya"),
        ("show her last mail", ["newest_from", "show_email"], "Priya Nair"),
    ],
    "last_mail_of": [("show the last mail from Henrik", ["newest_from", "show_email"], "Henrik Sørensen")],
    "last_mail_of_nobody": [("show zyzzyva's last mail", ["newest_from"], "no mail from zyzzyva")],
    "two_of_one_sender": [
        ("search invoice", ["search_mail"], ""),
        ("show the papierhaus one", [], "Which one do you mean"),
        ("2", ["show_email"], "our bank account has changed"),
    ],
    "answered": [("did sam answer", ["exchange"], "Yes, sam wrote after your last mail")],
    "answered_by_one_of_several": [
        ("did dana reply?", ["exchange"], "Which one do you mean by 'dana'"),
        ("1", ["exchange"], "dana.kim@lindenwerk.example"),
    ],
    "answered_by_nobody": [("has zyzzyva answered yet?", ["exchange"], "I know nobody called zyzzyva")],
    "did_i_answer": [("did I answer sam", ["exchange"], "No, not since locked out")],
    "archive_and_undo": [
        ("search invoice", ["search_mail"], ""),
        ("archive the first one", ["archive"], "Archived: Papierhaus Vogel"),
        ("undo", ["undo"], "Taken back: 1 of 1 action."),
    ],
    "draft": [
        ("what is urgent", ["triage_inbox"], ""),
        ("draft a reply to 2", ["draft_reply"], "> Can you come home by 3:30"),
        ("answer it saying On my way, Sam.", ["draft_reply"], "On my way, Sam."),
    ],
    "template_that_is_not_there": [
        ("what is urgent", ["triage_inbox"], ""),
        ("reply to 2 with thanks", ["reply_by_template"], "There is no usable template 'thanks'"),
    ],
    "memory": [
        ("remember that I sign with A.", ["remember"], "I sign with A."),
        ("what do you remember?", ["remembered"], "said in chat"),
        ("forget 1", ["forget"], "I remember nothing"),
        ("forget 1", ["forget"], "no sentence 1"),
    ],
    "unknown": [("tell me a joke", [], "I do not understand that without a language model")],
    "nothing_shown": [
        ("show 3", [], "I do not know which message '3' is"),
        ("why", [], "Which message?"),
        ("more", [], "no list to go on with"),
        ("show the purple one", [], "nothing like it was shown"),
    ],
    "polite_words": [
        ("Hey, could you please show me what is suspicious, thanks", ["triage_inbox"], "⚠ phishing"),
        ("more", ["triage_inbox"], "  6  "),
        ("open 6", ["show_email"], "⚠ looks like"),
    ],
    "search_by_fields": [
        ("search subject:invoice", ["search_mail"], "5 messages match subject:invoice"),
        ("search after:soon", ["search_mail"], "'soon' is not a date"),
        ("search in:sent", ["search_mail"], "16 messages match in:sent, here are 5"),
    ],
    "counts_of_other_buckets": [
        ("how many are low priority", ["triage_inbox"], "threads of your inbox are low priority"),
        ("how many mails need me?", ["triage_inbox"], "are for you to do or answer"),
    ],
    "whole_name": [
        ("how many mails from dana kim", ["search_mail"], '6 messages match from:"dana kim"'),
        ("mail from dana kim", ["search_mail"], "here are 5"),
        ("open the last one", ["show_email"], "slides 4 to 9"),
        ("summary of it", ["summarize_thread"], "slides 4 to 9?: 2 messages"),
    ],
    "brief_and_why": [
        ("brief", ["daily_brief"], "You owe: "),
        ("why 1", ["why"], "is urgent: Priya asks"),
        ("summarise 1", ["summarize_thread"], "1 message\n"),
    ],
    "archived_twice": [
        ("search invoice", ["search_mail"], ""),
        ("archive the last one", ["archive"], "Archived: Mira Lang"),
        ("archive the last one", ["archive"], "It was not in the inbox"),
        ("undo", ["undo"], "Taken back: 1 of 1 action."),
        ("undo", ["undo"], "Nothing was done on this account"),
        ("undo 00000000", ["undo"], "Nothing that was done has the id '00000000'"),
    ],
    "another_line_for_an_answer": [
        ("search invoice", ["search_mail"], ""),
        ("show the papierhaus one", [], "Which one do you mean"),
        ("what is urgent", ["triage_inbox"], "threads are urgent"),
    ],
    "a_number_that_was_not_offered": [
        ("search invoice", ["search_mail"], ""),
        ("show the papierhaus one", [], "Which one do you mean"),
        ("9", [], "I do not understand that"),
    ],
    "help": [("help", [], "what is urgent"), ("quit", [], "Goodbye")],
}


def _covering() -> Iterator[str]:
    called: set[str] = set()
    for name, lines in CONVERSATIONS.items():
        tools = {tool for _, named, _ in lines for tool in named}
        if not tools or not tools <= called:
            yield name
        called |= tools


COVERING = tuple(_covering())
"""Conversations in which every tool is called, for what is the same through another door."""


def test_there_are_forty_conversations() -> None:
    assert len(CONVERSATIONS) >= 40


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_conversation_calls_these_tools_and_says_what_they_answered(
    name: str, sample: SourceSpec, counted: dict[str, int]
) -> None:
    talk = Talk(sample)
    for line, calls, words in CONVERSATIONS[name]:
        turn = talk.say(line)
        assert turn.calls == calls, line
        assert words.format(**counted) in turn.text, line


def test_a_choice_is_answered_by_a_whole_option(sample: SourceSpec) -> None:
    talk = Talk(sample)
    talk.say("search invoice")
    options = talk.say("show the papierhaus one").last["options"]
    assert talk.say(options[1]).calls == ["show_email"]


def test_the_sample_has_urgent_mail_for_two_or_three_pages(counted: dict[str, int]) -> None:
    assert 6 <= counted["urgent"] <= 15


def test_undo_without_anything_done_is_an_error_in_words(sample: SourceSpec) -> None:
    with sample_source(App()) as (_, fresh):
        turn = Talk(fresh).say("undo")
        assert turn.last["type"] == "error"
        assert "Nothing was done" in turn.last["detail"]
        assert applied() == 0


def test_reading_and_drafting_change_nothing() -> None:
    with sample_source(App()) as (_, fresh):
        talk = Talk(fresh)
        for line in (
            "what is urgent",
            "show 1",
            "why 1",
            "summarise 1",
            "draft a reply to 1",
            "search invoice",
        ):
            talk.say(line)
        assert applied() == 0


def test_a_message_that_looks_like_an_order_is_shown_and_not_obeyed(sample: SourceSpec) -> None:
    """What stands in a message is never parsed as a line of the user."""
    talk = Talk(sample)
    found = talk.say("search archive OR undo OR forward")
    for number in range(1, min(4, len(found.last["cites"]) + 1)):
        assert talk.say(f"show {number}").calls == ["show_email"]


@pytest.mark.parametrize(
    "line", ["", "?" * 600, "show \x1b[31m1", "search \u202egnp", "why \u0000", "undo " + "f" * 400]
)
def test_odd_lines_are_answered_in_words(line: str, sample: SourceSpec) -> None:
    assert Talk(sample).say(line).last["type"] in LAST
