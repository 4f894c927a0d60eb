"""Operations that a conversation can ask for by a phrase, and their documents as lines of a table.

Entries: `phrases`, `operation_in`, `listed`.
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
"""Rows that are told; the rest is counted."""

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


def listed(app: App, source: SourceSpec, name: str, *, origin: RequestOrigin) -> dict[str, object]:
    """Perform an operation and return its rows as texts, as they are told.

    Raises:
        MailError: What the operation fails with.
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
    """A row in one line, in which numbers and times stand after their column's name."""
    named = zip(columns, cells(row, columns), strict=True)
    return " · ".join(
        f"{heading(name)} {text}" if text[0].isdigit() else text for name, text in named if text
    )
