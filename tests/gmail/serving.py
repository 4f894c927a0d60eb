"""A server on an emulated account, and a client of it. Entries: `Session`, `serving`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from gaia_gmail_mcp.server import SERVER, open_server
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import many
from tests.gmail.emulator.emulator import EVERY_SCOPE, Emulator
from tests.gmail.support import write_files

Json = dict[str, Any]


class Answer:
    """What a tool answered."""

    def __init__(self, text: str, data: Json, *, failed: bool) -> None:
        self.text, self.data, self.failed = text, data, failed


class Session:
    """An emulator, the environment that leads to it, and a client of a server on it."""

    def __init__(self, emulator: Emulator, environ: dict[str, str], client: Client[Any]) -> None:
        self.emulator, self.environ, self.client = emulator, environ, client

    async def call(self, tool: str, **arguments: object) -> Answer:
        """Call a tool."""
        found = await self.client.call_tool(tool, arguments, raise_on_error=False)
        text = "".join(item.text for item in found.content if item.type == "text")
        return Answer(text, found.structured_content or {}, failed=bool(found.is_error))

    async def ids(self, query: str = "") -> list[str]:
        """Ids that a search finds."""
        answer = await self.call("search_emails", query=query, maxResults=500)
        return [email["id"] for email in answer.data["emails"]]


Scenario = Callable[[Session], Awaitable[None]]
Serve = Callable[..., None]


def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Runs a scenario against a server on an emulated account of so many messages."""

    def serve(
        scenario: Scenario,
        *,
        count: int = 3,
        scope: str = EVERY_SCOPE,
        options: dict[str, str] | None = None,
        settings: SurfaceSettings | None = None,
    ) -> None:
        async def main() -> None:
            emulator = Emulator()
            for seed in many(count):
                emulator.account.mailbox.put(seed.raw, seed.labels)
            await emulator.start()
            store = write_files(emulator, tmp_path, scope=scope)
            environ = {
                "GAIA_GMAIL_API_ROOT": emulator.root,
                "GAIA_GOOGLE_OAUTH_ROOT": emulator.root,
                "GMAIL_OAUTH_PATH": str(store.keys_path),
                "GMAIL_CREDENTIALS_PATH": str(store.credentials_path),
                "GAIA_HOME": str(tmp_path / "home"),
            }
            for name, value in environ.items():
                monkeypatch.setenv(name, value)
            server: FastMCP[None] = (
                create_server(SERVER.source(SERVER.login_of("", environ)), settings)
                if settings is not None
                else open_server(options or {})
            )
            try:
                async with Client(server) as client:
                    session = Session(emulator, environ, client)
                    await asyncio.wait_for(_awaited(scenario(session)), 30)
            finally:
                await emulator.aclose()

        asyncio.run(main())

    return serve


async def _awaited(result: Awaitable[None]) -> None:
    await result
