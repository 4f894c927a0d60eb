"""A disk that is full, read-only or not ours is a sentence with the next step, and costs no message."""

from __future__ import annotations

import asyncio
import errno
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from fastmcp import Client
from mcp_types import CallToolResult

from gaia_local_mcp.maildir_mailbox import MaildirMailbox
from gaia_mail.mime.scan import scan_headers
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite.seed import Seed, write_message
from tests.local_mcp.conftest import Fill
from tests.local_mcp.disk import Disk

Arguments = Mapping[str, object]

MAIL: Arguments = {"to": ["ann@example.com"], "subject": "Hello", "body": "Hello"}

WHY = {
    errno.ENOSPC: "the disk is full. Free some space",
    errno.EROFS: "read-only file system",
    errno.EACCES: "permission denied",
    errno.EIO: "the disk reports an error",
}
NEXT = ("Free some space", "Mount it for writing", "Give yourself the right", "Copy your mail")

ENDS = {
    "delete for good": "<1@seed.example>",
    "change a draft": "<90@seed.example>",
    "delete a draft": "<90@seed.example>",
}
"""The message that a call takes away, or puts another one in the place of."""

CALLS: Mapping[str, tuple[str, Arguments]] = {
    "keep a draft": ("draft_email", MAIL),
    "keep a reply": ("reply_to_email", {"message_id": "{m1}", "body": "Yes", "draft": True}),
    "change a draft": ("update_draft", {"draft_id": "{r1}", "subject": "Other"}),
    "delete a draft": ("delete_draft", {"draft_id": "{r1}"}),
    "star": ("modify_email", {"messageId": "{m1}", "addLabelIds": ["STARRED"]}),
    "label": ("modify_email", {"messageId": "{m1}", "addLabelIds": ["Work"]}),
    "label several": ("batch_modify_emails", {"messageIds": ["{m1}", "{m2}"], "addLabelIds": ["Work"]}),
    "archive": ("archive_email", {"ids": ["{m1}"]}),
    "trash": ("trash_email", {"ids": ["{m1}"]}),
    "delete": ("delete_email", {"messageId": "{m1}"}),
    "delete several": ("batch_delete_emails", {"messageIds": ["{m1}", "{m2}"]}),
    "delete for good": ("delete_email", {"messageId": "{m1}", "permanent": True}),
    "take out of Trash": ("untrash_email", {"ids": ["{m3}"]}),
    "mark as read": ("mark_read", {"ids": ["{m1}"]}),
    "report spam": ("report_spam", {"ids": ["{m1}"]}),
    "make a label": ("create_label", {"name": "Later"}),
    "make a hidden label": ("create_label", {"name": "Later", "labelListVisibility": "labelHide"}),
    "rename a label": ("update_label", {"id": "Work", "name": "Job"}),
    "hide a label": ("update_label", {"id": "Work", "labelListVisibility": "labelHide"}),
    "remove a label": ("delete_label", {"id": "Work"}),
}


@pytest.fixture
def template(tmp_path: Path, fill_maildir: Fill) -> tuple[Path, Mapping[str, str]]:
    """A Maildir with all that the calls are about, and the ids of that."""
    root = tmp_path / "template"
    fill_maildir(root, [Seed(raw=write_message(number)) for number in range(1, 5)])
    ids: dict[str, str] = {}

    async def fill() -> None:
        box = MaildirMailbox(str(root), "me@example.org")
        listed = (await box.search(_everything(), limit=9)).ids
        for message in await box.read(listed, raw=False):
            ids["m" + message.summary["subject"][-1]] = message.summary["id"]
        await box.create_label("Work", {})
        await box.modify([ids["m4"]], add=["Work"], remove=["INBOX"])
        await box.trash([ids["m3"]])
        ids["r1"] = (await box.create_draft(write_message(90), None)).id
        await box.aclose()

    asyncio.run(fill())
    return root, ids


def _everything() -> Any:
    from gaia_mail.query.grammar import parse_query

    return parse_query("in:inbox")


def messages(root: Path) -> dict[str, bytes]:
    """What is in the Maildir, by Message-ID, wherever it is."""
    raws = [
        path.read_bytes() for path in root.rglob("*") if path.is_file() and path.parent.name in ("cur", "new")
    ]
    return {scan_headers(raw).message_id: raw for raw in raws}


@dataclass(frozen=True, kw_only=True)
class Called:
    """What came of a call on a disk that refuses something, what was there then, and what came of it after that."""

    refused: CallToolResult
    there: Mapping[str, bytes]
    again: CallToolResult


def call(root: Path, ids: Mapping[str, str], what: str, disk: Disk) -> Called:
    """Make a call on that disk, and once more when all is well again."""
    tool, given = CALLS[what]
    arguments = {name: _filled(value, ids) for name, value in given.items()}

    async def main() -> Called:
        settings = SurfaceSettings(approval=CALLER, allow_permanent_delete=True)
        async with Client(create_server(MaildirMailbox(str(root), "me@example.org"), settings)) as client:
            await client.call_tool_mcp("list_emails", {})
            with disk.in_place():
                refused = await client.call_tool_mcp(tool, arguments)
            there = messages(root)
            return Called(refused=refused, there=there, again=await client.call_tool_mcp(tool, arguments))

    return asyncio.run(asyncio.wait_for(main(), 20))


def _filled(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_filled(one, ids) for one in cast("list[object]", value)]
    return ids.get(value[1:-1], value) if isinstance(value, str) else value


def told(answer: CallToolResult) -> tuple[str, list[str]]:
    """The kind of the error, and every sentence about what was not done."""
    data: Mapping[str, Any] = answer.structured_content or {}
    if answer.is_error:
        return data["error"]["kind"], [data["error"]["message"]]
    return "", [failure["error"] for failure in data.get("failed", ())]


@pytest.mark.parametrize("number", WHY)
@pytest.mark.parametrize("what", CALLS)
def test_where_nothing_can_be_written_the_answer_says_why_and_what_to_do_and_nothing_changes(
    what: str, number: int, template: tuple[Path, Mapping[str, str]]
) -> None:
    root, ids = template
    before = messages(root)
    disk = Disk(root, number, bool)
    called = call(root, ids, what, disk)
    kind, sentences = told(called.refused)
    assert disk.count and sentences and kind in ("", "provider")
    assert all(WHY[number] in one and any(step in one for step in NEXT) for one in sentences)
    assert called.there == before


@pytest.mark.parametrize("what", CALLS)
def test_whichever_write_is_refused_no_message_is_lost_and_the_same_call_works_afterwards(
    what: str, template: tuple[Path, Mapping[str, str]], tmp_path: Path
) -> None:
    root, ids = template
    before = messages(root)
    for which in range(1, 40):
        copy = tmp_path / f"copy{which}"
        shutil.copytree(root, copy)
        disk = Disk(copy, errno.ENOSPC, which.__eq__)
        called = call(copy, ids, what, disk)
        kind, sentences = told(called.refused)
        assert all("disk is full" in one for one in sentences)
        gone = before.keys() - called.there.keys()
        assert gone <= (set() if kind else {ENDS.get(what)})
        if disk.count < which:
            assert not sentences and which > 1
            return
        if kind:
            assert kind == "provider" and told(called.again) == ("", [])
    raise AssertionError("it never ends")
