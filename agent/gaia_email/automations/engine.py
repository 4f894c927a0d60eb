"""What runs of automations are executed with, and how long a retry waits. Entries: `AutomationEngine`, `backoff_s`."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from gaia_email.actions.account_session import AccountSession, Brakes
from gaia_email.actions.one_call import CallToMake
from gaia_email.automations.definition import AutomationStep, RetryBackoff
from gaia_email.automations.rendering import TemplateRenderer
from gaia_email.ledger import Ledger
from gaia_email.ledger.automations import StoredAutomationRun
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.models.client import ModelQuestion, ModelReply
from gaia_email.policy.gate import Pass
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import NeedsApproval
from gaia_email_registry.origin import RequestOrigin

ACTOR = "automation"
"""Who acts, in the event log."""


def origin_of(run: StoredAutomationRun) -> RequestOrigin:
    """Return the origin of what a run does and asks."""
    return RequestOrigin(principal="automation", interface="automation", name=str(run.definition["name"]))


FIRST_PAUSE_S, LONGEST_PAUSE_S, JITTER = 5.0, 600.0, 0.25


class AskedModel(Protocol):
    """A language model, as a task asks it."""

    async def ask(self, question: ModelQuestion) -> ModelReply:
        """Its answer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationEngine:
    """The program that executes runs.

    Attributes:
        ledger: Open, and left open.
        environ: Where the vault and the like are looked up.
        renderer: Renders templates.
        open_account: Opens a mailbox to act on it.
        read_mail: Makes a call that only reads.
        call_server: Makes a call of a tool of another MCP server, with a pass of the gate.
        model: The language model that the user chose, for one run.
        brakes: The switches that hold a run.
        chance: A number from 0 to 1, for the spread of retries.
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
    """One try of a step, for what carries it out.

    Attributes:
        engine: The program.
        run: The run.
        step: As it is defined.
        config: As it was rendered.
        place: The mailbox.
        owner: The user's addresses.
        asks: Flows of strangers' words into this step that nobody allowed when it was saved, as lines.
        from_strangers: Texts that such words gave to fields that decide about something.
        confirmation_id: The question that was asked for it; empty where none was.
        keep: Writes the step's output down, in the transaction of a caller.
        progress: What an earlier try noted.
        note: Writes down how far the try is, in the transaction of a caller.
        over_budget: Why the run may not make that many more calls, or use that many more tokens.
        spend: Counts calls and tokens that the run has used.
        part: Which of several calls of the step it is; empty where there is one.
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
        """From which the ids of the step's effects are made."""
        return f"{self.run.run_id}:{self.step.step_id}{self.part}"

    def call_to_make(self, call: ToolCall) -> CallToMake:
        """A call of the step, for the gate and the ledger."""
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
        """Raise if untrusted text decides about a step that cannot ask a person while it runs.

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
        """Why it is done, for the question and the ledger."""
        name = str(self.run.definition["name"])
        told = f"The automation {name!r} does this in its step {self.step.step_id}."
        return " ".join((told, *(f"Words of strangers decide: {line}." for line in self.asks)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWaits:
    """The step waits for a person's answer."""

    confirmation_id: str


class StepHandler(Protocol):
    """What `ActionType.handler` names."""

    async def __call__(self, work: StepWork) -> object:
        """Carry it out; its output, which JSON can say, or `StepWaits`."""
        ...


def backoff_s(kind: RetryBackoff, number: int, chance: float) -> float:
    """Seconds until a retry, the first being number 1; `chance` from 0 to 1 spreads it by a quarter either way."""
    if kind == "none":
        return 0.0
    pause = FIRST_PAUSE_S * number if kind == "linear" else FIRST_PAUSE_S * 2.0**number
    return min(LONGEST_PAUSE_S, pause * (1 + JITTER * (2 * chance - 1)))
