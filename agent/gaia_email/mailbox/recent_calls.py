"""The program's last tool calls, by account or server. Entries: `RECENT_CALLS`, `record_call`.

Kept in memory only, without arguments and answers, since these contain mail.
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
    """A call: its start (epoch seconds), its duration, and its error; empty if it succeeded."""

    tool: str
    at: float
    seconds: float = 0.0
    error: str = ""


class RecentCalls:
    """The last calls of each account and server."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, deque[RecentCall]] = OrderedDict()

    def note(self, name: str, call: RecentCall) -> None:
        """Record a finished call."""
        self._known.setdefault(name, deque(maxlen=KEPT)).appendleft(call)
        self._known.move_to_end(name)
        while len(self._known) > MOST_NAMES:
            self._known.popitem(last=False)

    def of(self, name: str) -> list[RecentCall]:
        """Return the last calls, newest first."""
        return list(self._known.get(name, ()))


RECENT_CALLS = RecentCalls()
"""The calls of this program; global, because calls are made far below the code that shows them."""


@contextmanager
def record_call(name: str, tool: str) -> Generator[RecentCall, None, None]:
    """Record a call to the account or server of that name, with its duration and error; nothing without a name."""
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
