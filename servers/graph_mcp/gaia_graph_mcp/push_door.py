"""Receives Microsoft's pushes: answers its validation request, and accepts pushes that carry the secret.

Entry: `GraphPushEndpoint` (ASGI).

https://learn.microsoft.com/graph/change-notifications-delivery-webhooks. A push only signals that something happened;
its other content is ignored. All pushes get the same response, so that it does not reveal a correct guess.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from typing_extensions import override

from gaia_graph_mcp.calls import is_object, objects
from gaia_mail_mcp.web.asgi import PushDoor, read_body
from gaia_mail_mcp.web.json_files import text_member

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope

    from gaia_graph_mcp.mailbox import GraphMailbox

PATH = "/push/graph"
MAX_BODY = 1_000_000
MAX_TOKEN = 4_000


class GraphPushEndpoint(PushDoor):
    """ASGI endpoint at `/push/graph`; wakes the mailboxes in `live` that a push is for."""

    def __init__(self, app: ASGIApp, live: Sequence[GraphMailbox], path: str = PATH) -> None:
        super().__init__(app, path)
        self._live = live

    @override
    async def take(self, scope: Scope, receive: Receive) -> tuple[int, str]:
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if token := query.get("validationToken", [""])[0]:
            return 200 if len(token) <= MAX_TOKEN else 400, token[:MAX_TOKEN]
        body = await read_body(receive, MAX_BODY)
        if body is None:
            return 413, ""
        self._notify(body)
        return 202, ""

    def _notify(self, body: bytes) -> None:
        try:
            found: object = json.loads(body)
        except (ValueError, RecursionError):
            return
        for item in objects(found.get("value") if is_object(found) else None):
            state, event = text_member(item, "clientState"), text_member(item, "lifecycleEvent")
            for mailbox in self._live:
                if mailbox.push is not None and mailbox.push.knows(state):
                    mailbox.push.note(event)
                    mailbox.tell()
