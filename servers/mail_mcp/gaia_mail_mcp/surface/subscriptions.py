"""Notifies subscribed clients of changes, in both versions of the protocol. Entry: `serve_subscriptions`.

FastMCP 4.1 supports no resource subscriptions, so the handlers are added to its low-level server; a test pins that
private attribute. Notifications are never repeated: `sync_emails` and `wait_for_changes` are reliable, subscriptions
are convenient.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp_types import (
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)

from gaia_mail_mcp.surface.accounts import LazySurface

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

_LOG = logging.getLogger("gaia_mail_mcp")

WAIT_S = 300.0
"""Seconds of one wait for changes before the next one starts."""

RETRY_S = 30.0
"""Seconds to pause after the mailbox could not be watched."""

MAX_SUBSCRIBED = 1_000
"""Most resources that a connection with the older protocol may subscribe to."""

RequestContext = ServerRequestContext[None, object]


class Subscriptions:
    """Subscriptions by resource, and a task that waits for changes while there are any."""

    def __init__(self, surface: LazySurface) -> None:
        self._surface = surface
        self._sessions: dict[str, list[ServerSession]] = {}
        self._listening: tuple[InMemorySubscriptionBus, ListenHandler] | None = None
        self._task: asyncio.Task[None] | None = None

    async def subscribe(self, context: RequestContext, params: SubscribeRequestParams) -> EmptyResult:
        """Handle `resources/subscribe`, until protocol 2025-11-25."""
        if len(self._sessions) < MAX_SUBSCRIBED:
            subscribed = self._sessions.setdefault(str(params.uri), [])
            if context.session not in subscribed:
                subscribed.append(context.session)
            await self._watch()
        return EmptyResult()

    async def unsubscribe(self, context: RequestContext, params: UnsubscribeRequestParams) -> EmptyResult:
        """Handle `resources/unsubscribe`, until protocol 2025-11-25."""
        self._drop(str(params.uri), context.session)
        return EmptyResult()

    async def listen(
        self, context: RequestContext, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Handle `subscriptions/listen`, from protocol 2026-07-28; the response is the stream."""
        if self._listening is None:
            from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

            bus = InMemorySubscriptionBus()
            self._listening = (bus, ListenHandler(bus))
        await self._watch()
        return await self._listening[1](context, params)

    async def aclose(self) -> None:
        """Stop waiting."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _watch(self) -> None:
        """Start waiting, from a cursor that is taken before the subscription is confirmed."""
        if self._task is not None and not self._task.done():
            return
        cursor = await self._now()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._follow(cursor))

    async def _now(self) -> str | None:
        try:
            return await self._surface.source.open().cursor()
        except Exception:
            _LOG.warning("cannot watch %s", self._surface.source.account, exc_info=True)
            return None

    async def _follow(self, cursor: str | None) -> None:
        while True:
            if cursor is None:
                await asyncio.sleep(RETRY_S)
                cursor = await self._now()
                continue
            try:
                if await self._surface.source.open().wait(cursor, timeout_s=WAIT_S):
                    cursor = await self._tell(cursor)
            except Exception:
                _LOG.warning("cannot watch %s", self._surface.source.account, exc_info=True)
                cursor = None

    async def _tell(self, cursor: str) -> str:
        """Send notifications for all changes after `cursor`; return the new cursor."""
        from gaia_mail_mcp.surface.resources import email_uri, inbox_uri, thread_uri

        account = self._surface.source.account
        changes = await self._surface.source.open().changes(cursor, limit=500)
        uris = [inbox_uri(account)]
        uris += [thread_uri(account, summary["thread_id"]) for summary in changes.added]
        uris += [email_uri(account, changed["id"]) for changed in changes.changed]
        uris += [email_uri(account, removed) for removed in changes.removed]
        for uri in dict.fromkeys(uris):
            await self._notify(uri)
        return changes.cursor

    async def _notify(self, uri: str) -> None:
        if self._listening is not None:
            from mcp.server.subscriptions import ResourceUpdated

            await self._listening[0].publish(ResourceUpdated(uri=uri))
        for session in tuple(self._sessions.get(uri, ())):
            try:
                await session.send_resource_updated(uri)
            except Exception:
                _LOG.info("a subscriber of %s is gone", uri)
                self._drop(uri, session)

    def _drop(self, uri: str, session: ServerSession) -> None:
        subscribed = self._sessions.get(uri, [])
        if session in subscribed:
            subscribed.remove(session)
        if not subscribed:
            self._sessions.pop(uri, None)


def serve_subscriptions(server: FastMCP[None], surface: LazySurface) -> Subscriptions:
    """Add the three handlers to `server`; the caller closes the returned object when the server stops."""
    made = Subscriptions(surface)
    low_level = server._mcp_server  # pyright: ignore[reportPrivateUsage]
    low_level.add_request_handler("resources/subscribe", SubscribeRequestParams, made.subscribe)
    low_level.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, made.unsubscribe)
    low_level.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, made.listen)
    return made
