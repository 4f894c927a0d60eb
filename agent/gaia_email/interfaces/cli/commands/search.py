"""`gaia email search "…"`: finds messages in the local copy, best or newest first, with the words where they stand."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from gaia_email.app.operations.reading import search
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

if TYPE_CHECKING:
    from gaia_email.app.documents.search import SearchDocument


def copied(done: int, total: int) -> None:
    """Shows how many messages are copied on the terminal's error stream."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\rcopied {done:,} messages" if done >= 500 else "\r\x1b[K")
        sys.stderr.flush()


def limits(document: SearchDocument) -> list[str]:
    """What the search did not look at, and how much of what it found is not shown."""
    said = list[str]()
    if document["problem"]:
        as_of = document["as_of"]
        when = "an unfinished copy" if as_of is None else f"the copy of {_local(as_of)}"
        said.append(f"{document['problem']} This is from {when} on this machine.")
    if document["headers_only"]:
        said.append(
            f"Of {document['headers_only']:,} messages only the headers are on this machine; "
            "the next search that reaches the mailbox reads their text."
        )
    if document["total"] > document["shown"]:
        more = (
            f"{document['total']:,}" if document["total_is_exact"] else f"more than {document['total'] - 1:,}"
        )
        said.append(f"showing {document['shown']:,} of {more}; --limit shows more")
    return said


def _local(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


command = operation_command(
    search,
    """Search mail: words, "phrases", from:ann, subject:…, has:attachment, newer_than:7d; docs/search.md has them all.

    Searches a copy of the mail kept on this machine, brought up to date first. Without the mailbox it answers from
    the copy, and says so. The ids it shows are what `show` and `why` take.
    """,
    OperationView(
        columns=("id", "date", "from.address", "subject", "snippet"),
        rows=lambda document: document["hits"],
        notes=limits,
        card="search_card.print_hits",
    ),
    source_first=True,
    progress=copied,
)
