"""What a server refuses though its mailbox could do it: the options that restrict it, as predicates over a tool call.

Entries: `require_allowed` at every call, `always_refused` for what is not even listed, `spec_of` for the tool's row.
The models of arguments are imported when a tool is called: to list tools takes no pydantic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email_registry.contract.tools import TOOLS, ToolSpec
from gaia_email_registry.errors import NeedsApproval, ProviderError
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.surface.options import SurfaceSettings

if TYPE_CHECKING:
    from gaia_email_registry.contract.inputs import ToolInput

NO_SENDING = "This server was started with --no-send; save a draft instead and send it yourself."
NO_ANSWERING = "This server was started with --no-send; an automatic answer would send."
NO_INVITING = "This server was started with --no-send, so it tells nobody about events."

_SENDS = frozenset((Capability.SEND, Capability.UNSUBSCRIBE))
_SENDS_UNLESS_DRAFT = frozenset(("reply_to_email", "forward_email"))
"""Tools that send unless they are told to store a draft, for which there is `draft_email`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One option of a server that restricts it.

    Attributes:
        name: The option, for tests and readers.
        in_force: Whether the settings of a server have it.
        withholds: Capabilities of the mailbox that such a server does not use.
        applies: Why a call is refused, None where it is not. Without arguments: whatever they would be.
    """

    name: str
    in_force: Callable[[SurfaceSettings], bool]
    withholds: frozenset[Capability]
    applies: Callable[[ToolSpec, ToolInput | None], NeedsApproval | None]


def no_deletion() -> NeedsApproval:
    """The refusal to delete for good, also where it is the mailbox that cannot."""
    return NeedsApproval(
        "This server does not delete for good; nothing was deleted. Leave permanent out to use Trash.",
        argument="permanent",
        hint="Start the server with --allow-permanent-delete to allow it.",
    )


def no_such_tool(name: str) -> ProviderError:
    """The error for a tool that there is not."""
    return ProviderError(f"There is no tool {name[:80]!r} here.")


def _changes_something(spec: ToolSpec, given: ToolInput | None) -> NeedsApproval | None:
    if spec.risk == "read":
        return None
    return NeedsApproval(
        "This server is read-only; nothing was changed.", hint="start it without --read-only to allow changes"
    )


def _sends(spec: ToolSpec, given: ToolInput | None) -> NeedsApproval | None:
    if spec.capability in _SENDS or spec.name in _SENDS_UNLESS_DRAFT:
        return NeedsApproval(NO_SENDING)
    if given is None:
        return None
    from gaia_email_registry.contract import inputs

    match given:
        case inputs.CreateFilter() if given.action.forward and not given.dry_run:
            return NeedsApproval(NO_SENDING, argument="action.forward")
        case inputs.SetVacation() if given.enabled is not False:
            return NeedsApproval(NO_ANSWERING)
        case inputs.CreateCalendarEvent() if given.attendees:
            return NeedsApproval(NO_INVITING, argument="attendees")
        case inputs.RespondToInvitation() | inputs.DeleteCalendarEvent() if given.notify:
            return NeedsApproval(NO_INVITING, argument="notify", hint="Set notify to false.")
        case _:
            return None


def _deletes_for_good(spec: ToolSpec, given: ToolInput | None) -> NeedsApproval | None:
    """Moving to Trash is no such thing, nor is deleting a draft: its text comes back with it."""
    if given is None:
        return None
    from gaia_email_registry.contract import inputs

    match given:
        case inputs.DeleteEmail() | inputs.BatchDeleteEmails() if given.permanent:
            return no_deletion()
        case _:
            return None


REFUSALS = (
    Refusal(
        name="read-only",
        in_force=lambda settings: settings.read_only,
        withholds=frozenset(Capability),
        applies=_changes_something,
    ),
    Refusal(
        name="no-send",
        in_force=lambda settings: settings.no_send,
        withholds=_SENDS,
        applies=_sends,
    ),
    Refusal(
        name="no-permanent-delete",
        in_force=lambda settings: not settings.allow_permanent_delete,
        withholds=frozenset((Capability.DELETE,)),
        applies=_deletes_for_good,
    ),
)
"""Every restriction, in the order in which their reasons are given."""


def spec_of(name: str) -> ToolSpec:
    """The tool's row in the contract's table.

    Raises:
        ProviderError: It has none, so nobody knows what it may do, and it is not run.
    """
    spec = TOOLS.get(name)
    if spec is None:
        raise no_such_tool(name)
    return spec


def require_allowed(settings: SurfaceSettings, spec: ToolSpec, given: ToolInput) -> None:
    """Refuse a call that the server's options forbid, before anything happens and before anybody is asked.

    Raises:
        NeedsApproval: They do.
    """
    reason = _reason(settings, spec, given)
    if reason is not None:
        raise reason


def always_refused(settings: SurfaceSettings, spec: ToolSpec) -> bool:
    """Whether a tool is refused whatever its arguments are; it is not listed then."""
    return _reason(settings, spec, None) is not None


def allowed_capabilities(
    settings: SurfaceSettings, capabilities: frozenset[Capability]
) -> frozenset[Capability]:
    """What is left of what a mailbox can do."""
    withheld = (refusal.withholds for refusal in REFUSALS if refusal.in_force(settings))
    return capabilities.difference(*withheld)


def _reason(settings: SurfaceSettings, spec: ToolSpec, given: ToolInput | None) -> NeedsApproval | None:
    for refusal in REFUSALS:
        if refusal.in_force(settings) and (reason := refusal.applies(spec, given)) is not None:
            return reason
    return None
