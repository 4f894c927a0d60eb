"""A triage that acts on mail, and a preview of a mailbox's first one. Entries: `run_triage`, `first_plan`."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from gaia_email.actions.applying import AppliedActions
from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.actions.triaging import RunPlan, RunReport
from gaia_email.app import App
from gaia_email.app.services.acting import writable_mailbox
from gaia_email.app.services.opening import account_of, owner_of
from gaia_email.app.services.reading import read_inbox
from gaia_email.ledger import Selection
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.runs.arguments import TriageArguments
from gaia_email.runs.here import run_here
from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.steps import RunHooks
from gaia_email.triage.inbox import Inbox
from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec

Progress = Callable[[int, int], None]


def _unheard(done: int, total: int) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunListener:
    """Callbacks for the progress of a run.

    Attributes:
        reading: Receives `(done, total)` of the messages judged.
        acting: Receives `(done, total)` of the actions applied.
        note: Receives sentences for a waiting user.
    """

    reading: Progress = _unheard
    acting: Progress = _unheard
    note: Callable[[str], None] = lambda said: None


@dataclass(slots=True)
class _Seen:
    """The run as observed by this program; empty if another program executes it."""

    plan: RunPlan | None = None
    earlier: AppliedActions = field(default_factory=AppliedActions)
    applied: AppliedActions = field(default_factory=AppliedActions)
    problem: MailError | None = None

    def keep_plan(self, plan: RunPlan) -> None:
        self.plan = plan


def run_triage(
    app: App,
    source: SourceSpec,
    since: float | None,
    listening: RunListener,
    *,
    origin: RequestOrigin,
    again: bool = False,
) -> RunReport:
    """Triage the mailbox and apply what the user's levels allow, in a run that outlives this program.

    With `again`, actions that the user undid before are repeated.

    Raises:
        BadArgument: The mailbox is read-only, or another program is acting on it.
        NeedsApproval: The agent is stopped or paused.
        MailError: The mailbox or the ledger cannot be used; planned actions are applied once they can.
    """
    place = writable_mailbox(source)
    started = perf_counter()
    job = Job(
        kind="triage",
        run_id=str(uuid.uuid4()),
        place=place,
        origin=origin,
        owner=owner_of(app, source),
        arguments=TriageArguments(since=since, again=again).to_dict(),
    )
    seen = _Seen()
    with app.ledger():  # report a problem with the ledger before anything is started
        told = _run(app, job, seen, listening)
    if reason := told.get("held"):
        raise NeedsApproval(str(reason))
    return _report(app, job, seen, told, perf_counter() - started)


def has_acted(app: App, source: SourceSpec) -> bool:
    """Return True if a triage has acted on this mailbox before."""
    if not has_ledger(app.environ):
        return False
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        chosen = Selection(account_id=account_of(app, source), types=BY_TRIAGE)
        return bool(ledger.actions.select(tx, chosen, limit=1))


def first_plan(
    app: App, source: SourceSpec, since: float | None, progress: Progress
) -> Counter[tuple[str, str]]:
    """Return what a triage would do on its own: the number of messages by cohort and action."""
    return planned_in(read_inbox(app, source, since=since, progress=progress))


def planned_in(inbox: Inbox) -> Counter[tuple[str, str]]:
    """Return what would be done with this inbox automatically: the number of messages by cohort and action."""
    return Counter(
        (member.decision.cohort, member.decision.action)
        for items in inbox.buckets.values()
        for item in items
        for member in item.members
        if member.decision.mode == "apply"
    )


def _run(app: App, job: Job, seen: _Seen, listening: RunListener) -> RunResult:
    from gaia_email.runs.engine import NoEngine
    from gaia_email.runs.host import execute

    hooks = RunHooks(
        reading=listening.reading,
        acting=listening.acting,
        telling=listening.note,
        planned=seen.keep_plan,
        settled=seen.earlier.add,
        applied=seen.applied.add,
    )
    try:
        try:
            return execute(job, hooks=hooks, environ=app.environ)
        except NoEngine as error:
            hint = f": {error.hint}" if error.hint else "."
            listening.note(f"{error.message} The triage runs without it{hint}")
            return run_here(job, hooks=hooks, environ=app.environ)
    except MailError as error:
        if not seen.applied.done:
            raise
        seen.problem = error
        return {}


def _report(app: App, job: Job, seen: _Seen, told: RunResult, seconds: float) -> RunReport:
    """Build the report from this program's observations, or from the ledger if another program executed the run."""
    given = told.get("asked")
    asked = given if isinstance(given, int) else 0
    if seen.plan is None:
        with app.ledger(read_only=True) as ledger, ledger.read() as tx:
            chosen = Selection(run_id=job.run_id, types=BY_TRIAGE)
            actions = ledger.actions.select(tx, chosen)
        done = [action for action in actions if action.state == "applied"]
        failed = [action for action in actions if action.state == "failed"]
        return RunReport(
            run_id=job.run_id,
            inbox=Inbox(account=str(told.get("account", ""))),
            earlier=seen.earlier,
            applied=AppliedActions(done=done, failed=failed),
            asked=asked,
            seconds=seconds,
        )
    applied = AppliedActions(
        done=seen.applied.done,
        failed=seen.applied.failed,
        left=seen.applied.left,
        problem=seen.problem,
        halted=seen.applied.halted,
    )
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        left_alone = (
            () if TriageArguments.of(job.arguments).again else ledger.actions.taken_back(tx, BY_TRIAGE)
        )
    return RunReport(
        run_id=job.run_id,
        taken_back=sum(account == seen.plan.inbox.account for account, _ in left_alone),
        inbox=seen.plan.inbox,
        earlier=seen.earlier,
        applied=applied,
        modes=seen.plan.modes,
        asked=asked,
        seconds=seconds,
    )
