"""Shared parts of the tools: the mailbox, serialized changes, errors. Entry: `ServedMailbox`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from fastmcp.exceptions import ToolError
from fastmcp.tools.base import ToolResult
from mcp_types import ToolAnnotations

from gaia_email.app import App
from gaia_email.app.documents.classify import Json
from gaia_email.app.operations.operation import Operation, OperationCall, OperationInput
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.mcp.asking import TokenAsker
from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.printable import safe_json

Result = TypeVar("Result")
Input = TypeVar("Input", bound=OperationInput)

INTERFACE: Final = "mcp"
"""Name of this interface in the event log."""

CLIENT = RequestOrigin(principal="mcp_client", interface=INTERFACE)
"""Origin of every client request; a client cannot prove its name, so none is recorded."""

READ = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITE = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
REPEATABLE = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
DESTRUCTIVE = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
OBJECT: dict[str, object] = {"type": "object"}


@dataclass(slots=True, kw_only=True)
class ServedMailbox:
    """A server's mailbox, safe for concurrent calls; `source` is resolved per call and may be missing at the start."""

    app: App
    source: Callable[[], SourceSpec]
    asker: TokenAsker = field(default_factory=TokenAsker)
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, work: Callable[[App, SourceSpec], Result]) -> Result:
        """Run blocking work in its own thread, concurrently with other calls.

        Raises:
            ToolError: It failed; the text is for the user and the model.
        """
        return await asyncio.to_thread(self._answered, work)

    async def change(self, work: Callable[[App, SourceSpec], Result]) -> Result:
        """Like `run`, for changes to the mailbox: one at a time, since an account can be open for changes only once.

        Raises:
            ToolError: It failed; the text is for the user and the model.
        """
        async with self._changing:
            return await self.run(work)

    async def document(
        self,
        operation: Operation[Input],
        asked: Input,
        *,
        by_person: bool = False,
        confirm: Callable[[Mapping[str, Any]], bool] | None = None,
    ) -> Mapping[str, Any]:
        """Run an operation and return its document.

        Args:
            operation: The operation to run.
            asked: Its input.
            by_person: True if the user behind the client agreed to exactly this.
            confirm: Returns True if the operation, as it is now, is the one they agreed to.

        Raises:
            ToolError: It failed, or needs the consent of a user who was not asked.
        """
        if operation.takes_person(asked) and not by_person:
            raise tool_error(NeedsApproval("This takes the user's own word; nothing was done."))
        return await self.run_unasked(operation, asked, by_person=by_person, confirm=confirm)

    async def run_unasked(
        self,
        operation: Operation[Input],
        asked: Input,
        *,
        by_person: bool = False,
        confirm: Callable[[Mapping[str, Any]], bool] | None = None,
    ) -> Mapping[str, Any]:
        """Like `document`, for operations that the user's levels already allow, or that restrict the agent.

        Raises:
            ToolError: It failed.
        """

        def work(app: App, source: SourceSpec) -> Mapping[str, Any]:
            sources = () if operation.mailbox == "none" else (source,)
            return operation.run(
                app,
                OperationCall(
                    asked=asked, origin=CLIENT, by_person=by_person, sources=sources, confirm=confirm
                ),
            )

        is_read = operation.risk == "read" and not operation.takes_person(asked)
        return await (self.run(work) if is_read else self.change(work))

    def _answered(self, work: Callable[[App, SourceSpec], Result]) -> Result:
        try:
            return work(self.app, self.source())
        except MailError as error:
            raise tool_error(error) from None


def tool_error(error: MailError) -> ToolError:
    """Return an error as one or two sentences, including the next step."""
    message = error.message[:1].upper() + error.message[1:]
    return ToolError(f"{message} Next: {error.hint}" if error.hint else message)


def answer(document: Json) -> ToolResult:
    """Return an object as structured content, and as text for clients that read only text."""
    return ToolResult(
        content=safe_json(json.dumps(document, ensure_ascii=False, separators=(",", ":"))),
        structured_content=document,
    )
