"""Drives every tool that can change a mailbox at a gate that refuses. Entry point: `refuse_everything`."""

from __future__ import annotations

import json

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.call_facts import ask_gate
from gaia_email.policy.gate import CallRefused, Consent, Pass
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.errors import NeedsApproval
from tests.gate.every_call import ARGUMENTS, facts_for

CHANGING = [name for name, spec in TOOLS.items() if spec.risk != "read"]
"""Every tool of the contract that is not only for reading."""


async def refuse_everything(session: AccountSession, ids: tuple[str, str] = ("m1", "m2")) -> None:
    """Call each of them on these messages, on every way there is; the user says no."""
    for tool in CHANGING:
        await refused(session, call_of(session.account, tool, ids))


async def allow_one(session: AccountSession, id_: str) -> None:
    """The control: what the user says yes to is done, on the same account."""
    call = ToolCall.of(session.account, "archive_email", {"ids": [id_]})
    given = await ask_gate(session, call, Consent(by="user"))
    assert isinstance(given, Pass)
    assert (await session.writer.write(given))["ids"] == [id_]


def call_of(account: str, tool: str, ids: tuple[str, str] = ("m1", "m2")) -> ToolCall:
    """A call of that tool, about messages that are there."""
    text = json.dumps(ARGUMENTS[tool])
    for name, id_ in zip(("m1", "m2"), ids, strict=True):
        text = text.replace(json.dumps(name), json.dumps(id_))
    return ToolCall.of(account, tool, json.loads(text))


async def refused(session: AccountSession, call: ToolCall) -> None:
    """No pass, and nothing that is none opens the writer or the reading client."""
    for consent in (Consent(), Consent(by="level", level=3)):
        given = await session.gate.ask(call, consent, facts_for(call))
        assert isinstance(given, CallRefused), call.tool
        for forged in (given, call, Pass.__new__(Pass)):
            with pytest.raises(NeedsApproval):
                await session.writer.write(forged)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(NeedsApproval, match="only reads"):
        await session.mail._call(  # pyright: ignore[reportPrivateUsage]
            call.tool,
            call.arguments,
            session.mail._expect.page,  # pyright: ignore[reportPrivateUsage]
        )
