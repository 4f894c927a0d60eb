"""How a command turns a switch: save it with its event, print what is switched now. Entry point: `switch`."""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.documents.classify import Json, clean
from gaia_email.faces.cli.output import OutputFormat, console, write_rows
from gaia_email.faces.cli.policy_card import switch_rows
from gaia_email.ledger import Action, Ledger, Selection, open_ledger
from gaia_email.pending.inbox import void_all
from gaia_email.policy.switches import Switches
from gaia_email.policy_store import PolicyStore, Stored

if TYPE_CHECKING:
    from sqlalchemy import Connection

DAY = 86_400.0
COLUMNS = ("changed", "switches.paused_at", "switches.stopped_at", "switches.travel_until")


def switch(
    what: str,
    turn: Callable[[Switches, float], Switches],
    *,
    form: OutputFormat,
    fields: list[str],
    show_done: bool = False,
) -> None:
    """Turn a switch.

    Args:
        what: What happens, for the event.
        turn: Gives the switches as they are to be, from those there are and the time.
        form: How to print.
        fields: Which fields of the document to print.
        show_done: Print what was done in the last day, too.

    Raises:
        MailError: The ledger cannot be written.
    """
    with open_ledger() as ledger:
        before, after = _turn(ledger, what, turn)
        with ledger.read() as tx:
            done = _done(ledger, tx) if show_done else []
    changed = before.switches != after.switches
    if form == "card":
        _print(after.switches, done, changed=changed, show_done=show_done)
        return
    document: Json = {
        "schema_version": 1,
        "changed": changed,
        "switches": after.switches.to_json(),
        "done": [_row(action) for action in done],
    }
    write_rows(document, [document], COLUMNS, form, fields)


def _turn(ledger: Ledger, what: str, turn: Callable[[Switches, float], Switches]) -> tuple[Stored, Stored]:
    store = PolicyStore(ledger)
    with ledger.write() as tx:
        before = store.read_switches(tx)
        switches = turn(before.switches, ledger.clock())
        change = {"what": what, "from": before.switches.to_json(), "to": switches.to_json()}
        if switches.stopped_at is not None:
            void_all(ledger, tx)
        return before, store.save_switches(tx, switches, before, change=change)


def _done(ledger: Ledger, tx: Connection) -> list[Action]:
    return ledger.actions.select(tx, Selection(since=ledger.clock() - DAY))


def _row(action: Action) -> Json:
    return {
        "action_id": action.action_id,
        "action_type": action.action_type,
        "account": clean(action.account_id),
        "message_id": clean(action.message_id),
        "at": action.timestamp,
        "state": action.state,
        "run_id": action.run_id,
    }


def _print(switches: Switches, done: list[Action], *, changed: bool, show_done: bool) -> None:
    out = console()
    rows = switch_rows(switches)
    if not changed:
        out.print(Text("That is how it is already.", style="dim"))
    if not rows:
        out.print(Text("Nothing is paused, stopped or in travel mode."))
    for name, value in rows:
        out.print(Text(name, style="bold").append(f" {value}", style="default"))
    if show_done and not done:
        out.print(Text("Nothing was changed in the last day."))
    if done:
        from gaia_email.faces.cli.action_card import print_actions

        out.print(Text("In the last day:"))
        print_actions(done[::-1], len(done), time())
