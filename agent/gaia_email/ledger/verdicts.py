"""The verdict on each message, and the user's corrections. Entry points: `VerdictStore`, `Corrections`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from gaia_email.ledger.statements import chunks, columns_of, objects_of, rows_of, upsert
from gaia_email.ledger.tables import CORRECTIONS, MESSAGE_STATE
from gaia_email.ledger.text import Json, from_json, storable, storable_or_none, to_json

FeedbackSource = Literal["drag", "button", "cli", "implied"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageState:
    """The stored verdict on a message: the columns of `message_state`. Scores are from 0 to 1.

    Attributes:
        phishing: Score for phishing; like the six below, None if not stored.
        injection: Score for text addressed to a machine.
        spam: Score for unsolicited mail.
        needs_reply: True if a person is waiting for an answer.
        unsubscribe: Way to unsubscribe: `no`, `link` or `one_click` (RFC 8058).
        forged: Why the name in From cannot be trusted; empty if nothing speaks against it.
        withheld: Cohorts, one per line, that would apply if that name could be trusted (`statements.to_lines`).
        model: The language model that contributed; None if none was asked.
        prompt_version: Version of the model's prompt and schema.
    """

    account_id: str
    message_id: str
    thread_id: str
    processed_at: float
    content_hash: str
    speech_act: str
    content_category: str
    bucket: str
    priority_score: float
    priority_reason: str
    cohort: str
    confidence: float
    draft_id: str | None = None
    run_id: str | None = None
    pipeline_version: str
    model_used: str
    phishing: float | None = None
    injection: float | None = None
    spam: float | None = None
    needs_reply: bool | None = None
    unsubscribe: Literal["no", "link", "one_click"] | None = None
    forged: str | None = None
    withheld: str | None = None
    model: str | None = None
    prompt_version: str | None = None


def _storable_texts(state: MessageState) -> dict[str, object]:
    return {"priority_reason": storable(state.priority_reason), "model": storable_or_none(state.model)}


class VerdictStore:
    """Store of verdicts. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def put(self, tx: Connection, states: Sequence[MessageState]) -> None:
        """Store verdicts; each replaces the one on the same message."""
        rows = [columns_of(state) | _storable_texts(state) for state in states]
        upsert(tx, MESSAGE_STATE, rows)

    def get(self, tx: Connection, account_id: str, message_ids: Iterable[str]) -> dict[str, MessageState]:
        """Return the stored verdicts on these messages, by message ID."""
        found: dict[str, MessageState] = {}
        table = MESSAGE_STATE.c
        for some in chunks(message_ids):
            query = select(MESSAGE_STATE).where(table.account_id == account_id, table.message_id.in_(some))
            found.update((one.message_id, one) for one in objects_of(tx, MessageState, query))
        return found

    def threads_in(self, tx: Connection, account_id: str, buckets: Iterable[str]) -> list[str]:
        """Return the threads with a message in one of these buckets."""
        table = MESSAGE_STATE.c
        query = select(table.thread_id).where(table.account_id == account_id, table.bucket.in_(list(buckets)))
        return list(tx.execute(query.distinct()).scalars())

    def of_run(self, tx: Connection, run_id: str) -> list[MessageState]:
        """Return the verdicts of a run, highest priority first."""
        table = MESSAGE_STATE.c
        query = select(MESSAGE_STATE).where(table.run_id == run_id)
        ordered = query.order_by(table.priority_score.desc(), table.message_id)
        return objects_of(tx, MessageState, ordered)

    def count(self, tx: Connection, account_id: str | None = None) -> int:
        """Count the messages with a verdict."""
        query = select(func.count()).select_from(MESSAGE_STATE)
        if account_id is not None:
            query = query.where(MESSAGE_STATE.c.account_id == account_id)
        return tx.execute(query).scalar_one()

    def makers(self, tx: Connection, account_id: str) -> dict[str | None, int]:
        """Count the verdicts that each language model contributed to; those by rules alone are under None."""
        table = MESSAGE_STATE.c
        query = select(table.model, func.count()).where(table.account_id == account_id).group_by(table.model)
        return {None if model is None else str(model): int(count) for model, count in tx.execute(query)}

    def reopen(self, tx: Connection, account_id: str, model: str | None) -> int:
        """Have the next triage judge again the verdicts this model contributed to (None: those by rules alone)."""
        table = MESSAGE_STATE.c
        whose = table.model.is_(None) if model is None else table.model == model
        query = update(MESSAGE_STATE).where(table.account_id == account_id, whose)
        return tx.execute(query.values(pipeline_version="")).rowcount

    def forget(self, tx: Connection, account_id: str, message_ids: Iterable[str]) -> None:
        """Delete verdicts on messages that are gone or are to be judged again."""
        table = MESSAGE_STATE.c
        for some in chunks(message_ids):
            tx.execute(
                delete(MESSAGE_STATE).where(table.account_id == account_id, table.message_id.in_(some))
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFields:
    """A bucket, category, speech act and score; None for each that is not specified."""

    bucket: str | None = None
    category: str | None = None
    speech_act: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCorrection:
    """A verdict that was shown, and the user's correction.

    `sender` (lower-case address) and `features` (seen by rules and model, without text of the message) are stored so
    that learning does not need the message again.
    """

    account_id: str
    message_id: str
    original: VerdictFields
    corrected: VerdictFields
    source: FeedbackSource
    sender: str = ""
    features: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A stored correction; `retracted_at` is set if the user retracted it."""

    id: int
    timestamp: float
    account_id: str
    message_id: str
    original: VerdictFields
    corrected: VerdictFields
    source: FeedbackSource
    sender: str
    features: dict[str, Json]
    retracted_at: float | None


class Corrections:
    """Store of corrections. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def record(self, tx: Connection, new: NewCorrection) -> int:
        """Store a correction and return its number."""
        row: dict[str, object] = {
            "timestamp": float(self._clock()),
            "account_id": new.account_id,
            "message_id": new.message_id,
            "sender": storable(new.sender),
            "features": to_json(new.features),
            "feedback_source": new.source,
        }
        for prefix, said in (("original", new.original), ("corrected", new.corrected)):
            row[f"{prefix}_bucket"] = said.bucket
            row[f"{prefix}_category"] = storable_or_none(said.category)
            row[f"{prefix}_speech_act"] = said.speech_act
            row[f"{prefix}_score"] = said.score
        number: int = tx.execute(insert(CORRECTIONS).returning(CORRECTIONS.c.id), row).scalar_one()
        return number

    def retract(self, tx: Connection, number: int) -> bool:
        """Retract a correction. Returns False if it does not exist or was already retracted."""
        table = CORRECTIONS.c
        query = update(CORRECTIONS).where(table.id == number, table.retracted_at.is_(None))
        return tx.execute(query.values(retracted_at=float(self._clock()))).rowcount == 1

    def since(
        self, tx: Connection, number: int = 0, *, account_id: str | None = None, retracted: bool = False
    ) -> list[Correction]:
        """Return corrections after this number, oldest first; `retracted` includes retracted ones."""
        table = CORRECTIONS.c
        query = select(CORRECTIONS).where(table.id > number).order_by(table.id)
        if account_id is not None:
            query = query.where(table.account_id == account_id)
        if not retracted:
            query = query.where(table.retracted_at.is_(None))
        return [_correction(row) for row in rows_of(tx, query)]

    def of_message(self, tx: Connection, account_id: str, message_id: str) -> list[Correction]:
        """Return the valid corrections of one message, oldest first."""
        table = CORRECTIONS.c
        query = select(CORRECTIONS).where(
            table.account_id == account_id, table.message_id == message_id, table.retracted_at.is_(None)
        )
        return [_correction(row) for row in rows_of(tx, query.order_by(table.id))]


def _correction(row: Mapping[str, Any]) -> Correction:
    said = {
        prefix: VerdictFields(
            bucket=row[f"{prefix}_bucket"],
            category=row[f"{prefix}_category"],
            speech_act=row[f"{prefix}_speech_act"],
            score=row[f"{prefix}_score"],
        )
        for prefix in ("original", "corrected")
    }
    return Correction(
        id=row["id"],
        timestamp=row["timestamp"],
        account_id=row["account_id"],
        message_id=row["message_id"],
        source=row["feedback_source"],
        sender=row["sender"],
        features=from_json(row["features"]),
        retracted_at=row["retracted_at"],
        **said,
    )
