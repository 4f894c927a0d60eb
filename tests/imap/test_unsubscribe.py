"""Leaving a mailing list from an IMAP account: the word of the server that delivered the mail is needed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import FastMCPTransport

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite.look import find
from tests.imap.truth import settings
from tests.one_click.support import LETTER, LINK, POST, SIGNATURE, Server
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient

DELIVERED = (
    "Received: from mail.own.example by mail.own.example with LMTP id a1\n"
    "Authentication-Results: {by}; dkim=pass header.d=list.example header.s=s1\n"
    "Received: from mta.list.example by mail.own.example (Postfix) with ESMTPS id b2\n"
)
OWN = frozenset({"mail.own.example"})
OURS = DELIVERED.format(by="mail.own.example")
FORGED = DELIVERED.format(by="mail.elsewhere.example")


def letter(head: str) -> bytes:
    """A newsletter as it lies in the mailbox."""
    return (head + SIGNATURE + LINK + POST + LETTER).replace("\n", "\r\n").encode()


async def leave(client: Client[FastMCPTransport], message_id: str) -> dict[str, Any]:
    """What the tool answers."""
    answer = await client.call_tool("unsubscribe", {"message_id": message_id}, raise_on_error=False)
    content = answer.structured_content
    assert content is not None
    return content


def test_a_list_is_left_on_the_word_of_the_server_that_delivered_the_mail_and_of_no_other(
    dovecot: Dovecot, user: str, other: OtherClient, tmp_path: Path
) -> None:
    other.append(letter(OURS), "INBOX")
    other.append(letter(FORGED), "Archive")
    server = Server()

    async def scenario() -> None:
        mailbox = ImapMailbox(
            replace(settings(dovecot.port, user), cache=tmp_path / "index.sqlite", authserv_ids=OWN)
        )
        async with (
            server.listening(),
            Client(create_server(mailbox, SurfaceSettings(approval=CALLER))) as client,
        ):
            (good,) = await find(mailbox, "in:inbox")
            (forged,) = set(await find(mailbox, "in:anywhere")) - {good}
            refused = await leave(client, forged)
            assert refused["error"]["kind"] == "bad_argument"
            assert "not proven" in refused["error"]["message"]
            assert mailbox.one_click is not None
            mailbox.one_click.resolve, mailbox.one_click.connect = server.resolve, server.connect
            assert (await leave(client, forged))["error"] == refused["error"]
            assert not server.resolved
            answer = await leave(client, good)
            assert (answer["host"], answer["status"], answer["ids"]) == ("list.example", 200, [good])
            missing = await leave(client, "0123456789abcdef")
            assert missing["error"]["kind"] == "not_found"

    asyncio.run(scenario())
    assert [request.split(b"\r\n")[0] for request in server.asked] == [b"POST /off?u=1&k=secret HTTP/1.1"]
    (kept,) = (tmp_path / "unsubscribed.jsonl").read_text().splitlines()
    assert json.loads(kept)["outcome"] == "200"
    assert "secret" not in kept
