"""Whatever dies while a triage is applied, and whenever: each message is dealt with, once, and the ledger says so."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.ledger import Selection, open_ledger
from tests.imap.acting import DONE, Acting
from tests.imap.program import connect_account
from tests.imap.truth import message_id
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient

MESSAGES, FEW = 500, 30
ROUNDS, SOAK_ROUNDS = 10, 300
SERVER_ROUNDS = 2

_users = count(1)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Acting, str]]:
    """The process that does triages, and its home; one for all tests, for it imports a lot."""
    home = str(tmp_path_factory.mktemp("acting") / ".gaia")
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GAIA_HOME", home)
            running = stack.enter_context(Acting())
        yield running, home


@pytest.fixture
def acting(home_of_its_own: object, started: tuple[Acting, str], monkeypatch: pytest.MonkeyPatch) -> Acting:
    monkeypatch.setenv("GAIA_HOME", started[1])
    return started[0]


def fill(server: Dovecot, messages: int = MESSAGES) -> str:
    """A new account with messages of which a third is archived, a third labelled and a third left alone."""
    user = f"killed{next(_users)}"
    kinds = ("low", "info", "ask")
    server.fill(
        user,
        (
            (
                f"From: list{number}@news.example\r\nTo: {user}@example.org\r\n"
                f"Subject: {kinds[number % 3]} {number}\r\nDate: Mon, 30 Mar 2026 09:00:00 +0000\r\n"
                f"Message-ID: <{number}@news.example>\r\n\r\nText.\r\n".encode(),
                "",
            )
            for number in range(messages)
        ),
    )
    connect_account(server.port, user)
    return user


def dies_at_random(
    server: Dovecot, acting: Acting, rounds: int, die: Callable[[], int], ends: Collection[str] = ("applied",)
) -> None:
    """Triage account after account, until so many have died; each is started again until it is done."""
    chance = random.Random()
    in_peace(server, acting, FEW)  # what is imported then need not be again
    whole = in_peace(server, acting)
    died = 0
    while died < rounds:
        user = fill(server)
        code, most = None, whole
        while code != DONE:
            acting.start(user)
            code = acting.ended(chance.uniform(0, most) if died < rounds else None)
            most = whole / 2  # there is less left to do
            if code is None:
                code = die()
                died += code != DONE
        check(server, user, ends=frozenset(ends))


def in_peace(server: Dovecot, acting: Acting, messages: int = MESSAGES) -> float:
    """The seconds that a triage takes which nothing disturbs."""
    user = fill(server, messages)
    started = time.perf_counter()
    acting.start(user)
    assert acting.ended(None) == DONE
    took = time.perf_counter() - started
    check(server, user, messages)
    return took


def check(
    server: Dovecot, user: str, messages: int = MESSAGES, *, ends: frozenset[str] = frozenset({"applied"})
) -> None:
    """Every message is in exactly the planned state, each action happened once, and the ledger says so.

    `ends` are the states that actions may be left in.
    """
    with OtherClient(server.port, user) as other:
        folders = other.everything()
    copies = Counter(message_id(held.raw) for found in folders.values() for held in found.values())
    assert len(copies) == messages
    assert set(copies.values()) == {1}
    for folder, found in folders.items():
        for held in found.values():
            number = int(message_id(held.raw)[1:].partition("@")[0])
            own = {flag for flag in held.flags if "gaia/" in flag}
            assert folder == ("Archive" if number % 3 == 0 else "INBOX"), number
            assert len(own) == (0 if number % 3 == 2 else 3), number
            assert "\\Seen" not in held.flags
    with open_ledger() as ledger, ledger.read() as tx:
        chosen = Selection(account_id=f"{user}@example.org", types=BY_TRIAGE)
        actions = ledger.actions.select(tx, chosen)
        told = [
            event.action_id
            for seq in range(0, ledger.events.last(tx), 1000)
            for event in ledger.events.since(tx, seq, kind="action.applied", limit=1000)
            if event.seq <= seq + 1000
        ]
        assert ledger.events.verify(tx) is None
    handled = Counter(action.message_id for action in actions if action.state == "applied")
    assert len(handled) == len([number for number in range(messages) if number % 3 != 2])
    assert set(handled.values()) == {1}
    assert {action.state for action in actions} <= ends
    once = Counter(told)
    assert all(once[action.action_id] == (action.state == "applied") for action in actions)


@pytest.mark.timeout(240)
def test_a_triage_killed_at_any_instant_is_finished_by_the_next_and_nothing_is_done_twice(
    dovecot: Dovecot, acting: Acting
) -> None:
    dies_at_random(dovecot, acting, ROUNDS, acting.kill)


@pytest.mark.timeout(240)
def test_a_server_killed_at_any_instant_loses_and_repeats_nothing(
    own_dovecot: Dovecot, acting: Acting
) -> None:
    server_dies_at_random(own_dovecot, acting, SERVER_ROUNDS)


def server_dies_at_random(server: Dovecot, acting: Acting, rounds: int) -> None:
    def kill_server() -> int:
        server.kill()
        server.start()
        code = acting.ended(None)
        assert code is not None
        return code

    # A change that the dead server surely never had is told as failed, and the next triage does it.
    dies_at_random(server, acting, rounds, kill_server, ends=("applied", "failed"))


@pytest.mark.soak
def test_three_hundred_kills(own_dovecot: Dovecot, acting: Acting) -> None:
    dies_at_random(own_dovecot, acting, soak_rounds(), acting.kill)


@pytest.mark.soak
def test_three_hundred_kills_of_the_server(own_dovecot: Dovecot, acting: Acting) -> None:
    server_dies_at_random(own_dovecot, acting, soak_rounds())


def soak_rounds() -> int:
    return int(os.environ.get("SOAK_KILLS", SOAK_ROUNDS))
