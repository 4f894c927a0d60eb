"""Fetches news from a Pub/Sub subscription while somebody waits for it. Entry: `Puller`."""

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
"""Messages a pull; all of them say the same: look."""

PAUSE_S = 30.0
"""After a pull that did not work; those who wait go on polling meanwhile."""


class Puller:
    """One loop of pulls for all who wait.

    Args:
        client: How Pub/Sub is called; its answers may take minutes.
        subscription: Its full name.
        address: Whose mailbox; what is about another one is left for whom it is for.
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
        """Pull until the last of those who wait is done."""
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
        """Stop; what was not acknowledged comes again."""
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
                await asyncio.sleep(self.pause_s)  # the client has noted it for server_status

    def _is_ours(self, item: dict[str, dict[str, object]]) -> bool:
        """Also what cannot be read: it would come again for ever."""
        told = read_notification(item.get("message", {}).get("data"))
        return told is None or told.address.casefold() == self._address().casefold()

    def _call(self, verb: str, body: dict[str, object]) -> GmailCall:
        target = f"/v1/{self._subscription}:{verb}"
        return GmailCall(method="POST", target=target, units=1, body=json.dumps(body).encode())
