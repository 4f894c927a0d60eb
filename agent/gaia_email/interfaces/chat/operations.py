"""Operations that a conversation can request by a phrase, with their documents as table rows.

Entries: `phrases`, `operation_in`, `list_rows`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gaia_email.app import App
from gaia_email.app.documents.columns import cells, heading
from gaia_email.app.operations.operation import Operation, OperationCall
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.source import SourceSpec
from gaia_email_registry.origin import RequestOrigin

MOST_ROWS = 10
"""Maximum rows shown; the rest are counted."""

_SHOW = re.compile(r"(?:show|list|give|tell)(?: me)? (?:(?:my|the) )?|(?:what|who) are (?:my|the) ")


def _key(line: str) -> str:
    text = " ".join(line.casefold().split()).rstrip("?!. ")
    return text[match.end() :] if (match := _SHOW.match(text)) else text


@cache
def phrases() -> Mapping[str, Operation[Any]]:
    """Return the operation that each phrase asks for."""
    return {phrase: one for one in OPERATIONS.values() for phrase in one.phrases}


@cache
def _known() -> Mapping[str, Operation[Any]]:
    return {_key(phrase): one for phrase, one in phrases().items()}


def operation_in(line: str) -> str:
    """Return the name of the operation that a line asks for; empty if none."""
    found = _known().get(_key(line))
    return "" if found is None else found.name


def list_rows(app: App, source: SourceSpec, name: str, *, origin: RequestOrigin) -> dict[str, object]:
    """Perform an operation and return its rows as text for the user.

    Raises:
        MailError: The operation failed.
    """
    operation = OPERATIONS[name]
    sources = () if operation.mailbox == "none" else (source,)
    document = operation.run(app, OperationCall(asked=operation.read({}), origin=origin, sources=sources))
    rows = operation.rows_of(document)
    return {
        "heading": operation.summary,
        "lines": [
            {"n": n, "text": _line(row, operation.columns)} for n, row in enumerate(rows[:MOST_ROWS], 1)
        ],
        "shown": min(len(rows), MOST_ROWS),
        "total": document.get("total", len(rows)),
    }


def _line(row: Mapping[str, object], columns: Sequence[str]) -> str:
    """Return a row as one line; numbers and times follow the name of their column."""
    named = zip(columns, cells(row, columns), strict=True)
    return " · ".join(
        f"{heading(name)} {text}" if text[0].isdigit() else text for name, text in named if text
    )
