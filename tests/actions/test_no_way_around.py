"""No tool that changes a mailbox is reached without the gate, and with it only by the call it looked at."""

from __future__ import annotations

import asyncio

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.account_session import LedgerApprovals as LedgerConfirmations
from gaia_email.actions.call_facts import ask_gate
from gaia_email.policy.gate import CallRefused, CallWaiting, Consent, Gate, Pass
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings
from tests.actions.account import ME, Bench
from tests.contract.memory import MemoryMailbox
from tests.gate.every_call import facts_for
from tests.gate.refusing import CHANGING, refuse_everything
from tests.origins import PERSON


def picture(box: MemoryMailbox) -> object:
    async def look() -> object:
        store = box._store  # pyright: ignore[reportPrivateUsage]
        return (
            {id_: (message.labels, message.raw) for id_, message in store.messages.items()},
            box._labels.all(),  # pyright: ignore[reportPrivateUsage]
            await box.filters(),
            await box.drafts(limit=100),
            await box.vacation(),
        )

    return asyncio.run(look())


def test_with_a_gate_that_refuses_no_tool_changes_anything(bench: Bench) -> None:
    bench.put("low one")
    bench.put("low two", ("INBOX", "mine"))
    left: list[object] = []
    bench.box._deliver = left.append  # pyright: ignore[reportPrivateUsage]
    bench.box._on_unsubscribe = left.append  # pyright: ignore[reportPrivateUsage]
    bench.person.answer = "no"
    before = picture(bench.box)

    bench.run(refuse_everything)
    assert picture(bench.box) == before
    assert not left
    assert len(bench.person.asked) == 2 * len(CHANGING)


def test_a_server_that_asks_by_itself_is_told_what_the_user_agreed_to(bench: Bench) -> None:
    id_ = bench.put("low one")

    async def scenario(session: AccountSession) -> None:
        call = ToolCall.of(ME, "delete_email", {"messageId": id_})
        given = await ask_gate(session, call, Consent(by="user"))
        assert isinstance(given, Pass)
        assert (await session.writer.write(given))["ids"] == [id_]

    bench.run(scenario, SurfaceSettings(approval=ApprovalSettings(way="host")))
    assert len(bench.person.asked) == 1
    assert "TRASH" in bench.labels()[id_]


def test_a_pass_does_not_work_on_another_account(bench: Bench) -> None:
    async def scenario(session: AccountSession) -> None:
        call = ToolCall.of("you@example.org", "archive_email", {"ids": ["m1"]})
        given = await session.gate.ask(call, Consent(by="user"), facts_for(call))
        assert isinstance(given, Pass)
        with pytest.raises(NeedsApproval, match=r"you@example\.org"):
            await session.writer.write(given)

    bench.run(scenario)


def test_a_confirmation_outlives_the_program_that_asked_and_has_one_effect(bench: Bench) -> None:
    id_ = bench.put("low one")
    bench.person.answer = "later"
    call = ToolCall.of(ME, "delete_email", {"messageId": id_})

    async def asked(session: AccountSession) -> str:
        waiting = await session.gate.ask(call, Consent(by="user"), facts_for(call))
        assert isinstance(waiting, CallWaiting)
        return waiting.asked.confirmation_id

    key = bench.run(asked)
    ledgers = [bench.reopened() for _ in range(3)]
    gates = [
        Gate(LedgerConfirmations(ledger, origin=PERSON), clock=lambda: bench.now.timestamp())
        for ledger in ledgers
    ]
    assert [gate.approve(key, by=f"face {number}") for number, gate in enumerate(gates)] == [
        True,
        False,
        False,
    ]
    given = [gate.redeem(key, call) for gate in gates]
    assert [type(found) for found in given] == [Pass, CallRefused, CallRefused]
    for ledger in ledgers:
        ledger.close()

    async def scenario(session: AccountSession) -> None:
        await session.writer.write(given[0])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        with pytest.raises(NeedsApproval):
            await session.writer.write(given[0])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    bench.run(scenario)
    assert "TRASH" in bench.labels()[id_]


def test_what_was_confirmed_cannot_be_changed_in_the_ledger(bench: Bench) -> None:
    bench.person.answer = "later"
    call = ToolCall.of(ME, "delete_email", {"messageId": "m1"})

    async def asked(session: AccountSession) -> str:
        waiting = await session.gate.ask(call, Consent(by="user"), facts_for(call))
        assert isinstance(waiting, CallWaiting)
        return waiting.asked.confirmation_id

    key = bench.run(asked)
    gate = Gate(LedgerConfirmations(bench.ledger, origin=PERSON), clock=lambda: bench.now.timestamp())
    gate.approve(key, by="cli")
    other = ToolCall.of(ME, "delete_email", {"messageId": "m2"})
    assert isinstance(gate.redeem(key, other), CallRefused)
    bench.now = bench.now.fromtimestamp(bench.now.timestamp() + 601, bench.now.tzinfo)
    assert isinstance(gate.redeem(key, call), CallRefused)
