"""The verdict on each message, and what the user said instead. Entry points: `VerdictStore`, `Corrections`."""

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
    """What was decided about a message; the columns of `message_state`. Scores are shares of one.

    Attributes:
        phishing: How sure it is that it is phishing; as the six below, None where that was not kept yet.
        injection: How sure it is that it speaks to a machine.
        spam: How sure it is that nobody asked for it.
        needs_reply: A person waits for an answer.
        unsubscribe: Whether it can be unsubscribed from: `no`, `link` or `one_click` (RFC 8058).
        forged: Why the name in From cannot be relied upon; empty when nothing speaks against it.
        withheld: Cohorts, a line each, that would hold, were that name to be relied upon (`statements.to_lines`).
        model: The language model that had a say; None where none was asked.
        prompt_version: The version of the prompt and schema it was asked with.
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
    """All methods take the connection of `Ledger.write()`, or of `Ledger.read()` where they only read."""

    def put(self, tx: Connection, states: Sequence[MessageState]) -> None:
        """Keep these verdicts; each replaces the one on the same message."""
        rows = [columns_of(state) | _storable_texts(state) for state in states]
        upsert(tx, MESSAGE_STATE, rows)

    def get(self, tx: Connection, account_id: str, message_ids: Iterable[str]) -> dict[str, MessageState]:
        """The verdicts on these messages, by message id; those without one are left out."""
        found: dict[str, MessageState] = {}
        table = MESSAGE_STATE.c
        for some in chunks(message_ids):
            query = select(MESSAGE_STATE).where(table.account_id == account_id, table.message_id.in_(some))
            found.update((one.message_id, one) for one in objects_of(tx, MessageState, query))
        return found

    def threads_in(self, tx: Connection, account_id: str, buckets: Iterable[str]) -> list[str]:
        """The threads that have a message in one of these buckets."""
        table = MESSAGE_STATE.c
        query = select(table.thread_id).where(table.account_id == account_id, table.bucket.in_(list(buckets)))
        return list(tx.execute(query.distinct()).scalars())

    def of_run(self, tx: Connection, run_id: str) -> list[MessageState]:
        """The verdicts of a run, most pressing first."""
        table = MESSAGE_STATE.c
        query = select(MESSAGE_STATE).where(table.run_id == run_id)
        ordered = query.order_by(table.priority_score.desc(), table.message_id)
        return objects_of(tx, MessageState, ordered)

    def count(self, tx: Connection, account_id: str | None = None) -> int:
        """How many messages have a verdict."""
        query = select(func.count()).select_from(MESSAGE_STATE)
        if account_id is not None:
            query = query.where(MESSAGE_STATE.c.account_id == account_id)
        return tx.execute(query).scalar_one()

    def makers(self, tx: Connection, account_id: str) -> dict[str | None, int]:
        """How many verdicts each language model had a word in; under None those that are the rules' alone."""
        table = MESSAGE_STATE.c
        query = select(table.model, func.count()).where(table.account_id == account_id).group_by(table.model)
        return {None if model is None else str(model): int(count) for model, count in tx.execute(query)}

    def reopen(self, tx: Connection, account_id: str, model: str | None) -> int:
        """Have the next triage judge again what this model had a word in (None: what the rules judged alone)."""
        table = MESSAGE_STATE.c
        whose = table.model.is_(None) if model is None else table.model == model
        query = update(MESSAGE_STATE).where(table.account_id == account_id, whose)
        return tx.execute(query.values(pipeline_version="")).rowcount

    def forget(self, tx: Connection, account_id: str, message_ids: Iterable[str]) -> None:
        """Drop the verdicts on messages that are gone, or that are to be judged again."""
        table = MESSAGE_STATE.c
        for some in chunks(message_ids):
            tx.execute(
                delete(MESSAGE_STATE).where(table.account_id == account_id, table.message_id.in_(some))
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFields:
    """A bucket, category, speech act and score; None where nothing is said about one."""

    bucket: str | None = None
    category: str | None = None
    speech_act: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCorrection:
    """What was shown and what the user says is right.

    `sender` (lower-case address) and `features` (what the rules and the model saw; no text of the message) are kept
    so that learning from it needs the message no more.
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
    """A correction as it is kept; `retracted_at` is set when the user took it back."""

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
    """All methods take the connection of `Ledger.write()`, or of `Ledger.read()` where they only read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def record(self, tx: Connection, new: NewCorrection) -> int:
        """Keep it; its number."""
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
        """Take it back; False when there is none of that number or it was taken back before."""
        table = CORRECTIONS.c
        query = update(CORRECTIONS).where(table.id == number, table.retracted_at.is_(None))
        return tx.execute(query.values(retracted_at=float(self._clock()))).rowcount == 1

    def since(
        self, tx: Connection, number: int = 0, *, account_id: str | None = None, retracted: bool = False
    ) -> list[Correction]:
        """Those after that number, oldest first; with `retracted` also those taken back."""
        table = CORRECTIONS.c
        query = select(CORRECTIONS).where(table.id > number).order_by(table.id)
        if account_id is not None:
            query = query.where(table.account_id == account_id)
        if not retracted:
            query = query.where(table.retracted_at.is_(None))
        return [_correction(row) for row in rows_of(tx, query)]

    def of_message(self, tx: Connection, account_id: str, message_id: str) -> list[Correction]:
        """What was said about one message and not taken back, oldest first."""
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
