"""A file that opens an address in a browser without naming it to others. Entry point: `page_leading_to`."""

from __future__ import annotations

import os
import tempfile
from html import escape
from pathlib import Path

from gaia_email_registry.paths import ensure_private_directory


def page_leading_to(url: str, directory: Path, *, prefix: str, link: str) -> Path:
    """A file that only its owner may read and that leads to `url`; whoever made it removes it.

    Browsers are started with what they open as an argument, and every user of a machine can read those.

    Args:
        url: The address, with its secret.
        directory: Where to put the file; made where it is missing.
        prefix: How the file's name begins.
        link: What the link says, for a browser that does not go there by itself.

    Raises:
        OSError: It cannot be written.
    """
    ensure_private_directory(directory)
    descriptor, name = tempfile.mkstemp(prefix=prefix, suffix=".html", dir=directory)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(
            '<!doctype html><meta charset="ascii"><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0;url={escape(url)}"><title>gaia-email</title>'
            f'<p><a href="{escape(url)}">{escape(link)}</a>\n'
        )
    return Path(name)
