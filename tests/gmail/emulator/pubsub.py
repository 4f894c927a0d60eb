"""An emulated Pub/Sub subscription that is pulled from. Entry: `PubSubMethods`."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.gmail.emulator.gmail import Call, Handler

Json = dict[str, Any]


def message_data(address: str, history: int) -> str:
    """What Gmail puts into a message."""
    content = json.dumps({"emailAddress": address, "historyId": history})
    return base64.b64encode(content.encode()).decode()


class PubSubMethods:
    """`waiting` holds what was not acknowledged; a pull waits for it a while, as Google's does."""

    def __init__(self) -> None:
        self.waiting: dict[str, Json] = {}
        self.pulls = 0
        self._made = 0
        self._news = asyncio.Event()
        self.handlers: dict[str, Handler] = {
            "pubsub.projects.subscriptions.pull": self.pull,
            "pubsub.projects.subscriptions.acknowledge": self.acknowledge,
        }

    def publish(self, address: str, history: int) -> None:
        """Gmail tells the topic."""
        self._made += 1
        message = {"data": message_data(address, history), "messageId": str(self._made)}
        self.waiting[f"ack-{self._made}"] = {"ackId": f"ack-{self._made}", "message": message}
        self._news.set()

    async def pull(self, call: Call) -> Json:
        self.pulls += 1
        if not self.waiting:
            self._news.clear()
            await self._news.wait()
        return {"receivedMessages": list(self.waiting.values())[: call.body["maxMessages"]]}

    async def acknowledge(self, call: Call) -> Json:
        for ack in call.body["ackIds"]:
            self.waiting.pop(ack, None)
        return {}
