"""Pausing, stopping and travel mode: turns a switch with its event. Entries: `turn_switch`, `cancel_everything`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gaia_email.ledger import Action, Selection, open_ledger
from gaia_email.pending.inbox import void_all
from gaia_email.policy.switches import Switches
from gaia_email.policy_store import PolicyStore
from gaia_email.policy_store import held as why_held
from gaia_email.runs.files import has_runs
from gaia_email.runs.steps import cancel
from gaia_email_registry.errors import MailError

__all__ = ["Switched", "cancel_everything", "paused", "resumed", "turn_switch", "why_held"]

DAY_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Switched:
    """The switches after one was turned, whether anything changed, and what was done in the last day."""

    switches: Switches
    changed: bool
    done: Sequence[Action]


def turn_switch(what: str, turn: Callable[[Switches, float], Switches], *, actor: str = "user") -> Switched:
    """Turn a switch; a stop voids what waits for an answer.

    Args:
        what: What happens, for the event.
        turn: Gives the switches as they are to be, from those there are and the time.
        actor: Who turns it, for the event log.

    Raises:
        MailError: The ledger cannot be written.
    """
    with open_ledger() as ledger:
        store = PolicyStore(ledger)
        with ledger.write() as tx:
            before = store.read_switches(tx)
            switches = turn(before.switches, ledger.clock())
            change = {"what": what, "from": before.switches.to_json(), "to": switches.to_json()}
            if switches.stopped_at is not None:
                void_all(ledger, tx)
            after = store.save_switches(tx, switches, before, change=change, actor=actor)
        with ledger.read() as tx:
            done = ledger.actions.select(tx, Selection(since=ledger.clock() - DAY_S))
    return Switched(switches=after.switches, changed=before.switches != after.switches, done=done)


def paused(switches: Switches, now: float) -> Switches:
    """With a pause from now, or as it is where one holds."""
    return switches if switches.paused_at is not None else replace(switches, paused_at=now)


def resumed(switches: Switches, now: float) -> Switches:
    """Without pause and stop."""
    return replace(switches, paused_at=None, stopped_at=None)


def cancel_everything(environ: Mapping[str, str] = os.environ) -> MailError | None:
    """Cancel every run that waits or is under way, one that died included.

    Returns:
        Why the database of runs could not be told, if it could not; the ledger was, so nothing more is done.

    Raises:
        ProviderError: The ledger cannot be written.
    """
    with open_ledger() as ledger:
        with ledger.read() as tx:
            begun = {action.run_id for action in ledger.actions.open(tx) if action.run_id is not None}
        for run_id in sorted(begun):
            cancel(ledger, run_id, actor="user")
    if not has_runs(environ):
        return None
    from gaia_email.runs.history import cancel_all

    try:
        cancel_all(environ)
    except MailError as error:
        return error
    return None
