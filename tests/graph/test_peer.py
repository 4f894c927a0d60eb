"""Another hand on the same mailbox: what Softeria's server reads and writes comes out as ours says, and the other way.

It is a client that we did not write, so it also says whether the emulator answers as clients of Microsoft Graph expect.
With `pytest -m emulate`; needs npm.
"""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import write_message
from tests.graph.emulator.emulator import Emulator
from tests.graph.peer import install, server
from tests.graph.support import connect

pytestmark = [
    pytest.mark.emulate,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm"),
]
Json = dict[str, Any]


@pytest.fixture(scope="module", name="installed")
def installed_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where npm has put the server."""
    folder = tmp_path_factory.mktemp("peer")
    install(folder)
    return folder


class Hands:
    """Both servers on one mailbox, and its emulator."""

    def __init__(self, emulator: Emulator, ours: Client[Any], theirs: Client[Any]) -> None:
        self.emulator, self._ours, self._theirs = emulator, ours, theirs

    async def we(self, tool: str, **arguments: object) -> Json:
        """What our tool answers."""
        found = (await self._ours.call_tool(tool, arguments)).structured_content
        assert found is not None
        return found

    async def they(self, tool: str, **arguments: object) -> Json:
        """What theirs does."""
        found = await self._theirs.call_tool(tool, arguments, raise_on_error=False)
        text = "".join(item.text for item in found.content if item.type == "text")
        assert not found.is_error, text
        answer: Json = json.loads(text) if text.startswith("{") else {"text": text}
        return answer

    async def label(self, name: str) -> str:
        """The id that we give a label of that name."""
        labels: list[Json] = (await self.we("list_email_labels"))["labels"]
        return next(str(one["id"]) for one in labels if one["name"].endswith(name))

    async def changed(self, cursor: str) -> Json:
        """What we tell of since then."""
        return await self.we("sync_emails", cursor=cursor)

    async def cursor(self) -> str:
        """Where the mailbox is now."""
        return str((await self.we("sync_emails"))["cursor"])


@asynccontextmanager
async def _hands(installed: Path, folder: Path, messages: int) -> AsyncGenerator[Hands]:
    emulator = Emulator()
    emulator.other_clients = True
    for number in range(messages):
        emulator.account.put(write_message(number, subject=f"Number {number}"), ("INBOX", "UNREAD"))
    root = await emulator.start()
    mailbox = connect(emulator, folder)
    settings = SurfaceSettings(approval=CALLER, allow_permanent_delete=True)
    peer = server(installed, folder, root, emulator.token, "--preset", "mail")
    try:
        async with Client(create_server(mailbox, settings)) as ours, Client(peer) as theirs:
            yield Hands(emulator, ours, theirs)
    finally:
        await mailbox.aclose()
        await emulator.aclose()


def both(
    installed: Path, folder: Path, scenario: Callable[[Hands], Coroutine[Any, Any, None]], messages: int = 3
) -> None:
    async def main() -> None:
        async with _hands(installed, folder, messages) as hands:
            await scenario(hands)

    asyncio.run(asyncio.wait_for(main(), 120))


def test_both_list_the_same_messages(installed: Path, tmp_path: Path) -> None:
    async def scenario(hands: Hands) -> None:
        theirs = (await hands.they("list-mail-messages", top=50))["value"]
        ours = (await hands.we("search_emails", query="in:inbox", maxResults=50))["emails"]
        assert {one["id"] for one in theirs} == {one["id"] for one in ours}
        assert {one["subject"] for one in theirs} == {one["subject"] for one in ours}
        (read,) = (await hands.we("read_emails", messageIds=[ours[0]["id"]], format="raw"))["emails"]
        raw = (await hands.they("get-mail-message-mime", messageId=ours[0]["id"]))["rawResponse"]
        assert base64.urlsafe_b64decode(read["raw"]).decode() == raw

    both(installed, tmp_path, scenario, messages=25)


def test_what_they_change_we_tell_of(installed: Path, tmp_path: Path) -> None:
    async def scenario(hands: Hands) -> None:
        read, moved, gone = [item.id for item in hands.emulator.account.items.values()]
        cursor = await hands.cursor()
        await hands.they("update-mail-message", messageId=read, body={"isRead": True, "categories": ["Red"]})
        folder = await hands.they("create-mail-folder", body={"displayName": "Projects"})
        await hands.they("move-mail-message", messageId=moved, body={"DestinationId": folder["id"]})
        await hands.they("delete-mail-message", messageId=gone, confirm=True)
        news = await hands.changed(cursor)
        assert {one["id"] for one in news["changed"]} == {read, moved}
        assert news["removed"] == [gone]
        (first, second) = (await hands.we("read_emails", messageIds=[read, moved]))["emails"]
        assert "UNREAD" not in first["labels"] and await hands.label("Red") in first["labels"]
        assert await hands.label("Projects") in second["labels"] and "INBOX" not in second["labels"]

    both(installed, tmp_path, scenario)


def test_what_we_change_they_see(installed: Path, tmp_path: Path) -> None:
    async def scenario(hands: Hands) -> None:
        flagged, archived, trashed = [item.id for item in hands.emulator.account.items.values()]
        label = (await hands.we("create_label", name="Later"))["label"]["id"]
        await hands.we(
            "modify_email", messageId=flagged, addLabelIds=["STARRED", label], removeLabelIds=["UNREAD"]
        )
        await hands.we("modify_email", messageId=archived, removeLabelIds=["INBOX"])
        await hands.we("trash_email", messageId=trashed)
        seen = await hands.they("get-mail-message", messageId=flagged)
        assert seen["isRead"] is True and seen["categories"] == ["Later"]
        assert seen["flag"]["flagStatus"] == "flagged"
        listed = (await hands.they("list-mail-folders", top=50))["value"]
        folders = {one["id"]: one["displayName"] for one in listed}
        places = [
            folders[(await hands.they("get-mail-message", messageId=one))["parentFolderId"]]
            for one in (archived, trashed)
        ]
        assert places == ["Archive", "Deleted Items"]

    both(installed, tmp_path, scenario)


def test_a_draft_of_either_is_sent_by_the_other(installed: Path, tmp_path: Path) -> None:
    async def scenario(hands: Hands) -> None:
        await hands.we("draft_email", to=["ann@example.com"], subject="From us", body="Hello Ann")
        drafts = (await hands.they("list-mail-folder-messages", mailFolderId="drafts", top=10))["value"]
        assert [(one["subject"], one["toRecipients"][0]["emailAddress"]["address"]) for one in drafts] == [
            ("From us", "ann@example.com")
        ]
        await hands.they("send-draft-message", messageId=drafts[0]["id"], confirm=True)
        theirs = await hands.they(
            "create-draft-email",
            body={
                "subject": "From them",
                "body": {"contentType": "text", "content": "Hello Bob"},
                "toRecipients": [{"emailAddress": {"address": "bob@example.com"}}],
            },
        )
        (listed,) = (await hands.we("list_drafts"))["drafts"]
        assert listed["email"]["subject"] == "From them" and listed["id"] == theirs["id"]
        await hands.we("send_draft", draft_id=listed["id"])
        sent = hands.emulator.account.sent
        assert [b"Hello Ann" in sent[0], b"Hello Bob" in sent[1], len(sent)] == [True, True, 2]
        assert theirs["isDraft"] is True

    both(installed, tmp_path, scenario)


def test_an_answer_that_they_begin_stays_in_the_thread(installed: Path, tmp_path: Path) -> None:
    async def scenario(hands: Hands) -> None:
        first = next(iter(hands.emulator.account.items.values()))
        made = await hands.they("create-reply-draft", messageId=first.id, body={"Comment": "Yes."})
        (listed,) = (await hands.we("list_drafts"))["drafts"]
        assert listed["email"]["subject"] == made["subject"] == "RE: Number 0"
        (read,) = (await hands.we("read_emails", messageIds=[first.id]))["emails"]
        thread = await hands.we("get_thread", thread_id=read["thread_id"])
        assert len(thread["emails"]) == 2

    both(installed, tmp_path, scenario)
