"""What a triage did on a real server is taken back to the last folder and flag, by run, session and single action.

With keywords a label is a flag; a server that takes no new ones gets a folder for each, with a copy of the message.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

import pytest

from gaia_email.actions.account_session import AccountSession, open_account_session
from gaia_email.actions.snooze import snooze
from gaia_email.actions.triaging import TriageRequest, triage_and_apply
from gaia_email.actions.undo import UndoOutcome, chosen_actions, last_done, undo
from gaia_email.ledger import Selection, open_ledger
from gaia_email_registry.servers import InProcessServer
from tests.actions.account import BySubject
from tests.imap.program import connect_account
from tests.imap.truth import message_id
from tests.origins import PERSON
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.scripted_imap import ScriptedImap

SUBJECTS = ("low offers", "info news", "ask me", "low more")


@pytest.fixture(params=["keywords", "folders"])
def server(request: pytest.FixtureRequest, home_of_its_own: object) -> object:
    """One that takes new keywords, and one that takes none."""
    assert home_of_its_own
    if request.param == "keywords":
        return request.getfixturevalue("dovecot")
    return request.getfixturevalue("scripted")(None)


def fill(port: int, user: str) -> None:
    with OtherClient(port, user) as other:
        for number, subject in enumerate(SUBJECTS):
            raw = (
                f"From: list{number}@news.example\r\nTo: {user}@example.org\r\nSubject: {subject}\r\n"
                f"Date: Mon, 30 Mar 2026 09:00:00 +0000\r\nMessage-ID: <{number}@news.example>\r\n\r\nText.\r\n"
            )
            other.append(raw.encode())
    connect_account(port, user)


def held(port: int, user: str) -> dict[tuple[str, str], frozenset[str]]:
    """Folder and message → flags."""
    with OtherClient(port, user) as other:
        return {
            (folder, message_id(kept.raw)): frozenset(kept.flags) - {"\\Recent"}
            for folder, messages in other.everything().items()
            for kept in messages.values()
        }


def act(user: str, scenario: Callable[[AccountSession], Awaitable[UndoOutcome | None]]) -> UndoOutcome | None:
    async def main() -> UndoOutcome | None:
        with open_ledger() as ledger:
            server = InProcessServer(provider="imap", options={"account": user})
            async with open_account_session(server, ledger, environ=os.environ, origin=PERSON) as opened:
                return await scenario(opened)

    return asyncio.run(asyncio.wait_for(main(), 60))


def test_a_run_a_session_and_a_snooze_leave_no_trace_when_taken_back(
    server: Dovecot | ScriptedImap, user: str
) -> None:
    fill(server.port, user)
    before = held(server.port, user)

    async def triages(opened: AccountSession) -> None:
        wanted = TriageRequest(tier=BySubject(), owner=(f"{user}@example.org",), run_id="r1", session_id="s1")
        assert len((await triage_and_apply(opened, wanted)).applied.done) == 3

    async def snoozes(opened: AccountSession) -> None:
        ids = [email["id"] for email in (await opened.mail.list_emails(label="INBOX"))["emails"]]
        await snooze(opened, ids[:1], opened.ledger.clock() + 3600, session_id="s1")

    async def last(opened: AccountSession) -> UndoOutcome:
        return await undo(opened, last_done(opened))

    async def session(opened: AccountSession) -> UndoOutcome:
        return await undo(opened, chosen_actions(opened, Selection(session_id="s1")))

    act(user, triages)
    triaged = held(server.port, user)
    assert triaged != before
    act(user, snoozes)
    assert held(server.port, user) != triaged
    found = act(user, last)
    assert found is not None and not found.kept
    assert held(server.port, user) == triaged
    act(user, snoozes)
    found = act(user, session)
    assert found is not None and not found.kept
    assert held(server.port, user) == before


def test_what_somebody_moved_or_unlabelled_meanwhile_is_left_and_named(
    server: Dovecot | ScriptedImap, user: str
) -> None:
    fill(server.port, user)

    async def triages(opened: AccountSession) -> None:
        await triage_and_apply(
            opened, TriageRequest(tier=BySubject(), owner=(f"{user}@example.org",), run_id="r1")
        )

    async def run(opened: AccountSession) -> UndoOutcome:
        return await undo(opened, chosen_actions(opened, Selection(run_id="r1")))

    act(user, triages)
    with OtherClient(server.port, user) as other:
        first, *copies = [
            (folder, uid)
            for folder, messages in other.everything().items()
            for uid, kept in messages.items()
            if message_id(kept.raw) == "<0@news.example>"
        ]
        other.copy([first[1]], "Trash", folder=first[0])
        for folder, uid in (first, *copies):
            other.expunge([uid], folder=folder)
    changed = held(server.port, user)
    found = act(user, run)
    assert found is not None
    assert [kept.action.action_payload["subject"] for kept in found.kept] == ["low offers"]
    assert "changed afterwards" in found.kept[0].reason
    after = held(server.port, user)
    trashed = {key: flags for key, flags in changed.items() if key[1] == "<0@news.example>"}
    assert {key: flags for key, flags in after.items() if key[1] == "<0@news.example>"} == trashed
    assert all(key[0] == "INBOX" for key in after if key[1] != "<0@news.example>")
