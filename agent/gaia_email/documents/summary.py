"""The document of `summarise`. Entry: `summary_document`."""

from __future__ import annotations

from gaia_email.documents.classify import Json, clean
from gaia_email.triage.summary import ThreadSummary

SUMMARY_COLUMNS = ("message", "from.address", "text")


def summary_document(found: ThreadSummary) -> tuple[Json, list[Json]]:
    """The document, and its lines as rows."""
    rows: list[Json] = [
        {
            "text": clean(line.text),
            "message": line.summary["id"],
            "from": {key: clean(line.summary["from"][key]) for key in ("name", "address")},
            "date": line.summary["date"] or None,
        }
        for line in found.lines
    ]
    newest = found.thread[-1]
    document: Json = {
        "schema_version": 1,
        "thread_id": newest["thread_id"],
        "subject": clean(newest["subject"]),
        "messages": len(found.thread),
        "made_by": found.made_by,
        "lines": rows,
        "dropped": found.dropped,
        "withheld": found.withheld,
        "said": clean(found.said),
    }
    return document, rows
