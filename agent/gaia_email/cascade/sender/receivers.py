"""Whether this mailbox's server writes Authentication-Results, from what its mail shows. Entry: `Receivers`.

A server that writes the field writes it into nearly all mail, always in the same place. Then the topmost field in that
place is genuine, and a forged one can only stand below it.
"""

from __future__ import annotations

from collections import Counter

from gaia_mail.mime.model import Headers
from gaia_mail.mime.receiving import FieldPosition, stated_results

ENOUGH = 12
"""Messages that a place has to be seen in, and ..."""

SHARE = 0.9
"""... the part of the mail that came in."""


class Receivers:
    """Counts; `note` each message that came in, then ask for `proved`."""

    def __init__(self) -> None:
        self._places: Counter[FieldPosition] = Counter()
        self._came_in = 0

    def note(self, headers: Headers) -> None:
        """Take in one message; one without `Received` did not come in."""
        if not headers.get_all("received"):
            return
        self._came_in += 1
        first = next(stated_results(headers), None)
        if first is not None:
            self._places[first.place] += 1

    def proved(self) -> frozenset[FieldPosition]:
        """The places whose topmost field is the server's own."""
        least = max(ENOUGH, SHARE * self._came_in)
        return frozenset(place for place, count in self._places.items() if count >= least)
