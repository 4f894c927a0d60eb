"""The origin of what is asked for on the command line. Entry: `origin_here`."""

from __future__ import annotations

import sys
from typing import Literal

from gaia_email_registry.origin import RequestOrigin


def origin_here(interface: Literal["cli", "chat"] = "cli") -> RequestOrigin:
    """Return the asker: a person where a keyboard is connected, else the program that ran the command."""
    return RequestOrigin(principal="person" if sys.stdin.isatty() else "program", interface=interface)
