"""With a person who says yes: what they were shown is what leaves, to the byte, on every server and in both eras."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.delivery import Delivery
from tests.contract.suite.seed import Seed, write_message
from tests.obedient.accounts import WITH_FILE, Account, Kind, honest
from tests.obedient.conftest import Open
from tests.obedient.harness import ERAS, Arguments, Era, connected, settings_for
from tests.obedient.shown import bare, read, told

SENDING: tuple[Kind, ...] = ("memory", "imap", "gmail", "graph")
"""Mail files send nothing."""

MAIL: Arguments = {
    "to": ["Cy Ng <cy@example.com>", "ann@example.org"],
    "cc": ["bo@example.net"],
    "bcc": ["hidden@other.example"],
    "subject": "Zahlen für März — final",
    "body": "Dear Cy,\n\nhere are the figures; ünïcode too.\n\n.\nFrom now on by mail.\n",
}

FORMATTED: Arguments = {
    **MAIL,
    "htmlBody": "<p>Quite another text: <b>pay IBAN 123 today</b></p>",
    "mimeType": "multipart/alternative",
    "attachments": ["notes.txt", "table.csv"],
}

Prepare = Callable[[Client[Any], Account], Awaitable[Arguments]]


class Person:
    """Says yes to everything, and remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def __call__(self, message: str, *_: object) -> object:
        self.shown.append(message)
        return {"value": True}


async def _mail(_: Client[Any], __: Account) -> Arguments:
    return MAIL


async def _formatted(_: Client[Any], __: Account) -> Arguments:
    return FORMATTED


async def _reply(_: Client[Any], account: Account) -> Arguments:
    page = await account.mailbox.search(parse_query("subject:Question"), limit=1)
    return {"message_id": page.ids[0], "body": "Yes, at noon.", "reply_all": True, "cc": ["boss@example.org"]}


async def _forward(_: Client[Any], account: Account) -> Arguments:
    page = await account.mailbox.search(parse_query("subject:week"), limit=1)
    return {"message_id": page.ids[0], "to": ["cy@example.com", "bo@example.net"], "body": "For you."}


async def _draft(client: Client[Any], _: Account) -> Arguments:
    made = await client.call_tool_mcp("draft_email", FORMATTED)
    return {"draft_id": (made.structured_content or {})["ids"][0]}


CALLS: dict[str, tuple[str, Prepare]] = {
    "a mail": ("send_email", _mail),
    "a formatted mail with files": ("send_email", _formatted),
    "a reply": ("reply_to_email", _reply),
    "a forwarded mail": ("forward_email", _forward),
    "a draft": ("send_draft", _draft),
}

QUESTION = write_message(
    400,
    sender="Ann Lee <ann@example.com>",
    to="me@example.org, Bo <bo@example.net>",
    subject="Question about Friday",
    body="Shall we meet?\nAt the usual place?\n",
)


async def agreed(account: Account, era: Era, tool: str, prepare: Prepare) -> tuple[str, bytes, Delivery]:
    """What was shown for the call, the bytes that the mailbox was handed, and the mail that left."""
    (account.folder / "attach" / "table.csv").write_bytes("name,größe\r\ntea,3\r\n".encode())
    person = Person()
    async with connected(account.mailbox, settings_for(account.folder), era, person) as client:
        arguments = await prepare(client, account)
        mark, before = len(account.mailbox.log.effects), len(account.left())
        answer = await client.call_tool_mcp(tool, arguments)
    assert not answer.is_error, answer.content
    (effect,), (left,) = account.mailbox.since(mark), account.left()[before:]
    (shown,) = person.shown
    return shown, effect.raw, left


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", SENDING)
def test_what_a_person_agreed_to_is_what_leaves(
    kind: Kind, era: Era, call: str, opened: Open, tmp_path: Path
) -> None:
    async def main() -> tuple[str, bytes, Delivery]:
        async with opened(kind, [honest()[WITH_FILE - 1], Seed(raw=QUESTION)]) as account:
            return await agreed(account, era, *CALLS[call])

    shown, handed, left = asyncio.run(asyncio.wait_for(main(), 30))
    mail = read(handed)
    question = told(shown)
    assert question.people == mail.people
    assert question.subject == mail.subject
    assert question.text == mail.text
    assert question.html == ("" if mail.html == mail.text else mail.html)
    assert question.files == mail.files
    assert set(left.recipients) == {address for _, address in mail.people}
    assert without_bcc(left.raw) == without_bcc(handed)


def without_bcc(raw: bytes) -> bytes:
    """The message with CRLF, and without the field that no recipient gets to see."""
    lines = raw.replace(b"\r\n", b"\n").split(b"\n")
    end = lines.index(b"")
    head = [line for line in lines[:end] if not line.lower().startswith(b"bcc:")]
    return b"\r\n".join((*head, *lines[end:])).rstrip(b"\r\n")


@pytest.mark.parametrize("era", ERAS)
def test_what_is_shown_of_a_file_is_what_the_file_was_then(era: Era, opened: Open, tmp_path: Path) -> None:
    async def main() -> tuple[str, bytes, Delivery]:
        async with opened("memory", []) as account:
            return await agreed(account, era, *CALLS["a formatted mail with files"])

    _, handed, _ = asyncio.run(asyncio.wait_for(main(), 20))
    message = message_from_bytes(handed)
    contents = [part.get_payload(decode=True) for part in message.walk() if part.get_filename()]
    assert contents == [b"meant to be attached\n", "name,größe\r\ntea,3\r\n".encode()]


@pytest.mark.parametrize("era", ERAS)
def test_mail_files_send_nothing_and_ask_nobody(era: Era, opened: Open, tmp_path: Path) -> None:
    async def main() -> None:
        async with opened("local", honest()) as account:
            person = Person()
            async with connected(account.mailbox, settings_for(tmp_path), era, person) as client:
                page = await account.mailbox.search(parse_query("subject:week"), limit=1)
                reply: Arguments = {"message_id": page.ids[0], "body": "Yes"}
                forward: Arguments = {"message_id": page.ids[0], "to": ["cy@example.com"]}
                for tool, arguments in (("reply_to_email", reply), ("forward_email", forward)):
                    answer = await client.call_tool_mcp(tool, arguments)
                    assert answer.is_error and "does not send" in str(answer.content)
            assert not person.shown
            assert not account.mailbox.log.effects

    asyncio.run(asyncio.wait_for(main(), 20))


def test_the_reader_of_questions_tells_one_mail_from_another() -> None:
    """So that the comparison above can fail."""
    question = (
        'Send this email?\nTo: cy@example.com [another organisation] "Cy"\nCc: bo@example.net\nSubject: Hi\n'
        'Attachment: text/csv, 1,204 bytes, "a.csv"\n\n│ One\n│\n│ two\n\nThe formatted version, as text:\n│ Three'
    )
    found = told(question)
    assert found.people == (("To", "cy@example.com"), ("Cc", "bo@example.net"))
    assert (found.subject, found.text, found.html) == ("Hi", bare("One two"), "Three")
    assert found.files == (("text/csv", 1204, "a.csv"),)
