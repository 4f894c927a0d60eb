"""The emulated Graph's subscriptions: asks the address for proof, pushes to it. Entry: `SubscriptionRoutes`.

https://learn.microsoft.com/graph/api/subscription-post-subscriptions.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.answering import Refused, answer_json, body_of

Json = dict[str, Any]
Outside = Callable[[str, bytes], Awaitable[tuple[int, str]]]
"""POSTs to an address on the internet: the status and the text of the answer."""

LONGEST = dt.timedelta(minutes=10_080)


async def _nobody(url: str, body: bytes) -> tuple[int, str]:
    return 404, ""


class SubscriptionRoutes:
    """Subscriptions by id."""

    def __init__(self) -> None:
        self.stored: dict[str, Json] = {}
        self.outside: Outside = _nobody
        self.statuses: list[int] = []
        """What pushes were answered with."""

    async def answer(self, request: Request, rest: list[str]) -> Response:
        """One request."""
        match request.method, rest:
            case "POST", []:
                return answer_json(await self._create(body_of(request)), 201)
            case "PATCH", [id_] if id_ in self.stored:
                self.stored[id_] |= body_of(request)
                self._check(self.stored[id_])
                return answer_json(self.stored[id_])
            case "DELETE", [id_] if id_ in self.stored:
                del self.stored[id_]
                return Response(status=204)
            case _:
                raise Refused(404, "ResourceNotFound", "The object was not found.")

    async def push(self, **changed: object) -> None:
        """Tell every subscriber that a message came; `changed` is how this push differs."""
        for found in list(self.stored.values()):
            item = {
                "subscriptionId": found["id"],
                "clientState": found["clientState"],
                "changeType": "created",
                "resource": "Users/1/Messages/AAMk",
                **changed,
            }
            status, _ = await self.outside(found["notificationUrl"], json.dumps({"value": [item]}).encode())
            self.statuses.append(status)

    async def _create(self, body: Json) -> Json:
        self._check(body)
        proof = f"Validation: <b>{secrets.token_urlsafe(8)}</b> & more"
        for name in ("notificationUrl", "lifecycleNotificationUrl"):
            status, text = await self.outside(f"{body[name]}?validationToken={quote(proof)}", b"")
            if (status, text) != (200, proof):
                raise Refused(400, "ValidationError", "Subscription validation request failed.")
        found = {"id": f"sub-{len(self.stored) + 1}-{secrets.token_hex(4)}", **body}
        self.stored[found["id"]] = found
        return found

    def _check(self, body: Json) -> None:
        ends = dt.datetime.fromisoformat(body["expirationDateTime"])
        if ends - dt.datetime.now(dt.UTC) > LONGEST:
            raise Refused(400, "ExtensionError", "Subscription expiration can only be 10080 minutes.")
        if not body["notificationUrl"].startswith("https://") or len(body["clientState"]) > 128:
            raise Refused(400, "InvalidRequest", "The address is not https, or the state too long.")
        if body["resource"] != "me/messages":
            raise Refused(400, "InvalidRequest", "Only messages are emulated.")
