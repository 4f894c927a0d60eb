"""Whether a server's pages come to an end: they are checked like everything else that it answers. Entry: `Paging`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from gaia_email_registry.contract import wire
from gaia_email_registry.errors import ProviderError

EMPTY_PAGES = 1_000
"""Pages with nothing in a row after which a listing counts as endless; a search may skip many messages."""


@dataclass(slots=True)
class _Listing:
    """What one listing was given so far: which cursor came after which, as eight bytes each, and empty pages in a row.

    One that comes after two others leads back. The same page may be asked for again, by a second reader too.
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
        """A page of a listing that began without a cursor.

        Args:
            listing: What tells it from others: the tool, and all that is asked, the size of a page too.
            cursor: What the page was asked with.
            given: How many it has.
            following: The cursor after it, None at the end.
            most: How many were asked for.

        Raises:
            ProviderError: It has more than were asked for, or the pages go round in circles.
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
    """That these messages are some of those that were asked for, each once.

    Raises:
        ProviderError: They are not.
    """
    given = [email["id"] for email in answer["emails"]]
    others = {*given, *answer["missing"], *answer.get("left_out", [])}.difference(ids)
    if others or len(given) != len(set(given)):
        raise ProviderError("The mail server answered read_emails with other messages than were asked for.")
