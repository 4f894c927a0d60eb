"""The origin of requests from the command line. Entry: `origin_here`."""

from __future__ import annotations

import sys
from typing import Literal

from gaia_email_registry.origin import RequestOrigin


def origin_here(interface: Literal["cli", "chat"] = "cli") -> RequestOrigin:
    """Return the origin: a person if a keyboard is connected, or else the program that ran the command."""
    return RequestOrigin(principal="person" if sys.stdin.isatty() else "program", interface=interface)
