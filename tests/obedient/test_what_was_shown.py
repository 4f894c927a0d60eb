"""What was shown is what runs: exactly these bytes, and nothing when anything changed while the user was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from fastmcp import Client
from mcp import MCPError
from mcp_types import CallToolResult

from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.memory import MemoryMailbox
from gaia_mail_mcp.mime.read import parse_message
from gaia_mail_mcp.query.grammar import parse_query
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from gaia_mail_mcp.testing import an_event, many
from gaia_mail_mcp.testing.seed import write_message
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import open_emulated
from tests.imap.conftest import dovecot, dovecot_with, hurried, patient, servers_of_shapes, smtp, user
from tests.imap.test_writing import mailbox_at
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.smtp_sink import SmtpSink

__all__ = ["dovecot", "dovecot_with", "hurried", "patient", "servers_of_shapes", "smtp", "user"]

Mode = Literal["auto", "legacy"]

MAIL: dict[str, Any] = {
    "to": ["Ann Lee <ann@example.com>", "bo@partner.example"],
    "cc": ["cy@example.com"],
    "bcc": ["dee@hidden.example"],
    "subject": "Minutes of Monday",
    "body": "First line\n\nIn reply to: nobody\nlast line, with ümlauts",
}

Call = Callable[..., Awaitable[CallToolResult]]


class Person:
    """Reads the question, may change something meanwhile (an attacker's hand), and says yes."""

    def __init__(self, meanwhile: Callable[[], Awaitable[object]] | None = None) -> None:
        self.meanwhile = meanwhile
        self.shown: list[str] = []

    async def __call__(self, message: str, *_: object) -> object:
        self.shown.append(message)
        if self.meanwhile is not None:
            await self.meanwhile()
        return {"value": True}


async def asked(
    box: Any, person: Person, mode: Mode, tool: str, arguments: dict[str, Any], folder: Path | None = None
) -> CallToolResult:
    """One call that a person answers."""
    settings = SurfaceSettings(
        approval=ApprovalSettings(), allow_permanent_delete=True, attachment_dir=folder, download_dir=folder
    )
    async with Client(create_server(box, settings), mode=mode, elicitation_handler=person) as client:
        return await client.call_tool_mcp(tool, arguments)


def check_sent(raw: bytes, shown: str, *, bcc: bool = False) -> None:
    """Every recipient, the subject, and every word of the text that left stands in the question."""
    message = parse_message(raw)
    for box in (*message.to, *message.cc, *message.bcc):
        assert box.address in shown
    assert bcc == bool(message.bcc)
    assert message.subject in shown
    for line in message.text.splitlines():
        assert line.strip() in shown
    for part in message.attachments:
        assert part.filename in shown and f"{part.size:,} bytes" in shown


async def every_way(box: Any, mode: Mode, sent: Callable[[], list[bytes]], folder: Path) -> None:
    """Each tool that sends, and that what left is what was shown."""
    (folder / "plan.txt").write_bytes(b"the plan\n")
    page = await box.search(parse_query("in:inbox"), limit=5)
    draft = await box.create_draft(
        write_message(50, subject="A draft", to="ann@example.com", body="from me"), None
    )
    calls: list[tuple[str, dict[str, Any]]] = [
        ("send_email", {**MAIL, "attachments": ["plan.txt"]}),
        ("send_email", {**MAIL, "htmlBody": "<p>Something <b>else</b> here</p>"}),
        ("reply_to_email", {"message_id": page.ids[0], "body": "Yes, gladly."}),
        ("forward_email", {"message_id": page.ids[0], "to": ["bo@partner.example"], "body": "see below"}),
        ("send_draft", {"draft_id": draft.id}),
    ]
    person = Person()
    settings = SurfaceSettings(attachment_dir=folder)
    async with Client(create_server(box, settings), mode=mode, elicitation_handler=person) as client:
        for tool, arguments in calls:
            before = len(sent())
            result = await client.call_tool_mcp(tool, arguments)
            assert not result.is_error, result.content
            (raw,) = sent()[before:]
            shown = person.shown.pop()
            assert not person.shown
            check_sent(raw, shown)
            if "htmlBody" in arguments:
                assert "Something else here" in " ".join(shown.split())
            for hidden in arguments.get("bcc", ()):
                assert hidden in shown


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_in_memory_exactly_what_was_shown_is_sent(mode: Mode, tmp_path: Path) -> None:
    out: list[Delivery] = []
    box = MemoryMailbox(deliver=out.append)
    for seed in many(3):
        box.put(seed.raw, seed.labels)
    asyncio.run(every_way(box, mode, lambda: [delivery.raw for delivery in out], tmp_path))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_smtp_exactly_what_was_shown_is_sent(
    mode: Mode, tmp_path: Path, dovecot: Dovecot, user: str, smtp: SmtpSink
) -> None:
    with OtherClient(dovecot.port, user) as other:
        for seed in many(3):
            other.append(seed.raw, "INBOX")

    async def main() -> None:
        box = mailbox_at(dovecot.port, user, sink=smtp)
        await every_way(box, mode, lambda: [mail.raw for mail in smtp.received], tmp_path)

    asyncio.run(main())
    assert "dee@hidden.example" in smtp.received[0].recipients


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_through_gmail_exactly_what_was_shown_is_sent(mode: Mode, tmp_path: Path) -> None:
    async def main() -> None:
        emulator = Emulator()
        box = await open_emulated(emulator, tmp_path, many(3))
        out: list[Delivery] = []
        emulator.account.mailbox._deliver = out.append  # pyright: ignore[reportPrivateUsage]
        await every_way(box, mode, lambda: [delivery.raw for delivery in out], tmp_path)

    asyncio.run(main())


class Bench:
    """A mailbox in memory with one of everything, and what has left it."""

    def __init__(self, folder: Path) -> None:
        self.out: list[Delivery] = []
        self.folder = folder
        self.box = MemoryMailbox(deliver=self.out.append)
        self.ids = [self.box.put(seed.raw, seed.labels) for seed in many(3)]
        (folder / "plan.txt").write_bytes(b"the plan\n")


async def _draft(bench: Bench) -> str:
    raw = write_message(60, subject="A draft", to="ann@example.com", body="from me")
    return (await bench.box.create_draft(raw, None)).id


Swap = Callable[[Bench], Awaitable[tuple[str, dict[str, Any], Callable[[], Awaitable[object]]]]]


async def draft_text(bench: Bench) -> Any:
    id_ = await _draft(bench)
    raw = write_message(60, subject="A draft", to="ann@example.com", body="from the attacker")
    return "send_draft", {"draft_id": id_}, lambda: bench.box.update_draft(id_, raw)


async def draft_recipient(bench: Bench) -> Any:
    id_ = await _draft(bench)
    raw = write_message(60, subject="A draft", to="thief@evil.example", body="from me")
    return "send_draft", {"draft_id": id_}, lambda: bench.box.update_draft(id_, raw)


async def draft_html(bench: Bench) -> Any:
    def html(word: str) -> bytes:
        extra = (
            "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + f"<p>{word}</p>"
        ).encode()
        return b"From: me@example.org\r\nTo: ann@example.com\r\nSubject: x\r\n" + extra

    id_ = (await bench.box.create_draft(html("hello"), None)).id
    return "send_draft", {"draft_id": id_}, lambda: bench.box.update_draft(id_, html("hell<!-- o -->o"))


async def draft_attachment(bench: Bench) -> Any:
    def with_file(content: bytes) -> bytes:
        return write_message(61, to="ann@example.com", attachment=("a.bin", content))

    id_ = (await bench.box.create_draft(with_file(b"good"), None)).id
    return "send_draft", {"draft_id": id_}, lambda: bench.box.update_draft(id_, with_file(b"evil"))


async def file_on_disk(bench: Bench) -> Any:
    async def swap() -> None:
        (bench.folder / "plan.txt").write_bytes(b"the plot\n")

    return "send_email", {**MAIL, "attachments": ["plan.txt"]}, swap


async def label_renamed(bench: Bench) -> Any:
    label = await bench.box.create_label("Junk mail", {})
    return "delete_label", {"id": label["id"]}, lambda: bench.box.update_label(label["id"], "Taxes", {})


async def label_grown(bench: Bench) -> Any:
    label = await bench.box.create_label("Old", {})
    await bench.box.modify(bench.ids[:1], add=[label["id"]], remove=[])
    return (
        "delete_label",
        {"id": label["id"]},
        lambda: bench.box.modify(bench.ids, add=[label["id"]], remove=[]),
    )


async def message_moved(bench: Bench) -> Any:
    await bench.box.modify(bench.ids[:1], add=["SPAM"], remove=["INBOX"])
    arguments = {"messageId": bench.ids[0], "permanent": True}
    return "delete_email", arguments, lambda: bench.box.modify(bench.ids[:1], add=["INBOX"], remove=["SPAM"])


async def message_starred(bench: Bench) -> Any:
    arguments = {"messageIds": bench.ids, "permanent": True}
    return (
        "batch_delete_emails",
        arguments,
        lambda: bench.box.modify(bench.ids[2:], add=["STARRED"], remove=[]),
    )


async def event_changed(bench: Bench) -> Any:
    bench.box.put_event(an_event("meeting", attendees=["me@example.org", "boss@example.com"]))

    async def swap() -> None:
        bench.box.put_event(an_event("meeting", attendees=["me@example.org", "everybody@example.com"]))

    return "delete_calendar_event", {"event_id": "meeting"}, swap


async def vacation_text(bench: Bench) -> Any:
    async def swap() -> None:
        found = await bench.box.vacation()
        await bench.box.set_vacation({**found, "subject": "Pay to another account"})

    return "set_vacation", {"enabled": True, "body": "Away until Monday."}, swap


async def draft_gone(bench: Bench) -> Any:
    id_ = await _draft(bench)
    return "send_draft", {"draft_id": id_}, lambda: bench.box.delete_draft(id_)


SWAPS = (
    draft_text,
    draft_recipient,
    draft_html,
    draft_attachment,
    file_on_disk,
    label_renamed,
    label_grown,
    message_moved,
    message_starred,
    event_changed,
    vacation_text,
    draft_gone,
)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("swap", SWAPS, ids=[swap.__name__ for swap in SWAPS])
def test_what_changed_while_the_user_was_asked_is_not_done(swap: Swap, mode: Mode, tmp_path: Path) -> None:
    async def main() -> None:
        bench = Bench(tmp_path)
        tool, arguments, meanwhile = await swap(bench)
        result = await asked(bench.box, Person(meanwhile), mode, tool, arguments, tmp_path)
        assert result.is_error
        told = "".join(getattr(block, "text", "") for block in result.content)
        assert "nothing was done" in told.lower() or "no draft" in told.lower()
        assert not bench.out
        assert len(await bench.box.read(bench.ids, raw=False)) == 3
        # The same call, with nobody changing anything, is done: it was the swap that was refused.
        if swap is not draft_gone:
            again = await asked(bench.box, Person(), mode, tool, arguments, tmp_path)
            assert not again.is_error, again.content

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_client_that_fails_after_its_user_saw_the_question_has_done_nothing(tmp_path: Path) -> None:
    class Broken(Person):
        async def __call__(self, message: str, *rest: object) -> object:
            await super().__call__(message, *rest)
            raise RuntimeError("the window crashed")

    async def main() -> None:
        bench = Bench(tmp_path)
        for mode in ("auto", "legacy"):
            with suppress(MCPError):
                assert (await asked(bench.box, Broken(), mode, "send_email", MAIL, tmp_path)).is_error
        assert not bench.out

    asyncio.run(main())
