"""The main pages and page parts, rendered from documents. Entry: `web_pages`."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.choosing import chosen_language
from gaia_email.app.languages.speaking import N_, speaking
from gaia_email.app.services.states import state_of_error
from gaia_email.interfaces.scoped import ScopedRoute
from gaia_email.interfaces.web.activity import activity_routes
from gaia_email.interfaces.web.changing import changing_routes
from gaia_email.interfaces.web.composing import composing_routes
from gaia_email.interfaces.web.first_day import first_day_routes, first_page
from gaia_email.interfaces.web.integrations import integrations_routes
from gaia_email.interfaces.web.labelling import labelling_routes
from gaia_email.interfaces.web.performing import (
    PageHandler,
    PageOperations,
    PerformOperation,
    accounts_in_use,
)
from gaia_email.interfaces.web.plugged import page_parts
from gaia_email.interfaces.web.posting import MOST_AT_ONCE
from gaia_email.interfaces.web.rendering import (
    STATIC,
    fragment,
    mail_frame,
    parse_reference,
    reference,
    shell,
    static_file,
)
from gaia_email.interfaces.web.settings import settings_routes
from gaia_email.interfaces.web.states import state_of_frame, state_routes, states_of_mail, stating
from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, NotFound

if TYPE_CHECKING:
    from gaia_email.app.documents.pending_types import ItemRow

Json = dict[str, Any]

A_PAGE = 100
"""Maximum threads of a bucket on a page."""

IN_ALL = 16
"""Maximum threads per section if all are shown together; five full sections with the frame stay within 100 KB."""

MOST_WAITING = 100
"""Maximum waiting items on a page."""

MOST_HITS = 50
"""Maximum search results per account on a page."""

PREVIEW_CHARS = 2_000
"""Maximum characters of a message in a preview."""

FRAME_S, MOST_FRAMES = 60.0, 16
"""Seconds during which a frame can be requested, once, and the maximum number at a time."""


MORE_ROUTES = (
    settings_routes,
    composing_routes,
    labelling_routes,
    first_day_routes,
    integrations_routes,
    state_routes,
    activity_routes,
)
"""Route functions of further pages, one per module; plug-ins add theirs."""


def web_pages(
    perform: PerformOperation,
    guarded: Callable[[PageHandler], PageHandler],
    api: str,
    language: str = "",
) -> list[ScopedRoute]:
    """Return the pages over operations.

    Args:
        perform: Performs an operation.
        guarded: Converts a handler's errors to answers.
        api: The path prefix of our own contract, for the event stream.
        language: The language of all pages; empty for the browser's.
    """
    pages = _Pages(perform)
    found = dict(pages.shown)

    def localize(handle: PageHandler) -> PageHandler:
        async def answer(request: Request) -> Response:
            with speaking(chosen_language(language, request.headers.get("accept-language", ""))):
                return await handle(request)

        return answer

    changes = changing_routes(perform)
    plugged = [routes_of for part in page_parts() for routes_of in part.routes]
    for more in (routes_of(perform) for routes_of in (*MORE_ROUTES, *plugged)):
        found |= more.shown
        changes |= more.changed
    routes = [
        ScopedRoute(f"/ui/{name}", localize(guarded(handle)), methods=[method], scope="decide")
        for method, handlers in (
            ("GET", {name: stating(perform, handle) for name, handle in found.items()}),
            ("POST", changes),
        )
        for name, handle in handlers.items()
    ]

    async def frame_of_pages(request: Request) -> Response:
        return shell(api)

    def static(name: str) -> PageHandler:
        async def send(request: Request) -> Response:
            return static_file(name)

        return send

    opened: dict[str, PageHandler] = {"/": frame_of_pages, "/mail": pages.mail}
    opened |= {f"/static/{name}": static(name) for name in STATIC}
    routes += [
        ScopedRoute(path, localize(handle), methods=["GET"], scope="open") for path, handle in opened.items()
    ]
    return routes


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadProgress:
    """The position in a sequence of threads shown one by one; `at` counts from 0."""

    page: str
    at: int
    total: int


@dataclass(slots=True)
class _Pages(PageOperations):
    frames: dict[str, tuple[float, str]] = field(default_factory=dict[str, tuple[float, str]])

    @property
    def shown(self) -> Mapping[str, PageHandler]:
        """Pages and page parts by name."""
        return {
            "frame": self.frame,
            "inbox": self.inbox,
            "thread": self.thread,
            "formatted": self.show_formatted,
            "waiting": self.waiting,
            "brief": self.brief,
            "zero": self.zero,
            "focus": self.focus,
            "preview": self.preview,
            "search": self.search,
        }

    async def frame(self, request: Request) -> Response:
        """Show the frame around every page: unread and waiting counts, and the agent's state."""
        status = await state_of_frame(self.perform, request)
        keys = await self._has_keys(request)
        counts: Mapping[str, Mapping[str, int]] = {}
        try:
            counts = (await self.ask(request, "inbox_counts"))["counts"]
            if not status["accounts"]:  # the sample mailbox is not a connected account
                status["states"] = [row for row in status["states"] if row["state"] != "not_connected"]
        except MailError as error:
            if not status["states"]:
                status["problems"] = [*status["problems"], error.message]
        return fragment("frame.html", status=status, counts=counts, keys=keys)

    async def _has_keys(self, request: Request) -> bool:
        """Return True if single letters are keyboard shortcuts."""
        try:
            rows = (await self.ask(request, "settings"))["settings"]
        except MailError:  # the page itself reports an unreadable ledger
            return True
        return all(one["value"] for one in rows if one["name"] == "page_keys")

    async def inbox(self, request: Request) -> Response:
        """Show the inbox: one bucket page by page, or the first threads of all buckets."""
        bucket = request.query_params.get("bucket", "")
        offset = _number(request, "offset")
        limit = A_PAGE if bucket else IN_ALL
        asked: Json = {"bucket": bucket, "offset": offset, "limit": limit}
        states: Sequence[Mapping[str, Any]] = ()
        try:
            found = await self.ask(request, "inbox", asked)
        except MailError as error:
            if isinstance(error, NeedsAuth) and not (await self.ask(request, "accounts"))["accounts"]:
                return await first_page(self, request)
            found = await self._last_seen(request, asked, error)
            states = await states_of_mail(self.perform, request)
        labels = (await self.ask(request, "labels", {"counts": not states}))["labels"]
        return fragment("inbox.html", found=found, states=states, labels=labels, **asked)

    async def _last_seen(self, request: Request, asked: Json, error: MailError) -> Json:
        """Return the last listed inbox if the mailbox is unavailable."""
        if state_of_error(error) is None:
            raise error
        try:
            return await self.ask(request, "inbox", {**asked, "offline": True})
        except MailError:
            raise error from None

    async def thread(self, request: Request) -> Response:
        """Show one message in its conversation: its bucket, the reasons, its text, and past actions."""
        return await self._message(request, request.query_params.get("of", ""))

    async def _message(self, request: Request, of: str, progress: ThreadProgress | None = None) -> Response:
        account, id_ = parse_reference(of)
        about = {"message_id": id_}
        shown, why, thread, policy = await asyncio.gather(
            *(self.ask(request, name, about, account) for name in ("show", "why", "thread", "explain"))
        )
        done, labels = await asyncio.gather(
            self.ask(request, "actions", {"account": account, "message_id": shown["id"], "limit": 20}),
            self.ask(request, "labels"),
        )
        return fragment(
            "thread.html",
            of=of,
            account=account,
            shown=shown,
            why=why,
            thread=thread,
            policy=policy,
            labels=labels["labels"],
            done=done["actions"],
            progress=progress,
        )

    async def brief(self, request: Request) -> Response:
        """Show the day's brief, or the evening's if requested."""
        evening = request.query_params.get("kind") == "evening"
        found = await self.ask(request, "brief", {"evening": evening, "to": "markdown"})
        return fragment("brief.html", found=found)

    async def zero(self, request: Request) -> Response:
        """Show one thread of the inbox, the most pressing first, with the position."""
        at = _number(request, "at")
        found = await self.ask(request, "inbox", {"limit": 1})
        total, before = sum(one["threads"] for one in found["counts"].values()), 0
        at = min(at, max(0, total - 1))
        for bucket, one in found["counts"].items():
            if at < before + one["threads"]:
                if at > before:
                    wanted = {"bucket": bucket, "offset": at - before, "limit": 1}
                    found = await self.ask(request, "inbox", wanted)
                if rows := found["buckets"][bucket]:
                    return await self._message(
                        request,
                        reference(rows[0]["account"], rows[0]["id"]),
                        ThreadProgress(page="zero", at=at, total=total),
                    )
            before += one["threads"]
        return fragment("zero.html", is_focus=False)

    async def focus(self, request: Request) -> Response:
        """Show one postponed message, the oldest first, with the position."""
        queue = (await self.ask(request, "later"))["reply_later"]
        if not queue:
            return fragment("zero.html", is_focus=True)
        at = min(_number(request, "at"), len(queue) - 1)
        progress = ThreadProgress(page="focus", at=at, total=len(queue))
        return await self._message(request, reference(queue[at]["account"], queue[at]["id"]), progress)

    async def preview(self, request: Request) -> Response:
        """Show the beginning of a search result without opening the message."""
        account, id_ = parse_reference(request.query_params.get("of", ""))
        shown = await self.ask(request, "show", {"message_id": id_}, account)
        text = shown["text"]["normalized"]
        return fragment("preview.html", text=text[:PREVIEW_CHARS], is_cut=len(text) > PREVIEW_CHARS)

    async def search(self, request: Request) -> Response:
        """Show the search results of each account, with the matching words marked."""
        query = request.query_params.get("q", "").strip()
        found: list[tuple[str, Json]] = []
        if query:
            accounts = await accounts_in_use(self.perform, request)
            value = {"query": query, "limit": MOST_HITS}
            answers = await asyncio.gather(*(self.ask(request, "search", value, one) for one in accounts))
            found = list(zip(accounts, answers, strict=True))
        return fragment("search.html", query=query, found=found)

    async def show_formatted(self, request: Request) -> Response:
        """Show a frame for a mail as its sender formatted it; its URL works once, within a minute."""
        account, id_ = parse_reference(request.query_params.get("of", ""))
        found = await self.ask(request, "formatted", {"message_id": id_}, account)
        now = time.monotonic()
        self.frames = {key: one for key, one in self.frames.items() if now < one[0]}
        while len(self.frames) >= MOST_FRAMES:
            del self.frames[next(iter(self.frames))]
        key = secrets.token_urlsafe(24)
        self.frames[key] = (now + FRAME_S, found["html"])
        return fragment("formatted.html", key=key if found["html"] else "")

    async def mail(self, request: Request) -> Response:
        """Return the content of such a frame to any holder of its URL."""
        until, html = self.frames.pop(request.query_params.get("key", ""), (0.0, ""))
        if time.monotonic() >= until:
            raise NotFound("This frame was shown already.", hint=N_("press Show formatted once more."))
        return mail_frame(html)

    async def waiting(self, request: Request) -> Response:
        """Show the Agent Inbox."""
        kind = request.query_params.get("type", "")
        found = await self.ask(request, "pending", {"type": kind})
        return fragment(
            "waiting.html", found=found, kind=kind, most=MOST_WAITING, groups=_groups(found["items"])
        )


def _groups(items: Sequence[ItemRow]) -> Mapping[str, list[tuple[str, list[str]]]]:
    """Return items that can be answered together, by each group's first item: same kind and cohort, or same run."""
    found: defaultdict[tuple[str, str, str], list[ItemRow]] = defaultdict(list)
    for one in items:
        if one["cohort"] or one["type"] == "notify":
            found["cohort", one["type"], one["cohort"]].append(one)
        if one["run_id"]:
            found["run", one["type"], one["run_id"]].append(one)
    groups: defaultdict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for (what, _, _), members in found.items():
        if len(members) > 1:
            references = [reference(one["account"], one["id"]) for one in members[:MOST_AT_ONCE]]
            groups[members[0]["id"]].append((what, references))
    return groups


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    if not text.isdecimal() or len(text) > 9:
        raise BadArgument(f"{name}: a whole number.", argument=f"/{name}")
    return int(text)
