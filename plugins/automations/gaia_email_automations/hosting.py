"""Execute runs of automations and check their triggers. Entries: `opened_engine`, `looking_at`."""

from __future__ import annotations

import atexit
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

from gaia_email.actions.account_session import AccountSession, Brakes, open_account_session
from gaia_email.actions.one_call import call_server, read_once
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.mailbox.project_servers import listed_server
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.models.one_question import asking
from gaia_email.policy.gate import Pass
from gaia_email.runs.steps import RunBrakes, was_cancelled
from gaia_email_automations.engine import ACTOR, AskedModel, AutomationEngine
from gaia_email_automations.queueing import go_on, job_of, queue_pending, sync_schedules, take_up
from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.store import AutomationStore, StoredAutomationRun
from gaia_email_automations.triggers import KeptTriggers, answered_runs, fire_missed, look
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import MailError
from gaia_email_registry.origin import AUTOMATION

LOOK_S = 2.0
"""Seconds between checks of the ledger."""

_renderer: TemplateRenderer | None = None
_renderer_lock = threading.Lock()


def renderer(environ: Mapping[str, str]) -> TemplateRenderer:
    """Return this program's rendering process, starting it if needed."""
    global _renderer
    with _renderer_lock:
        if _renderer is None:
            _renderer = TemplateRenderer(environ)
            atexit.register(_renderer.close)
        return _renderer


class _RunBrakes:
    """The user's switches, and the cancellation of the run in any of its turns."""

    def __init__(self, ledger: Ledger, run: StoredAutomationRun, environ: Mapping[str, str]) -> None:
        self._ledger = ledger
        self._run = run
        self._of_run = RunBrakes(ledger, job_of(run), environ)

    def explain_hold(self) -> str:
        return self._cancelled() or self._of_run.explain_hold()

    def explain_halt(self) -> str:
        return self._cancelled() or self._of_run.explain_halt()

    def _cancelled(self) -> str:
        ids = [self._run.run_id, *(f"{self._run.run_id}.{turn}" for turn in range(1, self._run.turn + 1))]
        return "The run was cancelled." if any(was_cancelled(self._ledger, one) for one in ids) else ""


@contextmanager
def opened_engine(environ: Mapping[str, str]) -> Generator[AutomationEngine, None, None]:
    """Open the engine that executes runs in this program."""
    with open_ledger(environ=environ) as ledger:
        yield engine_on(ledger, environ)


def engine_on(ledger: Ledger, environ: Mapping[str, str]) -> AutomationEngine:
    """Return the engine on an open ledger; each step opens its mailbox."""

    @asynccontextmanager
    async def open_session(place: MailboxRef) -> AsyncGenerator[AccountSession, None]:
        async with open_account_session(
            place.spec(environ), ledger, origin=AUTOMATION, actor=ACTOR, environ=environ
        ) as session:
            yield session

    async def read(place: MailboxRef, call: ToolCall) -> Mapping[str, Any]:
        return await read_once(place.reading(environ), call)

    async def call_tool(given: Pass) -> Mapping[str, Any]:
        return await call_server(given, lambda name: listed_server(name, environ))

    def model(run: StoredAutomationRun) -> AbstractAsyncContextManager[AskedModel]:
        return asking(environ, why="a task of an automation", account=run.account_id, interactive=False)

    def brakes(run: StoredAutomationRun) -> Brakes:
        return _RunBrakes(ledger, run, environ)

    open_account: Callable[[MailboxRef], AbstractAsyncContextManager[AccountSession]] = open_session
    return AutomationEngine(
        ledger=ledger,
        environ=environ,
        renderer=renderer(environ),
        open_account=open_account,
        read_mail=read,
        call_server=call_tool,
        model=model,
        brakes=brakes,
    )


def look_once(environ: Mapping[str, str], ledger: Ledger, kept: KeptTriggers | None = None) -> None:
    """Dispatch due triggers, continue answered runs, and queue everything."""
    look(ledger, kept)
    for run in answered_runs(ledger):
        go_on(ledger, run)
    queue_pending(environ, ledger)


@contextmanager
def looking_at(environ: Mapping[str, str], say: Callable[[str], None]) -> Generator[None, None, None]:
    """Check triggers in a separate thread while the block runs; for the program that executes runs.

    Args:
        environ: The environment that locates the databases.
        say: Receives a sentence for the user: why a check failed, each reason once.
    """
    ended = threading.Event()

    def run() -> None:
        said = ""
        while not ended.is_set():
            try:
                said = _look_until(ended, environ)
            except MailError as problem:
                if problem.message != said:
                    said = problem.message
                    say(f"Automations wait: {said}")
            ended.wait(LOOK_S)

    thread = threading.Thread(target=run, name="automations", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(LOOK_S)


def _look_until(ended: threading.Event, environ: Mapping[str, str]) -> str:
    kept = KeptTriggers()
    with open_ledger(environ=environ) as ledger:
        if _has_any(ledger):
            sync_schedules(environ, ledger)
            fire_missed(ledger)
            take_up(environ, ledger)
        while not ended.is_set():
            if _has_any(ledger):
                look_once(environ, ledger, kept)
            ended.wait(LOOK_S)
    return ""


def _has_any(ledger: Ledger) -> bool:
    with ledger.read() as tx:
        return AutomationStore.of(ledger).has_any(tx)
