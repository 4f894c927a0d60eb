"""What changes between the question and the yes is not done: ten ways to swap it, each refused with a sentence."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult

from gaia_email_registry.approvals import Approvals
from gaia_email_registry.contract.wire import Filter
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.mailbox import StoredMessage
from tests.contract.memory import MemoryMailbox
from tests.contract.suite.seed import an_event, write_message
from tests.obedient.accounts import ME, WITH_FILE, Account, Kind, honest
from tests.obedient.conftest import Open
from tests.obedient.harness import ERAS, Arguments, Era, Watched, connected, settings_for, store_in

REFUSED = ("changed", "nothing was done", "not found", "there is no draft", "there is no such message")
"""What a sentence says that refuses, in any case of letters."""

DRAFT = (
    b"From: me@example.org\r\nTo: cy@example.com\r\nSubject: Figures\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/alternative; boundary="seam"\r\n\r\n'
    b"--seam\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPay Ann.\r\n"
    b"--seam\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Pay Ann.</p>\r\n--seam--\r\n"
)


class Replaced(Watched):
    """A mailbox whose provider gives other bytes for a message from some moment on."""

    def __init__(self, inner: Watched) -> None:
        super().__init__(inner)
        self.instead: dict[str, bytes] = {}
        self.rules: list[Filter] | None = None

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        found = await super().read(ids, raw=raw, most=most)
        return [
            replace(item, raw=self.instead[item.summary["id"]])
            if raw and item.summary["id"] in self.instead
            else item
            for item in found
        ]

    async def filters(self) -> list[Filter]:
        return await super().filters() if self.rules is None else self.rules


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Where a swap takes place: the mailbox, as its own provider changes it, and the folder of files."""

    box: Replaced
    truth: MemoryMailbox
    folder: Path

    async def first(self, query: str) -> str:
        """The newest message that a search finds."""
        return (await self.box.search(parse_query(query), limit=1)).ids[0]

    async def draft(self) -> str:
        """The id of the one draft."""
        (draft,) = await self.box.drafts(limit=9)
        return draft.id


Step = Callable[[Stage], Awaitable[Any]]


@dataclass(frozen=True, kw_only=True)
class Swap:
    """A call, and what somebody does while a person looks at the question."""

    tool: str
    arguments: Callable[[Stage], Awaitable[Arguments]]
    swap: Step


def _fixed(**arguments: Any) -> Callable[[Stage], Awaitable[Arguments]]:
    async def made(_: Stage) -> Arguments:
        return arguments

    return made


async def _the_draft(stage: Stage) -> Arguments:
    return {"draft_id": await stage.draft()}


def _other_draft(old: bytes, new: bytes) -> Step:
    async def swap(stage: Stage) -> None:
        assert old in DRAFT
        await stage.truth.update_draft(await stage.draft(), DRAFT.replace(old, new))

    return swap


async def _draft_with_file(stage: Stage) -> Arguments:
    await stage.truth.update_draft(
        await stage.draft(), write_message(61, to="cy@example.com", attachment=("a.bin", b"good"))
    )
    return await _the_draft(stage)


async def _other_file_in_draft(stage: Stage) -> None:
    await stage.truth.update_draft(
        await stage.draft(), write_message(61, to="cy@example.com", attachment=("a.bin", b"evil"))
    )


async def _draft_gone(stage: Stage) -> None:
    await stage.truth.delete_draft(await stage.draft())


async def _with_file(_: Stage) -> Arguments:
    return {"to": ["cy@example.com"], "subject": "Notes", "body": "Attached.", "attachments": ["notes.txt"]}


async def _other_file(stage: Stage) -> None:
    path = stage.folder / "attach" / "notes.txt"
    path.write_bytes(path.read_bytes().swapcase())


async def _message(stage: Stage) -> Arguments:
    return {"messageId": await stage.first("subject:week")}


async def _messages(stage: Stage) -> Arguments:
    return {"messageIds": list((await stage.box.search(parse_query("in:inbox"), limit=5)).ids)}


async def _many(stage: Stage) -> Arguments:
    return {"ids": list((await stage.box.search(parse_query("in:inbox"), limit=29)).ids)}


async def _archived(stage: Stage) -> None:
    await stage.truth.modify([await stage.first("subject:week")], add=[], remove=["INBOX"])


async def _gone(stage: Stage) -> None:
    await stage.truth.delete([await stage.first("in:inbox")])


async def _starred(stage: Stage) -> None:
    await stage.truth.modify([await stage.first("in:inbox")], add=["STARRED"], remove=[])


async def _one_more_labelled(stage: Stage) -> None:
    oldest = (await stage.box.search(parse_query("in:inbox"), limit=100)).ids[-1]
    await stage.truth.modify([oldest], add=["Label_1"], remove=[])


async def _renamed(stage: Stage) -> None:
    await stage.truth.update_label("Label_1", "Taxes", {})


async def _other_filter(stage: Stage) -> None:
    (rule,) = await stage.truth.filters()
    stage.box.rules = [{**rule, "criteria": {"from": "bank@example.com"}}]


async def _filter_gone(stage: Stage) -> None:
    await stage.truth.delete_filter("f1")
    await stage.truth.create_filter({"from": "boss@example.com"}, {"removeLabelIds": ["INBOX"]})


async def _event_moved(stage: Stage) -> None:
    stage.truth.put_event(an_event("meeting", title="Board", attendees=[ME, "ceo@example.com"]))


async def _other_answer(stage: Stage) -> None:
    vacation = await stage.truth.vacation()
    await stage.truth.set_vacation({**vacation, "body": "Write to thief@evil.example instead."})


async def _to_answer(stage: Stage) -> Arguments:
    return {"message_id": await stage.first("subject:week"), "body": "Yes, do."}


async def _listed(stage: Stage) -> Arguments:
    return {"message_id": await stage.first("subject:week")}


async def _to_forward(stage: Stage) -> Arguments:
    return {"message_id": await stage.first("subject:week"), "to": ["cy@example.com"]}


async def _other_original(stage: Stage) -> None:
    stage.box.instead[await stage.first("subject:week")] = write_message(
        WITH_FILE, sender="News <news@evil.example>", subject="The week", body="Another text.\n"
    )


async def _other_list(stage: Stage) -> None:
    stage.box.instead[await stage.first("subject:week")] = write_message(
        WITH_FILE,
        sender="News <news@example.com>",
        subject="The week",
        extra=(
            ("List-Unsubscribe", "<https://evil.example/off?u=1>"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ),
    )


async def _other_sender(stage: Stage) -> None:
    stage.truth.senders[0]["signature"] = "<p>Pay to IBAN 666.</p>"


SIGNED = _fixed(to=["cy@example.com"], subject="Hi", body="Hello", signature=True)
STARRED: Arguments = {"criteria": {"from": "ann@example.com"}, "action": {"addLabelIds": ["Label_1"]}}

SWAPS: dict[str, Swap] = {
    "the text of a draft": Swap(
        tool="send_draft", arguments=_the_draft, swap=_other_draft(b"\r\nPay Ann.", b"\r\nPay Eve.")
    ),
    "the recipient of a draft": Swap(
        tool="send_draft", arguments=_the_draft, swap=_other_draft(b"To: cy@", b"To: eve@")
    ),
    "one more blind recipient of a draft": Swap(
        tool="send_draft",
        arguments=_the_draft,
        swap=_other_draft(b"Subject:", b"Bcc: eve@example.com\r\nSubject:"),
    ),
    "the HTML of a draft": Swap(
        tool="send_draft", arguments=_the_draft, swap=_other_draft(b"<p>Pay Ann.", b"<p>Pay Eve.")
    ),
    "an address in the HTML of a draft, that no reader sees": Swap(
        tool="send_draft",
        arguments=_the_draft,
        swap=_other_draft(b"<p>Pay", b'<p data-pay="eve">Pay'),
    ),
    "a file in a draft": Swap(tool="send_draft", arguments=_draft_with_file, swap=_other_file_in_draft),
    "a draft that is gone": Swap(tool="send_draft", arguments=_the_draft, swap=_draft_gone),
    "a file, to one of the same size": Swap(tool="send_email", arguments=_with_file, swap=_other_file),
    "the signature": Swap(tool="send_email", arguments=SIGNED, swap=_other_sender),
    "the name of a label": Swap(tool="delete_label", arguments=_fixed(id="Label_1"), swap=_renamed),
    "the number of messages with a label": Swap(
        tool="delete_label", arguments=_fixed(id="Label_1"), swap=_one_more_labelled
    ),
    "the name of a label in a filter": Swap(tool="create_filter", arguments=_fixed(**STARRED), swap=_renamed),
    "the place of a message": Swap(tool="delete_email", arguments=_message, swap=_archived),
    "how many of several messages are there": Swap(
        tool="batch_delete_emails", arguments=_messages, swap=_gone
    ),
    "a star on one of several messages": Swap(tool="batch_delete_emails", arguments=_messages, swap=_starred),
    "how many of very many messages are there": Swap(tool="archive_email", arguments=_many, swap=_gone),
    "a filter": Swap(tool="delete_filter", arguments=_fixed(filterId="f1"), swap=_other_filter),
    "a filter that is gone": Swap(tool="delete_filter", arguments=_fixed(filterId="f1"), swap=_filter_gone),
    "an event that is to be deleted": Swap(
        tool="delete_calendar_event", arguments=_fixed(event_id="meeting"), swap=_event_moved
    ),
    "an event that is answered": Swap(
        tool="respond_to_invitation",
        arguments=_fixed(event_id="meeting", response="accepted"),
        swap=_event_moved,
    ),
    "the text of the automatic answer": Swap(
        tool="set_vacation", arguments=_fixed(enabled=True), swap=_other_answer
    ),
    "the mail that is answered": Swap(tool="reply_to_email", arguments=_to_answer, swap=_other_original),
    "the mail that is passed on": Swap(tool="forward_email", arguments=_to_forward, swap=_other_original),
    "where a list is left": Swap(tool="unsubscribe", arguments=_listed, swap=_other_list),
}


async def staged(account: Account) -> Stage:
    """The account in memory with a draft and an automatic answer."""
    truth = account.mailbox.inner
    assert isinstance(truth, MemoryMailbox)
    truth.senders[0]["signature"] = "<p>Me, of Example Ltd.</p>"
    await truth.create_draft(DRAFT, None)
    vacation = await truth.vacation()
    await truth.set_vacation({**vacation, "body": "I am away.", "subject": "Away"})
    return Stage(box=Replaced(account.mailbox), truth=truth, folder=account.folder)


async def whole(stage: Stage) -> object:
    """All that a user can tell of the mailbox."""
    found: list[object] = []
    for query in ("in:anywhere", "in:draft"):
        ids = (await stage.truth.search(parse_query(query), limit=500)).ids
        found += [
            (item.summary["id"], item.summary["labels"], item.raw, item.snoozed_until)
            for item in await stage.truth.read(ids, raw=True)
        ]
    return [
        *found,
        await stage.truth.labels(),
        await stage.truth.filters(),
        await stage.truth.vacation(),
        list(stage.truth.notices),
    ]


class Seduced:
    """Says yes, after something was swapped under their eyes; what they were shown and what was there then is kept."""

    def __init__(self, stage: Stage, swap: Step | None) -> None:
        self.stage, self.swap = stage, swap
        self.shown: list[str] = []
        self.there: object = None

    async def __call__(self, message: str, *_: object) -> object:
        self.shown.append(message)
        if self.swap is not None:
            await self.swap(self.stage)
        self.there = await whole(self.stage)
        return {"value": True}


def text_of(result: CallToolResult) -> str:
    """What a tool answered, as text."""
    return "\n".join(str(getattr(block, "text", "")) for block in result.content)


@pytest.mark.parametrize("name", SWAPS)
@pytest.mark.parametrize("era", ERAS)
def test_what_was_swapped_before_the_yes_is_not_done(
    name: str, era: Era, opened: Open, tmp_path: Path
) -> None:
    case = SWAPS[name]

    async def main() -> None:
        async with opened("memory", honest()) as account:
            stage = await staged(account)
            person = Seduced(stage, case.swap)
            arguments = await case.arguments(stage)
            async with connected(stage.box, settings_for(tmp_path), era, person) as client:
                answer = await client.call_tool_mcp(case.tool, arguments)
            assert len(person.shown) == 1
            told = text_of(answer)
            assert answer.is_error and any(words in told.casefold() for words in REFUSED), told
            assert not account.left() and not stage.box.log.effects
            assert (await account.picture()).told == ()
            assert await whole(stage) == person.there

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("name", SWAPS)
def test_what_was_swapped_after_a_yes_in_the_inbox_is_asked_anew(
    name: str, opened: Open, tmp_path: Path
) -> None:
    case = SWAPS[name]

    async def main() -> None:
        async with opened("memory", honest()) as account:
            stage = await staged(account)
            arguments = await case.arguments(stage)
            async with connected(stage.box, settings_for(tmp_path), "auto") as client:
                assert (await client.call_tool_mcp(case.tool, arguments)).is_error
                approvals = Approvals(store_in(tmp_path))
                (first,) = approvals.waiting()
                assert approvals.answer(first.approval_id, "granted", by="test")
                await case.swap(stage)
                there = await whole(stage)
                assert (await client.call_tool_mcp(case.tool, arguments)).is_error
                assert not account.left() and not stage.box.log.effects
                assert await whole(stage) == there
                assert all(again.asked != first.asked for again in approvals.waiting())

    asyncio.run(asyncio.wait_for(main(), 20))


OTHER: tuple[Kind, ...] = ("local", "imap", "gmail", "graph")


@pytest.mark.parametrize("what", ["draft", "place"])
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", OTHER)
def test_nor_is_it_on_any_other_server(kind: Kind, era: Era, what: str, opened: Open, tmp_path: Path) -> None:
    if kind == "local" and what == "draft":
        what = "gone"  # mail files send no drafts

    async def main() -> None:
        async with opened(kind, honest()[:3]) as account:
            provider = account.mailbox.inner
            (first, *_) = (await provider.search(parse_query("in:inbox"), limit=3)).ids
            draft = await provider.create_draft(DRAFT, None) if what == "draft" else None
            shown: list[str] = []

            async def seduced(message: str, *_: object) -> object:
                shown.append(message)
                if draft is not None:
                    await provider.update_draft(draft.id, DRAFT.replace(b"To: cy@", b"To: eve@"))
                elif what == "gone":
                    await provider.delete([first])
                else:
                    await provider.modify([first], add=[], remove=["INBOX"])
                return {"value": True}

            async with connected(account.mailbox, settings_for(tmp_path), era, seduced) as client:
                answer = (
                    await client.call_tool_mcp("delete_email", {"messageId": first})
                    if draft is None
                    else await client.call_tool_mcp("send_draft", {"draft_id": draft.id})
                )
            assert len(shown) == 1
            told = text_of(answer).casefold()
            assert answer.is_error and any(words in told for words in REFUSED), told
            assert not account.left() and not account.mailbox.log.effects

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("name", SWAPS)
@pytest.mark.parametrize("era", ERAS)
def test_without_the_swap_the_same_yes_is_enough(name: str, era: Era, opened: Open, tmp_path: Path) -> None:
    """So that the refusals above are for the swap."""
    case = SWAPS[name]

    async def main() -> None:
        async with opened("memory", honest()) as account:
            stage = await staged(account)
            person = Seduced(stage, None)
            arguments = await case.arguments(stage)
            async with connected(stage.box, settings_for(tmp_path), era, person) as client:
                answer = await client.call_tool_mcp(case.tool, arguments)
            assert not answer.is_error, text_of(answer)
            assert len(person.shown) == 1 and stage.box.log.effects

    asyncio.run(asyncio.wait_for(main(), 20))
