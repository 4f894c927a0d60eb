"""The engine that executes runs, and the pause before a retry. Entries: `AutomationEngine`, `backoff_s`."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from gaia_email.actions.account_session import AccountSession, Brakes
from gaia_email.actions.one_call import CallToMake
from gaia_email.ledger import Ledger
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.models.client import ModelQuestion, ModelReply
from gaia_email.policy.gate import Pass
from gaia_email_automations.definition import AutomationStep, RetryBackoff
from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.store import StoredAutomationRun
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import NeedsApproval
from gaia_email_registry.origin import RequestOrigin

ACTOR = "automation"
"""The actor in the event log."""


def origin_of(run: StoredAutomationRun) -> RequestOrigin:
    """Return the origin for a run's actions and questions."""
    return RequestOrigin(principal="automation", interface="automation", name=str(run.definition["name"]))


FIRST_PAUSE_S, LONGEST_PAUSE_S, JITTER = 5.0, 600.0, 0.25


class AskedModel(Protocol):
    """A language model as a task uses it."""

    async def ask(self, question: ModelQuestion) -> ModelReply:
        """Return the model's answer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationEngine:
    """Everything that executing runs needs.

    Attributes:
        ledger: The open ledger; it is not closed here.
        environ: The environment that locates the vault and similar.
        renderer: Renders templates.
        open_account: Opens a mailbox to act on it.
        read_mail: Makes a call that only reads.
        call_server: Calls a tool of another MCP server, with a pass of the gate.
        model: Opens the user's chosen language model for one run.
        brakes: Returns the switches that can stop a run.
        chance: Returns a number from 0 to 1, to spread retries.
    """

    ledger: Ledger
    environ: Mapping[str, str]
    renderer: TemplateRenderer
    open_account: Callable[[MailboxRef], AbstractAsyncContextManager[AccountSession]]
    read_mail: Callable[[MailboxRef, ToolCall], Awaitable[Mapping[str, Any]]]
    call_server: Callable[[Pass], Awaitable[Mapping[str, Any]]]
    model: Callable[[StoredAutomationRun], AbstractAsyncContextManager[AskedModel]]
    brakes: Callable[[StoredAutomationRun], Brakes]
    chance: Callable[[], float] = field(default=random.random)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWork:
    """One attempt at a step, for its handler.

    Attributes:
        engine: The engine.
        run: The run.
        step: The step as defined.
        config: The rendered configuration.
        place: The mailbox.
        owner: The user's addresses.
        asks: Flows of untrusted text into this step that were not allowed when it was saved, as lines.
        from_strangers: Values that such flows put into deciding fields.
        confirmation_id: The question asked for this step; empty for none.
        keep: Stores the step's output in the caller's transaction.
        progress: Progress stored by an earlier attempt.
        note: Stores the attempt's progress in the caller's transaction.
        over_budget: Returns why the run may not make so many more calls or use so many more tokens.
        spend: Counts calls and tokens used by the run.
        part: Distinguishes several calls of the step; empty if there is only one.
    """

    engine: AutomationEngine
    run: StoredAutomationRun
    step: AutomationStep
    config: Mapping[str, Any]
    place: MailboxRef
    owner: tuple[str, ...]
    asks: tuple[str, ...]
    from_strangers: frozenset[str]
    confirmation_id: str
    keep: Callable[[Any, object], None]
    progress: Mapping[str, Any]
    note: Callable[[Any, Mapping[str, Any]], None]
    over_budget: Callable[[int, int], str]
    spend: Callable[[int, int], None]
    part: str = ""

    @property
    def effect_id(self) -> str:
        """Base of the ids of the step's effects."""
        return f"{self.run.run_id}:{self.step.step_id}{self.part}"

    def call_to_make(self, call: ToolCall) -> CallToMake:
        """Return a call of the step, for the gate and the ledger."""
        return CallToMake(
            call=call,
            origin=origin_of(self.run),
            action_id=self.effect_id,
            run_id=self.run.run_id,
            why=self.why,
            asks=bool(self.asks),
            from_strangers=self.from_strangers,
            own=frozenset(self.owner),
            asked=bool(self.confirmation_id),
        )

    def need_no_question(self) -> None:
        """Raise if untrusted text decides about a step that cannot ask a user while it runs.

        Raises:
            NeedsApproval: The flows were not allowed when the automation was saved.
        """
        if self.asks:
            raise NeedsApproval(
                f"Untrusted text would decide about this step ({'; '.join(self.asks)}). "
                "Allow these lines when you save the automation."
            )

    @property
    def why(self) -> str:
        """The reason for the step, shown with the question and in the ledger."""
        name = str(self.run.definition["name"])
        told = f"The automation {name!r} does this in its step {self.step.step_id}."
        return " ".join((told, *(f"Words of strangers decide: {line}." for line in self.asks)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWaits:
    """The step waits for a user's answer."""

    confirmation_id: str


class StepHandler(Protocol):
    """The function that `ActionType.handler` names."""

    async def __call__(self, work: StepWork) -> object:
        """Carry out the step; return its output as JSON values, or `StepWaits`."""
        ...


def backoff_s(kind: RetryBackoff, number: int, chance: float) -> float:
    """Return the seconds until a retry, the first being number 1; `chance` from 0 to 1 varies it by up to a quarter."""
    if kind == "none":
        return 0.0
    pause = FIRST_PAUSE_S * number if kind == "linear" else FIRST_PAUSE_S * 2.0**number
    return min(LONGEST_PAUSE_S, pause * (1 + JITTER * (2 * chance - 1)))
