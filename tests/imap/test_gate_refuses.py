"""With a gate that refuses, no tool changes an IMAP account or sends anything."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

from gaia_email.actions.account_session import open_account_session
from gaia_email.ledger import open_ledger
from gaia_email_registry.accounts import find_account, store_account
from gaia_email_registry.servers import InProcessServer
from tests.actions.account import Person
from tests.contract.suite import many
from tests.gate.refusing import CHANGING, allow_one, refuse_everything
from tests.imap.program import connect_account
from tests.origins import PERSON
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.smtp_sink import SmtpSink


def test_with_a_gate_that_refuses_no_tool_changes_an_imap_account_or_sends(
    dovecot: Dovecot, user: str, other: OtherClient, smtp: SmtpSink, home_of_its_own: object
) -> None:
    for seed in many(3):
        other.append(seed.raw)
    connect(dovecot, smtp, user)
    person = Person("no")

    async def main() -> None:
        before = other.everything()
        server = InProcessServer(provider="imap", options={"account": user})
        with open_ledger() as ledger:
            async with open_account_session(
                server, ledger, prompt=person, environ=os.environ, origin=PERSON
            ) as session:
                assert await session.writer.can("send_email")
                first, second, _ = [email["id"] for email in (await session.mail.list_emails())["emails"]]
                await refuse_everything(session, (first, second))
                assert other.everything() == before
                assert not smtp.received
                assert len(person.asked) == 2 * len(CHANGING)
                person.answer = "yes"
                await allow_one(session, first)
                assert other.everything() != before

    asyncio.run(asyncio.wait_for(main(), 50))


def connect(server: Dovecot, smtp: SmtpSink, user: str) -> None:
    import os

    connect_account(server.port, user)
    account = find_account(user, os.environ)
    sending = {"smtp_host": "127.0.0.1", "smtp_port": str(smtp.port), "smtp_security": "none"}
    store_account(replace(account, settings={**account.settings, **sending}), os.environ)
