"""Stored answers of language models about messages, so that no question is asked twice. Entry point: `ModelAnswers`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select

from gaia_email.ledger.statements import chunks, objects_of, upsert
from gaia_email.ledger.tables import MODEL_ANSWERS
from gaia_email.ledger.text import Json, storable, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """A stored answer; `answer` is None if the model gave no valid one."""

    content_hash: str
    made_in: str
    model: str
    prompt_version: str
    answer: Mapping[str, Json] | None


class ModelAnswers:
    """Store of answers. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def put(self, tx: Connection, account_id: str, answers: Sequence[StoredAnswer]) -> None:
        """Store answers; each replaces the one by the same model, pass and prompt about the same message."""
        now = float(self._clock())
        rows = [
            {
                "account_id": account_id,
                "content_hash": one.content_hash,
                "made_in": one.made_in,
                "model": storable(one.model),
                "prompt_version": one.prompt_version,
                "asked_at": now,
                "answer": None if one.answer is None else to_json(one.answer),
            }
            for one in answers
        ]
        upsert(tx, MODEL_ANSWERS, rows)

    def get(
        self, tx: Connection, account_id: str, hashes: Iterable[str], prompt_version: str
    ) -> list[StoredAnswer]:
        """Return the answers of all models about these messages, for this version of the prompt."""
        table = MODEL_ANSWERS.c
        columns = [table[name] for name in StoredAnswer.__dataclass_fields__]
        found: list[StoredAnswer] = []
        for some in chunks(hashes):
            query = select(*columns).where(
                table.account_id == account_id,
                table.content_hash.in_(some),
                table.prompt_version == prompt_version,
            )
            found += objects_of(tx, StoredAnswer, query)
        return found

    def counts(self, tx: Connection, account_id: str) -> dict[str, int]:
        """Count the stored answers by model."""
        table = MODEL_ANSWERS.c
        query = select(table.model, func.count()).where(table.account_id == account_id).group_by(table.model)
        return {str(model): int(count) for model, count in tx.execute(query)}

    def state(self, tx: Connection, account_id: str) -> str:
        """Return a text that changes whenever the account's stored answers change."""
        table = MODEL_ANSWERS.c
        query = select(func.count(), func.max(table.asked_at)).where(table.account_id == account_id)
        count, newest = tx.execute(query).one()
        return f"{count} {newest!r}"

    def forget(self, tx: Connection, account_id: str, model: str) -> int:
        """Delete a model's answers, so that it is asked again if it is still selected."""
        table = MODEL_ANSWERS.c
        query = delete(MODEL_ANSWERS).where(table.account_id == account_id, table.model == model)
        return tx.execute(query).rowcount
