"""`triage --apply`: a run that outlives this program, shown as a card or a document. Entry point: `apply_triage`."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from time import perf_counter

from gaia_email.actions.applying import Applied
from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.actions.triaging import RunPlan, RunReport
from gaia_email.faces.cli.acting import acting_progress, writable_place
from gaia_email.faces.cli.did import show_run
from gaia_email.faces.cli.options import Source
from gaia_email.faces.cli.output import OutputFormat, note
from gaia_email.faces.cli.session import owner_of, progress
from gaia_email.ledger import Selection, open_ledger
from gaia_email.runs.job import Job, Told
from gaia_email.runs.steps import Hooks, run_here
from gaia_email.triage.inbox import Inbox
from gaia_email_registry.errors import MailError, NeedsApproval


@dataclass(slots=True)
class _Seen:
    """What this program saw of its run; nothing where another one executes it."""

    plan: RunPlan | None = None
    earlier: Applied = field(default_factory=Applied)
    applied: Applied = field(default_factory=Applied)
    problem: MailError | None = None

    def planned(self, plan: RunPlan) -> None:
        self.plan = plan


def apply_triage(source: Source, since: float | None, form: OutputFormat, fields: list[str]) -> int:
    """Triage and do what the user's levels allow; the exit code.

    Raises:
        BadArgument: The mailbox can only be read, or another program is acting on it.
        NeedsApproval: The agent is stopped or paused.
        MailError: The mailbox or the ledger cannot be used; what is planned is done when they can.
    """
    place = writable_place(source)
    started = perf_counter()
    job = Job(
        kind="triage",
        run_id=str(uuid.uuid4()),
        place=place,
        owner=owner_of(source),
        since=since,
    )
    seen = _Seen()
    with open_ledger():  # what is wrong with it is told before anything is begun
        told = _run(job, seen)
    if reason := told.get("held"):
        raise NeedsApproval(str(reason))
    report = _report(job, seen, told, perf_counter() - started)
    return show_run(report, source, form, fields)


def _run(job: Job, seen: _Seen) -> Told:
    from gaia_email.runs.engine import NoEngine
    from gaia_email.runs.host import execute

    hooks = Hooks(
        reading=progress,
        acting=acting_progress,
        planned=seen.planned,
        settled=seen.earlier.add,
        applied=seen.applied.add,
    )
    try:
        try:
            return execute(job, hooks=hooks)
        except NoEngine as error:
            note(f"{error.message} The triage runs without it{f': {error.hint}' if error.hint else '.'}")
            return run_here(job, hooks=hooks)
    except MailError as error:
        if not seen.applied.done:
            raise
        seen.problem = error
        return {}


def _report(job: Job, seen: _Seen, told: Told, seconds: float) -> RunReport:
    """From what was seen here, and from the ledger where another program did it."""
    given = told.get("asked")
    asked = given if isinstance(given, int) else 0
    if seen.plan is None:
        with open_ledger() as ledger, ledger.read() as tx:
            chosen = Selection(run_id=job.run_id, types=BY_TRIAGE)
            actions = ledger.actions.select(tx, chosen)
        done = [action for action in actions if action.state == "applied"]
        failed = [action for action in actions if action.state == "failed"]
        return RunReport(
            run_id=job.run_id,
            inbox=Inbox(account=str(told.get("account", ""))),
            earlier=seen.earlier,
            applied=Applied(done=done, failed=failed),
            asked=asked,
            seconds=seconds,
        )
    applied = Applied(
        done=seen.applied.done,
        failed=seen.applied.failed,
        left=seen.applied.left,
        problem=seen.problem,
        halted=seen.applied.halted,
    )
    return RunReport(
        run_id=job.run_id,
        inbox=seen.plan.inbox,
        earlier=seen.earlier,
        applied=applied,
        modes=seen.plan.modes,
        asked=asked,
        seconds=seconds,
    )
