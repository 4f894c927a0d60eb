"""Input and output of tool handlers: `Surface`, `ToolReply`.

`handles` creates a `Handler`; `handler_of` finds the one of a tool.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar

from gaia_email_registry.contract.inputs import ToolInput, read_arguments
from gaia_email_registry.contract.tools import ToolSpec
from gaia_email_registry.contract.wire import Undo
from gaia_mail_mcp.mailbox import Mailbox
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.approval.channel import ApprovalMemory
from gaia_mail_mcp.surface.options import SurfaceSettings

Input = TypeVar("Input", bound=ToolInput)


@dataclass(slots=True, kw_only=True)
class Surface:
    """The mailbox and settings of a server, and its state between calls."""

    source: MailboxSource
    settings: SurfaceSettings
    memory: ApprovalMemory = field(default_factory=ApprovalMemory)
    """Approval questions; shared by the accounts of one server."""
    names: set[str] = field(default_factory=set[str])
    """Names of the mailbox so far: a preliminary name, then its address once the provider returns it."""
    last_sync: str | None = None
    """RFC 3339 time of the last `sync_emails`, for providers that do not record it themselves."""

    @property
    def mailbox(self) -> Mailbox:
        """The mailbox, opened on first access.

        Raises:
            NeedsApproval: Its account is switched off.
            MailError: It cannot be opened.
        """
        return self.source.open()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """Result of a tool: the convention's text, structured data, and True in `failed` for an error."""

    text: str
    data: Mapping[str, object]
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundCall:
    """A call with parsed arguments, ready to be approved and run."""

    arguments: ToolInput
    dropped: list[str]
    run: Callable[[], Awaitable[ToolReply]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler(Generic[Input]):
    """The code of one tool."""

    model: type[Input]
    function: Callable[[Surface, Input], Awaitable[ToolReply]]

    def bind(self, surface: Surface, arguments: Mapping[str, object]) -> BoundCall:
        """Parse the arguments.

        Raises:
            BadArgument: An argument is missing or invalid.
        """
        read, dropped = read_arguments(self.model, arguments)
        return BoundCall(arguments=read, dropped=dropped, run=lambda: self.function(surface, read))


def handles(
    model: type[Input],
) -> Callable[[Callable[[Surface, Input], Awaitable[ToolReply]]], Handler[Input]]:
    """Turn a function into the handler of the tool that takes `model`."""
    return lambda function: Handler(model=model, function=function)


def handler_of(spec: ToolSpec) -> Handler[Any]:
    """Return the handler of a tool; the first call imports its module, so that reading loads no writing code."""
    handler: Handler[Any] = getattr(import_module(f"gaia_mail_mcp.surface.{spec.handler}"), spec.name)
    return handler


def undo(tool: str, **arguments: object) -> Undo:
    """Return the call that undoes a write."""
    return {"tool": tool, "arguments": arguments}
