"""Output of commands that change switches. Entries: `SWITCHED`, `STOPPED`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaia_email.app.documents.layouts.policy import SWITCHED as SWITCHES
from gaia_email.interfaces.cli.from_operation import OperationAnswer, OperationView

_COLUMNS = ("changed", "switches.paused_at", "switches.stopped_at", "switches.travel_until")
SWITCHED = OperationView(columns=_COLUMNS, layout=SWITCHES)
STOPPED = OperationView(columns=_COLUMNS, card="switching.print_stopped")


def print_stopped(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Print the switches, and the actions of the last day."""
    from rich.text import Text

    from gaia_email.app.documents.layouts.filled_card import fill_layout
    from gaia_email.document import at
    from gaia_email.interfaces.cli.action_card import DrawnAction, print_rows
    from gaia_email.interfaces.cli.document_card import print_filled
    from gaia_email.interfaces.cli.output import console

    print_filled(fill_layout(SWITCHES, document))
    done = [
        DrawnAction(
            action_id=row["action_id"],
            at=at(row["at"]),
            run_id=row["run_id"],
            type=row["action_type"],
            state=row["state"],
            sender=row["sender"],
            subject=row["subject"],
            cohort=row["cohort"],
            undoable=row["undoable"],
            error=row["error"],
        )
        for row in document["done"][::-1]
    ]
    if done:
        console().print(Text("In the last day:"))
        print_rows(done, len(done))
    elif document["noted"]:
        console().print(Text("Nothing was changed in the last day."))
