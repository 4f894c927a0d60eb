"""Opens a URL in a browser without revealing it to other users. Entry point: `page_leading_to`."""

from __future__ import annotations

import os
import tempfile
from html import escape
from pathlib import Path

from gaia_email_registry.paths import ensure_private_directory


def page_leading_to(url: str, directory: Path, *, prefix: str, link: str) -> Path:
    """Create a file that only its owner may read and that redirects to `url`; the caller removes it.

    Browsers get the page to open as an argument, and every user of a machine can read those.

    Args:
        url: The URL, with its secret.
        directory: Directory for the file; created if missing.
        prefix: Prefix of the file name.
        link: Text of the link, for a browser that does not redirect.

    Raises:
        OSError: The file cannot be written.
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
