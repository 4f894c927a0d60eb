"""The steps of runs, each of which can be interrupted and repeated. Entry points: `plan`, `apply_some`, `wake`.

```
plan        settle earlier runs, fetch, judge, store verdicts, actions and questions in one transaction
apply_some  a few hundred of the planned actions, checked before and settled after
finish      the run's end and the report to the user
```
The result of a step, counts and IDs, is all that is stored outside the ledger.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from gaia_email.actions.account_session import AccountSession, Brakes, open_account_session
from gaia_email.actions.applying import AppliedActions, Progress, finish_runs, planned_of, silent
from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.actions.pending.over import offer_over
from gaia_email.actions.pending.raising import raise_items, tell_of_run
from gaia_email.actions.reconcile import reconcile
from gaia_email.actions.snooze import wake as wake_snoozed
from gaia_email.actions.triaging import RunPlan, TriageRequest, plan_run
from gaia_email.ledger import Ledger, NewLedgerEvent, Selection, open_ledger
from gaia_email.ledger.policy_store import PolicyStore, StoredBrakes
from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.mailbox.sync import sync_mail
from gaia_email.runs.arguments import TriageArguments
from gaia_email.runs.job import Job, RunResult
from gaia_email.triage.learn.behaviour import notice
from gaia_email.triage.tiers import default_tier, models_for_uncertain
from gaia_email.triage.watch import pause_after
from gaia_email_registry.accounts import check_enabled
from gaia_email_registry.errors import MailError, NeedsApproval, ProviderError, RateLimited
from gaia_understanding.cascade.verdict import Tier

AT_ONCE = 500
"""Actions per step: some seconds of work to check again after a crash."""

LOOK_EVERY_S = 1.0
"""Seconds between checks that a mailbox being waited on is still switched on."""

QUICK_S, REST_S = 5.0, 30.0
"""If a wait ends within the first number of seconds without a change, pause for the second number."""

CANCELLED = "run.cancelled"
BY_USER = "The run was cancelled."


def nobody(said: str) -> None:
    """Ignore a message for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHooks:
    """Callbacks for an interface that executes the run in its own program."""

    tier: Callable[[], Tier] | None = None
    """Returns the classifier; None for the program's default."""

    telling: Callable[[str], None] = lambda said: None
    reading: Progress = silent
    acting: Progress = silent
    planned: Callable[[RunPlan], None] = lambda plan: None
    settled: Callable[[AppliedActions], None] = lambda earlier: None
    applied: Callable[[AppliedActions], None] = lambda done: None


class RunBrakes:
    """The user's switches, the account's switch, and the cancellation of this run."""

    def __init__(self, ledger: Ledger, job: Job, environ: Mapping[str, str]) -> None:
        self._ledger = ledger
        self._run_id = job.run_id
        self._place = job.place
        self._environ = environ
        self._switches = StoredBrakes(ledger, scheduled=job.scheduled)

    def explain_hold(self) -> str:
        """Return why the run may not start."""
        return self.explain_halt() or self._switches.explain_hold()

    def explain_halt(self) -> str:
        """Return why the run must end."""
        if stopped := self._switches.explain_halt():
            return stopped
        if was_cancelled(self._ledger, self._run_id):
            return BY_USER
        return _switched_off(self._place, self._environ)


class CancelledBrakes:
    """Brakes of a cancelled run, which stop every action."""

    def explain_hold(self) -> str:
        """Return the cancellation as the reason."""
        return BY_USER

    def explain_halt(self) -> str:
        """Return the cancellation as the reason."""
        return BY_USER


def _switched_off(place: MailboxRef, environ: Mapping[str, str]) -> str:
    try:
        if place.kind == "account":
            check_enabled(place.path, environ)
    except NeedsApproval as error:
        return f"{error.message} {error.hint}"
    return ""


def was_cancelled(ledger: Ledger, run_id: str) -> bool:
    """Return True if the run was cancelled."""
    with ledger.read() as tx:
        return bool(ledger.events.since(tx, kind=CANCELLED, run_id=run_id, limit=1))


def cancel(ledger: Ledger, run_id: str, *, actor: str) -> bool:
    """Record that a run must end before its next effect. Returns False if this was already recorded."""
    with ledger.write() as tx:
        if ledger.events.since(tx, kind=CANCELLED, run_id=run_id, limit=1):
            return False
        ledger.events.append(tx, NewLedgerEvent(kind=CANCELLED, actor=actor, run_id=run_id))
        ledger.pending.void(tx, run_id=run_id)
    return True


def explain_hold(job: Job, *, environ: Mapping[str, str]) -> str:
    """Return why the run may not start now; empty if it may."""
    with open_ledger(environ=environ) as ledger:
        return RunBrakes(ledger, job, environ).explain_hold()


@asynccontextmanager
async def _session(job: Job, environ: Mapping[str, str]) -> AsyncGenerator[AccountSession, None]:
    with open_ledger(environ=environ) as ledger:
        brakes: Brakes = RunBrakes(ledger, job, environ)
        async with open_account_session(
            job.place.spec(environ),
            ledger,
            origin=job.origin,
            actor="agent",
            brakes=brakes,
            environ=environ,
        ) as session:
            yield session


async def plan(job: Job, *, hooks: RunHooks | None = None, environ: Mapping[str, str]) -> RunResult:
    """Settle earlier runs, then determine and record what this run does.

    Raises:
        NeedsApproval: It may not start: stopped, paused, quiet hours, or cancelled.
        MailError: The mailbox or the ledger cannot be used.
    """
    watching = hooks or RunHooks()
    async with _session(job, environ) as session:
        with session.ledger.read() as tx:
            begun = session.ledger.events.since(tx, kind="run.started", run_id=job.run_id, limit=1)
            stored = PolicyStore(session.ledger).read(tx).rules
        asked_for = TriageArguments.of(job.arguments)
        rules = replace(stored, scheduled=job.scheduled, again=asked_for.again)
        if begun:  # planned already, but the program died before it returned the result
            return _planned(session, job, begun[0].payload.get("messages"))
        await _settle_cancelled(session)
        earlier = await reconcile(session, progress=watching.acting)
        watching.settled(earlier)
        if earlier.problem is not None:
            raise earlier.problem
        if reason := session.brakes.explain_hold():
            raise NeedsApproval(reason)
        wanted = TriageRequest(
            tier=default_tier(environ=environ) if watching.tier is None else watching.tier(),
            uncertain=models_for_uncertain(
                tell=watching.telling, interactive=not job.scheduled, environ=environ
            ),
            rules=rules,
            owner=job.owner,
            since=asked_for.since,
            run_id=job.run_id,
            also=lambda tx, inbox, run_id: raise_items(session.ledger, tx, inbox, run_id, origin=job.origin),
        )
        found = await plan_run(session, wanted, reading=watching.reading)
        await offer_over(session, wanted, origin=job.origin)
        watching.planned(found)
        return _planned(session, job, len(found.inbox.judged)) | {
            "handled": found.inbox.handled,
            "unreadable": found.inbox.unreadable,
        }


def _planned(session: AccountSession, job: Job, messages: object) -> RunResult:
    with session.ledger.read() as tx:
        actions = session.ledger.actions.select(tx, Selection(run_id=job.run_id))
        asked = session.ledger.pending.select(tx, run_id=job.run_id)
    return {
        "account": session.account,
        "messages": messages if isinstance(messages, int) else 0,
        "actions": sum(bool(action.message_id) for action in actions),
        "asked": len(asked),
    }


async def apply_some(job: Job, *, hooks: RunHooks | None = None, environ: Mapping[str, str]) -> RunResult:
    """Carry out the run's next few hundred actions; `left` of them are then still planned.

    Raises:
        MailError: The mailbox or the ledger cannot be used; unfinished actions stay planned.
    """
    watching = hooks or RunHooks()
    async with _session(job, environ) as session:
        done = await reconcile(session, run_id=job.run_id, at_most=AT_ONCE, progress=watching.acting)
        watching.applied(done)
        if done.problem is not None and not done.done:
            raise done.problem
        return _applied(session, job, done)


def _applied(session: AccountSession, job: Job, done: AppliedActions) -> RunResult:
    return {
        "done": len(done.done),
        "failed": len(done.failed),
        "left": len(planned_of(session, job.run_id)),
        "halted": done.halted,
    }


async def finish(job: Job, *, environ: Mapping[str, str]) -> RunResult:
    """Record the run's end, learn from what the user did with earlier mail, and report the run to the user."""
    async with _session(job, environ) as session:
        finish_runs(session, [job.run_id])
        await _notice(session, job, environ)
        with session.ledger.write() as tx:
            told = tell_of_run(session.ledger, tx, session.account, job.run_id, origin=job.origin)
            counts = session.ledger.actions.count(tx, Selection(run_id=job.run_id, types=BY_TRIAGE))
        return {"told": told, "applied": counts.get("applied", 0), "failed": counts.get("failed", 0)}


async def _notice(session: AccountSession, job: Job, environ: Mapping[str, str]) -> None:
    """Learn from what the owner did with earlier mail; if this fails, the next run does it."""
    with session.ledger.read() as tx:
        rules = PolicyStore(session.ledger).read(tx).rules
    with suppress(MailError):
        await notice(
            session.ledger,
            session.copy,
            default_tier(environ=environ),
            rules,
            owner=job.owner,
            now=session.ledger.clock(),
        )


async def wake(job: Job, *, environ: Mapping[str, str]) -> RunResult:
    """Bring back messages whose snooze has ended, even in quiet hours, since the user chose the time.

    Raises:
        NeedsApproval: The agent is stopped or paused, or the run was cancelled.
        MailError: The mailbox or the ledger cannot be used.
    """
    async with _session(job, environ) as session:
        await reconcile(session)
        if reason := session.brakes.explain_halt() or StoredBrakes(session.ledger).explain_hold():
            raise NeedsApproval(reason)
        done = await wake_snoozed(session, run_id=job.run_id)
        if done.problem is not None:
            raise done.problem
        return {"account": session.account, "actions": len(done.done), "failed": len(done.failed)}


async def wait_for_mail(
    job: Job,
    *,
    seconds: float,
    tell: Callable[[str], None] = nobody,
    environ: Mapping[str, str],
) -> RunResult:
    """Sync the local copy, then wait for a change of the mailbox or the timeout; `changed` is the result.

    While the account is switched off, nothing connects and nothing changes. An unreachable mailbox is retried until
    it answers, without a limit; afterwards it counts as changed.

    Raises:
        MailError: The mailbox or the ledger cannot be used, and a retry cannot help.
    """
    if _switched_off(job.place, environ):
        await _while_switched(job.place, environ, on=False, seconds=seconds)
        return {"account": job.place.name, "changed": False}
    work = asyncio.ensure_future(_changed_or_back(job, seconds, tell, environ))
    switch = asyncio.ensure_future(_while_switched(job.place, environ, on=True, seconds=None))
    try:
        await asyncio.wait({work, switch}, return_when=asyncio.FIRST_COMPLETED)
        return work.result() if work.done() else {"account": job.place.name, "changed": False}
    finally:
        for task in (work, switch):
            task.cancel()
        await asyncio.gather(work, switch, return_exceptions=True)


async def _changed_or_back(
    job: Job, seconds: float, tell: Callable[[str], None], environ: Mapping[str, str]
) -> RunResult:
    failures = 0
    while True:
        try:
            told = await _changed(job, 0.0 if failures else seconds, environ)
        except (ProviderError, RateLimited) as error:
            failures += 1
            if failures == 1:
                tell(f"{job.place.name}: {error.message} Trying again until it answers.")
            await asyncio.sleep(pause_after(error, failures))
        else:
            if failures:
                tell(f"{job.place.name}: the mailbox answers again.")
            return told | {"changed": bool(told["changed"] or failures)}


async def _changed(job: Job, seconds: float, environ: Mapping[str, str]) -> RunResult:
    async with open_mail(job.place.reading(environ)) as mail:
        with open_ledger(environ=environ) as ledger:
            synced = await sync_mail(mail, ledger)
            with ledger.read() as tx:
                cursor = ledger.cache.state(tx, synced.account_id).cursor
        began = time.monotonic()
        waited = await mail.wait_for_changes(cursor or "", timeout_s=seconds)
        changed = waited["changed"]
        if time.monotonic() - began < min(QUICK_S, seconds):
            with open_ledger(environ=environ) as ledger:
                came = await sync_mail(mail, ledger)
            changed = bool(came.added or came.changed or came.removed or came.reset)
            if not changed:  # otherwise, a server that always answers at once would start runs endlessly
                await asyncio.sleep(min(REST_S, seconds))
    return {"account": synced.account_id, "changed": changed}


async def _while_switched(
    place: MailboxRef, environ: Mapping[str, str], *, on: bool, seconds: float | None
) -> None:
    """Return when the account's switch changes, or after the timeout."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (not _switched_off(place, environ)) is on:
                await asyncio.sleep(LOOK_EVERY_S)


async def _settle_cancelled(session: AccountSession) -> None:
    """Settle cancelled runs: record what was done before the cancellation, and fail the rest."""
    for run_id in dict.fromkeys(action.run_id for action in planned_of(session)):
        if run_id is not None and was_cancelled(session.ledger, run_id):
            await reconcile(replace(session, brakes=CancelledBrakes()), run_id=run_id)
