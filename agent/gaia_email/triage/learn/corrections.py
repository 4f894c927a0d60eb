"""Corrections by the user, stored so that learning does not need the message again. Entry points: `correct`.

A correction has the sender, the verdict shown, and the features that learning uses: the kind of message, and CRC-32
marks of its topic words and their prefixes, never the words themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.ledger import Correction, Ledger, NewCorrection, NewLedgerEvent, VerdictFields
from gaia_email.ledger.policy_store import PolicyStore
from gaia_email.ledger.statements import only
from gaia_email.triage.inbox import FoundMessage
from gaia_understanding.cascade.model.owner import seen_to_json
from gaia_understanding.cascade.verdict import Bucket

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCorrection:
    """A correction that was recorded or retracted, with its message's cohort if known."""

    correction: Correction
    cohort: str


def correct(ledger: Ledger, found: FoundMessage, bucket: Bucket, *, actor: str) -> RecordedCorrection:
    """Record the right bucket of a message, replacing earlier corrections of it.

    If the bucket differs from the shown one, the cohort also loses a level that it earned by approvals; confirming the
    shown bucket has no such effect.
    """
    verdict, summary, cohort = found.understood.verdict, found.summary, found.decision.cohort
    account, message, teachable = summary["account"], summary["id"], verdict.teachable
    new = NewCorrection(
        account_id=account,
        message_id=message,
        original=VerdictFields(
            bucket=verdict.bucket,
            category=verdict.content_category,
            speech_act=verdict.speech_act,
            score=verdict.priority.score,
        ),
        corrected=VerdictFields(bucket=bucket),
        source="cli" if actor == "cli" else "button",
        sender=summary["from"]["address"].lower(),
        features={
            "seen": None if teachable is None else seen_to_json(teachable.seen),
            "signals": {signal.name: round(signal.weight, 4) for signal in verdict.priority.signals},
            "cohort": cohort,
            "needs_reply": verdict.needs_reply,
            "confidence": round(verdict.confidence, 4),
            "tier": verdict.tier,
            "list_id": found.facts.list_id,
        },
    )
    with ledger.write() as tx:
        for earlier in ledger.corrections.of_message(tx, account, message):
            ledger.corrections.retract(tx, earlier.id)
        number = ledger.corrections.record(tx, new)
        payload = {"number": number, "cohort": cohort, "bucket": bucket, "was": verdict.bucket}
        if bucket == verdict.bucket:
            _note(ledger, tx, "correction.confirmed", account, message, payload, actor)
        else:
            _note(ledger, tx, "correction.recorded", account, message, payload, actor)
            PolicyStore(ledger).take_back_step(tx, cohort, actor=actor)
        kept = ledger.corrections.of_message(tx, account, message)[-1]
    return RecordedCorrection(correction=kept, cohort=cohort)


def retract(ledger: Ledger, message_id: str, *, actor: str) -> RecordedCorrection:
    """Retract the last correction of a message, given its id or an unambiguous prefix.

    Raises:
        NotFound: No message, or more than one, with that id was corrected.
    """
    with ledger.write() as tx:
        said = [
            one
            for one in ledger.corrections.since(tx)
            if message_id and one.message_id.startswith(message_id)
        ]
        only(
            {(one.account_id, one.message_id) for one in said},
            message_id,
            none="No corrected message has",
            several="More than one corrected message has",
            argument="id",
        )
        last = said[-1]
        ledger.corrections.retract(tx, last.id)
        payload = {"number": last.id, "bucket": last.corrected.bucket}
        _note(ledger, tx, "correction.retracted", last.account_id, last.message_id, payload, actor)
    return RecordedCorrection(correction=last, cohort=str(last.features.get("cohort", "")))


def retract_numbers(ledger: Ledger, numbers: Collection[int], *, actor: str) -> None:
    """Retract the corrections with these numbers, all or none."""
    with ledger.write() as tx:
        for one in ledger.corrections.since(tx):
            if one.id in numbers and ledger.corrections.retract(tx, one.id):
                payload = {"number": one.id, "bucket": one.corrected.bucket}
                _note(ledger, tx, "correction.retracted", one.account_id, one.message_id, payload, actor)


def _note(
    ledger: Ledger,
    tx: Connection,
    kind: str,
    account: str,
    message: str,
    payload: Mapping[str, object],
    actor: str,
) -> None:
    event = NewLedgerEvent(kind=kind, actor=actor, account_id=account, message_id=message, payload=payload)
    ledger.events.append(tx, event)
