"""The last tool calls of this program, by account or server. Entries: `RECENT_CALLS`, `timed`.

They are held in memory alone, without arguments and answers, in which mail is.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from gaia_email_registry.errors import MailError

KEPT, MOST_NAMES = 20, 200


@dataclass(slots=True, kw_only=True)
class RecentCall:
    """A call: when it began (epoch seconds), how long it took, and why it failed, empty where it did not."""

    tool: str
    at: float
    seconds: float = 0.0
    error: str = ""


class RecentCalls:
    """The last calls of each account and server."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, deque[RecentCall]] = OrderedDict()

    def note(self, name: str, call: RecentCall) -> None:
        """Keep a call that is over."""
        self._known.setdefault(name, deque(maxlen=KEPT)).appendleft(call)
        self._known.move_to_end(name)
        while len(self._known) > MOST_NAMES:
            self._known.popitem(last=False)

    def of(self, name: str) -> list[RecentCall]:
        """The last calls, the newest first."""
        return list(self._known.get(name, ()))


RECENT_CALLS = RecentCalls()
"""Those of this program: calls are made far below whoever asks about them."""


@contextmanager
def timed(name: str, tool: str) -> Generator[RecentCall, None, None]:
    """Notes a call of the account or server of that name, with its time and its error; nothing without a name."""
    call, began = RecentCall(tool=tool, at=time.time()), time.monotonic()
    try:
        yield call
    except MailError as error:
        call.error = error.message
        raise
    finally:
        call.seconds = time.monotonic() - began
        if name:
            RECENT_CALLS.note(name, call)
