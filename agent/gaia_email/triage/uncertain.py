"""Put messages the rules are unsure of to a local language model, if one is chosen. Entry: `UncertainMessages`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gaia_understanding.cascade.agree import CAUTIOUS, Weights, agree, is_open
from gaia_understanding.cascade.answers import AnswerProvider, CollectedAnswers, ModelCost, UncertainMessage
from gaia_understanding.cascade.understand import Understood
from gaia_understanding.cascade.verdict import Verdict

MOST = 400
"""Maximum number of messages held for a model, the least certain ones; more than a run's budget allows."""

_CHARS = 4_000


@dataclass(slots=True, kw_only=True)
class UncertainMessages:
    """Collects uncertain messages, has a model asked about them, and applies the answers to verdicts.

    Attributes:
        asker: Asks the model.
        name: The models and their prompt version; a change makes mail be judged again.
        weights: The weight of an answer.
        tell: Receives a sentence if asking ended early; the same one only once.
        recalls_only: True to use earlier answers and ask no model.
        asked: The answers and their cost; empty before `settle`.
    """

    asker: AnswerProvider
    name: str = ""
    weights: Weights = CAUTIOUS
    tell: Callable[[str], None] = lambda said: None
    recalls_only: bool = False
    asked: CollectedAnswers = field(default_factory=CollectedAnswers)
    _held: dict[str, UncertainMessage] = field(default_factory=dict[str, UncertainMessage])
    _last_said: str = ""

    def wants(self, verdict: Verdict) -> bool:
        """Return True if the rules are unsure enough to ask a model."""
        return is_open(verdict, self.weights)

    def note(self, key: str, understood: Understood) -> None:
        """Hold a message if the rules are unsure of it; `key` is its content hash."""
        if not self.wants(understood.verdict):
            return
        if len(self._held) >= MOST:
            surest = max(self._held, key=lambda held: self._held[held].verdict.confidence)
            if self._held[surest].verdict.confidence <= understood.verdict.confidence:
                return
            del self._held[surest]
        self._held[key] = unsure_of(key, understood)

    async def settle(self, account: str) -> ModelCost:
        """Ask about the held messages, and return the cost."""
        if self.recalls_only:
            self.remember(account)
            return self.asked.cost
        self.asked = await self.asker.ask(account, _in_order(self._held))
        self._held.clear()
        said = self.asked.cost.said
        if said and said != self._last_said:
            self.tell(said)
        self._last_said = said
        return self.asked.cost

    def remember(self, account: str) -> None:
        """Use earlier answers for the held messages; no model is asked."""
        self.asked = self.asker.recall(account, _in_order(self._held))
        self._held.clear()

    def recall(self, account: str, key: str, understood: Understood, verdict: Verdict) -> Verdict:
        """Return a verdict adjusted by earlier answers about its message; no model is asked."""
        self.note(key, understood)
        self.remember(account)
        return self.after(key, verdict)

    def after(self, key: str, verdict: Verdict) -> Verdict:
        """Return a verdict adjusted by the answers about its message."""
        return agree(verdict, self.asked.answers.get(key, ()), self.weights)


def unsure_of(key: str, understood: Understood) -> UncertainMessage:
    """Return a message as a model gets it: only the visible text that the sender newly wrote."""
    message, prepared = understood.message, understood.prepared
    sender = message.sender
    text = prepared.normalized
    if len(text) > _CHARS:
        text = f"{text[: _CHARS * 3 // 4]}\n…\n{text[-_CHARS // 4 :]}"
    return UncertainMessage(
        key=key,
        sender=f"{sender.name} {sender.address}".strip() if sender else "",
        subject=message.subject,
        text=text,
        verdict=understood.verdict,
    )


def _in_order(held: dict[str, UncertainMessage]) -> Sequence[UncertainMessage]:
    return sorted(held.values(), key=lambda one: (one.verdict.confidence, one.key))
