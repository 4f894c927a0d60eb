"""Pulls notifications from a Pub/Sub subscription while a call waits for mail. Entry: `Puller`."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable

from gaia_email_registry.errors import MailError
from gaia_gmail_mcp.calls import GmailCall
from gaia_gmail_mcp.client import GmailClient
from gaia_gmail_mcp.push import read_notification

MOST = 100
"""Messages per pull; they all mean the same: check the mailbox."""

PAUSE_S = 30.0
"""Seconds to pause after a failed pull; waiting calls keep polling Gmail meanwhile."""


class Puller:
    """One pull loop shared by all waiting calls.

    Args:
        client: Client for Pub/Sub, with a read timeout of minutes.
        subscription: Full name of the subscription.
        address: Returns the mailbox address; notifications for other addresses are not acknowledged.
        tell: Called when there is news.
    """

    pause_s = PAUSE_S

    def __init__(
        self, client: GmailClient, subscription: str, address: Callable[[], str], tell: Callable[[], None]
    ) -> None:
        self.client, self._subscription = client, subscription
        self._address, self._tell = address, tell
        self._waiting = 0
        self._task: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncGenerator[None, None]:
        """Pull until the last waiting call is done."""
        self._waiting += 1
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._pull())
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                await self.aclose()

    async def aclose(self) -> None:
        """Stop pulling; unacknowledged messages are delivered again."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _pull(self) -> None:
        while True:
            try:
                found = await self.client.call(self._call("pull", {"maxMessages": MOST}))
                ours = [item["ackId"] for item in found.get("receivedMessages", ()) if self._is_ours(item)]
                if ours:
                    try:
                        await self.client.call(self._call("acknowledge", {"ackIds": ours}))
                    finally:
                        self._tell()
                elif found.get("receivedMessages"):
                    await asyncio.sleep(self.pause_s)
            except MailError:
                await asyncio.sleep(self.pause_s)  # the client has recorded it for server_status

    def _is_ours(self, item: dict[str, dict[str, object]]) -> bool:
        """Return True for notifications of this mailbox, and for unreadable ones: they would be redelivered."""
        told = read_notification(item.get("message", {}).get("data"))
        return told is None or told.address.casefold() == self._address().casefold()

    def _call(self, verb: str, body: dict[str, object]) -> GmailCall:
        target = f"/v1/{self._subscription}:{verb}"
        return GmailCall(method="POST", target=target, units=1, body=json.dumps(body).encode())
