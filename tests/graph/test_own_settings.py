"""Rules as filters and automatic replies over the emulated Graph: what comes back, what is refused, what is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from gaia_email_registry.contract.wire import FilterAction, FilterCriteria, Vacation
from gaia_email_registry.errors import BadArgument, MailError
from gaia_graph_mcp.abilities import capabilities_of
from gaia_graph_mcp.login import scopes_of
from gaia_mail_mcp.mailbox import Capability
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, open_emulated
from tests.one_click.support import LETTER, LINK, POST, SIGNATURE, Server

AWAY: Vacation = {
    "enabled": True,
    "subject": "",
    "body": "Back on <Monday>.\nAsk Ann & Bo.",
    "html_body": "",
    "start": "",
    "end": "",
    "contacts_only": False,
    "domain_only": False,
}
READ: FilterAction = {"removeLabelIds": ["UNREAD"]}


def played(folder: Path, scenario: Callable[[EmulatedMailbox], Awaitable[None]]) -> None:
    """Runs it on a mailbox with one folder of its own."""

    async def main() -> None:
        emulator = Emulator()
        emulator.account.add_folder("Bills", emulator.account.root)
        mailbox = await open_emulated(emulator, folder)
        try:
            async with asyncio.timeout(20):
                await scenario(mailbox)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("criteria", "action"),
    [
        ({"from": "ann@example.org"}, READ),
        ({"from": "ann@example.org OR bo@example.org"}, READ),
        ({"from": "@example.org"}, READ),
        ({"to": "Sales Team"}, READ),
        ({"subject": "Weekly report"}, {"addLabelIds": ["IMPORTANT"]}),
        ({"query": '"two words" OR three'}, READ),
        ({"negatedQuery": "urgent", "from": "@example.org"}, READ),
        ({"hasAttachment": True}, READ),
        ({"hasAttachment": False}, READ),
        ({"size": 10240, "sizeComparison": "larger"}, READ),
        ({"size": 10240, "sizeComparison": "smaller"}, READ),
        ({"subject": "x"}, {"addLabelIds": ["TRASH"]}),
        ({"subject": "x"}, {"addLabelIds": ["SPAM"]}),
        ({"subject": "x"}, {"addLabelIds": ["folder:Bills"], "removeLabelIds": ["UNREAD"]}),
        ({"subject": "x"}, {"addLabelIds": ["Blue"], "removeLabelIds": ["INBOX"]}),
        ({"subject": "x"}, {"forward": "bo@example.org"}),
    ],
)
def test_a_filter_comes_back_as_it_was_made(
    tmp_path: Path, criteria: FilterCriteria, action: FilterAction
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        graph = mailbox.graph
        await graph.create_label("Blue", {})
        bills = next(label["id"] for label in await graph.labels() if label["name"] == "Bills")
        wanted: Any = dict(action)
        if "addLabelIds" in wanted:
            wanted["addLabelIds"] = [
                bills if name == "folder:Bills" else name for name in wanted["addLabelIds"]
            ]
        made = await graph.create_filter(criteria, wanted)
        assert (made["criteria"], made["action"]) == (criteria, wanted)
        assert await graph.delete_filter(made["id"]) == made
        assert mailbox.emulator.settings.stored == []

    played(tmp_path, scenario)


@pytest.mark.parametrize(
    ("criteria", "action", "said"),
    [
        ({"query": "list:news"}, READ, "leave operators out"),
        ({"query": "one two"}, READ, "in quotes"),
        ({"query": "-one"}, READ, "leave operators out"),
        ({"subject": "x"}, {"addLabelIds": ["STARRED"]}, "cannot add STARRED"),
        ({"subject": "x"}, {"addLabelIds": ["TRASH", "SPAM"]}, "in one folder"),
        ({"subject": "x"}, {"removeLabelIds": ["IMPORTANT"]}, "cannot take off IMPORTANT"),
        ({"excludeChats": True}, READ, "something to look for"),
    ],
)
def test_what_a_rule_cannot_say_is_refused_by_name(
    tmp_path: Path, criteria: FilterCriteria, action: FilterAction, said: str
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        with pytest.raises(BadArgument, match=said):
            await mailbox.graph.create_filter(criteria, action)
        assert mailbox.emulator.settings.stored == []

    played(tmp_path, scenario)


def test_a_rule_made_in_outlook_that_says_more_is_shown_and_not_deleted(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        rule = {
            "id": "AQAAx=",
            "displayName": "Boss  first",
            "conditions": {"sentOnlyToMe": True, "subjectContains": ["now"]},
            "actions": {"moveToFolder": "elsewhere", "markAsRead": True},
            "isEnabled": True,
        }
        mailbox.emulator.settings.stored.append(rule)
        (found,) = await mailbox.graph.filters()
        assert found["criteria"] == {"subject": "now", "query": 'rule:"Boss first"'}
        assert found["action"] == READ
        with pytest.raises(BadArgument, match="remove it in Outlook"):
            await mailbox.graph.delete_filter("AQAAx=")
        assert mailbox.emulator.settings.stored == [rule]

    played(tmp_path, scenario)


def test_a_filter_whose_answer_was_lost_is_not_made_twice(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        settings, lost = mailbox.emulator.settings, [True]

        def fault(request: Request) -> Response | None:
            if request.method == "POST" and request.path.endswith("/messageRules") and lost:
                lost.clear()
                settings.rules(request, [])
                return Response(hang_up=True)
            return None

        mailbox.emulator.fault = fault
        made = await mailbox.graph.create_filter({"from": "ann@example.org"}, READ)
        assert [rule["id"] for rule in settings.stored] == [made["id"]] and not lost

    played(tmp_path, scenario)


def test_an_automatic_answer_says_what_it_was_given_and_is_switched_off(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        graph, replies = mailbox.graph, mailbox.emulator.settings.replies
        assert await graph.set_vacation(AWAY) == AWAY
        assert "Back on &lt;Monday&gt;.<br>" in replies["internalReplyMessage"]
        off: Vacation = {**AWAY, "enabled": False}
        assert await graph.set_vacation(off) == off, "the text stays for the next time"
        html: Vacation = {**AWAY, "body": "", "html_body": "<p>Away</p>"}
        assert await graph.set_vacation(html) == html

    played(tmp_path, scenario)


def test_two_messages_for_inside_and_outside_both_stay_when_only_the_time_changes(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        replies = mailbox.emulator.settings.replies
        replies |= {"internalReplyMessage": "For us", "externalReplyMessage": "For others"}
        graph = mailbox.graph
        before = await graph.vacation()
        assert before["body"] == "For others"
        timed: Vacation = {**before, "enabled": True, "end": "2031-03-04T10:00:00+01:00", "domain_only": True}
        after = await graph.set_vacation(timed)
        assert (after["body"], after["end"], after["domain_only"]) == (
            "For us",
            "2031-03-04T09:00:00+00:00",
            True,
        )
        assert after["start"], "it begins now"
        assert replies["externalReplyMessage"] == "For others"

    played(tmp_path, scenario)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"subject": "Away"}, "have no subject"),
        ({"body": ""}, "needs a text"),
        ({"start": "2031-03-04T10:00:00+00:00"}, "give end too"),
    ],
)
def test_an_answer_that_outlook_cannot_give_is_refused_by_name(
    tmp_path: Path, change: Any, said: str
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        with pytest.raises(MailError, match=said):
            await mailbox.graph.set_vacation(cast(Vacation, {**AWAY, **change}))
        assert mailbox.emulator.settings.replies["status"] == "disabled"

    played(tmp_path, scenario)


EXCHANGE = (
    "Received: from AM0PR01MB1.eurprd01.prod.exchangelabs.com by DB9PR01MB2.eurprd01.prod.exchangelabs.com with\n"
    " HTTPS; Mon, 2 Mar 2026 09:00:03 +0000\n"
    "Received: from mta.list.example (198.51.100.7) by VI1EUR01FT001.mail.protection.outlook.com (10.152.0.1) with\n"
    " Microsoft SMTP Server; Mon, 2 Mar 2026 09:00:01 +0000\n"
    "Authentication-Results: spf=pass (sender IP is 198.51.100.7) smtp.mailfrom=list.example; dkim=pass\n"
    " (signature was verified) header.d=list.example;dmarc=pass action=none header.from=list.example;compauth=pass\n"
    " reason=100\n"
)
"""What Exchange writes on top of what it takes in: no authserv-id."""


def test_a_list_is_left_by_one_click_where_exchange_vouches_for_it(tmp_path: Path) -> None:
    letter = EXCHANGE + SIGNATURE + LINK + POST + LETTER

    async def scenario(mailbox: EmulatedMailbox) -> None:
        item = mailbox.emulator.account.put(letter.replace("\n", "\r\n").encode())
        forged = letter.replace("dkim=pass", "dkim=fail").replace("<n1@", "<n2@")
        other = mailbox.emulator.account.put(forged.replace("\n", "\r\n").encode())
        server = Server()
        with pytest.raises(BadArgument, match="not proven"):
            await mailbox.graph.unsubscribe(other.id)
        assert mailbox.graph.one_click is not None
        async with server.listening(trust=mailbox.graph.one_click.trust) as one_click:
            mailbox.graph.one_click = one_click
            left = await mailbox.graph.unsubscribe(item.id)
        assert (left.host, left.status, len(server.asked)) == ("list.example", 200, 1)

    played(tmp_path, scenario)


def test_rules_and_replies_are_offered_only_where_they_were_asked_for() -> None:
    both = {Capability.FILTERS, Capability.VACATION}
    assert not both & capabilities_of(scopes_of("mail,send,calendar"))
    assert both <= capabilities_of(scopes_of("mail,settings"))
    assert "MailboxSettings.ReadWrite" not in scopes_of("")
