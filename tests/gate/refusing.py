"""Drives every tool that can change a mailbox at a gate that refuses. Entry point: `refuse_everything`."""

from __future__ import annotations

import json

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.policy.calls import ToolCall
from gaia_email.policy.gate import CallRefused, Consent, Pass
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.errors import NeedsApproval
from tests.gate.every_call import ARGUMENTS

CHANGING = [name for name, spec in TOOLS.items() if spec.risk != "read"]
"""Every tool of the contract that is not only for reading."""


async def refuse_everything(desk: AccountSession, ids: tuple[str, str] = ("m1", "m2")) -> None:
    """Call each of them on these messages, on every way there is; the user says no."""
    for tool in CHANGING:
        await refused(desk, call_of(desk.account, tool, ids))


async def allow_one(desk: AccountSession, id_: str) -> None:
    """The control: what the user says yes to is done, on the same desk."""
    call = ToolCall.of(desk.account, "archive_email", {"ids": [id_]})
    given = await desk.gate.ask(call, Consent(by="user"))
    assert isinstance(given, Pass)
    assert (await desk.writer.write(given))["ids"] == [id_]


def call_of(account: str, tool: str, ids: tuple[str, str] = ("m1", "m2")) -> ToolCall:
    """A call of that tool, about messages that are there."""
    text = json.dumps(ARGUMENTS[tool])
    for name, id_ in zip(("m1", "m2"), ids, strict=True):
        text = text.replace(json.dumps(name), json.dumps(id_))
    return ToolCall.of(account, tool, json.loads(text))


async def refused(desk: AccountSession, call: ToolCall) -> None:
    """No pass, and nothing that is none opens the writer or the reading client."""
    for consent in (Consent(), Consent(by="level", level=3)):
        given = await desk.gate.ask(call, consent)
        assert isinstance(given, CallRefused), call.tool
        for forged in (given, call, Pass.__new__(Pass)):
            with pytest.raises(NeedsApproval):
                await desk.writer.write(forged)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(NeedsApproval, match="only reads"):
        await desk.mail._call(  # pyright: ignore[reportPrivateUsage]
            call.tool,
            call.arguments,
            desk.mail._expect.page,  # pyright: ignore[reportPrivateUsage]
        )
