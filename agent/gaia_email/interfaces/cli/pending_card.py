"""Items waiting for the user, as terminal lines. Entry: `print_pending`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.app.documents.cards.waiting import item_card
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.card import clip, in_terminal
from gaia_email.interfaces.cli.output import SHORT, console, note
from gaia_email.interfaces.cli.pending_lines import confirmation_lines
from gaia_email.interfaces.cli.typed_command import make_runnable

if TYPE_CHECKING:
    from gaia_email.app.documents.pending_types import ItemRow, PendingDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

ON_A_CARD = 20
"""Maximum items on a card; the card counts the rest."""


def print_pending(document: PendingDocument, answer: OperationAnswer) -> None:
    """Print calls in full, then items in three lines each, and the commands that answer them."""
    confirmations, items = document["confirmations"], document["items"]
    if not confirmations and not items:
        note("nothing waits for you.")
        return
    out = console()
    for one in confirmations:
        for number, line in enumerate(confirmation_lines(one)):
            # In full: a mark at the end of a line would be lost if the line were cut.
            out.print(Text(line, style="bold red" if number == 0 else "dim"), soft_wrap=True)
    for item in items[:ON_A_CARD]:
        head, *tail = _item_lines(item)
        out.print(Text(clip(head, out.width), style="bold"), no_wrap=True, crop=False)
        for line in tail:
            out.print(Text("   " + clip(line, out.width - 3), style="dim"), no_wrap=True, crop=False)
    if len(items) > ON_A_CARD:
        out.print(Text(f"showing {ON_A_CARD} of {len(items):,}; --json has them all", style="dim"))
    for one in confirmations:
        yes = make_runnable(f"gaia email approve {one['id'][:SHORT]}")
        out.print(Text("next  ", style="dim").append(yes, style="bold").append("  (or reject)", style="dim"))
    if items:
        out.print(Text("next  ", style="dim").append(make_runnable("gaia email review"), style="bold"))


def _item_lines(item: ItemRow) -> tuple[str, str, str]:
    card = item_card(item)
    head = " · ".join(filter(None, (card.who, card.title)))
    facts = " · ".join(pill.text for pill in card.pills)
    about = f"{item['id'][:SHORT]}  {facts} · {item['proposal']['text']}"
    return f"{in_terminal(card.mark)} {head}", about, one_line(item["origin"]["text"])
