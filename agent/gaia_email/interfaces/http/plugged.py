"""Parts of the HTTP interface that plug-ins bring. Entries: `HttpPart`, `open_parts`, `parts_of`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from gaia_email.app.services.feed import EventFeed
from gaia_email.interfaces.http.answering import Answering
from gaia_email.interfaces.http.connections import HostConnections
from gaia_email.interfaces.http.conversations import Conversations
from gaia_email.interfaces.http.credentials import AgentKeys, Principal
from gaia_email.plugins import load_parts


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpHost:
    """The server that a part is added to.

    Attributes:
        answering: Runs the operations.
        models: Environment that names the language model.
        conversations: Conversations with the agent.
        logins: Accounts that callers connect.
        open_feed: Returns the server's event feed.
        still_holds: Returns True while a principal's credential is valid.
    """

    answering: Answering
    models: Mapping[str, str]
    conversations: Conversations
    logins: HostConnections
    open_feed: Callable[[], Awaitable[EventFeed]]
    still_holds: Callable[[Principal], bool]


class HttpPart:
    """A plug-in's part of a server; a subclass overrides what it brings.

    Attributes:
        agents: The keys of agents of other programs, which open the paths below `agents_at` and no others.
        agents_at: Path prefix open to those agents; empty for none.
        sockets: Paths of its WebSockets.
    """

    agents: AgentKeys | None = None
    agents_at: str = ""
    sockets: Sequence[str] = ()

    def routes(self, prefix: str) -> Sequence[BaseRoute]:
        """Return its routes, each a `ScopedRoute` or `ScopedSocket`, below a prefix."""
        return ()

    async def start(self) -> None:
        """Begin its work when the server starts."""

    async def close(self) -> None:
        """End its work and close what it opened; calling it twice is harmless."""


def open_parts(host: HttpHost) -> tuple[HttpPart, ...]:
    """Return the parts of every installed plug-in."""
    return tuple(open_part(host) for open_part in load_parts("http"))


def parts_of(application: Starlette) -> tuple[HttpPart, ...]:
    """Return the parts that `create_http_app` added to an application."""
    parts: tuple[HttpPart, ...] = application.state.parts
    return parts
