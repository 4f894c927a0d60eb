"""The last scheduled brief, in the peer's shape of a pre-scan. Entry: `briefing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from gaia_email.app import App
from gaia_email.app.documents.brief import BriefDocument, BriefRow
from gaia_email.app.operations.day import BriefInput, brief
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.services.source import SourceSpec
from gaia_email_gaia.answers import (
    BriefingAnswer,
    MailboxErrorAnswer,
    NeedsYouRow,
    PreScanResultAnswer,
    PreScanRow,
)
from gaia_email_gaia.inputs import CONTRACT
from gaia_email_gaia.overview import SHOWN
from gaia_email_registry.errors import NotFound
from gaia_email_registry.origin import RequestOrigin


def briefing(app: App, sources: Sequence[SourceSpec], origin: RequestOrigin) -> BriefingAnswer:
    """Return the newest saved brief of these mailboxes; fields that it does not have are null, empty or 0.

    Raises:
        NotFound: No brief has been made.
        MailError: The ledger cannot be read.
    """
    try:
        call = OperationCall(asked=BriefInput(last=True), origin=origin, sources=sources)
        kept = cast("BriefDocument", brief.run(app, call))
    except NotFound as error:
        raise NotFound(
            f"{error.message} POST /v1/email/prescan shows the inbox as it is now.", hint=error.hint
        ) from None
    return {"schema_version": CONTRACT, "generated_at": kept["made_at"] or "", "briefing": _prescan(kept)}


def _prescan(kept: BriefDocument) -> PreScanResultAnswer:
    rows = {name: [_row(row) for row in section["rows"]] for name, section in kept["email"].items()}
    count = {name: section["threads"] for name, section in kept["email"].items()}
    pressing = [
        _needed(row, urgent=name == "urgent")
        for name in ("urgent", "actionable")
        for row in kept["email"][name]["rows"]
    ][:SHOWN]
    problems: list[MailboxErrorAnswer] = [
        {"mailbox": kept["account"], "error": problem} for problem in kept["problems"]
    ]
    return {
        "kind": "email_pre_scan",
        "scanned": kept["messages"] - kept["unreadable"],
        "total_inbox": kept["messages"],
        "total_unread": None,
        "degraded": bool(problems or kept["unreadable"]),
        "mailbox_errors": problems or None,
        "urgent": rows["urgent"][:SHOWN],
        "actionable": rows["actionable"][:SHOWN],
        "needs_review": [],
        "informational": rows["informational"][:SHOWN],
        "informational_count": count["informational"],
        "suggested_archives": rows["low_priority"][:SHOWN],
        "suggested_drafts": [],
        "suspicious": rows["suspicious"][:SHOWN],
        "suspicious_total": count["suspicious"],
        "needs_you": [{**row, "ref": ref} for ref, row in enumerate(pressing, start=1)],
        "needs_you_total": count["urgent"] + count["actionable"],
        "bulk": {
            "count": count["informational"] + count["low_priority"],
            "filter_tests": ["informational", "low_priority"],
        },
        "totals": {
            "urgent": count["urgent"],
            "actionable": count["actionable"],
            "informational": count["informational"],
            "needs_review": kept["unsure"],
            "suggested_archives": count["low_priority"],
        },
        "preferences_applied": {
            "priority_senders": [],
            "low_priority_senders": [],
            "category_defaults": {},
        },
    }


def _row(row: BriefRow) -> PreScanRow:
    return {
        "message_id": row["id"],
        "thread_id": None,
        "sender": row["sender"],
        "subject": row["subject"],
        "why": row["line"],
        "reason": None,
        "is_meeting_request": False,
        "is_phishing": "phishing" in row["warnings"],
        "is_spam": "spam" in row["warnings"],
    }


def _needed(row: BriefRow, *, urgent: bool) -> NeedsYouRow:
    age_h = row["age_hours"]
    return {
        "kind": "urgent" if urgent else "needs_response",
        "why": row["line"],
        "message_id": row["id"],
        "thread_id": None,
        "sender": row["sender"],
        "subject": row["subject"],
        "mailbox": None,
        "due_hint": None,
        "ref": 0,
        "age_seconds": None if age_h is None else round(age_h * 3_600),
        "detail": [],
    }
