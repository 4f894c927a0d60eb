"""Executes invocations by agents of other programs: one program at a time, each flight once. Entry: `work_off`.

`status`, `summarize`, `consult` and `wake` change no mailbox, so one that was interrupted is repeated.
`execute` is a run with the id of the flight: it acts like a scheduled run, and what its levels leave to the
user waits in the Agent Inbox, and the flight waits with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pkgutil import resolve_name
from typing import Final

from gaia_email.app import App
from gaia_email.app.services.acting import writable_mailbox
from gaia_email.app.services.opening import owner_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.runs.here import run_here
from gaia_email.runs.job import Job, RunResult
from gaia_email_control.broker.owner_questions import still_asked
from gaia_email_control.records import ControlFlight, ControlInvocation
from gaia_email_control.service import ControlService
from gaia_email_registry.errors import BadArgument, InternalError, MailError
from gaia_email_registry.origin import RequestOrigin
from gaia_email_registry.paths import ensure_private_directory
from gaia_email_registry.private_file import try_lock_file

ANSWERER: Final = "gaia_email.interfaces.chat.one_line:answer_line"
"""The function that answers in words; named by its path, since it belongs to a higher layer."""

Sources = Callable[[str], SourceSpec]
"""Returns the mailbox for the name of an account; an empty name means the only one."""


def work_off(service: ControlService, sources: Sources, *, models: Mapping[str, str], only: str = "") -> int:
    """Execute all queued flights, and end those whose questions were answered; return how many were executed.

    Nothing is executed if another program is already doing so.

    Args:
        service: The broker.
        sources: Returns mailboxes.
        models: The environment with the choice of a language model.
        only: The flight to execute; empty for all.

    Raises:
        MailError: The ledger cannot be used; the flights stay queued.
    """
    folder = service.app.home / "email"
    ensure_private_directory(folder)
    done = 0
    with try_lock_file(folder / "control-work.lock") as other:
        if other is not None:
            return done  # that program does it; the lock holder may treat running flights as abandoned
        flights = service.flights
        flights.queue_again()
        flights.go_on()
        while queued := [one for one in flights.in_state("queued") if only in ("", one[0].id)]:
            for flight, invocation in queued:
                if flights.begin(flight.id):
                    _do(service, flight, invocation, sources, models)
                    done += 1
    return done


def _do(
    service: ControlService,
    flight: ControlFlight,
    asked: ControlInvocation,
    sources: Sources,
    models: Mapping[str, str],
) -> None:
    flights = service.flights
    try:
        account = _account(service, asked)
        match asked.action:
            case "wake":
                flights.end(flight.id, "completed", summary="Awake.")
            case "status":
                flights.end(flight.id, "completed", output=_status(service.app))
            case "summarize":
                flights.end(flight.id, "completed", output=_brief(service.app, sources(account)))
            case "consult":
                answer = resolve_name(ANSWERER)(
                    service.app, sources(account), asked.task, models, _origin(service, asked)
                )
                flights.end(flight.id, "completed", output=str(answer))
            case "execute":
                _execute(service, flight.id, sources(account), _origin(service, asked))
    except MailError as error:
        hint = f" {error.hint}" if error.hint else ""
        flights.end(flight.id, "failed", error=f"{error.message}{hint}")
    except Exception as error:  # one flight must not affect another
        inside = InternalError(f"Something went wrong inside ({type(error).__name__}).")
        flights.end(flight.id, "failed", error=inside.message)


def _account(service: ControlService, asked: ControlInvocation) -> str:
    """Return the account that an invocation is about, within its grant.

    Raises:
        BadArgument: It is about another account, or its grant is gone.
    """
    named = (asked.context or {}).get("account", "")
    if not isinstance(named, str) or len(named) > 200:
        raise BadArgument(
            "context.account is the name of an account.", argument="/invocation/context/account"
        )
    if asked.requester_id in service.who.ids:
        return named
    granted = service.agent(asked.requester_id)
    if asked.action not in granted.actions or named not in ("", granted.account or named):
        raise BadArgument("That was not granted.", hint="gaia email control agents lists what is.")
    return granted.account or named


def _status(app: App) -> str:
    from gaia_email.app.services.status import overall_status

    found = overall_status(app, verify=False)
    counts: Mapping[str, object] = {**found.pending}
    waiting = sum(count for count in counts.values() if isinstance(count, int))
    told = [f"{len(found.accounts)} accounts are connected.", f"{waiting} things wait for the owner."]
    return " ".join(told)


def _brief(app: App, source: SourceSpec) -> str:
    from gaia_email.app.documents.brief import brief_document
    from gaia_email.app.documents.brief_text import brief_text
    from gaia_email.app.services.brief import make_brief

    return brief_text(brief_document(make_brief(app, [source])), "markdown")


def _origin(service: ControlService, asked: ControlInvocation) -> RequestOrigin:
    """Return the origin of an invocation: the owner, a program with the API token, or an agent by its name."""
    who = service.who
    if asked.requester_id == who.owner_id:
        return RequestOrigin(principal="person", interface="control")
    if asked.requester_id in who.ids:
        return RequestOrigin(principal="api_token", interface="control")
    return RequestOrigin(principal="agent", interface="control", name=asked.requester_id)


def _execute(service: ControlService, flight_id: str, source: SourceSpec, origin: RequestOrigin) -> None:
    app, flights = service.app, service.flights
    job = Job(
        kind="triage",
        run_id=flight_id,
        place=writable_mailbox(source),
        origin=origin,
        owner=owner_of(app, source),
        scheduled=True,
    )
    told = _run(app, job)
    if reason := told.get("held") or told.get("halted"):
        flights.end(flight_id, "failed", error=str(reason))
        return
    with service.ledger.read() as tx:
        waiting = still_asked(tx, service.ledger, flight_id)
    summary = f"{told.get('applied', 0)} actions were done."
    if waiting:
        flights.end(flight_id, "waiting", summary=f"{summary} {waiting} things wait for the owner.")
    else:
        flights.end(flight_id, "completed", summary=summary)


def _run(app: App, job: Job) -> RunResult:
    from gaia_email.runs.engine import NoEngine
    from gaia_email.runs.host import execute

    with suppress(NoEngine):
        return execute(job, environ=app.environ)
    return run_here(job, environ=app.environ)
