"""Where nobody can be asked, a question waits for `gaia email review`; a yes there lets the same call pass once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult

from gaia_email_registry.approvals import Approval, Approvals
from gaia_mail.query.grammar import parse_query
from tests.contract.memory import MemoryMailbox
from tests.contract.suite.seed import Seed, write_message
from tests.obedient.accounts import KINDS, Account, Kind
from tests.obedient.conftest import Open
from tests.obedient.harness import ERAS, Arguments, Era, Watched, connected, settings_for, store_in
from tests.obedient.test_swaps import text_of

WAITS = ("Waiting for the user", "Agent Inbox")

Call = Callable[..., Awaitable[CallToolResult]]
Scenario = Callable[[Call, Account, Approvals], Awaitable[None]]

MAILS = [Seed(raw=write_message(number)) for number in range(1, 4)]


def run(kind: Kind, era: Era, opened: Open, folder: Path, scenario: Scenario) -> None:
    """A scenario on a server that can ask nobody: the client announces nothing, and there is no screen."""

    async def main() -> None:
        async with (
            opened(kind, MAILS) as account,
            connected(account.mailbox, settings_for(folder), era) as client,
        ):

            async def call(tool: str, **arguments: Any) -> CallToolResult:
                found: CallToolResult = await client.call_tool_mcp(tool, arguments)
                return found

            await scenario(call, account, Approvals(store_in(folder)))

    asyncio.run(asyncio.wait_for(main(), 20))


async def newest(account: Account) -> list[str]:
    return list((await account.mailbox.search(parse_query("in:inbox"), limit=9)).ids)


def only(approvals: Approvals) -> Approval:
    (waiting,) = approvals.waiting()
    return waiting


def secrets_of(approval: Approval) -> list[str]:
    """Whatever of a kept question could stand for it."""
    asked = approval.asked
    parts = approval.approval_id.split("-")
    return [approval.approval_id, *(part for part in parts if len(part) > 4), asked.call, asked.shown_digest]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_says_where_to_approve_and_nothing_to_approve_with(
    kind: Kind, era: Era, opened: Open, tmp_path: Path
) -> None:
    async def scenario(call: Call, account: Account, approvals: Approvals) -> None:
        (first, *_) = await newest(account)
        for _ in range(3):
            answer = await call("delete_email", messageId=first)
            assert answer.is_error
            assert all(words in text_of(answer) for words in WAITS)
            everything = answer.model_dump_json().casefold()
            kept = only(approvals)
            for secret in (*secrets_of(kept), "http://", "https://", "confirm", "token", "approve-"):
                assert secret.casefold() not in everything
            assert "Message number 3" in kept.asked.shown
            assert kept.asked.server == f"gaia-{account.mailbox.provider}-mcp"
        assert not account.mailbox.log.effects

    run(kind, era, opened, tmp_path, scenario)


def test_nothing_else_that_a_model_can_read_tells_of_the_question(opened: Open, tmp_path: Path) -> None:
    async def main() -> None:
        async with opened("memory", MAILS) as account:
            opener: list[Path] = []
            settings = settings_for(tmp_path, opened=opener)
            async with connected(account.mailbox, settings, "legacy") as client:
                await client.call_tool_mcp("send_email", MAIL)
                told = [(await client.call_tool_mcp("server_status", {})).model_dump_json()]
                told += [tool.model_dump_json() for tool in await client.list_tools()]
                told += [str(resource.uri) for resource in await client.list_resources()]
                told += [
                    str(await client.read_resource(resource.uri))
                    for resource in await client.list_resources()
                ]
                told += [prompt.model_dump_json() for prompt in await client.list_prompts()]
                page = opener[0].read_text().partition("/approve/")[2].partition('"')[0]
            kept = only(Approvals(store_in(tmp_path)))
            everything = "\n".join(told)
            assert len(page) > 30 and len(told) > 40
            assert not any(secret in everything for secret in (*secrets_of(kept), page, opener[0].name))

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", KINDS)
def test_after_a_yes_that_call_passes_once_and_no_other(
    kind: Kind, era: Era, opened: Open, tmp_path: Path
) -> None:
    async def scenario(call: Call, account: Account, approvals: Approvals) -> None:
        first, second, _ = await newest(account)
        await call("delete_email", messageId=first)
        assert approvals.answer(only(approvals).approval_id, "granted", by="test")
        others: list[Arguments] = [{"messageId": second}, {"messageId": first, "permanent": True}]
        for other in others:
            assert (await call("delete_email", **other)).is_error
        assert (await call("batch_delete_emails", messageIds=[first])).is_error
        assert not account.mailbox.log.effects
        assert not (await call("delete_email", messageId=first)).is_error
        assert [effect.what for effect in account.mailbox.log.effects] == ["trash"]
        assert await newest(account) == [second, *(await newest(account))[1:]]
        await account.mailbox.inner.untrash([first])
        again = await call("delete_email", messageId=first)
        assert again.is_error and WAITS[0] in text_of(again)
        assert len(account.mailbox.log.effects) == 1

    run(kind, era, opened, tmp_path, scenario)


MAIL: Arguments = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}
OTHER_MAILS: tuple[Arguments, ...] = (
    {**MAIL, "to": ["eve@example.com"]},
    {**MAIL, "to": ["cy@example.com", "eve@example.com"]},
    {**MAIL, "bcc": ["eve@example.com"]},
    {**MAIL, "subject": "Hi "},
    {**MAIL, "body": "Hello."},
    {**MAIL, "htmlBody": "<p>Hello</p>"},
    {**MAIL, "attachments": ["notes.txt"]},
)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", ["memory", "imap", "gmail", "graph"])
def test_a_yes_to_a_mail_sends_that_mail_once_and_no_other(
    kind: Kind, era: Era, opened: Open, tmp_path: Path
) -> None:
    async def scenario(call: Call, account: Account, approvals: Approvals) -> None:
        await call("send_email", **MAIL)
        assert approvals.answer(only(approvals).approval_id, "granted", by="test")
        for other in OTHER_MAILS:
            assert (await call("send_email", **other)).is_error
        assert not account.left()
        assert not (await call("send_email", **MAIL)).is_error
        assert (await call("send_email", **MAIL)).is_error
        assert [mail.recipients for mail in account.left()] == [("cy@example.com",)]

    run(kind, era, opened, tmp_path, scenario)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", KINDS)
def test_after_a_no_the_same_call_is_refused_at_once(
    kind: Kind, era: Era, opened: Open, tmp_path: Path
) -> None:
    async def scenario(call: Call, account: Account, approvals: Approvals) -> None:
        first, second, _ = await newest(account)
        await call("delete_email", messageId=first)
        assert approvals.answer(only(approvals).approval_id, "refused", by="test")
        for _ in range(2):
            answer = await call("delete_email", messageId=first)
            assert answer.is_error and "said no" in text_of(answer)
            assert not approvals.waiting()
        await call("delete_email", messageId=second)
        assert only(approvals).asked.tool == "delete_email"
        assert not account.mailbox.log.effects

    run(kind, era, opened, tmp_path, scenario)


def test_calls_at_once_use_one_yes_once(opened: Open, tmp_path: Path) -> None:
    async def scenario(call: Call, account: Account, approvals: Approvals) -> None:
        await call("send_email", **MAIL)
        assert approvals.answer(only(approvals).approval_id, "granted", by="test")
        answers = await asyncio.gather(*(call("send_email", **MAIL) for _ in range(5)))
        assert sorted(answer.is_error for answer in answers) == [False, True, True, True, True]
        assert len(account.left()) == 1

    run("memory", "auto", opened, tmp_path, scenario)


def test_a_yes_for_one_account_is_none_for_another(tmp_path: Path) -> None:
    """Two servers, one file of questions: the same call on the same kind of server, for somebody else's mail."""

    async def main() -> None:
        approvals = Approvals(store_in(tmp_path))
        boxes = [Watched(MemoryMailbox(name)) for name in ("me@example.org", "office@example.org")]
        settings = settings_for(tmp_path)
        async with (
            connected(boxes[0], settings, "auto") as mine,
            connected(boxes[1], settings, "auto") as theirs,
        ):
            await mine.call_tool_mcp("send_email", MAIL)
            assert approvals.answer(only(approvals).approval_id, "granted", by="test")
            assert (await theirs.call_tool_mcp("send_email", MAIL)).is_error
            assert not boxes[1].log.effects
            assert not (await mine.call_tool_mcp("send_email", MAIL)).is_error

    asyncio.run(asyncio.wait_for(main(), 20))


class OtherProvider(Watched):
    """The same account, behind another server."""

    @property
    def provider(self) -> str:
        return "imap"


def test_a_yes_for_one_server_is_none_for_another(tmp_path: Path) -> None:
    """`Asked.call` is of server, tool, account and arguments: what was shown names the server that would do it."""

    async def main() -> None:
        approvals = Approvals(store_in(tmp_path))
        settings = settings_for(tmp_path)
        one, other = Watched(MemoryMailbox("me@example.org")), OtherProvider(MemoryMailbox("me@example.org"))
        async with connected(one, settings, "auto") as asking, connected(other, settings, "auto") as riding:
            await asking.call_tool_mcp("send_email", MAIL)
            assert approvals.answer(only(approvals).approval_id, "granted", by="test")
            assert (await riding.call_tool_mcp("send_email", MAIL)).is_error
            assert not other.log.effects
            assert not (await asking.call_tool_mcp("send_email", MAIL)).is_error

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_question_outlives_its_server_and_so_does_the_yes(opened: Open, tmp_path: Path) -> None:
    async def main() -> None:
        async with opened("memory", MAILS) as account:
            settings = settings_for(tmp_path)
            async with connected(account.mailbox, settings, "legacy") as client:
                await client.call_tool_mcp("send_email", MAIL)
            approvals = Approvals(store_in(tmp_path))
            assert approvals.answer(only(approvals).approval_id, "granted", by="test")
            async with connected(account.mailbox, settings, "auto") as client:
                assert not (await client.call_tool_mcp("send_email", MAIL)).is_error
            assert len(account.left()) == 1

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("era", ERAS)
def test_a_damaged_file_of_questions_is_a_sentence_and_nothing_is_done(
    era: Era, opened: Open, tmp_path: Path
) -> None:
    store_in(tmp_path).parent.mkdir()
    store_in(tmp_path).write_bytes(b"garbage " * 500)

    async def scenario(call: Call, account: Account, approvals: Approvals) -> None:
        (first, *_) = await newest(account)
        for tool, given in (("delete_email", {"messageId": first}), ("send_email", MAIL)):
            answer = await call(tool, **given)
            assert answer.is_error and "delete approvals.db" in text_of(answer)
            assert (answer.structured_content or {})["error"]["kind"] == "provider"
        assert not account.mailbox.log.effects

    run("memory", era, opened, tmp_path, scenario)
