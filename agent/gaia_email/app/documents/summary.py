"""The document of `summarise`. Entry: `summary_document`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.app.documents.mail import other_message
from gaia_email.app.documents.mail_types import OtherMessage
from gaia_email.document import Count, FromAddress, Version, clean

if TYPE_CHECKING:
    from gaia_email.triage.summary import ThreadSummary


class LineRow(FromAddress):
    """One sentence of a summary, and the message that it is from."""

    text: str
    message: str
    date: str | None


class SummaryDocument(TypedDict):
    """What `summarise` prints; `warned` has what looks like fraud or spam, `newest` is the last other message."""

    schema_version: Version
    thread_id: str
    subject: str
    messages: Count
    newest: str
    made_by: Literal["model", "T0"]
    lines: list[LineRow]
    warned: list[OtherMessage]
    dropped: Count
    withheld: Count
    said: str


SUMMARY_DOCUMENTS: dict[str, object] = {"summarise": SummaryDocument}


def summary_document(found: ThreadSummary) -> SummaryDocument:
    """The sentences, each with its message, and how many did not hold."""
    rows: list[LineRow] = [
        {
            "text": clean(line.text),
            "message": line.summary["id"],
            "from": {
                "name": clean(line.summary["from"]["name"]),
                "address": clean(line.summary["from"]["address"]),
            },
            "date": line.summary["date"] or None,
        }
        for line in found.lines
    ]
    suspect = {one.summary["id"] for one in found.warned}
    newest = next((one for one in reversed(found.thread) if one["id"] not in suspect), found.thread[-1])
    return {
        "schema_version": 1,
        "thread_id": newest["thread_id"],
        "subject": clean(newest["subject"]),
        "messages": len(found.thread),
        "newest": newest["id"],
        "made_by": found.made_by,
        "lines": rows,
        "warned": [other_message(one.summary, one.verdict) for one in found.warned],
        "dropped": found.dropped,
        "withheld": found.withheld,
        "said": clean(found.said),
    }
