"""Ask the user's models about uncertain messages, within a budget. Entry: `ModelAsker`.

The order is the cascade's: T1, if the user gave it its own model, drops what is not worth a closer look; T2a sorts the
rest, eight per call; T2b gives a score, one per call, to messages on which T2a and the rules differ. Every answer is
stored as it arrives, so that a run that is killed or out of budget loses none, and no question is asked twice.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from gaia_email.models.answer_store import AnswerStore, KnownAnswers
from gaia_email.models.broker import Broker
from gaia_email.models.choice import ModelChoice
from gaia_email.models.client import (
    CALL_S,
    FORMS,
    Form,
    ModelClient,
    ModelReply,
    QuestionTooLarge,
    Unanswered,
)
from gaia_email.models.prompts import BATCH, PROMPT_VERSION, question
from gaia_email.models.refused import GuardRefused
from gaia_email.models.schemas import read_answers
from gaia_email.models.servers import ModelServer, find
from gaia_email_registry.errors import MailError
from gaia_understanding.cascade.answers import (
    PASSES,
    AnswerProvider,
    CollectedAnswers,
    ModelAnswer,
    ModelCost,
    ModelPass,
    UncertainMessage,
)

FAILURES = 2
"""Consecutive calls without an answer after which a run continues without the model."""


def _usual_calls() -> dict[ModelPass, int]:
    return {"T1": 16, "T2a": 16, "T2b": 45}


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of a run; a run that reaches one ends with the verdicts of the rules, and reports it."""

    calls: Mapping[ModelPass, int] = field(default_factory=_usual_calls)
    tokens: int = 150_000
    seconds: float = 55.0


_FORMS: dict[str, Form] = {form: form for form in FORMS}


class _Ended(Exception):
    """No more calls in this run; the text is the reason."""


class _PassSpent(Exception):
    """No more calls of this pass in this run; the text is the reason."""


def _silent(said: str) -> None:
    """Ignore the message; the default if no one watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingMeans:
    """Everything that asking needs: the user's choice, the store, the broker and the budget.

    Attributes:
        interactive: True if a user waits.
        tell: Receives messages for a waiting user.
    """

    chosen: ModelChoice
    store: AnswerStore
    broker: Broker
    budget: Budget = field(default_factory=Budget)
    interactive: bool = True
    tell: Callable[[str], None] = _silent
    clock: Callable[[], float] = time.perf_counter


class ModelAsker(AnswerProvider):
    """Asks the models that the user chose (`gaia_understanding.cascade.answers.AnswerProvider`)."""

    def __init__(self, means: AskingMeans) -> None:
        self._means = means

    @override
    def recall(self, account: str, messages: Sequence[UncertainMessage]) -> CollectedAnswers:
        """Return earlier answers of the models that are chosen now."""
        known = self._means.store.find_answers(account, [one.key for one in messages])
        return _Run(self._means, account, messages, known).collect_answers()

    @override
    async def ask(self, account: str, messages: Sequence[UncertainMessage]) -> CollectedAnswers:
        if not messages or "T2" not in self._means.chosen.tiers:
            return CollectedAnswers()
        known = self._means.store.find_answers(account, [one.key for one in messages])
        run = _Run(self._means, account, sorted(messages, key=lambda one: one.verdict.confidence), known)
        try:
            await run.go()
        except _Ended as ended:
            run.said = str(ended)
        except MailError as error:
            if isinstance(error, GuardRefused):
                self._means.store.record_refusal(account, error.message)
            run.said = f"{error.message} The rules' verdicts stand."
        asked = run.collect_answers()
        if asked.cost.sent:
            self._means.store.note(account, asked.cost)
        return asked


class _Run:
    """One run over one account's messages."""

    def __init__(
        self, means: AskingMeans, account: str, messages: Sequence[UncertainMessage], known: KnownAnswers
    ) -> None:
        self._means, self._account, self._messages = means, account, messages
        self._known: dict[tuple[str, ModelPass, str], ModelAnswer | None] = dict(known)
        self._from_before = {key for key, _, _ in known}
        self._started = means.clock()
        self._calls: dict[ModelPass, int] = {}
        self._shown: set[str] = set()
        self._invalid = self._failed = self._in_a_row = 0
        self._tokens_in = self._tokens_out = self._sent = 0
        self._waited = 0.0
        self._took: list[tuple[ModelPass, float]] = []
        self._place = ""
        self.said = ""

    async def go(self) -> None:
        """Ask the models, one pass after the other.

        Raises:
            _Ended: The budget is spent, or the server stopped answering.
            MailError: There is no server, or the model may not be shown mail.
        """
        first, second = self._means.chosen.tiers.get("T1"), self._means.chosen.tiers["T2"]
        if not self._left("T2a", second) and not self._doubted(second):
            return
        server = await self._server(second)
        self._place = server.address.place
        if first is not None and first != second and (left := self._left("T1", first)):
            await self._with_model(server, first, lambda client: self._batches(client, "T1", left))
        await self._with_model(server, second, self._second_tier)

    async def _second_tier(self, client: ModelClient) -> None:
        await self._batches(client, "T2a", self._left("T2a", client.model))
        await self._batches(client, "T2b", self._doubted(client.model))

    def _left(self, made_in: ModelPass, model: str) -> list[UncertainMessage]:
        """Return the messages this pass has not answered yet, without those that T1 dropped."""
        return [
            one
            for one in self._messages
            if (one.key, made_in, model) not in self._known and not self._dropped(one)
        ]

    def _dropped(self, one: UncertainMessage) -> bool:
        model = self._means.chosen.tiers.get("T1", "")
        answer = self._known.get((one.key, "T1", model))
        return answer is not None and answer.keep is False

    def _doubted(self, model: str) -> list[UncertainMessage]:
        """Return messages that T2a puts in another bucket than the rules and T2b has not answered yet."""
        return [
            one
            for one in self._left("T2b", model)
            if (answer := self._known.get((one.key, "T2a", model))) is not None
            and answer.bucket != one.verdict.bucket
        ]

    async def _server(self, model: str) -> ModelServer:
        found = await find(self._means.chosen.address)
        for server in found:
            if server.model(model) is not None or server.kind == "llama.cpp":
                return server
        if found:
            raise _Ended(
                f"{found[0].title} has no model {model}; the rules' verdicts stand. Try gaia email models."
            )
        raise _Ended(
            "No model server answered; the rules' verdicts stand. gaia email models says what is missing."
        )

    async def _with_model(
        self, server: ModelServer, model: str, use: Callable[[ModelClient], Awaitable[None]]
    ) -> None:
        place = server.address.place
        form = _form(self._means.broker.form_of(place, server.version, model))

        def waits() -> None:
            self._means.tell(f"Waiting until another program is done with its model; then {model}.")

        async with self._means.broker.lease(
            place, model, interactive=self._means.interactive, waits=waits
        ) as lease:
            self._waited += lease.waited_s
            self._means.tell(
                f"{'Switching model: asking' if lease.switched else 'Asking'} {model} at {place}."
            )
            async with ModelClient(
                server, model, self._means.chosen, form=form, clock=self._means.clock
            ) as client:
                try:
                    await use(client)
                finally:
                    self._sent += client.sent
                    if client.form != form:
                        self._means.broker.learn_form(place, server.version, model, client.form)

    async def _batches(
        self, client: ModelClient, made_in: ModelPass, messages: Sequence[UncertainMessage]
    ) -> None:
        size = BATCH[made_in]
        try:
            for start in range(0, len(messages), size):
                await self._batch(client, made_in, messages[start : start + size])
        except _PassSpent as spent:
            self.said = str(spent)

    async def _batch(
        self, client: ModelClient, made_in: ModelPass, batch: Sequence[UncertainMessage]
    ) -> None:
        try:
            reply = await self._call(client, made_in, batch)
        except QuestionTooLarge:
            if len(batch) > 1:
                half = len(batch) // 2
                await self._batch(client, made_in, batch[:half])
                await self._batch(client, made_in, batch[half:])
                return
            self._keep(made_in, client.model, batch, [None])
            return
        if reply is None:
            return
        if not reply.is_usable and not (reply.text and self._has_answered(client.model)):
            self._invalid += len(batch) if reply.text else 0
            self._count_failure(reply.oddity)
            return
        self._in_a_row = 0
        answers = read_answers(made_in, reply.text, batch, model=client.model, prompt=PROMPT_VERSION)
        self._keep(made_in, client.model, batch, answers)

    async def _call(
        self, client: ModelClient, made_in: ModelPass, batch: Sequence[UncertainMessage]
    ) -> ModelReply | None:
        """Make one call; None if it failed and the next one may succeed."""
        left_s = self._within_budget(made_in)
        client.call_s = min(CALL_S, left_s)
        self._calls[made_in] = self._calls.get(made_in, 0) + 1
        self._shown.update(one.key for one in batch)
        try:
            reply = await client.ask(question(made_in, batch))
        except GuardRefused:
            self._shown.difference_update(one.key for one in batch)
            raise
        except Unanswered as error:
            self._count_failure(error.message)
            return None
        self.said = reply.oddity or self.said
        self._tokens_in += reply.tokens_in
        self._tokens_out += reply.tokens_out
        self._took.append((made_in, reply.seconds))
        return reply

    def _has_answered(self, model: str) -> bool:
        """Return True if this model ever gave a valid answer; an invalid one is then due to the message."""
        return any(answer is not None and model == by for (_, _, by), answer in self._known.items())

    def _count_failure(self, why: str) -> None:
        """Count a call that gave nothing to store.

        Raises:
            _Ended: There were too many in a row.
        """
        self._failed += 1
        self.said = f"{why} The rules' verdicts stand where it was asked in vain."
        self._in_a_row += 1
        if self._in_a_row >= FAILURES:
            raise _Ended(f"{why} The rules' verdicts stand for the rest.") from None

    def _within_budget(self, made_in: ModelPass) -> float:
        budget = self._means.budget
        left_s = budget.seconds - (self._means.clock() - self._started)
        if left_s <= 0:
            raise _Ended(
                f"The budget of {budget.seconds:.0f} s is spent; the rules' verdicts stand for the rest."
            )
        if self._tokens_in + self._tokens_out >= budget.tokens:
            raise _Ended(
                f"The budget of {budget.tokens:,} tokens is spent; the rules' verdicts stand for the rest."
            )
        if self._calls.get(made_in, 0) >= budget.calls[made_in]:
            raise _PassSpent(
                f"The budget of {budget.calls[made_in]} calls of {made_in} is spent; the rules' verdicts stand "
                "for the rest."
            )
        return left_s

    def _keep(
        self,
        made_in: ModelPass,
        model: str,
        batch: Sequence[UncertainMessage],
        answers: Sequence[ModelAnswer | None],
    ) -> None:
        told = {one.key: answer for one, answer in zip(batch, answers, strict=True)}
        self._invalid += sum(answer is None for answer in answers)
        self._means.store.keep(self._account, made_in, model, told)
        self._known.update({(key, made_in, model): answer for key, answer in told.items()})

    def collect_answers(self) -> CollectedAnswers:
        """Return the answers so far, and their cost."""
        tiers = self._means.chosen.tiers
        models: dict[ModelPass, str | None] = {
            "T1": tiers.get("T1"),
            "T2a": tiers.get("T2"),
            "T2b": tiers.get("T2"),
        }
        answers: dict[str, tuple[ModelAnswer, ...]] = {}
        for one in self._messages:
            said = [self._known.get((one.key, made_in, models[made_in] or "")) for made_in in PASSES]
            held = tuple(answer for answer in said if answer is not None)
            if held:
                answers[one.key] = held
        return CollectedAnswers(
            answers=answers,
            cost=ModelCost(
                model=tiers.get("T2", ""),
                calls=dict(self._calls),
                asked=len(self._shown),
                recalled=len(self._from_before - self._shown),
                invalid=self._invalid,
                failed=self._failed,
                tokens_in=self._tokens_in,
                tokens_out=self._tokens_out,
                seconds=self._means.clock() - self._started,
                slowest_s=max((seconds for _, seconds in self._took), default=0.0),
                took=tuple(self._took),
                waited_s=self._waited,
                sent=self._sent,
                place=self._place,
                said=self.said,
            ),
        )


def _form(kept: str | None) -> Form:
    return _FORMS.get(kept or "", FORMS[0])
