"""What may reach a terminal: a field of a table, width and colour found out."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

from gaia_mail.printable import visible


def tsv_field(text: str) -> str:
    """A field of a tab-separated line: one line, no tabs, controls visible."""
    return visible(" ".join(text.split()))


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour: NO_COLOR (no-color.org) wins, then FORCE_COLOR, then whether it is a terminal."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO | None = None) -> bool:
    """Whether a person looks at standard output (or `stream`)."""
    return (stream or sys.stdout).isatty()
