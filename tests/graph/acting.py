"""Triages of accounts on emulated Graphs, in this process and in one that can be killed. Entries: `connect_account`.

`python -m tests.graph.acting` takes lines of an account's name and the root of its API; see `tests.imap.acting`.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Mapping
from types import TracebackType

import gaia_graph_mcp.login
from gaia_email_registry.accounts import Account, store_account
from tests.graph.emulator.account import Account as Held
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import GivenToken
from tests.imap.acting import act, serve

TOKEN = "emulated-token"
SCOPES = "Mail.ReadWrite Mail.Send"


def connect_account(user: str) -> None:
    """What `gaia email connect` leaves behind, as far as `signed_in_as_given` needs it."""
    store_account(
        Account(
            id=user,
            provider="outlook",
            address=f"{user}@example.org",
            server="graph",
            settings={"granted": SCOPES},
            secret="vault:none",
        ),
        os.environ,
    )


def given_token(place: object) -> GivenToken:
    """In the place of msal: every account of an emulator has the same token."""
    return GivenToken(TOKEN)


class Beside:
    """Emulators that run in a thread of their own; a context manager."""

    def __enter__(self) -> Beside:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._running: list[Emulator] = []
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for emulator in self._running:
                asyncio.run_coroutine_threadsafe(emulator.aclose(), self._loop).result(10)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)
            self._loop.close()

    def start(self, user: str, messages: Mapping[str, str]) -> Emulator:
        """One for that account, with messages by their Message-IDs and subjects."""
        emulator = Emulator(Held(f"{user}@example.org"))
        for message_id, subject in messages.items():
            raw = (
                f"From: list@news.example\r\nTo: {user}@example.org\r\nSubject: {subject}\r\n"
                f"Date: Mon, 30 Mar 2026 09:00:00 +0000\r\nMessage-ID: {message_id}\r\n\r\nText.\r\n"
            )
            emulator.account.put(raw.encode())
        asyncio.run_coroutine_threadsafe(emulator.start(), self._loop).result(10)
        self._running.append(emulator)
        return emulator


async def act_on(line: str) -> int:
    """One triage of an account, by its name and the root of its API."""
    user, os.environ["GAIA_GRAPH_API_ROOT"] = line.split()
    return await act(user, "graph")


def main() -> None:
    """Take lines until there are no more."""
    gaia_graph_mcp.login.MsalTokens = given_token  # type: ignore[assignment,misc]  # pyright: ignore[reportAttributeAccessIssue]
    serve(act_on)


if __name__ == "__main__":
    main()
