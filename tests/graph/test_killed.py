"""Whatever dies while a triage of an Outlook mailbox is applied: each message is dealt with, once; and back again."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import count

import pytest

import gaia_graph_mcp.login
from gaia_email.actions.account_session import AccountSession, open_account_session
from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.actions.snooze import snooze
from gaia_email.actions.triaging import TriageRequest, triage_and_apply
from gaia_email.actions.undo import UndoOutcome, chosen_actions, last_done, undo
from gaia_email.ledger import Selection, open_ledger
from gaia_email_registry.servers import InProcessServer
from gaia_mail.mime.scan import scan_headers
from tests.actions.account import BySubject
from tests.graph.acting import Beside, connect_account, given_token
from tests.graph.emulator.emulator import Emulator
from tests.imap.acting import DONE, Acting
from tests.origins import PERSON

MESSAGES, ROUNDS = 90, 10
KINDS = ("low", "info", "ask")

_users = count(1)


@pytest.fixture(name="beside")
def beside_fixture() -> Iterator[Beside]:
    with Beside() as beside:
        yield beside


def number_of(raw: bytes) -> int:
    return int(scan_headers(raw).message_id.strip("<>").partition("@")[0])


def filled(beside: Beside, messages: int = MESSAGES) -> tuple[str, Emulator]:
    """An account of whose messages a third is archived, a third labelled and a third left alone."""
    user = f"killed{next(_users)}"
    connect_account(user)
    subjects = {f"<{number}@news.example>": f"{KINDS[number % 3]} {number}" for number in range(messages)}
    return user, beside.start(user, subjects)


def check(user: str, emulator: Emulator, messages: int = MESSAGES) -> None:
    """Every message is in exactly the planned state, each action happened once, and the ledger says so."""
    account = emulator.account
    assert sorted(number_of(item.raw) for item in account.items.values()) == list(range(messages))
    for item in account.items.values():
        number = number_of(item.raw)
        own = [label for label in item.categories if label.startswith("gaia/")]
        assert account.folders[item.folder].well_known == ("archive" if number % 3 == 0 else "inbox"), number
        assert len(own) == len(set(own)) == (0 if number % 3 == 2 else 3), number
        assert not item.read
    with open_ledger() as ledger, ledger.read() as tx:
        chosen = Selection(account_id=f"{user}@example.org", types=BY_TRIAGE)
        actions = ledger.actions.select(tx, chosen)
        assert ledger.events.verify(tx) is None
    handled = Counter(action.message_id for action in actions if action.state == "applied")
    assert len(handled) == len([number for number in range(messages) if number % 3 != 2])
    assert set(handled.values()) == {1}
    assert {action.state for action in actions} == {"applied"}


@pytest.mark.timeout(240)
def test_a_triage_killed_at_any_instant_is_finished_by_the_next_and_nothing_is_done_twice(
    home_of_its_own: object, beside: Beside
) -> None:
    chance, whole = random.Random(), 0.0
    with Acting("tests.graph.acting") as acting:
        for _ in range(2):  # what is imported the first time need not be again
            user, emulator = filled(beside)
            started = time.perf_counter()
            acting.start(f"{user} {emulator.root}")
            assert acting.ended(None) == DONE
            whole = time.perf_counter() - started
            check(user, emulator)
        died = 0
        while died < ROUNDS:
            user, emulator = filled(beside)
            code, most = None, whole
            while code != DONE:
                acting.start(f"{user} {emulator.root}")
                code = acting.ended(chance.uniform(0, most) if died < ROUNDS else None)
                most = whole / 2  # there is less left to do
                if code is None:
                    code = acting.kill()
                    died += code != DONE
            check(user, emulator)


def held(emulator: Emulator) -> dict[int, tuple[str, bool, tuple[str, ...]]]:
    """Folder, whether it was read, and categories of each message."""
    account = emulator.account
    return {
        number_of(item.raw): (account.folders[item.folder].name, item.read, tuple(sorted(item.categories)))
        for item in account.items.values()
    }


def done(
    user: str, scenario: Callable[[AccountSession], Awaitable[UndoOutcome | None]]
) -> UndoOutcome | None:
    async def main() -> UndoOutcome | None:
        with open_ledger() as ledger:
            server = InProcessServer(provider="graph", options={"account": user})
            async with open_account_session(server, ledger, environ=os.environ, origin=PERSON) as opened:
                return await scenario(opened)

    return asyncio.run(asyncio.wait_for(main(), 60))


def test_a_run_a_session_and_a_snooze_leave_no_trace_when_taken_back(
    home_of_its_own: object, beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaia_graph_mcp.login, "MsalTokens", given_token)
    user, emulator = filled(beside, 7)
    monkeypatch.setenv("GAIA_GRAPH_API_ROOT", emulator.root)
    before = held(emulator)

    async def triages(opened: AccountSession) -> None:
        wanted = TriageRequest(tier=BySubject(), owner=(f"{user}@example.org",), run_id="r1", session_id="s1")
        assert len((await triage_and_apply(opened, wanted)).applied.done) == 5

    async def snoozes(opened: AccountSession) -> None:
        ids = [email["id"] for email in (await opened.mail.list_emails(label="INBOX"))["emails"]]
        await snooze(opened, ids[:1], opened.ledger.clock() + 3600, session_id="s1")

    async def last(opened: AccountSession) -> UndoOutcome:
        return await undo(opened, last_done(opened))

    async def session(opened: AccountSession) -> UndoOutcome:
        return await undo(opened, chosen_actions(opened, Selection(session_id="s1")))

    done(user, triages)
    triaged = held(emulator)
    assert triaged != before
    done(user, snoozes)
    assert held(emulator) != triaged
    found = done(user, last)
    assert found is not None and not found.kept
    assert held(emulator) == triaged
    done(user, snoozes)
    found = done(user, session)
    assert found is not None and not found.kept
    assert held(emulator) == before


def test_what_somebody_moved_meanwhile_is_left_and_named(
    home_of_its_own: object, beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaia_graph_mcp.login, "MsalTokens", given_token)
    user, emulator = filled(beside, 6)
    monkeypatch.setenv("GAIA_GRAPH_API_ROOT", emulator.root)

    async def triages(opened: AccountSession) -> None:
        await triage_and_apply(
            opened, TriageRequest(tier=BySubject(), owner=(f"{user}@example.org",), run_id="r1")
        )

    async def run(opened: AccountSession) -> UndoOutcome:
        return await undo(opened, chosen_actions(opened, Selection(run_id="r1")))

    done(user, triages)
    account = emulator.account
    first = next(item for item in account.items.values() if number_of(item.raw) == 0)
    trash = account.folder("deleteditems")
    assert trash is not None
    account.move(first, trash)
    changed = held(emulator)[0]
    found = done(user, run)
    assert found is not None
    assert [kept.action.action_payload["subject"] for kept in found.kept] == ["low 0"]
    assert "changed afterwards" in found.kept[0].reason
    assert held(emulator)[0] == changed
    assert all(held(emulator)[number] == ("Inbox", False, ()) for number in range(1, 6))
