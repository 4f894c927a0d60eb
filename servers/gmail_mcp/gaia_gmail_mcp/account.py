"""The one account that every part of a Gmail mailbox shares: how it is called, what was read. Entry: `GmailAccount`."""

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
    """One account; whose it is, Gmail says at the first use.

    Args:
        client: How Gmail is called.
        home: Directory below which the account keeps its quota and notes.
        address: As far as known.
        bucket_of: The quota of the account with that folder.

    Attributes:
        known: Summaries that were read.
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
        """Find out whose mailbox this is, once; where the account's notes are.

        Gmail is not asked for an account that it has named before, under which there are notes: the login of a
        connected account was tried when it was connected.

        Raises:
            NeedsAuth: It has to be connected first.
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
        """Whose mailbox it is and where its history stands, as of now.

        Raises:
            MailError: There is no login, or Gmail cannot be reached.
        """
        return await profile_of(self.client)

    async def call(self, call: GmailCall) -> Resource:
        """One call, of an account that is connected.

        Raises:
            MailError: It was refused, or did not work in time.
        """
        await self.connect()
        return await self.client.call(call)

    async def present(
        self, ids: Sequence[str], call: Callable[[str], GmailCall], *, most: int = 100
    ) -> list[Resource]:
        """Those of some messages that exist; `most` bounds a batch.

        Raises:
            MailError: Gmail refused one for another reason than that it does not exist.
        """
        outcomes = await self.client.many([call(message_id) for message_id in ids], most=most) if ids else []
        return [resource for resource in map(_present, outcomes) if resource is not None]


def _present(outcome: GmailOutcome) -> Resource | None:
    """None for a message that does not exist: 404, or 400 for an id that Gmail never gave out."""
    if isinstance(outcome, (NotFound, BadArgument)):
        return None
    if isinstance(outcome, MailError):
        raise outcome
    return outcome


def loop_time() -> float:
    """The event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()
