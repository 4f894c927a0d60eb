"""How a command turns a switch: save it with its event, print what is switched now. Entry point: `switch`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.app import App
from gaia_email.documents.actions import action_rows
from gaia_email.documents.policy import SWITCHED_COLUMNS, switched_document
from gaia_email.interfaces.cli.output import OutputFormat, console, note, write_rows
from gaia_email.interfaces.cli.policy_card import switch_rows
from gaia_email.policy.switches import Switches
from gaia_email.services.switches import turn_switch

if TYPE_CHECKING:
    from gaia_email.ledger import LoggedAction


def switch(
    app: App,
    what: str,
    turn: Callable[[Switches, float], Switches],
    *,
    form: OutputFormat,
    fields: list[str],
    show_done: bool = False,
) -> None:
    """Turn a switch.

    Args:
        app: The running program.
        what: What happens, for the event.
        turn: Gives the switches as they are to be, from those there are and the time.
        form: How to print.
        fields: Which fields of the document to print.
        show_done: Print what was done in the last day, too.

    Raises:
        MailError: Neither the home nor the ledger can be written.
    """
    turned = turn_switch(app, what, turn)
    if turned.unnoted:
        note(f"That holds from now on, but the ledger could not take note of it: {turned.unnoted}")
    done = turned.done if show_done else ()
    if form == "card":
        _print(turned.switches, done, changed=turned.changed, show_done=show_done and not turned.unnoted)
        return
    document = switched_document(turned.switches, done, changed=turned.changed)
    write_rows(document, [document], SWITCHED_COLUMNS, form, fields)


def _print(switches: Switches, done: Sequence[LoggedAction], *, changed: bool, show_done: bool) -> None:
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
        from gaia_email.interfaces.cli.action_card import print_rows

        out.print(Text("In the last day:"))
        print_rows(action_rows(done[::-1]), len(done))
