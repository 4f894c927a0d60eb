"""The rows of the last printed list, so that `why 1` means its first row. Entries: `remember`, `row`.

Inbox, search, follow-ups, the brief and the list of postponed mail number their rows. Only ids are stored, in a private
file; a list that was not printed on a terminal stores none.
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
"""Maximum digits of a row number; anything longer is an id."""


def _file(environ: Mapping[str, str]) -> Path:
    return home(environ) / "email" / "last-card.json"


def remember(app: App, rows: Sequence[tuple[SourceSpec, str]]) -> None:
    """Save the message of each row of a card; if the file cannot be written, row numbers do not work."""
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
    """Return the message and mailbox of a row; None if it is not a row number, or no card was printed.

    Raises:
        BadArgument: The last card has no such row.
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
