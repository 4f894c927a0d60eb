"""What waits for the user, as lines for a terminal. Entry: `print_pending`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.cascade.wording.certainty import in_words
from gaia_email.interfaces.cli.card import HEADINGS, clipped, one_line
from gaia_email.interfaces.cli.output import SHORT, console, note
from gaia_email.interfaces.cli.pending_lines import confirmation_lines

if TYPE_CHECKING:
    from gaia_email.app.documents.pending_types import ItemRow, PendingDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

ON_A_CARD = 20
"""Items on a card; it names the rest."""


def print_pending(document: PendingDocument, answer: OperationAnswer) -> None:
    """Exact calls whole, then items in two lines each, and the commands that answer them."""
    confirmations, items = document["confirmations"], document["items"]
    if not confirmations and not items:
        note("nothing waits for you.")
        return
    out = console()
    for one in confirmations:
        for number, line in enumerate(confirmation_lines(one)):
            # Whole: a mark at the end of a line that was cut off would be no mark.
            out.print(Text(line, style="bold red" if number == 0 else "dim"), soft_wrap=True)
    for item in items[:ON_A_CARD]:
        head, tail = _item_lines(item)
        out.print(Text(clipped(head, out.width), style="bold"), no_wrap=True, crop=False)
        out.print(Text("   " + clipped(tail, out.width - 3), style="dim"), no_wrap=True, crop=False)
    if len(items) > ON_A_CARD:
        out.print(Text(f"showing {ON_A_CARD} of {len(items):,}; --json has them all", style="dim"))
    for one in confirmations:
        yes = f"gaia email approve {one['id'][:SHORT]}"
        out.print(Text("next  ", style="dim").append(yes, style="bold").append("  (or reject)", style="dim"))
    if items:
        out.print(Text("next  ", style="dim").append("gaia email review", style="bold"))


def _item_lines(item: ItemRow) -> tuple[str, str]:
    message, proposal = item["message"], item["proposal"]
    sender, mark = message["from"], HEADINGS[proposal["bucket"]][0]
    if sender is None:
        head = f"{mark} {one_line(item['why'])}"
    else:
        who, subject = one_line(sender["name"] or sender["address"]), one_line(message["subject"])
        if proposal["people"]:
            who, subject = f"{len(proposal['messages']):,} messages", one_line(proposal["people"])
        head = f"{mark} {who or '(no sender)'} · {subject or '(no subject)'}"
    sure = "" if item["confidence"] is None else f" · {in_words(item['confidence'])}"
    cohort = item["cohort"] or "no cohort"
    return head, f"{item['id'][:SHORT]}  {item['type']} · {cohort}{sure} · {proposal['text']}"
