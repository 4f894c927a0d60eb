"""State shared by all parts of a Gmail mailbox: client, address, local notes and cached summaries.

Entry: `GmailAccount`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_gmail_mcp.calls import GmailCall, Resource
from gaia_gmail_mcp.client import GmailClient, GmailOutcome
from gaia_gmail_mcp.local_state import Notes
from gaia_gmail_mcp.profile import Profile, profile_of
from gaia_gmail_mcp.summary_cache import KnownSummaries
from gaia_gmail_mcp.units import bucket_for
from gaia_mail_mcp.pacing import TokenBucket


class GmailAccount:
    """One Gmail account. If the address is not known, the first connection asks Gmail for it.

    Args:
        client: Client for Gmail's API.
        home: Directory under which the account keeps its quota and notes.
        address: Address of the account, if known.
        bucket_of: Returns the quota bucket for the account's folder.

    Attributes:
        known: Cache of summaries read so far.
    """

    def __init__(
        self,
        client: GmailClient,
        home: Path,
        *,
        address: str = "",
        bucket_of: Callable[[Path], TokenBucket] = bucket_for,
    ) -> None:
        self.address = address or "gmail"
        self.client, self.home = client, home
        self.known = KnownSummaries()
        self._bucket_of = bucket_of
        self._notes: Notes | None = None
        self._connecting = asyncio.Lock()

    async def connect(self) -> Notes:
        """Connect on first use and return the account's notes.

        Gmail is asked for the address only if it is unknown or has no notes folder yet: the login of a connected
        account was checked when it was connected.

        Raises:
            NeedsAuth: The account must be connected first.
            MailError: Gmail cannot be reached.
        """
        if self._notes is not None:
            return self._notes
        async with self._connecting:
            if self._notes is None:
                if "@" not in self.address or not self._folder().is_dir():
                    profile = await self.profile()
                    self.address = profile.address
                    self.known.clear(profile.history)
                folder = self._folder()
                self.client.bucket = self._bucket_of(folder)
                self._notes = Notes(folder)
            return self._notes

    def _folder(self) -> Path:
        digest = hashlib.sha256(self.address.casefold().encode()).hexdigest()[:16]
        return self.home / "gmail" / digest

    async def profile(self) -> Profile:
        """Return the account's address and its newest history id."""
        return await profile_of(self.client)

    async def call(self, call: GmailCall) -> Resource:
        """Connect if necessary, then make one call."""
        await self.connect()
        return await self.client.call(call)

    async def present(
        self, ids: Sequence[str], call: Callable[[str], GmailCall], *, most: int = 100
    ) -> list[Resource]:
        """Return the messages that exist, at most `most` per batch.

        Raises:
            MailError: Gmail refused one of them for another reason than that it does not exist.
        """
        outcomes = await self.client.many([call(message_id) for message_id in ids], most=most) if ids else []
        return [resource for resource in map(_present, outcomes) if resource is not None]


def _present(outcome: GmailOutcome) -> Resource | None:
    """Return None for a message that does not exist: 404, or 400 for an id that Gmail never issued."""
    if isinstance(outcome, (NotFound, BadArgument)):
        return None
    if isinstance(outcome, MailError):
        raise outcome
    return outcome


def loop_time() -> float:
    """Return the event loop's time, in seconds."""
    return asyncio.get_running_loop().time()
