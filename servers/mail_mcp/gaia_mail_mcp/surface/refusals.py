"""Options that restrict a server, as predicates over a tool call.

Entries: `require_allowed` for every call, `always_refused` for tools that are not even listed, `spec_of` for a tool's
specification. Argument models are imported only when a tool is called: listing tools needs no pydantic.
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
"""Tools that send unless asked to store a draft, for which there is `draft_email`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One option that restricts a server.

    Attributes:
        name: Name of the option, for tests and readers.
        in_force: Returns True if the settings contain the option.
        withholds: Capabilities of the mailbox that the server does not use.
        applies: Returns the reason to refuse a call, else None; without arguments, for all possible arguments.
    """

    name: str
    in_force: Callable[[SurfaceSettings], bool]
    withholds: frozenset[Capability]
    applies: Callable[[ToolSpec, ToolInput | None], NeedsApproval | None]


def no_deletion() -> NeedsApproval:
    """Return the error for a permanent deletion, also if the mailbox itself does not support it."""
    return NeedsApproval(
        "This server does not delete for good; nothing was deleted. Leave permanent out to use Trash.",
        argument="permanent",
        hint="Start the server with --allow-permanent-delete to allow it.",
    )


def no_such_tool(name: str) -> ProviderError:
    """Return the error for an unknown tool."""
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
    """Return the refusal of a permanent deletion. Moving to Trash and deleting a draft are not: both can be undone."""
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
"""All restrictions, in the order in which their reasons are checked."""


def spec_of(name: str) -> ToolSpec:
    """Return the tool's specification.

    Raises:
        ProviderError: There is none, so the tool's effects are unknown and it is not run.
    """
    spec = TOOLS.get(name)
    if spec is None:
        raise no_such_tool(name)
    return spec


def require_allowed(settings: SurfaceSettings, spec: ToolSpec, given: ToolInput) -> None:
    """Refuse a call that the server's options forbid, before anything happens or the user is asked.

    Raises:
        NeedsApproval: The options forbid it.
    """
    reason = _reason(settings, spec, given)
    if reason is not None:
        raise reason


def always_refused(settings: SurfaceSettings, spec: ToolSpec) -> bool:
    """Return True if a tool is refused with any arguments, and therefore not listed."""
    return _reason(settings, spec, None) is not None


def allowed_capabilities(
    settings: SurfaceSettings, capabilities: frozenset[Capability]
) -> frozenset[Capability]:
    """Return the mailbox's capabilities that the settings allow."""
    withheld = (refusal.withholds for refusal in REFUSALS if refusal.in_force(settings))
    return capabilities.difference(*withheld)


def _reason(settings: SurfaceSettings, spec: ToolSpec, given: ToolInput | None) -> NeedsApproval | None:
    for refusal in REFUSALS:
        if refusal.in_force(settings) and (reason := refusal.applies(spec, given)) is not None:
            return reason
    return None
