"""Settings for reaching the user who confirms: `ApprovalSettings`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Way = Literal["ask", "host", "caller"]
"""The program that asks the user.

`ask`: this server, through a channel that no model reads. `host`: the host, which shows every call to its user before
it runs, with a token. `caller`: the program that embeds this server and has already asked.
"""

WAIT_S = 50.0
"""Seconds that a call waits for its page. Clients give up after 60 by default, and the answer must arrive before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSettings:
    """Settings for reaching the user who confirms.

    Attributes:
        way: The program that asks.
        store: File of questions for `gaia email review`; None stores them in this process.
        opener: Shows a file in the user's browser and returns True on success; None without a browser.
        runtime_dir: Directory for the file that redirects to the page; required by `opener`.
        wait_s: Seconds that a call waits for its page.
    """

    way: Way = "ask"
    store: Path | None = None
    opener: Callable[[Path], bool] | None = None
    runtime_dir: Path | None = None
    wait_s: float = WAIT_S


CALLER = ApprovalSettings(way="caller")
"""For a server inside a program that asks its user itself."""
