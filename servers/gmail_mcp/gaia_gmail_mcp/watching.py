"""Starts and renews Gmail's push notifications. Entry: `PushWatch`.

A watch expires after 7 days. Calls that wait for mail renew it when less than 24 hours are left.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import AsyncGenerator
from pathlib import Path

from typing_extensions import override

from gaia_email_registry.errors import BadArgument, MailError
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import post
from gaia_gmail_mcp.pull import Puller
from gaia_gmail_mcp.push import PushTopic
from gaia_gmail_mcp.units import Units
from gaia_mail_mcp.calendar import Watchable
from gaia_mail_mcp.web.json_files import read_json, write_json

RENEW_S = 24 * 3600.0
"""Seconds before expiry at which a watch is renewed."""

RETRY_S = 600.0
"""Seconds to wait after a failed renewal."""


class PushWatch(Watchable):
    """The watch of one account, and how its notifications arrive.

    Attributes:
        push: Push settings; without a topic there is nothing to watch.
        puller: Pulls notifications if they are not pushed to this machine.
    """

    def __init__(self, account: GmailAccount, push: PushTopic) -> None:
        self._account, self.push = account, push
        self.puller: Puller | None = None
        self._tried = float("-inf")

    @override
    async def watch(self) -> dt.datetime:
        folder = (await self._account.connect()).folder
        if not self.push.topic:
            raise BadArgument(
                "No Pub/Sub topic is configured for this server.",
                hint="Set GAIA_PUBSUB_TOPIC and start it again.",
            )
        body = {"topicName": self.push.topic}
        answer = await self._account.client.call(post("watch", units=Units.SEND, body=body))
        until = int(answer["expiration"]) / 1000
        write_json(_path(folder), {"topic": self.push.topic, "until": until})
        return dt.datetime.fromtimestamp(until, dt.UTC)

    @override
    async def unwatch(self) -> bool:
        """Stop the watch. An account has only one, so this also ends other programs' notifications."""
        folder = (await self._account.connect()).folder
        before = self._until(folder)
        await self._account.client.call(post("stop", units=Units.MANY))
        _path(folder).unlink(missing_ok=True)
        return before is not None

    @contextlib.asynccontextmanager
    async def hearing(self) -> AsyncGenerator[bool, None]:
        """Receive notifications; yields True if they arrive, so that rare polling is enough."""
        live = await self._is_watched()
        if not live or self.puller is None:
            yield live
            return
        async with self.puller.running():
            yield True

    async def _is_watched(self) -> bool:
        """Renew the watch if it is due; return True if it is still valid."""
        if not self.push.topic or not self.push.is_heard:
            return False
        until = self._until((await self._account.connect()).folder)
        if until is None:
            return False
        now = self._account.client.health.clock()
        if until - now < RENEW_S and now - self._tried >= RETRY_S:
            self._tried = now
            with contextlib.suppress(MailError, OSError):  # the client has recorded it for server_status
                return (await self.watch()).timestamp() > now
        return until > now

    def _until(self, folder: Path) -> float | None:
        """Return when the watch of this topic ends; None if there is no watch."""
        try:
            found = read_json(_path(folder)) or {}
        except OSError:
            return None
        until = found.get("until")
        return until if found.get("topic") == self.push.topic and isinstance(until, float) else None


def _path(folder: Path) -> Path:
    return folder / "watch.json"
