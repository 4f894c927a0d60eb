"""Hostile text in every argument of every tool: no other call of Google's, no header, no file comes of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaia_email_registry.contract.tools import TOOLS
from gaia_gmail_mcp.push import PushTopic
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import Delivery
from tests.contract.suite import write_message
from tests.gate.every_call import ARGUMENTS
from tests.gmail.emulator.discovery import is_list, is_object
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import EmulatedMailbox, connect

Json = dict[str, Any]
TOPIC = "projects/my-project/topics/gmail"
LIST = "List-Unsubscribe: <https://127.0.0.1:9/u>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"

READS = re.compile(r"(.*\.)?(get|list|getProfile|getVacation|query|batch|token)\Z")
WRITES = {
    "send_email": "messages.send",
    "draft_email": "drafts.create",
    "modify_email": "messages.modify",
    "delete_email": "messages.modify",
    "batch_modify_emails": "messages.modify|labels.create",
    "batch_delete_emails": "messages.modify",
    "create_label": "labels.create",
    "update_label": "labels.patch",
    "delete_label": "labels.delete",
    "get_or_create_label": "labels.create",
    "create_filter": "settings.filters.create",
    "create_filter_from_template": "settings.filters.create",
    "delete_filter": "settings.filters.delete",
    "archive_email": "messages.modify",
    "trash_email": "messages.modify",
    "untrash_email": "messages.modify",
    "mark_read": "messages.modify",
    "star_email": "messages.modify",
    "snooze_email": "messages.modify|labels.create",
    "report_spam": "messages.modify",
    "update_draft": "drafts.update",
    "delete_draft": "drafts.delete",
    "send_draft": "drafts.send",
    "reply_to_email": "messages.send|drafts.create",
    "forward_email": "messages.send|drafts.create",
    "set_vacation": "settings.updateVacation",
    "create_calendar_event": "calendar.events.(insert|patch)",
    "respond_to_invitation": "calendar.events.patch",
    "delete_calendar_event": "calendar.events.delete",
    "watch_mailbox": "watch",
}
"""What a tool may cause beside reading, as patterns of Google's methods."""

HEADERS = {
    "from", "to", "cc", "bcc", "date", "subject", "message-id", "in-reply-to", "references",
    "mime-version", "content-type", "content-transfer-encoding", "content-disposition",
}  # fmt: skip

NASTY = [
    "x\r\nBcc: evil@example.net",
    "../../labels?alt=media",
    "x\nX-Evil: 1\n\nbody",
    "x\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<script>",
    "../../labels",
    "..",
    ".",
    "%2e%2e/%2e%2e",
    "a/../../../settings/filters",
    "x?alt=media&fields=*",
    "x&userId=other@example.org",
    "x#y",
    "a;b\\c",
    "{me}:watch",
    "\x00",
    "\ud800",
    "\u2028Bcc: evil@example.net",
    "=?utf-8?q?x=0d=0aBcc:_evil@example.net?=",
    '"<evil@example.net>" <ann@example.com>',
    "ann@example.com, evil@example.net",
    "ann@example.com>\r\nBcc: <evil@example.net",
    "$(touch evil)`touch evil`",
    "/etc/passwd",
    "~/.gmail-mcp/credentials.json",
    '{"add": ["TRASH"]}',
    "🂡" * 50,
    "A" * 3000,
]


class Place:
    """A server on an emulated account, in one event loop for all examples."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.emulator = Emulator()
        self.runner.run(self._open())
        self.sent = 0

    async def _open(self) -> None:
        for number in (1, 2):
            raw = write_message(number, attachment=("invoice.csv", b"tea,3\n"))
            self.emulator.account.mailbox.put(LIST.encode() + raw if number == 2 else raw, ("INBOX",))
        await self.emulator.account.mailbox.create_label("Mine", {})
        await self.emulator.account.mailbox.create_draft(write_message(3), None)
        await self.emulator.account.settle()
        await self.emulator.start()
        mailbox = EmulatedMailbox(
            connect(self.emulator, self.folder, push=PushTopic(topic=TOPIC)), self.emulator
        )
        surface = SurfaceSettings(
            approval=CALLER, download_dir=self.folder / "in", attachment_dir=self.folder / "in"
        )
        self.client = await self.stack.enter_async_context(Client(create_server(mailbox, surface)))
        self.tools = {tool.name: tool for tool in await self.client.list_tools()}

    def close(self) -> None:
        """Stop; fails for whatever was not as Google documents it."""
        try:
            self.runner.run(self.stack.aclose())
        finally:
            self.runner.close()

    def call(self, tool: str, arguments: Json) -> Json:
        """Structure of the answer."""
        self.emulator.forget_requests()
        found = self.runner.run(self.client.call_tool(tool, arguments, raise_on_error=False))
        return found.structured_content or {}


@pytest.fixture(name="place", scope="module")
def place_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("hostile"))
    yield place
    place.close()


def places(schema: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where text can be, as steps through objects; `[]` is a list of texts."""
    for name, rule in schema.get("properties", {}).items():
        kinds = [rule, *rule.get("anyOf", ())]
        for kind in kinds:
            if kind.get("type") == "string":
                yield (*path, name)
            elif kind.get("type") == "array" and kind["items"].get("type") == "string":
                yield (*path, name, "[]")
            elif kind.get("type") == "object":
                yield from places(kind, (*path, name))


def put(arguments: Json, path: tuple[str, ...], text: str) -> Json:
    """The arguments with the text at that place."""
    step, *rest = path
    if rest == ["[]"]:
        return {**arguments, step: [text]}
    inner: object = arguments.get(step)
    return {
        **arguments,
        step: put(inner if is_object(inner) else {}, tuple(rest), text) if rest else text,
    }


def real(place: Place, value: Any) -> Any:
    """Sample arguments with ids that exist here."""
    if is_object(value):
        return {name: real(place, item) for name, item in value.items()}
    if is_list(value):
        return [real(place, item) for item in value]
    names = {"m1": place.emulator.account.outer("m1"), "m2": place.emulator.account.outer("m2")}
    return names.get(value, value) if isinstance(value, str) else value


hostile = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.sampled_from("\r\n\t :;,<>@\"'\\/.%?&=#{}[]()aé\x00\u2028"), min_size=1, max_size=30),
    st.text(min_size=1, max_size=30),
)


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_hostile_text_leads_nowhere(place: Place, data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(sorted(place.tools)))
    where = list(places(place.tools[tool].input_schema))
    if where:
        check(place, tool, data.draw(st.sampled_from(where)), data.draw(hostile))


def test_every_place_was_tried_with_the_worst(place: Place) -> None:
    assert set(place.tools) == set(TOOLS) and set(WRITES) == {
        name for name, spec in TOOLS.items() if spec.risk != "read"
    } - {"download_attachment", "unsubscribe"}
    for tool, listed in place.tools.items():
        for path in places(listed.input_schema):
            for text in NASTY[:2]:
                check(place, tool, path, text)


def check(place: Place, tool: str, path: tuple[str, ...], text: str) -> None:
    """Call the tool with the text at that place, and look at all that came of it."""
    arguments = put(real(place, dict(ARGUMENTS[tool])), path, text)
    answer = place.call(tool, arguments)
    assert answer.get("error", {}).get("kind") != "internal", (tool, path, text)
    done = {name for seen in place.emulator.requests for name in seen.calls}
    allowed = re.compile(f"(?:{WRITES.get(tool, 'nothing')})\\Z")
    assert not place.emulator.violations, (tool, path, text)
    assert all(READS.match(name) or allowed.match(name) for name in done), (tool, path, text, done)
    for delivery in _new_deliveries(place):
        _check_header(delivery.raw)
        assert "evil@example.net" not in delivery.recipients
    stray = [item for item in place.folder.rglob("*evil*") if item.is_file()]
    assert not stray and not Path("evil").exists()
    assert {item.name for item in place.folder.iterdir()} <= {
        "in",
        "home",
        "credentials.json",
        "gcp-oauth.keys.json",
        "credentials.json.lock",
    }


def _new_deliveries(place: Place) -> list[Delivery]:
    sent = place.emulator.account.sent
    found, place.sent = sent[place.sent :], len(sent)
    return found


def _check_header(raw: bytes) -> None:
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    message = message_from_bytes(head + b"\n\n")
    assert {name.lower() for name in message} <= HEADERS, raw[:500]
    assert b"bcc" not in {line.partition(b":")[0].lower() for line in head.split(b"\n")}
