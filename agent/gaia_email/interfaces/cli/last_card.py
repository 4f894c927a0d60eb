"""The rows of the list that was printed last, so that `why 1` means its first. Entries: `remember`, `row`.

Inbox, search, follow-ups, the brief and what was put off number their rows. Only ids are kept, in a file of the user's
own; a list that was never printed on a terminal leaves none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.paths import ensure_private_directory, home
from gaia_email_registry.private_file import write_private

MOST_DIGITS = 4
"""Digits of a row's number; what is longer is an id."""


def _file(environ: Mapping[str, str]) -> Path:
    return home(environ) / "email" / "last-card.json"


def remember(app: App, rows: Sequence[tuple[SourceSpec, str]]) -> None:
    """Keep which message each row of a card is about; where that cannot be written, rows have no numbers to use."""
    sources = list(dict.fromkeys(source for source, _ in rows))
    kept = {
        "sources": [
            {
                "kind": source.kind,
                "path": source.mailbox.path,
                "server": source.server,
                "assumed": source.assumed,
                "user": list(source.user),
            }
            for source in sources
        ],
        "rows": [[sources.index(source), message] for source, message in rows],
    }
    with suppress(OSError):
        path = _file(app.environ)
        ensure_private_directory(path.parent)
        write_private(path, json.dumps(kept).encode())


def row(app: App, given: str) -> tuple[str, SourceSpec] | None:
    """The message and mailbox of a row by its number; None for what is no number, or where no card was printed.

    Raises:
        BadArgument: The last card had no such row.
    """
    if not given.isascii() or not given.isdigit() or len(given) > MOST_DIGITS:
        return None
    try:
        kept = json.loads(_file(app.environ).read_text(encoding="utf-8"))
        rows = [(_source(kept["sources"][number]), str(message)) for number, message in kept["rows"]]
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None
    number = int(given)
    if not 1 <= number <= len(rows):
        raise BadArgument(
            f"The last list had {len(rows)} numbered rows; there is no row {number}.",
            argument="id",
            hint="take the id that stands in the row, or print a list anew: gaia email inbox.",
        )
    source, message = rows[number - 1]
    return message, source


def _source(kept: Mapping[str, object]) -> SourceSpec:
    return SourceSpec(
        kind=str(kept["kind"]),
        path=str(kept["path"]),
        user=tuple(map(str, cast("list[object]", kept.get("user", [])))),
        server=str(kept["server"]),
        assumed=kept["assumed"] is True,
    )
