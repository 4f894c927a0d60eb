"""The sample mailbox for one test, and a client of the agent's server on it that may have a person to ask."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from fastmcp import Client

from gaia_email.app import App
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.mcp.server import create_agent_server

Json = dict[str, Any]
Mode = Literal["auto", "legacy"]


@dataclass
class Person:
    """Whoever sits at the client: says yes or no, and remembers what was asked."""

    says: bool = True
    asked: list[str] = field(default_factory=list[str])

    async def __call__(self, message: str, response_type: object, params: object, context: object) -> Json:
        self.asked.append(message)
        return {"value": self.says}


@dataclass
class Called:
    """What a tool answered."""

    is_error: bool
    text: str
    data: Json


class Assistant:
    """Calls tools as a model's host does."""

    def __init__(self, client: Client[Any]) -> None:
        self.client = client

    async def call(self, name: str, **arguments: object) -> Called:
        result = await self.client.call_tool(name, arguments, raise_on_error=False)
        text = getattr(result.content[0], "text", "") if result.content else ""
        return Called(is_error=bool(result.is_error), text=text, data=result.structured_content or {})

    async def data(self, name: str, **arguments: object) -> Json:
        called = await self.call(name, **arguments)
        assert not called.is_error, called.text
        return called.data


@pytest.fixture
def sample() -> Iterator[SourceSpec]:
    with sample_source(App()) as (_, source):
        yield source


def talk(
    source: SourceSpec,
    scenario: Callable[[Assistant], Awaitable[None]],
    *,
    person: Person | None = None,
    mode: Mode = "auto",
    read_only: bool = False,
) -> None:
    """Run a scenario against the server, in this process."""

    async def main() -> None:
        server = create_agent_server(App(), lambda: source, read_only=read_only)
        async with Client(server, mode=mode, elicitation_handler=person) as client:
            await scenario(Assistant(client))

    asyncio.run(asyncio.wait_for(main(), 50))
