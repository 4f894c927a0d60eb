"""How a server reaches the person who confirms: `ApprovalSettings`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Way = Literal["ask", "host", "caller"]
"""Who asks: this server, through a channel that no model reads; the host, which shows every call to its user before
it runs, by a token; or the program that this server runs inside, which has asked already."""

WAIT_S = 50.0
"""Seconds that a call waits for its page. Clients give up after 60 by default, and the answer must still reach them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSettings:
    """How a server reaches the person who confirms.

    Attributes:
        way: Who asks.
        store: Where questions wait for `gaia email review`; None keeps them in this process.
        opener: Shows the file at a path in the user's browser and says whether it could; None where there is none.
        runtime_dir: Where the file that leads to the page is written; needed for `opener`.
        wait_s: Seconds that a call waits for its page.
    """

    way: Way = "ask"
    store: Path | None = None
    opener: Callable[[Path], bool] | None = None
    runtime_dir: Path | None = None
    wait_s: float = WAIT_S


CALLER = ApprovalSettings(way="caller")
"""For a server inside a program that asks its user itself."""
