"""Subscribes to Microsoft's push notifications and keeps the subscription alive. Entry: `GraphSubscription`.

https://learn.microsoft.com/graph/change-notifications-overview. Calls that wait for mail renew a subscription when
less than a day is left or Microsoft asks for it; a subscription that Microsoft removed is created again.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path

from typing_extensions import override

from gaia_email_registry.errors import MailError, NotFound
from gaia_graph_mcp.calls import GraphCall, Resource, subscriptions
from gaia_graph_mcp.client import GraphClient
from gaia_mail_mcp.calendar import Watchable
from gaia_mail_mcp.web.json_files import Json, read_json, text_member, write_json

LASTS = dt.timedelta(minutes=4_200)
"""Lifetime of a subscription: below Microsoft's limits for messages, now (10,080) and before (4,230)."""

RENEW = dt.timedelta(days=1)
"""Time before expiry at which a subscription is renewed."""

RETRY = dt.timedelta(minutes=10)
"""Time to wait after a failed renewal."""


def _utc_now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class GraphSubscription(Watchable):
    """The subscription of one mailbox.

    Args:
        client: Client for Graph.
        path: File that stores the subscription; it contains a secret.
        url: URL that Microsoft pushes to.
        now: Returns the current time.
    """

    def __init__(
        self, client: GraphClient, path: Path, url: str, now: Callable[[], dt.datetime] = _utc_now
    ) -> None:
        self._client, self._path, self._url, self._now = client, path, url, now
        self._tried: dt.datetime | None = None

    @override
    async def watch(self) -> dt.datetime:
        """Renew the existing subscription, or create one."""
        until = self._now() + LASTS
        known = self._known()
        id_ = text_member(known, "id")
        if id_:
            try:
                await self._client.call(
                    subscriptions("PATCH", id_, body={"expirationDateTime": _written(until)})
                )
            except NotFound:
                id_ = ""
        if not id_:
            known = dict[str, Json](url=self._url, state=secrets.token_urlsafe(32))
            write_json(self._path, known)  # the first push may arrive before the response
            id_ = str((await self._client.call(self._subscribing(known, until))).get("id", ""))
        write_json(self._path, {**known, "id": id_, "until": until.timestamp(), "due": False})
        return until

    @override
    async def unwatch(self) -> bool:
        known = self._known()
        if not known:
            return False
        if id_ := text_member(known, "id"):
            with contextlib.suppress(NotFound):
                await self._client.call(subscriptions("DELETE", id_))
        self._path.unlink(missing_ok=True)
        return bool(id_)

    async def is_live(self) -> bool:
        """Return True if the subscription is active; renew or recreate it if due."""
        known = self._known()
        until = known.get("until")
        if not isinstance(until, float):
            return False
        now = self._now()
        ends = dt.datetime.fromtimestamp(until, dt.UTC)
        due = ends - now < RENEW or known.get("due") is True
        if due and (self._tried is None or now - self._tried >= RETRY):
            self._tried = now
            with contextlib.suppress(MailError, OSError):
                return await self.watch() > now
        return ends > now and bool(text_member(known, "id"))

    def knows(self, state: str) -> bool:
        """Return True if a push with this client state is for this mailbox."""
        known = text_member(self._known(), "state")
        return bool(known) and hmac.compare_digest(known.encode(), state.encode())

    def note(self, event: str) -> None:
        """Handle a lifecycle event, which concerns the subscription itself."""
        known = self._known()
        if event == "subscriptionRemoved":
            known["id"] = ""
        if event in ("subscriptionRemoved", "reauthorizationRequired") and "until" in known:
            write_json(self._path, {**known, "due": True})
            self._tried = None

    def _known(self) -> dict[str, Json]:
        """Return the stored subscription for this URL; empty if there is none or it is for another URL."""
        try:
            found = read_json(self._path) or {}
        except OSError:
            return {}
        return found if found.get("url") == self._url else {}

    def _subscribing(self, known: dict[str, Json], until: dt.datetime) -> GraphCall:
        owner = f"users/{self._client.shared}" if self._client.shared else "me"
        body: Resource = {
            "changeType": "created,updated,deleted",
            "resource": f"{owner}/messages",
            "notificationUrl": self._url,
            "lifecycleNotificationUrl": self._url,
            "clientState": known["state"],
            "expirationDateTime": _written(until),
        }
        return subscriptions("POST", body=body)


def _written(time: dt.datetime) -> str:
    return time.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
