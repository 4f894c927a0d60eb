"""Operations on the user's decisions: switches, accounts, remembered sentences, runs."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from msgspec import Meta, structs

from gaia_email.app import App
from gaia_email.app.operations.inputs import KnownIdText, on_command_line
from gaia_email.app.operations.offers import AgentTool, Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email.document import Version
from gaia_email_registry.clock import utc_now
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, StateConflict
from gaia_email_registry.origin import SCHEDULED

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaia_email.app.services.memory import RememberedSentences
    from gaia_email.app.services.retriage import RetriagedMailboxes
    from gaia_email.app.services.switches import SwitchesTurned
    from gaia_email.app.services.teaching import LessonList
    from gaia_email.policy.switches import Switches
    from gaia_email.runs.status import ScheduleList

ListNumber = Annotated[int, Meta(ge=1, description="Its number, as the list shows it.")]


DAY = "[1-9][0-9]{3}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)"
"""A regular expression for valid dates; February 29 is not accepted."""


class TravelInput(OperationInput, frozen=True, kw_only=True):
    """Until when."""

    until: Annotated[
        str,
        Meta(
            max_length=40,
            description="The last day, such as 2026-12-01; off ends it.",
            extra_json_schema={"pattern": f"^(off|{DAY})$"},
        ),
        on_command_line(metavar="DATE|off"),
    ]


class AccountInput(OperationInput, frozen=True, kw_only=True):
    """An account, or all of them."""

    account: Annotated[
        str,
        Meta(max_length=200, description="A connected account; empty for all."),
        on_command_line(metavar="ACCOUNT", words="Only this one."),
    ] = ""


class RememberInput(OperationInput, frozen=True, kw_only=True):
    """A sentence of the user's."""

    text: Annotated[
        str, Meta(min_length=1, max_length=1000, description="A preference of the user, in a sentence.")
    ]


class NumberInput(OperationInput, frozen=True, kw_only=True):
    """A line of a list."""

    number: ListNumber


class RewordInput(RememberInput, frozen=True, kw_only=True):
    """A line of a list, and a sentence of the user's."""

    number: ListNumber


class RunIdInput(OperationInput, frozen=True, kw_only=True):
    """A run."""

    run_id: KnownIdText


class AddScheduleInput(OperationInput, frozen=True, kw_only=True):
    """Kind of run, and its times."""

    kind: Annotated[str, Meta(max_length=20, description="Kind of run, such as triage or brief.")]
    cron: Annotated[
        str,
        Meta(
            max_length=100, description="Minute, hour, day, month, weekday: 0 7 * * * is each day at seven."
        ),
    ]
    zone: Annotated[str, Meta(min_length=1, max_length=60, description="IANA time zone.")]
    name: Annotated[
        str, Meta(max_length=200, description="Name of the schedule; empty for kind and mailbox.")
    ] = ""
    overlap: Annotated[
        Literal["drop", "queue", "parallel"],
        Meta(
            description="If a run of the mailbox is under way: leave this one out (drop), let it wait (queue), or "
            "run it beside (parallel)."
        ),
    ] = "drop"


class RemoveScheduleInput(OperationInput, frozen=True, kw_only=True):
    """A schedule."""

    name: Annotated[str, Meta(min_length=1, max_length=200, description="As schedules lists it.")]


class RetriageInput(OperationInput, frozen=True, kw_only=True):
    """Choice of messages to judge again."""

    made_by: Annotated[
        str,
        Meta(
            max_length=200,
            description="A language model by its name, as why gives it, or rules where none had a word; empty for what "
            "another version of the program sorted.",
        ),
        on_command_line(
            metavar="MODEL",
            words="Whose verdicts: the name of a language model, as `why` gives it, or `rules` where no model had a "
            "word.",
        ),
    ] = ""


class EnabledDocument(TypedDict):
    """The accounts that were switched on or off."""

    schema_version: Version
    enabled: bool
    accounts: list[str]


class CancelledDocument(TypedDict):
    """A run that was cancelled."""

    schema_version: Version
    run_id: str
    cancelled: bool


@operation(
    output="switches",
    path="POST /v1/email/pause",
    risk="restrain",
    tools=(
        AgentTool(fields=("changed", "noted", "switches"), description="Start no new run; reading goes on."),
    ),
    cli=Command(
        name="pause",
        heading="Rules",
        after="stop",
        line="Start nothing new; what is running finishes.",
        help="Start no new run. The current one finishes, and reading goes on; gaia email resume ends it.",
        view="switching.SWITCHED",
    ),
)
def pause(app: App, call: OperationCall[NoInput]) -> SwitchesTurned:
    """Start no new run; what is running finishes, and reading goes on.

    Raises:
        MailError: Neither the data directory nor the ledger can be written.
    """
    from gaia_email.app.services.switches import set_pause

    return _switched(app, call, "paused", set_pause)


@operation(
    output="switches",
    path="POST /v1/email/stop",
    risk="restrain",
    cli=Command(
        name="stop",
        heading="Rules",
        after="lessons",
        line="Stop the agent now; `resume` lets it work again.",
        help="""Stop the agent now, and see what it did in the last day.

    Nothing is changed after the effect that is under way, what waits for your answer is void, and nothing starts
    again by itself: gaia email resume does that.
    """,
        view="switching.STOPPED",
    ),
)
def stop(app: App, call: OperationCall[NoInput]) -> SwitchesTurned:
    """Stop the agent now: nothing is changed after the effect that is under way, and what waits is void.

    Raises:
        MailError: Neither the data directory nor the ledger can be written.
    """
    from gaia_email.app.services.switches import cancel_everything

    def set_stop(switches: Switches, now: float) -> Switches:
        return switches if switches.stopped_at is not None else structs.replace(switches, stopped_at=now)

    document = _switched(app, call, "stopped", set_stop, show_done=True)
    if (problem := cancel_everything(app)) is not None:
        call.tell(
            f"The agent is stopped, but its runs could not be marked as cancelled yet: {problem.message}"
        )
    return document


@operation(
    output="switches",
    path="POST /v1/email/resume",
    risk="person",
    cli=Command(
        name="resume",
        heading="Rules",
        after="pause",
        line="End a pause or a stop.",
        help="End a pause or a stop. What was cancelled stays cancelled; travel mode and quiet hours stay as they are.",
        view="switching.SWITCHED",
        asks="Let the agent work again",
    ),
)
def resume(app: App, call: OperationCall[NoInput]) -> SwitchesTurned:
    """End a pause or a stop; what was cancelled stays cancelled.

    Raises:
        MailError: Neither the data directory nor the ledger can be written.
    """
    from gaia_email.app.services.switches import clear_holds

    return _switched(app, call, "resumed", clear_holds)


def _switched(
    app: App,
    call: OperationCall[Any],
    what: str,
    turn: Callable[[Switches, float], Switches],
    *,
    show_done: bool = False,
) -> SwitchesTurned:
    from gaia_email.app.services.switches import SwitchesTurned, turn_switch

    turned = turn_switch(app, what, turn, actor=call.actor)
    if turned.unnoted:
        call.tell(f"That holds from now on, but the ledger could not take note of it: {turned.unnoted}")
    return SwitchesTurned.of(turned, show_done=show_done)


@operation(output="switches", path="POST /v1/email/travel", example={"until": "2099-01-31"}, risk="restrain")
def travel(app: App, call: OperationCall[TravelInput]) -> SwitchesTurned:
    """Cap every level at 2 and tell of nothing until the end of a day; mail is understood all the while.

    Raises:
        BadArgument: It is no day to come.
        NeedsApproval: It would be over before its time, which takes a person.
        MailError: The ledger cannot be written.
    """
    from gaia_email.app.services.switches import ends_sooner

    ends = None if call.asked.until == "off" else _end_of(call.asked.until)
    if not call.by_person and ends_sooner(app, ends):
        raise NeedsApproval("Only the user ends travel mode before its time; nothing was changed.")
    return _switched(
        app, call, "travel_mode", lambda switches, now: structs.replace(switches, travel_until=ends)
    )


def _end_of(day: str) -> float:
    """Return the end of a day in this machine's time zone, in epoch seconds.

    Raises:
        BadArgument: It is not a date, or is in the past.
    """
    from datetime import date, datetime, time, timedelta

    try:
        ends = datetime.combine(date.fromisoformat(day) + timedelta(days=1), time()).astimezone()
        late = ends <= utc_now().astimezone()
    except (ValueError, OverflowError):
        raise BadArgument(
            f"{day[:40]!r} is neither a date such as 2026-12-01 nor off.", argument="until"
        ) from None
    if late:
        raise StateConflict(f"{day} is over already.", argument="until")
    return ends.timestamp()


@operation(output=EnabledDocument, path="POST /v1/email/enable", risk="person")
def enable(app: App, call: OperationCall[AccountInput]) -> dict[str, Any]:
    """Switch an account on again, or all of them.

    Raises:
        MailError: There is no such account, or the list of accounts cannot be changed.
    """
    return _enabled(app, call, enabled=True)


@operation(output=EnabledDocument, path="POST /v1/email/disable", risk="restrain")
def disable(app: App, call: OperationCall[AccountInput]) -> dict[str, Any]:
    """Switch an account off, or all of them; everything kept here stays.

    Raises:
        MailError: There is no such account, or the list of accounts cannot be changed.
    """
    return _enabled(app, call, enabled=False)


def _enabled(app: App, call: OperationCall[AccountInput], *, enabled: bool) -> dict[str, Any]:
    from gaia_email.app.services.states import note_switched
    from gaia_email_registry.accounts import set_enabled

    changed = set_enabled(call.asked.account or None, enabled, app.environ)
    with suppress(MailError):  # effective even if it cannot be recorded
        note_switched(app, changed, enabled=enabled, actor=call.actor)
    return {"schema_version": 1, "enabled": enabled, "accounts": [one.id for one in changed]}


@operation(
    output="remember", path="POST /v1/email/remembered", example={"text": "I sign with A."}, risk="person"
)
def remember(app: App, call: OperationCall[RememberInput]) -> RememberedSentences:
    """Keep a sentence of the user's about how they like things.

    Raises:
        MailError: It is too much, or the ledger cannot be written.
    """
    from gaia_email.app.services import memory

    known = memory.remember(app, call.asked.text, said_in=call.actor)
    return memory.RememberedSentences.of(known)


@operation(
    output="remember",
    path="PUT /v1/email/remembered/{number}",
    example={"number": "1", "text": "I sign with Ada."},
    risk="person",
)
def reword(app: App, call: OperationCall[RewordInput]) -> RememberedSentences:
    """Put another sentence in the place of one that is remembered.

    Raises:
        MailError: There is none of that number, it is too much, or the ledger cannot be written.
    """
    from gaia_email.app.services import memory

    known = memory.replace_sentence(app, call.asked.number, call.asked.text, said_in=call.actor)
    return memory.RememberedSentences.of(known)


@operation(
    output="remember", path="DELETE /v1/email/remembered/{number}", example={"number": "1"}, risk="person"
)
def forget(app: App, call: OperationCall[NumberInput]) -> RememberedSentences:
    """Delete a sentence that was remembered.

    Raises:
        MailError: There is none of that number, or the ledger cannot be written.
    """
    from gaia_email.app.services import memory

    known = memory.forget(app, call.asked.number, said_in=call.actor)
    return memory.RememberedSentences.of(known)


@operation(output="lessons", path="DELETE /v1/email/lessons/{number}", example={"number": "1"}, risk="person")
def forget_lesson(app: App, call: OperationCall[NumberInput]) -> LessonList:
    """Take a lesson back, as if it had never been taught.

    Raises:
        MailError: There is no such lesson, or the ledger cannot be written.
    """
    from gaia_email.app.services.teaching import list_lessons, take_back

    take_back(app, [call.asked.number], actor=call.actor)
    return list_lessons(app)


@operation(
    output=CancelledDocument,
    path="POST /v1/email/runs/{run_id}/cancel",
    example={"run_id": "00000000"},
    risk="restrain",
)
def cancel_run(app: App, call: OperationCall[RunIdInput]) -> dict[str, Any]:
    """End a run now: nothing more of it is done, and it is not resumed.

    Raises:
        MailError: There is no such run, or the database of runs cannot be used.
    """
    from gaia_email.runs.history import cancel

    cancel(app.environ, call.asked.run_id)
    return {"schema_version": 1, "run_id": call.asked.run_id, "cancelled": True}


@operation(
    output="runs.status.ScheduleList",
    path="POST /v1/email/schedules",
    example={"kind": "brief", "cron": "0 7 * * *", "zone": "Europe/Berlin"},
    risk="person",
    mailbox="one",
)
def add_schedule(app: App, call: OperationCall[AddScheduleInput]) -> ScheduleList:
    """Have a run of a mailbox begin again and again, by the clock.

    Raises:
        BadArgument: The cron line or the zone is none, the name is taken, or the kind is not to be scheduled so.
        MailError: The database of runs cannot be used.
    """
    from gaia_email.app.services.opening import owner_of
    from gaia_email.runs.history import add_schedule as add
    from gaia_email.runs.job import Job
    from gaia_email.runs.status import ScheduleList

    asked, source = call.asked, call.source
    job = Job(
        kind=asked.kind,
        run_id="",
        place=source.mailbox,
        origin=SCHEDULED,
        owner=owner_of(app, source),
        scheduled=True,
    )
    name = asked.name or f"{asked.kind}:{source.mailbox.path}"
    made = add(app.environ, name, job, cron=asked.cron, zone=asked.zone, overlap=asked.overlap)
    return ScheduleList(schedules=[made])


@operation(
    output="runs.status.ScheduleList",
    path="DELETE /v1/email/schedules/{name}",
    example={"name": "mornings"},
    risk="restrain",
)
def remove_schedule(app: App, call: OperationCall[RemoveScheduleInput]) -> ScheduleList:
    """Forget a schedule; a run that it has started goes on.

    Raises:
        MailError: There is none of that name, or the database of runs cannot be used.
    """
    from gaia_email.runs.history import remove_schedule as remove
    from gaia_email.runs.history import schedules
    from gaia_email.runs.status import ScheduleList

    remove(app.environ, call.asked.name)
    return ScheduleList(schedules=schedules(app.environ))


@operation(
    output="app.services.retriage.RetriagedMailboxes",
    path="POST /v1/email/retriage",
    risk="draft",
    mailbox="all",
)
def retriage(app: App, call: OperationCall[RetriageInput]) -> RetriagedMailboxes:
    """Sort again what another version of the program sorted, or have what a model did sorted by the next triage.

    Raises:
        NotFound: Nothing is kept of that model.
        MailError: The mailbox or the ledger cannot be used.
    """
    from gaia_email.app.services.retriage import RetriagedMailboxes, catch_up, reopen

    if call.asked.made_by:
        return RetriagedMailboxes(mailboxes=[reopen(app, call.source, call.asked.made_by)])
    caught = [catch_up(app, source, progress=call.progress) for source in call.sources]
    return RetriagedMailboxes(mailboxes=caught)
