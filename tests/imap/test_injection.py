"""No argument of any tool can smuggle a command to the server: it is refused, or it stays an argument."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from gaia_email_registry.errors import BadArgument, MailError
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_mail.query.grammar import parse_query
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import always, expected, opened, settings
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

HOSTILE = [
    "x\r\nA1 DELETE Archive",
    "x\nA1 DELETE Archive\n",
    'x"\r\nA1 DELETE "Archive',
    "x {11+}\r\nA1 DELETE Archive",
    "{3}\r\nabc\r\nA1 DELETE Archive\r\n",
    "x\0y",
    'x" "y',
    "x\\",
    "*%",
    "INBOX\u2028A1 DELETE Archive",
    "../../Archive",
    "(BODY[])",
]

KNOWN = re.compile(
    r"(UID )?(CAPABILITY|LOGIN|AUTHENTICATE|ID|ENABLE|LIST|STATUS|SELECT|EXAMINE|UNSELECT|FETCH|SEARCH|STORE|COPY|"
    r"MOVE|EXPUNGE|APPEND|CREATE|SUBSCRIBE|UNSUBSCRIBE|RENAME|NOOP|NOTIFY|LOGOUT|IDLE|DONE|THREAD|CLOSE|NAMESPACE)\b"
)


async def everything(mailbox: ImapMailbox, text: str, known: str) -> None:
    """Every method that takes a text, with that text; a refusal is as good as an answer."""
    for query in (
        text,
        f"from:{text}",
        f'subject:"{text}"',
        f"label:{text}",
        f"rfc822msgid:{text}",
        f"filename:{text}",
    ):
        try:
            await mailbox.search(parse_query(query), limit=5, cursor=None)
        except MailError:
            continue
    calls = [
        mailbox.search(parse_query(""), limit=5, cursor=text),
        mailbox.read([text], raw=True),
        mailbox.thread(text),
        mailbox.attachment(text, text),
        mailbox.attachment(known, text),
        mailbox.changes(text, limit=5),
        mailbox.wait(text, timeout_s=0),
        mailbox.modify([text], add=["STARRED"], remove=[]),
        mailbox.modify([known], add=[text], remove=[]),
        mailbox.modify([known], add=[], remove=[text]),
        mailbox.trash([text]),
        mailbox.untrash([text]),
        mailbox.delete([text]),
        mailbox.update_label(text, "plain", {}),
        mailbox.delete_label(text),
        mailbox.update_draft(text, write_message(9)),
        mailbox.delete_draft(text),
        mailbox.send_draft(text),
        mailbox.create_draft(write_message(8), text),
    ]
    for call in calls:
        try:
            await call
        except MailError as error:
            assert "\r" not in error.message and "\0" not in error.message


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_given_as_a_text_stays_a_text(proxy: Proxy, other: OtherClient, user: str, text: str) -> None:
    other.append(write_message(1), "Archive")
    before = expected(other.everything())

    async def scenario() -> None:
        async with opened(settings(proxy.port, user)) as mailbox:
            (known,) = await find(mailbox, "in:anywhere")
            await everything(mailbox, text, known)
            assert await find(mailbox, "in:anywhere")

    asyncio.run(scenario())
    assert [command for command in proxy.commands if not KNOWN.match(command)] == []
    assert not any("DELETE" in command.split() for command in proxy.commands)
    after = expected(other.everything())
    assert {name: labels for name, labels in after.items() if name in before} == before


@pytest.mark.parametrize("text", [text for text in HOSTILE if re.search(r"[\x00-\x1f]", text)])
def test_a_label_with_control_characters_is_refused(
    proxy: Proxy, other: OtherClient, user: str, text: str
) -> None:
    async def scenario() -> None:
        async with opened(settings(proxy.port, user)) as mailbox:
            existing = await mailbox.create_label("Fine", {})
            with pytest.raises(BadArgument):
                await mailbox.create_label(text, {})
            with pytest.raises(BadArgument):
                await mailbox.update_label(existing["id"], text, {})

    asyncio.run(scenario())
    assert not any("DELETE" in command.split() for command in proxy.commands)


@pytest.mark.parametrize(("user", "host"), [("ann\r\nA1 NOOP", "127.0.0.1"), ("ann", "127.0.0.1\r\nA1 NOOP")])
def test_a_login_with_control_characters_is_refused_before_anything_is_sent(user: str, host: str) -> None:

    with pytest.raises(BadArgument):
        replace(settings(1, "ann"), user=user, host=host)


def test_a_password_with_line_ends_is_refused_before_it_is_sent(proxy: Proxy, user: str) -> None:

    hostile = replace(settings(proxy.port, user), secret=always("x\r\nA1 NOOP"))

    async def scenario() -> None:
        async with opened(hostile) as mailbox:
            with pytest.raises(MailError):
                await find(mailbox, "")

    asyncio.run(scenario())
    assert "NOOP" not in proxy.commands
