"""Pause, stop and travel mode: changes a switch and records the event. Entries: `turn_switch`, `cancel_everything`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from gaia_email.actions.pending.inbox import void_all
from gaia_email.app import App
from gaia_email.app.documents.actions import ActionDetails
from gaia_email.document import Document
from gaia_email.ledger import LoggedAction, Selection
from gaia_email.ledger.policy_store import PolicyStore, explain_hold, load_policy, with_halt
from gaia_email.policy.switches import Switches
from gaia_email.runs.files import has_runs
from gaia_email.runs.steps import cancel
from gaia_email_registry import clock
from gaia_email_registry.errors import MailError, ProviderError
from gaia_email_registry.halt import Halting, clear_halt, read_halt, set_halt

__all__ = [
    "SwitchChange",
    "SwitchesTurned",
    "cancel_everything",
    "clear_holds",
    "ends_sooner",
    "explain_hold",
    "set_pause",
    "turn_switch",
]

DAY_S = 86_400.0
BUSY_S = 3.0
"""Seconds that a switch waits for another program's transaction: a stop takes effect before it is recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchChange:
    """The switches after a change, whether anything changed, and the actions of the last day.

    `unnoted` is the reason why the ledger could not record it; the stop or pause is effective nevertheless.
    """

    switches: Switches
    changed: bool
    done: Sequence[LoggedAction] = ()
    unnoted: str = ""


class RecentAction(Document, frozen=True, kw_only=True):
    """An action of the last day; `at` is in epoch seconds."""

    action_id: str
    action_type: str
    account: str
    message_id: str
    at: float
    state: Literal["planned", "applied", "reversed", "failed"]
    run_id: str | None
    sender: str
    subject: str
    cohort: str | None
    undoable: bool
    error: str | None

    @staticmethod
    def of(action: LoggedAction) -> RecentAction:
        """Describe an action of the ledger."""
        details = ActionDetails.of(action)
        return RecentAction(
            action_id=details.action_id,
            action_type=details.type,
            account=details.account,
            message_id=details.message_id,
            at=action.timestamp,
            state=details.state,
            run_id=details.run_id,
            sender=details.sender,
            subject=details.subject,
            cohort=details.cohort,
            undoable=details.undoable,
            error=details.error,
        )


class SwitchesTurned(Document, frozen=True, kw_only=True):
    """The document of `pause`, `resume`, `stop` and `travel-mode`; `noted` is True if the ledger has the change."""

    changed: bool
    noted: bool
    switches: Switches
    done: list[RecentAction]

    @staticmethod
    def of(turned: SwitchChange, *, show_done: bool) -> SwitchesTurned:
        """Describe a change, with the actions of the last day if `show_done`."""
        return SwitchesTurned(
            changed=turned.changed,
            noted=not turned.unnoted,
            switches=turned.switches,
            done=[RecentAction.of(one) for one in turned.done] if show_done else [],
        )


def turn_switch(
    app: App, what: str, turn: Callable[[Switches, float], Switches], *, actor: str = "user"
) -> SwitchChange:
    """Change a switch; a stop voids everything that is pending.

    A stop or pause is first set by its file, so it works with a full disk and with a ledger that is broken or
    locked.

    Args:
        app: The running program.
        what: The name of the change, for the event.
        turn: Returns the new switches, from the current ones and the time.
        actor: The author of the change, for the event log.

    Raises:
        MailError: Neither the file nor the ledger can be written.
    """
    now = clock.now()
    before = with_halt(Switches(), read_halt(app.environ))
    wanted = turn(before, now)
    sets: list[Halting] = []
    if wanted.stopped_at is not None:
        sets.append("stop")
    if wanted.paused_at is not None:
        sets.append("pause")
    unset = _set_files(app, sets, now)
    try:
        turned = _note(app, what, turn, actor=actor)
    except Exception as error:
        if not sets or wanted.travel_until is not None:
            raise
        why = (
            error.message if isinstance(error, MailError) else f"it cannot be read ({type(error).__name__})."
        )
        if unset is not None:
            raise _not_turned(app, unset) from error
        return SwitchChange(switches=wanted, changed=before != wanted, unnoted=why)
    if not sets:
        try:
            if turned.switches.stopped_at is None and turned.switches.paused_at is None:
                clear_halt(app.environ)
        except OSError as error:
            raise _not_turned(app, error) from error
    return turned


def _set_files(app: App, sets: Sequence[Halting], now: float) -> OSError | None:
    try:
        for which in sets:
            set_halt(which, now, app.environ)
    except OSError as error:
        return error
    return None


def _note(app: App, what: str, turn: Callable[[Switches, float], Switches], *, actor: str) -> SwitchChange:
    with app.ledger(busy_s=BUSY_S) as ledger:
        store = PolicyStore(ledger)
        with ledger.write() as tx:
            noted, before = store.noted_switches(tx), store.read_switches(tx).switches
            switches = turn(before, ledger.clock())
            change = {"what": what, "from": noted.switches.to_json(), "to": switches.to_json()}
            late = (
                before.stopped_at is not None
                and noted.switches.stopped_at is None
                and not switches.stopped_at
            )
            if switches.stopped_at is not None or late:
                void_all(ledger, tx)
            after = store.save_switches(tx, switches, noted, change=change, actor=actor)
        with ledger.read() as tx:
            done = ledger.actions.select(tx, Selection(since=ledger.clock() - DAY_S))
    if late:  # the stop could not be recorded when it was made, so it is carried out before it is lifted
        cancel_everything(app)
    return SwitchChange(switches=after.switches, changed=noted.switches != after.switches, done=done)


def _not_turned(app: App, error: OSError) -> ProviderError:
    return ProviderError(
        f"The switch could not be turned: {app.home} cannot be changed ({error.strerror or error}).",
        hint="make it writable; to end everything at once, end the programs: gaia email worker, gaia email watch.",
    )


def ends_sooner(app: App, ends: float | None) -> bool:
    """Return True if travel mode, which caps levels, is on and `ends` (epoch seconds) would end it earlier."""
    now = load_policy(environ=app.environ).switches.travel_until
    return now is not None and (ends is None or ends < now)


def set_pause(switches: Switches, now: float) -> Switches:
    """Return the switches with a pause from now on, or unchanged if paused already."""
    return switches if switches.paused_at is not None else replace(switches, paused_at=now)


def clear_holds(switches: Switches, now: float) -> Switches:
    """Return the switches without pause and stop."""
    return replace(switches, paused_at=None, stopped_at=None)


def cancel_everything(app: App) -> MailError | None:
    """Cancel every run that is waiting or under way, including one whose program died.

    Returns:
        The error of the ledger or the database of runs, if any; while the stop is on, nothing else is done.
    """
    try:
        with app.ledger(busy_s=BUSY_S) as ledger:
            with ledger.read() as tx:
                begun = {action.run_id for action in ledger.actions.open(tx) if action.run_id is not None}
            for run_id in sorted(begun):
                cancel(ledger, run_id, actor="user")
    except MailError as error:
        return error
    if not has_runs(app.environ):
        return None
    from gaia_email.runs.history import cancel_all

    try:
        cancel_all(app.environ)
    except MailError as error:
        return error
    return None
