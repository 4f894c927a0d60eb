"""Export lessons as a document and import them on another machine. Entries: `to_document`, `take_in`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from gaia_email.ledger import Correction, FeedbackSource, Ledger, NewCorrection, NewLedgerEvent, VerdictFields
from gaia_email.policy.wire import ObjectFields, read_object
from gaia_email.triage.learn.owner_actions import owner_action_of
from gaia_email_registry.errors import BadArgument
from gaia_understanding.cascade.model.owner import bucket_named, seen_from_json

FORMAT = 1
_KEPT = ("seen", "deed", "cohort")
"""The features of a correction that learning needs."""

_REQUIRED = ("account", "message", "was", "bucket", "source", "sender", "features")
MOST = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedLessons:
    """Number of imported lessons that were new, and of those already known or contradicted by a correction here."""

    added: int
    known: int


def to_document(in_force: Iterable[Correction]) -> dict[str, object]:
    """Return the lessons as a document, oldest first: senders' addresses and hashes of words, but no text."""
    return {
        "format": FORMAT,
        "lessons": [
            {
                "account": one.account_id,
                "message": one.message_id,
                "was": one.original.bucket,
                "bucket": one.corrected.bucket,
                "source": one.source,
                "sender": one.sender,
                "features": {name: one.features[name] for name in _KEPT if name in one.features},
            }
            for one in in_force
        ],
    }


def take_in(ledger: Ledger, document: object, *, actor: str) -> CarriedLessons:
    """Import the lessons of a document, all or none; existing corrections of the same messages take precedence.

    Raises:
        BadArgument: The document is invalid; the message names the error.
        ProviderError: The ledger cannot be written.
    """
    fields = read_object(document, "file of lessons", required=("format", "lessons"))
    if fields.get("format") != FORMAT:
        raise BadArgument("These lessons were written by a newer gaia email; please update the program.")
    items = fields.items("lessons")
    if len(items) > MOST:
        raise BadArgument(f"A file of lessons can hold at most {MOST:,}; this one has {len(items):,}.")
    new = [_read(item, number) for number, item in enumerate(items, start=1)]
    with ledger.write() as tx:
        known = {(one.account_id, one.message_id) for one in ledger.corrections.since(tx)}
        added = 0
        for one in new:
            if (one.account_id, one.message_id) in known:
                continue
            known.add((one.account_id, one.message_id))
            ledger.corrections.record(tx, one)
            added += 1
        if added:
            event = NewLedgerEvent(kind="lessons.imported", actor=actor, payload={"lessons": added})
            ledger.events.append(tx, event)
    return CarriedLessons(added=added, known=len(new) - added)


def _read(item: object, number: int) -> NewCorrection:
    where = f"lesson {number}"
    fields = read_object(item, where, required=_REQUIRED)
    was, bucket = bucket_named(fields.get("was")), bucket_named(fields.get("bucket"))
    if bucket is None:
        raise fields.wrong("bucket", "a bucket")
    if was is None and fields.get("was") is not None:
        raise fields.wrong("was", "a bucket or null")
    return NewCorrection(
        account_id=fields.text("account"),
        message_id=fields.text("message"),
        original=VerdictFields(bucket=was),
        corrected=VerdictFields(bucket=bucket),
        source=_source(fields),
        sender=fields.text("sender").lower(),
        features=_features(fields, where),
    )


def _source(fields: ObjectFields) -> FeedbackSource:
    sources: tuple[FeedbackSource, ...] = get_args(FeedbackSource)
    for source in sources:
        if source == fields.get("source"):
            return source
    raise fields.wrong("source", f"one of {', '.join(sources)}")


def _features(fields: ObjectFields, where: str) -> dict[str, object]:
    features = read_object(fields.get("features"), f"features of {where}", optional=_KEPT)
    if features.get("seen") is not None and seen_from_json(features.get("seen")) is None:
        raise features.wrong("seen", "what gaia email lessons export wrote")
    kept = {name: features.get(name) for name in _KEPT if features.get(name) is not None}
    if "deed" in kept and owner_action_of(kept) is None:
        raise features.wrong("deed", "a deed that is known here")
    return kept
