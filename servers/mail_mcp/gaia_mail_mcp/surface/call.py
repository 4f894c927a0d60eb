"""What a tool handler is given and what it answers: `Surface`, `ToolReply`.

`handles` makes a `Handler`, `handler_of` finds that of a tool.
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
    """One server's mailbox, its settings, and what it has to remember between calls."""

    source: MailboxSource
    settings: SurfaceSettings
    memory: ApprovalMemory = field(default_factory=ApprovalMemory)
    """Where its questions to a person are; several accounts of one server share one."""
    names: set[str] = field(default_factory=set[str])
    """What the mailbox has been called so far: a name until its provider says whose it is, then its address."""
    last_sync: str | None = None
    """When `sync_emails` last answered, RFC 3339; for providers that keep no such time themselves."""

    @property
    def mailbox(self) -> Mailbox:
        """The mailbox, opened by the first access.

        Raises:
            NeedsApproval: Its account is switched off.
            MailError: It cannot be opened.
        """
        return self.source.open()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """What a tool answers: the text of the convention, the structure beside it, and whether it did not work."""

    text: str
    data: Mapping[str, object]
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundCall:
    """A call whose arguments have been read: ready to be confirmed and run."""

    arguments: ToolInput
    dropped: list[str]
    run: Callable[[], Awaitable[ToolReply]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler(Generic[Input]):
    """The code of one tool."""

    model: type[Input]
    function: Callable[[Surface, Input], Awaitable[ToolReply]]

    def bind(self, surface: Surface, arguments: Mapping[str, object]) -> BoundCall:
        """Read the arguments.

        Raises:
            BadArgument: One is missing or wrong.
        """
        read, dropped = read_arguments(self.model, arguments)
        return BoundCall(arguments=read, dropped=dropped, run=lambda: self.function(surface, read))


def handles(
    model: type[Input],
) -> Callable[[Callable[[Surface, Input], Awaitable[ToolReply]]], Handler[Input]]:
    """Turn a function into the handler of the tool that takes `model`."""
    return lambda function: Handler(model=model, function=function)


def handler_of(spec: ToolSpec) -> Handler[Any]:
    """Return the handler of a tool; its module is imported by the first call, so reading loads nothing that writes."""
    handler: Handler[Any] = getattr(import_module(f"gaia_mail_mcp.surface.{spec.handler}"), spec.name)
    return handler


def undo(tool: str, **arguments: object) -> Undo:
    """The call that takes a write back."""
    return {"tool": tool, "arguments": arguments}
