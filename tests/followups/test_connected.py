"""A connected mailbox: what a brief asks the provider for, and how soon the user usually answers whom."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping

import pytest

from gaia_email.app.accounts.connect_files import connect_files
from gaia_email.app.documents.brief import BriefDocument, brief_document
from gaia_email.app.documents.brief_text import brief_text
from gaia_email.app.services.brief import make_brief
from gaia_email.app.services.followups import read_followups
from gaia_email.mailbox.correspondents import LEAST_ANSWERS
from gaia_email.mailbox.tool_calls import call_tool
from gaia_email.triage.followups.reply_windows import WrittenMail, reply_windows
from tests.followups.mailbox import ALIAS, ASKS, HER, ME, Mailbox, app

HOUR = 3_600.0


@pytest.fixture
def asked(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Connects the mailbox; the tools that its server is asked for, one after the other."""
    source = mailbox.source
    asyncio.run(connect_files(source.kind, source.path, (ME, ALIAS), os.environ))
    tools: list[str] = []

    async def counted(session: object, tool: str, arguments: Mapping[str, object], **more: object) -> object:
        tools.append(tool)
        return await call_tool(session, tool, arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("gaia_email.mailbox.client.call_tool", counted)
    return tools


def brief(mailbox: Mailbox) -> BriefDocument:
    return brief_document(make_brief(app(), [mailbox.source]))


def test_a_brief_asks_the_provider_for_news_and_for_no_mail(mailbox: Mailbox, asked: list[str]) -> None:
    mailbox.put(ASKS, days=3)
    first = brief(mailbox)
    asked.clear()
    assert brief(mailbox) == first
    assert asked and set(asked) <= {"sync_emails", "server_status", "list_calendar_events"}
    mailbox.put("Hi Sam,\n\ncan you call me?\n\nLee", days=0.1, sender="lee@third.example", subject="A call")
    asked.clear()
    assert brief(mailbox)["owe_total"] == 2
    assert not {"list_emails", "search_emails"} & set(asked)


def mail(hour: float, *people: str, own: bool = False) -> WrittenMail:
    return WrittenMail(date=hour * HOUR, own=own, people=frozenset(people))


def test_a_habit_takes_five_answers_and_is_the_middle_of_them() -> None:
    threads = [
        [mail(day * 24, HER), mail(day * 24 + 0.5, HER), mail(day * 24 + hours, HER, own=True)]
        for day, hours in enumerate((1, 2, 2, 3, 40), 1)
    ]
    assert len(threads) == LEAST_ANSWERS
    assert reply_windows(threads) == {HER: 2 * HOUR}
    assert reply_windows(threads[1:]) == {}
    assert reply_windows([[mail(2, HER, own=True), mail(3, HER)]] * 9) == {}


def test_who_is_usually_answered_sooner_is_said_to_be(mailbox: Mailbox) -> None:
    for number in range(LEAST_ANSWERS):
        days, subject = 30 - number, f"Question {number}"
        question = mailbox.put(ASKS, days=days, subject=subject)
        mailbox.sent("Here it is.", days=days - 2 / 24, answers=question, subject=f"Re: {subject}")
    mailbox.put(ASKS, days=1, subject="The last form")
    (one,) = read_followups(app(), [mailbox.source]).on("owe")
    assert (one.usual_s, one.late) == (2 * HOUR, True)
    document = brief(mailbox)
    (row,) = [row for section in document["email"].values() for row in section["rows"] if row["followup"]]
    assert row["followup"] and row["followup"]["usual_hours"] == 2
    assert "you usually answer within 2 hours" in brief_text(document, "html")
