"""Text for terminals: safe table fields, detection of terminal and colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

from gaia_mail.printable import visible


def tsv_field(text: str) -> str:
    """Return a field of a tab-separated line: one line, no tabs, control characters made visible."""
    return visible(" ".join(text.split()))


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Return True to use colour: NO_COLOR (no-color.org) wins, then FORCE_COLOR, then the kind of output."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO | None = None) -> bool:
    """Return True if standard output (or `stream`) is a terminal."""
    return (stream or sys.stdout).isatty()
