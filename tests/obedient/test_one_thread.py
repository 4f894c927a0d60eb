"""An obedient client over every tool of every server moves no thread but the one named, and none without a yes."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult

from gaia_email_registry.contract.tools import TOOLS
from gaia_mail.query.grammar import parse_query
from tests.contract.suite.seed import Seed, write_message
from tests.gate.every_call import ARGUMENTS
from tests.obedient.accounts import KINDS, Account, Kind, Places, message_ids
from tests.obedient.conftest import Open
from tests.obedient.harness import (
    ERAS,
    Arguments,
    Era,
    connected,
    needs_a_person,
    settings_for,
)


class Person:
    """Says no to whatever is asked, until they say yes to everything."""

    def __init__(self) -> None:
        self.agrees = False

    async def __call__(self, *_: object) -> object:
        return {"value": True} if self.agrees else ElicitResult[Any](action="decline")


DRAFTS = ("update_draft", "delete_draft", "send_draft")
"""Tools about a draft; each has one of its own, which this server did not make."""

MOVING = frozenset(
    (
        "modify_email",
        "batch_modify_emails",
        "archive_email",
        "trash_email",
        "untrash_email",
        "mark_read",
        "star_email",
        "report_spam",
        "delete_email",
        "batch_delete_emails",
        "delete_draft",
        "delete_label",
    )
)
"""What has to have an effect on the thread that it names, so that the rest can fail."""

PRESSING: Arguments = {"confirm": "true", "approved": True, "value": True, "approve": "host", "force": True}
"""What a model adds that was told that everything is agreed to."""


def two_of(tool: str) -> tuple[bytes, bytes]:
    """The Message-IDs of the thread that is named to a tool."""
    return f"<{tool}.1@seed.example>".encode(), f"<{tool}.2@seed.example>".encode()


def threads() -> list[Seed]:
    """A thread of two messages for each tool, which somebody else answers, and mail that nobody names."""
    seeds: list[Seed] = []
    for number, tool in enumerate(TOOLS):
        first, second = (message_id.decode() for message_id in two_of(tool))
        away = (
            ("List-Unsubscribe", "<https://list.example.com/off?u=1>"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
            ("In-Reply-To", first),
            ("References", first),
        )
        subject, sender = f"About {tool}", f"Pat <pat{number % 5}@example.com>"
        raw = write_message(2 * number, message_id=first, subject=subject, sender=sender)
        answer = write_message(
            2 * number + 1,
            message_id=second,
            subject=subject,
            sender=sender,
            extra=away,
            attachment=("notes.txt", b"notes"),
        )
        seeds += [Seed(raw=raw), Seed(raw=answer)]
    return seeds


@dataclass(frozen=True, kw_only=True)
class Named:
    """What the calls name, for arguments in which `m1` and the like stand."""

    ids: Mapping[str, str]

    def arguments(self, tool: str) -> Arguments:
        """The arguments of a call of the tool about the thread that is its own."""
        here = {
            "m1": self.ids[two_of(tool)[0].decode()],
            "m2": self.ids[two_of(tool)[1].decode()],
            "t1": self.ids[f"thread of {tool}"],
            "r1": self.ids.get(f"draft of {tool}", ""),
            "Label_1": self.ids.get(f"label of {tool}", ""),
        }
        text = json.dumps(ARGUMENTS[tool])
        for word, meant in here.items():
            text = text.replace(json.dumps(word), json.dumps(meant))
        found: Arguments = json.loads(text)
        return found


async def prepared(account: Account) -> Named:
    """Put a label, a filter, drafts and a thread in Trash there, by the provider's own hand."""
    mailbox = account.mailbox.inner
    ids: dict[str, str] = {}
    listed = await mailbox.search(parse_query("in:inbox"), limit=500)
    for message in await mailbox.read(listed.ids, raw=True):
        (message_id,) = message_ids([message.raw or b""])
        ids[message_id.decode()] = message.summary["id"]
        for tool in TOOLS:
            if message_id in two_of(tool):
                ids[f"thread of {tool}"] = message.summary["thread_id"]
    for tool in DRAFTS:
        raw = write_message(
            900, message_id=two_of(tool)[0].decode().replace(".1@", ".draft@"), to="cy@example.com"
        )
        ids[f"draft of {tool}"] = (await mailbox.create_draft(raw, None)).id
    await mailbox.trash([ids[one.decode()] for one in two_of("untrash_email")])
    for tool in ("delete_label", "update_label"):
        label = await mailbox.create_label(f"Of {tool}", {})
        await mailbox.modify([ids[one.decode()] for one in two_of(tool)], add=[label["id"]], remove=[])
        ids[f"label of {tool}"] = label["id"]
    return Named(ids=ids)


def moved(before: Places, after: Places) -> set[bytes]:
    """What was there and is elsewhere, otherwise marked or gone."""
    return {message_id for message_id, place in before.items() if after.get(message_id) != place}


def asks(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call has to wait for a person; a draft by another hand is a person's."""
    return tool in DRAFTS or needs_a_person(tool, arguments)


async def call_all(account: Account, client: Client[Any], named: Named, *, yes: bool) -> set[str]:
    """Each tool once about its own thread; which of them moved it."""
    effective: set[str] = set()
    left = len(account.left())
    offered = {tool.name for tool in await client.list_tools()}
    assert offered <= set(TOOLS)
    for tool in sorted(offered, key=list(TOOLS).index):
        arguments = named.arguments(tool)
        before = await account.places()
        await client.call_tool_mcp(tool, arguments if yes else {**arguments, **PRESSING})
        touched = moved(before, await account.places())
        own = {*two_of(tool), two_of(tool)[0].replace(b".1@", b".draft@")}
        assert touched <= own, f"{tool} moved what it did not name"
        if not yes and asks(tool, arguments):
            assert not touched, f"{tool} moved without a yes"
            assert len(account.left()) == left, f"{tool} sent without a yes"
        assert not touched or TOOLS[tool].risk != "read", f"{tool} only reads"
        effective |= {tool} if touched else set()
    return effective


@pytest.mark.parametrize(("kind", "era"), list(zip(KINDS, itertools.cycle(ERAS), strict=False)))
def test_no_tool_moves_another_thread_than_the_one_named_and_none_without_a_yes(
    kind: Kind, era: Era, opened: Open, tmp_path: Path
) -> None:
    async def main() -> None:
        async with opened(kind, threads()) as account:
            named = await prepared(account)
            before = await account.picture()
            person, settings = Person(), settings_for(tmp_path, on_disk=False)
            async with connected(account.mailbox, settings, era, person) as client:
                done = await call_all(account, client, named, yes=False)
                assert (await account.picture()).out == before.out
                person.agrees = True
                done |= await call_all(account, client, named, yes=True)
                offered = {tool.name for tool in await client.list_tools()}
            assert MOVING & offered <= done

    asyncio.run(asyncio.wait_for(main(), 50))


def test_every_tool_has_a_call() -> None:
    assert set(ARGUMENTS) == set(TOOLS)
