"""Check that a server's paged listings end. Entry: `Paging`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from gaia_email_registry.contract import wire
from gaia_email_registry.errors import ProviderError

EMPTY_PAGES = 1_000
"""Empty pages in a row after which a listing counts as endless; a search may skip many messages."""


@dataclass(slots=True)
class _Listing:
    """One listing so far: each cursor's successor, as eight-byte hashes, and the number of empty pages in a row.

    A cursor that follows two different ones leads back. The same page may be requested again, by another reader too.
    """

    after: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    given: set[bytes] = field(default_factory=set[bytes])
    empty: int = 0


class Paging:
    """Checks every page of every listing of one mailbox."""

    def __init__(self) -> None:
        self._listings: dict[tuple[str, ...], _Listing] = {}

    def check(
        self, listing: tuple[str, ...], cursor: str | None, given: int, following: str | None, *, most: int
    ) -> None:
        """Check a page of a listing.

        Args:
            listing: Identifies the listing: the tool and all its arguments, including the page size.
            cursor: The cursor of the request; None for the first page.
            given: Number of items in the page.
            following: The next cursor; None at the end.
            most: Number of items requested.

        Raises:
            ProviderError: The page has more items than requested, or the pages repeat.
        """
        tool = listing[0]
        if given > most:
            raise ProviderError(
                f"The mail server answered {tool} with {given:,} messages; {most:,} were asked for."
            )
        if following is None:
            self._listings.pop(listing, None)
            return
        if cursor is None:
            self._listings[listing] = _Listing()
        seen = self._listings.setdefault(listing, _Listing())
        before, mark = _mark(cursor or ""), _mark(following)
        seen.empty = 0 if given else seen.empty + 1
        again = seen.after.get(before) == mark
        if following == cursor or (mark in seen.given and not again) or seen.empty > EMPTY_PAGES:
            self._listings.pop(listing, None)
            raise ProviderError(
                f"The mail server's pages of {tool} come to no end, so they are not followed."
            )
        seen.after[before] = mark
        seen.given.add(mark)


def _mark(cursor: str) -> bytes:
    return blake2b(cursor.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def check_read(answer: wire.ReadEmailsResult, ids: Sequence[str]) -> None:
    """Check that the answer has only requested messages, each once.

    Raises:
        ProviderError: It has others or duplicates.
    """
    given = [email["id"] for email in answer["emails"]]
    others = {*given, *answer["missing"], *answer.get("left_out", [])}.difference(ids)
    if others or len(given) != len(set(given)):
        raise ProviderError("The mail server answered read_emails with other messages than were asked for.")
