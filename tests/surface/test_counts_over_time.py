"""Small calls add up: what is moved without a question is counted over calls, tools, servers and restarts."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from fastmcp import Client
from mcp_types import CallToolResult

from gaia_email_registry.approvals import GRANTED_S, Approvals
from gaia_email_registry.contract.tools import ASKS_ABOVE
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.surface.approval import unasked
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.approval.unasked import MAX_DRAFTS, WINDOW_S, Unasked
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox

WAITS = "Waiting for the user"
UNTIL = "2090-01-01T08:00:00+00:00"
MAIL = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}

Call = Callable[..., Awaitable[CallToolResult]]


def mailbox_of(count: int) -> MemoryMailbox:
    made = MemoryMailbox()
    for number in range(count):
        made.put(b"From: ann@example.com\r\nSubject: %d\r\n\r\nhello\r\n" % number, ("INBOX", "UNREAD"))
    return made


@pytest.fixture
def settings(tmp_path: Path) -> SurfaceSettings:
    """A server that can ask nobody but the Agent Inbox."""
    return SurfaceSettings(approval=ApprovalSettings(store=tmp_path / "approvals.db"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of everything that is counted, set by hand."""
    now = [1_900_000_000.0]
    monkeypatch.setattr(unasked.Unasked.__init__, "__kwdefaults__", {"clock": lambda: now[0]})
    return now


def call(mailbox: MemoryMailbox, settings: SurfaceSettings, tool: str, **arguments: object) -> CallToolResult:
    """One call to a server that was started for it."""

    async def main() -> CallToolResult:
        async with Client(create_server(mailbox, settings), mode="legacy") as client:
            return await client.call_tool_mcp(tool, arguments)

    return asyncio.run(asyncio.wait_for(main(), 20))


def waits(result: CallToolResult) -> bool:
    return bool(result.is_error) and WAITS in "".join(getattr(block, "text", "") for block in result.content)


def in_inbox(mailbox: MemoryMailbox) -> int:
    return len(asyncio.run(mailbox.search(parse_query("in:inbox"), limit=1000)).ids)


def ids(first: int, last: int) -> list[str]:
    return [f"m{number}" for number in range(first, last + 1)]


def granted(settings: SurfaceSettings) -> None:
    approvals = Approvals(settings.approval.store)
    (question,) = approvals.waiting()
    assert approvals.answer(question.approval_id, "granted", by="terminal")


def test_six_calls_of_twenty_five_do_not_empty_an_inbox(settings: SurfaceSettings) -> None:
    mailbox = mailbox_of(150)
    answers = [
        call(mailbox, settings, "archive_email", ids=ids(start, start + 24)) for start in range(1, 150, 25)
    ]
    assert [waits(answer) for answer in answers] == [False, True, True, True, True, True]
    assert in_inbox(mailbox) == 125


HIDING: list[tuple[str, dict[str, object]]] = [
    ("archive_email", {"ids": ["m26"]}),
    ("trash_email", {"ids": ["m26"]}),
    ("untrash_email", {"ids": ["m26"]}),
    ("report_spam", {"ids": ["m26"]}),
    ("snooze_email", {"ids": ["m26"], "until": UNTIL}),
    ("modify_email", {"messageId": "m26", "removeLabelIds": ["INBOX"]}),
    ("modify_email", {"messageId": "m26", "addLabelIds": ["TRASH"]}),
    ("modify_email", {"messageId": "m26", "labelIds": ["SPAM"]}),
    ("batch_modify_emails", {"messageIds": ["m26"], "removeLabelIds": ["INBOX"]}),
    ("batch_modify_emails", {"messageIds": ["m26"], "perMessage": {"m26": {"add": ["TRASH"]}}}),
    ("batch_modify_emails", {"messageIds": ["m26"], "perMessage": {"m26": {"snooze_until": UNTIL}}}),
    ("batch_modify_emails", {"messageIds": ["m26"], "perMessage": {"m26": {"remove": ["Label_1"]}}}),
]


@pytest.mark.parametrize(("tool", "arguments"), HIDING)
def test_every_tool_that_moves_counts_and_asks_beyond_the_limit(
    tool: str, arguments: dict[str, object], settings: SurfaceSettings
) -> None:
    mailbox = mailbox_of(26)
    asyncio.run(mailbox.create_label("Work", {}))
    assert not call(mailbox, settings, "archive_email", ids=ids(1, 25)).is_error
    assert waits(call(mailbox, settings, tool, **arguments))
    (question,) = Approvals(settings.approval.store).waiting()
    assert "more than 25 messages would have been moved within 10 minutes" in question.asked.shown


def test_reading_starring_and_labelling_are_not_counted(settings: SurfaceSettings) -> None:
    mailbox = mailbox_of(60)
    asyncio.run(mailbox.create_label("Work", {}))
    for start in (1, 21, 41):
        some = ids(start, start + 19)
        assert not call(mailbox, settings, "mark_read", ids=some).is_error
        assert not call(mailbox, settings, "star_email", ids=some).is_error
        added = call(mailbox, settings, "batch_modify_emails", messageIds=some, addLabelIds=["Label_1"])
        assert not added.is_error
    assert not call(mailbox, settings, "archive_email", ids=ids(1, 25)).is_error


def test_an_undo_of_many_small_calls_counts_as_well(settings: SurfaceSettings) -> None:
    mailbox = mailbox_of(60)
    asyncio.run(mailbox.create_label("Work", {}))
    backs = [
        call(
            mailbox,
            settings,
            "batch_modify_emails",
            messageIds=ids(start, start + 19),
            addLabelIds=["Label_1"],
        )
        for start in (1, 21)
    ]
    undone = [
        call(
            mailbox,
            settings,
            back.structured_content["undo"]["tool"],
            **back.structured_content["undo"]["arguments"],
        )
        for back in backs
        if back.structured_content
    ]
    assert [waits(answer) for answer in undone] == [False, True]


def test_messages_are_counted_and_not_calls(settings: SurfaceSettings) -> None:
    mailbox = mailbox_of(26)
    for _ in range(3):
        assert not call(mailbox, settings, "archive_email", ids=ids(1, 25)).is_error
    assert waits(call(mailbox, settings, "archive_email", ids=["m26"]))


def test_after_the_window_calls_pass_again(settings: SurfaceSettings, clock: list[float]) -> None:
    mailbox = mailbox_of(75)
    assert not call(mailbox, settings, "archive_email", ids=ids(1, 25)).is_error
    clock[0] += WINDOW_S - 1
    assert waits(call(mailbox, settings, "archive_email", ids=["m26"]))
    clock[0] += 2
    assert not call(mailbox, settings, "archive_email", ids=ids(26, 50)).is_error
    assert waits(call(mailbox, settings, "archive_email", ids=["m51"]))


def test_what_a_person_agreed_to_is_done_once_and_not_counted(settings: SurfaceSettings) -> None:
    mailbox = mailbox_of(60)
    assert not call(mailbox, settings, "archive_email", ids=ids(1, 10)).is_error
    large = {"ids": ids(11, 40)}
    assert waits(call(mailbox, settings, "archive_email", **large))
    granted(settings)
    assert not call(mailbox, settings, "archive_email", **large).is_error
    assert not call(mailbox, settings, "archive_email", ids=ids(41, 55)).is_error
    assert waits(call(mailbox, settings, "archive_email", ids=["m56"]))


def test_a_no_stays_a_no_after_the_window(settings: SurfaceSettings, clock: list[float]) -> None:
    mailbox = mailbox_of(30)
    assert not call(mailbox, settings, "archive_email", ids=ids(1, 25)).is_error
    assert waits(call(mailbox, settings, "archive_email", ids=["m26"]))
    approvals = Approvals(settings.approval.store)
    assert approvals.answer(approvals.waiting()[0].approval_id, "refused", by="terminal")
    clock[0] += WINDOW_S + 1
    assert WINDOW_S < GRANTED_S
    refused = call(mailbox, settings, "archive_email", ids=["m26"])
    assert refused.is_error and "said no" in refused.model_dump_json()
    assert in_inbox(mailbox) == 5


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_no_in_a_form_is_heard_when_the_window_ended_meanwhile(
    mode: str, settings: SurfaceSettings, clock: list[float]
) -> None:
    mailbox = mailbox_of(30)

    async def refuses(*_: object) -> object:
        clock[0] += WINDOW_S + 1
        return {"value": False}

    async def main() -> CallToolResult:
        server = create_server(mailbox, settings)
        async with Client(server, mode=mode, elicitation_handler=refuses) as client:
            await client.call_tool_mcp("archive_email", {"ids": ids(1, 25)})
            return await client.call_tool_mcp("archive_email", {"ids": ["m26"]})

    assert asyncio.run(asyncio.wait_for(main(), 20)).is_error
    assert in_inbox(mailbox) == 5


def test_one_account_has_one_count_over_its_servers_and_another_its_own(tmp_path: Path) -> None:
    first, second = Unasked(tmp_path / "unasked.db"), Unasked(tmp_path / "unasked.db")
    assert first.reserve("me@example.org", ids(1, 20))
    assert not second.reserve("imap://host/Me@example.org", ids(21, 30))
    assert second.reserve("other@example.org", ids(1, 25))


def _try(path: Path, start: int) -> int:
    return sum(Unasked(path).reserve("me@example.org", [f"m{number}"]) for number in range(start, start + 20))


def test_programs_at_once_share_the_limit_to_the_message(tmp_path: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        passed = pool.map(_try, [tmp_path / "unasked.db"] * 4, range(0, 80, 20))
        assert sum(passed) == ASKS_ABOVE


@pytest.mark.parametrize("back_s", [1.0, 3600.0, 10 * 365 * 86400.0])
def test_a_clock_that_is_put_back_frees_nothing_and_locks_nothing(tmp_path: Path, back_s: float) -> None:
    now = [1_900_000_000.0]
    counts = Unasked(tmp_path / "unasked.db", clock=lambda: now[0])
    assert counts.reserve("me@example.org", ids(1, 25))
    now[0] -= back_s
    assert not counts.reserve("me@example.org", ["m26"])
    now[0] += WINDOW_S + 1
    assert counts.reserve("me@example.org", ["m26"])


@pytest.mark.parametrize("content", [b"no database at all, and long enough to be read as one" * 30, None])
def test_a_file_that_cannot_be_used_makes_everything_ask(
    settings: SurfaceSettings, tmp_path: Path, content: bytes | None
) -> None:
    broken = tmp_path / "unasked.db"
    broken.mkdir() if content is None else broken.write_bytes(content)
    assert waits(call(mailbox_of(1), settings, "archive_email", ids=["m1"]))
    assert not call(mailbox_of(1), settings, "mark_read", ids=["m1"]).is_error


def test_the_file_is_private_and_holds_no_word_of_the_account(
    settings: SurfaceSettings, tmp_path: Path
) -> None:
    mailbox = mailbox_of(1)
    assert not call(mailbox, settings, "archive_email", ids=["m1"]).is_error
    assert not call(mailbox, settings, "draft_email", **MAIL).is_error
    file = tmp_path / "unasked.db"
    assert file.stat().st_mode & 0o077 == 0
    held = file.read_bytes()
    assert not any(word.encode() in held for word in (mailbox.account, "cy@example.com", "Hello"))


DRAFT_CALLS: Sequence[tuple[str, dict[str, object]]] = (
    ("update_draft", {"body": "Something else"}),
    ("delete_draft", {}),
)


@pytest.mark.parametrize(("tool", "more"), DRAFT_CALLS)
def test_a_draft_of_somebody_else_is_changed_only_after_a_yes(
    tool: str, more: dict[str, object], settings: SurfaceSettings
) -> None:
    mailbox = mailbox_of(0)
    raw = b"From: me@example.org\r\nTo: bo@example.net\r\nSubject: Mine\r\n\r\nwritten by hand\r\n"
    draft = asyncio.run(mailbox.create_draft(raw, None))
    arguments = {"draft_id": draft.id, **more}
    assert waits(call(mailbox, settings, tool, **arguments))
    assert [found.id for found in asyncio.run(mailbox.drafts(limit=9))] == [draft.id]
    (question,) = Approvals(settings.approval.store).waiting()
    assert str(more.get("body", "written by hand")) in question.asked.shown
    assert "bo@example.net" in question.asked.shown and "did not make this draft" in question.asked.shown
    granted(settings)
    assert not call(mailbox, settings, tool, **arguments).is_error
    if tool == "update_draft":
        assert waits(call(mailbox, settings, tool, **arguments, subject="Again"))


@pytest.mark.parametrize(("tool", "more"), DRAFT_CALLS)
def test_a_draft_of_an_earlier_start_of_ours_is_changed_without_a_question(
    tool: str, more: dict[str, object], settings: SurfaceSettings
) -> None:
    mailbox = mailbox_of(1)
    made = (
        call(mailbox, settings, "draft_email", **MAIL),
        call(mailbox, settings, "reply_to_email", message_id="m1", body="Yes", draft=True),
    )
    for answer in made:
        assert answer.structured_content
        draft_id = answer.structured_content["ids"][0]
        assert not call(mailbox, settings, tool, draft_id=draft_id, **more).is_error


def test_drafts_are_remembered_up_to_a_bound(tmp_path: Path) -> None:
    path = tmp_path / "unasked.db"
    kept = Unasked(path)
    for number in range(MAX_DRAFTS + 5):
        kept.made_draft("me@example.org", f"r{number}")
    assert not kept.is_own_draft("me@example.org", "r4")
    assert kept.is_own_draft("me@example.org", "r5")
    assert not kept.is_own_draft("other@example.org", "r5")
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM drafts").fetchone() == (MAX_DRAFTS,)
