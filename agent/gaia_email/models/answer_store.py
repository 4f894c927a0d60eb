"""Earlier answers of models, in the ledger, or in memory if nothing is to be stored. Entry: `AnswerStore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Protocol

from typing_extensions import override

from gaia_email.models.prompts import PROMPT_VERSION
from gaia_email_registry.errors import MailError
from gaia_understanding.cascade.answers import PASSES, ModelAnswer, ModelCost, ModelPass

if TYPE_CHECKING:
    from gaia_email.ledger.model_answers import StoredAnswer

KnownAnswers = Mapping[tuple[str, ModelPass, str], ModelAnswer | None]
"""By message, pass and model; None if the model was asked and its answer was rejected."""

_PASSES: dict[str, ModelPass] = {made_in: made_in for made_in in PASSES}
_SAID = tuple(field.name for field in fields(ModelAnswer) if field.name not in ("made_in", "model", "prompt"))


VERDICTS = "verdicts that the rules are unsure of"
"""The usual purpose of questions, as shown in the event log."""

REFUSED = "model.refused"
"""The kind of event that records the guard's refusals."""


class AnswerStore(Protocol):
    """Keeps answers between runs."""

    def find_answers(self, account: str, keys: Sequence[str]) -> KnownAnswers:
        """Return the answers about these messages for this version of the prompts."""
        ...

    def keep(
        self, account: str, made_in: ModelPass, model: str, answers: Mapping[str, ModelAnswer | None]
    ) -> None:
        """Store answers at once, so that none are lost if the program is killed."""
        ...

    def note(self, account: str, cost: ModelCost) -> None:
        """Record what was sent to the model's server."""
        ...

    def record_refusal(self, account: str | None, reason: str, why: str = VERDICTS) -> None:
        """Record what the guard did not send, so that the user can be notified by any program."""
        ...


class MemoryAnswers(AnswerStore):
    """Keeps answers as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, ModelPass, str], ModelAnswer | None] = {}
        self.noted: list[ModelCost] = []
        self.refusals: list[str] = []

    @override
    def find_answers(self, account: str, keys: Sequence[str]) -> KnownAnswers:
        wanted = set(keys)
        return {
            (key, made_in, model): answer
            for (owner, key, made_in, model), answer in self._kept.items()
            if owner == account and key in wanted
        }

    @override
    def keep(
        self, account: str, made_in: ModelPass, model: str, answers: Mapping[str, ModelAnswer | None]
    ) -> None:
        self._kept.update({(account, key, made_in, model): answer for key, answer in answers.items()})

    @override
    def note(self, account: str, cost: ModelCost) -> None:
        self.noted.append(cost)

    @override
    def record_refusal(self, account: str | None, reason: str, why: str = VERDICTS) -> None:
        self.refusals.append(reason)


class LedgerAnswers(AnswerStore):
    """Keeps answers in the user's ledger, which is opened and closed for each call."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    @override
    def find_answers(self, account: str, keys: Sequence[str]) -> KnownAnswers:
        from gaia_email.ledger import open_ledger

        with open_ledger(environ=self._environ) as ledger, ledger.read() as tx:
            return dict(map(_read, ledger.answers.get(tx, account, keys, PROMPT_VERSION)))

    @override
    def keep(
        self, account: str, made_in: ModelPass, model: str, answers: Mapping[str, ModelAnswer | None]
    ) -> None:
        from gaia_email.ledger import open_ledger
        from gaia_email.ledger.model_answers import StoredAnswer

        rows = [
            StoredAnswer(
                content_hash=key,
                made_in=made_in,
                model=model,
                prompt_version=PROMPT_VERSION,
                answer=None if answer is None else _said(answer),
            )
            for key, answer in answers.items()
        ]
        with open_ledger(environ=self._environ) as ledger, ledger.write() as tx:
            ledger.answers.put(tx, account, rows)

    @override
    def note(self, account: str | None, cost: ModelCost, why: str = VERDICTS) -> None:
        payload = {
            "place": cost.place,
            "model": cost.model,
            "messages": cost.asked,
            "calls": dict(cost.calls),
            "bytes": cost.sent,
            "why": why,
        }
        self._append("model.asked", account, payload)

    @override
    def record_refusal(self, account: str | None, reason: str, why: str = VERDICTS) -> None:
        with suppress(MailError):  # the caller reports the refusal in any case
            self._append(REFUSED, account, {"reason": reason[:300], "why": why})

    def _append(self, kind: str, account: str | None, payload: Mapping[str, object]) -> None:
        from gaia_email.ledger import open_ledger
        from gaia_email.ledger.event_log import NewLedgerEvent

        with open_ledger(environ=self._environ) as ledger, ledger.write() as tx:
            ledger.events.append(tx, NewLedgerEvent(kind=kind, account_id=account, payload=payload))


def _said(answer: ModelAnswer) -> dict[str, Any]:
    return {name: value for name in _SAID if (value := getattr(answer, name)) not in (None, "")}


def _read(row: StoredAnswer) -> tuple[tuple[str, ModelPass, str], ModelAnswer | None]:
    made_in = _PASSES[row.made_in]
    said: dict[str, Any] = dict(row.answer or {})
    answer = None
    if row.answer is not None:
        answer = ModelAnswer(made_in=made_in, model=row.model, prompt=row.prompt_version, **said)
    return (row.content_hash, made_in, row.model), answer
