"""What the rules are unsure of, put to a local language model where the user chose one. Entry: `UncertainMessages`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gaia_email.cascade.agree import CAUTIOUS, Weights, agree, is_open
from gaia_email.cascade.answers import AnswerProvider, CollectedAnswers, ModelCost, UncertainMessage
from gaia_email.cascade.understand import Understood
from gaia_email.cascade.verdict import Verdict

MOST = 400
"""Messages that are held for a model at once; a run's budget is for fewer. The least sure of them are kept."""

_CHARS = 4_000


@dataclass(slots=True, kw_only=True)
class UncertainMessages:
    """Collects what a triage is unsure of, has it asked about, and gives the verdicts after that.

    Attributes:
        asker: Who is asked.
        name: Which models those are, and by which prompts: with another one, mail is judged anew.
        weights: How much an answer counts.
        tell: Given a sentence where asking ended early; the same one once only.
        recalls_only: Nobody is asked; answers given earlier count.
        asked: What was answered, and what it cost; empty before `settle`.
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
        """Whether the rules are unsure enough for a model to be asked."""
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
        """Ask; what that took."""
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
        """Settle with answers given earlier; no model is asked."""
        self.asked = self.asker.recall(account, _in_order(self._held))
        self._held.clear()

    def recalled(self, account: str, key: str, understood: Understood, verdict: Verdict) -> Verdict:
        """One verdict after what was answered about its message earlier; nobody is asked."""
        self.note(key, understood)
        self.remember(account)
        return self.after(key, verdict)

    def after(self, key: str, verdict: Verdict) -> Verdict:
        """The verdict after the answers about this message."""
        return agree(verdict, self.asked.answers.get(key, ()), self.weights)


def unsure_of(key: str, understood: Understood) -> UncertainMessage:
    """A message as it is put to a model; only what a reader sees and the sender newly wrote."""
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
