"""Requests that plug-ins add to conversations. Entries: `PluginChat`, `chat_parts`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from gaia_email.app import App
from gaia_email.plugins import load_parts
from gaia_email_registry.origin import RequestOrigin


class PerformChatRequest(Protocol):
    """Performs a request in the user's words and returns its answer."""

    def __call__(self, app: App, words: str, *, origin: RequestOrigin) -> dict[str, object]:
        """Return the answer.

        Raises:
            MailError: The request failed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginChat:
    """A kind of request.

    Attributes:
        kind: Its name.
        tool: The name of its tool in the events of a conversation.
        render: The kind of its answer there.
        example: An example line.
        pattern: Regular expression for a whole line, whose group `about` is the request.
        is_request: Returns True if a line is a request as a whole, as the user typed it.
        perform: Performs the request.
        text: Returns the answer as text for the user.
    """

    kind: str
    tool: str
    render: str
    example: str
    pattern: str
    is_request: Callable[[str], bool]
    perform: PerformChatRequest
    text: Callable[[Mapping[str, object]], str]


@cache
def chat_parts() -> Mapping[str, PluginChat]:
    """Return the requests of the installed plug-ins, by kind."""
    return {part.kind: part for part in load_parts("chat")}
