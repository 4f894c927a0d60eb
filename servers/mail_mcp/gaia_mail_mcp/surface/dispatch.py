"""Runs one tool call: parse arguments, refuse what is forbidden, ask before destructive calls, run, return the result.

Entries: `call_tool`, and `reply_of` for a program that asks its user itself.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email_registry.contract.tools import ToolSpec
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.halt import refuse_if_stopped
from gaia_mail.printable import one_line, visible_text
from gaia_mail_mcp.mailbox import Connecting
from gaia_mail_mcp.surface.accounts import ARGUMENT
from gaia_mail_mcp.surface.call import Surface, ToolReply, handler_of
from gaia_mail_mcp.surface.failures import failure
from gaia_mail_mcp.surface.fixed_labels import check_labels
from gaia_mail_mcp.surface.refusals import require_allowed, spec_of

if TYPE_CHECKING:
    from fastmcp.tools.base import ToolResult

    from gaia_mail_mcp.surface.call import BoundCall

_NAMED = 20
"""Most unknown arguments listed in a warning."""

_LOG = logging.getLogger("gaia_mail_mcp")


async def call_tool(surface: Surface, name: str, arguments: Mapping[str, object]) -> ToolResult:
    """Return the result of one call; a failure is a result with `isError`, never an exception."""
    bound: BoundCall | None = None
    try:
        spec = spec_of(name)
        if spec.risk != "read":
            refuse_if_stopped()
        bound = await _bound(surface, spec, arguments)
        require_allowed(surface.settings, spec, bound.arguments)
        check_labels(bound.arguments)
        if surface.settings.approval.way == "caller" or spec.risk == "read":
            return result(_add_warning(await bound.run(), bound))
        from gaia_mail_mcp.surface import approving

        reason = await approving.reason_to_ask(surface, name, bound)
        if reason is None:
            done = await bound.run()
            approving.remember_draft(surface, name, done)
            return result(_add_warning(done, bound))
        answered = await approving.approve(surface, name, bound, reason)
        return result(_add_warning(answered, bound)) if isinstance(answered, ToolReply) else answered
    except Exception as error:
        return result(_add_warning(failure(name, error), bound))


async def reply_of(surface: Surface, name: str, arguments: Mapping[str, object]) -> ToolReply:
    """Return the reply of a tool that needs no question: it only reads, or the program asks its user itself."""
    bound: BoundCall | None = None
    try:
        spec = spec_of(name)
        bound = await _bound(surface, spec, arguments)
        require_allowed(surface.settings, spec, bound.arguments)
        check_labels(bound.arguments)
        return _add_warning(await bound.run(), bound)
    except Exception as error:
        return _add_warning(failure(name, error), bound)


def report_failure(name: str, error: Exception) -> ToolResult:
    """Return the result of a failed call."""
    return result(failure(name, error))


def result(reply: ToolReply) -> ToolResult:
    """Convert a reply to FastMCP's result.

    `model_construct` is used because the constructor converts every value in the structure again: for 100 raw messages
    that takes longer than reading them.
    """
    from fastmcp.tools.base import ToolResult
    from mcp_types import TextContent

    return ToolResult.model_construct(
        content=[TextContent(type="text", text=visible_text(reply.text))],
        structured_content=dict(reply.data),
        meta=None,
        is_error=reply.failed,
    )


async def _bound(surface: Surface, spec: ToolSpec, arguments: Mapping[str, object]) -> BoundCall:
    """Parse a call's arguments and connect its mailbox."""
    bound = handler_of(spec).bind(surface, arguments)
    if bound.dropped:
        _LOG.warning("%s: dropped unknown arguments %s", spec.name, bound.dropped)
    surface.names.add(surface.source.account.casefold())
    if spec.name != "server_status" and isinstance(mailbox := surface.mailbox, Connecting):
        await mailbox.connect()
    if ARGUMENT in bound.dropped and spec.name != "server_status":
        _check_account(surface, arguments[ARGUMENT])
        bound.dropped.remove(ARGUMENT)
    return bound


def _add_warning(reply: ToolReply, bound: BoundCall | None) -> ToolReply:
    """Add a warning to the reply if arguments were dropped."""
    if bound is None or not bound.dropped:
        return reply
    known = [field.alias or name for name, field in type(bound.arguments).model_fields.items()]
    names = ", ".join(_meant(name, known) for name in bound.dropped[:_NAMED])
    more = f" and {len(bound.dropped) - _NAMED} more" if len(bound.dropped) > _NAMED else ""
    warning = f"Dropped unknown arguments: {names}{more}"
    data = {**reply.data, "warnings": [warning]}
    return ToolReply(text=f"{reply.text}\n\nWarning: {warning}", data=data, failed=reply.failed)


def _meant(name: str, known: Sequence[str]) -> str:
    """Return an unknown argument's name, with the known one that it resembles."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1, cutoff=0.6)
    shown = one_line(name)
    return f"{shown} (did you mean {near[0]}?)" if near else shown


def _check_account(surface: Surface, given: object) -> None:
    """Refuse another account's name in a server for one account, which has no `account` argument."""
    account = surface.source.account
    if isinstance(given, str) and given and given.casefold() not in {*surface.names, account.casefold()}:
        raise BadArgument(f"There is no account {given[:80]!r} here; there is {account}.", argument=ARGUMENT)
