"""What every test here stands on: the settings of a server, its clients, and a watch over its mailbox.

Entries: `settings_for`, `connected`, `Watched`. What counts as harm is written down here once more, from the
specification and not from the code that decides whether to ask.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from mcp_types import ElicitRequestURLParams

from gaia_mail_mcp.calendar import CounterProposal, NewCalendarEvent, Response
from gaia_mail_mcp.mailbox import Draft, Mailbox, Unsubscribed, WriteOutcome
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.mailbox_wrapper import MailboxWrapper

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import (
        CalendarEvent,
        Filter,
        FilterAction,
        FilterCriteria,
        Label,
        Vacation,
    )

Era = Literal["legacy", "auto"]
ERAS: tuple[Era, ...] = ("legacy", "auto")
"""Protocol eras, as FastMCP's client names them: with requests from server to client, and without."""

Handler = Callable[..., Awaitable[Any]]
Arguments = dict[str, Any]

MOST_UNASKED = 25
"""Messages that one call may touch without a question, and that all calls of ten minutes together may move."""


def settings_for(
    folder: Path,
    *,
    way: Literal["ask", "host"] = "ask",
    opened: list[Path] | None = None,
    allow_permanent_delete: bool = False,
    on_disk: bool = True,
) -> SurfaceSettings:
    """As a server starts by default, everything it writes below `folder`.

    Args:
        folder: Gets `downloads`, `attach` (what may be attached) and `home` (the questions).
        opened: Has a browser that notes what it is to show and shows it to nobody; None: no screen at all.
        on_disk: Keeps the questions in a file, as by default; in memory a thousand of them take seconds less.
    """

    def opener(file: Path) -> bool:
        assert opened is not None
        opened.append(file)
        return True

    return SurfaceSettings(
        allow_permanent_delete=allow_permanent_delete,
        download_dir=folder / "downloads",
        attachment_dir=folder / "attach",
        approval=ApprovalSettings(
            way=way,
            store=store_in(folder) if on_disk else None,
            opener=None if opened is None else opener,
            runtime_dir=None if opened is None else folder / "home" / "run",
            wait_s=0.0,
        ),
    )


def store_in(folder: Path) -> Path:
    """Where the questions of a server with `settings_for(folder)` are."""
    return folder / "home" / "approvals.db"


@asynccontextmanager
async def connected(
    mailbox: Mailbox | MailboxSource, settings: SurfaceSettings, era: Era, handler: Handler | None = None
) -> AsyncGenerator[Client[Any], None]:
    """A client of a server over `mailbox`; with a handler it announces that it can ask its user."""
    asking: Any = handler
    async with Client(create_server(mailbox, settings), mode=era, elicitation_handler=asking) as client:
        yield client


async def failing(*_: object) -> object:
    """A client that announced it could ask, and cannot."""
    raise RuntimeError("no window to ask in")


class OpensNoPage:
    """A client that cannot show forms, says yes to every address it is to open, and opens none."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    async def __call__(self, _: str, __: object, params: object, *___: object) -> object:
        if isinstance(params, ElicitRequestURLParams):
            self.addresses.append(params.url)
            return ElicitResult[Any](action="accept")
        raise RuntimeError("no window to ask in")


def answering(*told: object) -> Handler:
    """A client that answers with those in turn, whatever is asked."""
    count = 0

    async def answer(*_: object) -> object:
        nonlocal count
        count += 1
        return told[(count - 1) % len(told)]

    return answer


def accepted(**content: object) -> ElicitResult[dict[str, Any]]:
    """What a client sends for a form that its user filled in so."""
    return ElicitResult(action="accept", content=content)


NOT_YES = (
    accepted(value=False),
    accepted(),
    accepted(value="true"),
    accepted(value=1),
    accepted(confirm=True, approved=True),
    accepted(value=False, confirm=True),
)
"""Forms that came back filled in, none of them with the one yes."""

CLIENTS: Mapping[str, Handler | None] = {
    "cannot ask": None,
    "fails to ask": failing,
    "declines": answering(ElicitResult(action="decline")),
    "cancels": answering(ElicitResult(action="cancel")),
    "accepts something else": answering(*NOT_YES),
}
"""Clients behind which nobody agrees to anything."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A change that was asked of a mailbox: its method, the messages it is about, and bytes that leave."""

    what: str
    ids: tuple[str, ...] = ()
    raw: bytes = b""


@dataclass(kw_only=True)
class _Log:
    effects: list[Effect] = field(default_factory=list[Effect])

    def note(self, what: str, ids: Sequence[str] = (), raw: bytes = b"") -> None:
        self.effects.append(Effect(what=what, ids=tuple(ids), raw=raw))


IRREVOCABLE = frozenset(
    (
        "send",
        "delete",
        "delete_label",
        "create_filter",
        "delete_filter",
        "unsubscribe",
        "set_vacation",
        "create_event",
        "respond",
        "delete_event",
    )
)
"""What no call may do without a person: it reaches others, stays, or cannot be taken back."""


class Watched(MailboxWrapper):
    """A mailbox that notes every change asked of it, before it happens."""

    def __init__(self, inner: Mailbox) -> None:
        super().__init__(inner)
        self.log = _Log()

    def since(self, mark: int) -> list[Effect]:
        """What was asked after the first `mark` effects."""
        return self.log.effects[mark:]

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        self.log.note("modify", ids)
        return await super().modify(ids, add=add, remove=remove)

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        self.log.note("trash", ids)
        return await super().trash(ids)

    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        self.log.note("untrash", ids)
        return await super().untrash(ids)

    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        self.log.note("snooze", ids)
        return await super().snooze(ids, until)

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        self.log.note("delete", ids)
        return await super().delete(ids)

    async def report_phishing(self, ids: Sequence[str]) -> None:
        self.log.note("report_phishing", ids)
        await super().report_phishing(ids)

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        self.log.note("create_draft", raw=raw)
        return await super().create_draft(raw, thread_id)

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        self.log.note("send", raw=raw)
        return await super().send(raw, thread_id)

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        self.log.note("send", raw=raw or b"")
        return await super().send_draft(draft_id, raw)

    async def delete_label(self, label_id: str) -> Label:
        self.log.note("delete_label")
        return await super().delete_label(label_id)

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        self.log.note("create_filter")
        return await super().create_filter(criteria, action)

    async def delete_filter(self, filter_id: str) -> Filter:
        self.log.note("delete_filter")
        return await super().delete_filter(filter_id)

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        self.log.note("unsubscribe", [message_id])
        return await super().unsubscribe(message_id)

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        self.log.note("set_vacation")
        return await super().set_vacation(vacation)

    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        self.log.note("create_event")
        return await super().create_event(new)

    async def respond(
        self,
        event_id: str,
        response: Response,
        *,
        comment: str | None,
        notify: bool,
        propose: CounterProposal | None = None,
    ) -> CalendarEvent:
        self.log.note("respond")
        return await super().respond(event_id, response, comment=comment, notify=notify, propose=propose)

    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        self.log.note("delete_event")
        return await super().delete_event(event_id, notify=notify)


_ALWAYS_ASKED = frozenset(
    (
        "send_email",
        "send_draft",
        "delete_email",
        "batch_delete_emails",
        "delete_label",
        "create_filter",
        "create_filter_from_template",
        "delete_filter",
        "unsubscribe",
        "delete_calendar_event",
    )
)


def needs_a_person(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether nothing at all may happen in this call without a person's yes (`tools.md`, "Risk tiers")."""
    if tool in ("create_filter", "create_filter_from_template") and arguments.get("dryRun") is True:
        return False
    match tool:
        case "reply_to_email" | "forward_email":
            return arguments.get("draft") is not True
        case "create_calendar_event":
            return bool(arguments.get("attendees"))
        case "respond_to_invitation":
            return arguments.get("notify") is not False
        case "set_vacation":
            return arguments.get("enabled") is not False
        case _:
            return tool in _ALWAYS_ASKED


def harm(tool: str, arguments: Mapping[str, Any], effects: Collection[Effect]) -> list[str]:
    """What a call did that it must not have done without a person, in words; `effects` are those of the call."""
    touched = {message_id for effect in effects for message_id in effect.ids}
    found = [f"{tool}: {effect.what}" for effect in effects if effect.what in IRREVOCABLE]
    if effects and not found and needs_a_person(tool, arguments):
        found = [f"{tool}: {effect.what}" for effect in effects]
    if len(touched) > MOST_UNASKED:
        found.append(f"{tool}: touched {len(touched)} messages")
    return found
