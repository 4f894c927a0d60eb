"""`gaia email pending`: what waits for your answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from gaia_email.faces.cli.options import field_list, output_options
from gaia_email.faces.cli.output import chosen_format, note, write_rows

if TYPE_CHECKING:
    from gaia_email.ledger import Item, PendingType

ON_A_CARD = 20
"""Items on a card; it names the rest."""


@click.command(name="pending")
@click.option("--type", "type_", type=click.Choice(("notify", "question", "review")), help="Only these.")
@click.option("--cohort", metavar="C", help="Only of this cohort.")
@output_options
def command(
    type_: PendingType | None, cohort: str | None, as_json: bool, as_jsonl: bool, fields: str
) -> None:
    """What the agent asks you, has prepared for you, and wants you to know. Changes nothing.

    A question is asked where it is unsure, where a sender is new, and at L2; a review is prepared at L3; a note tells
    of what was done from L4 on. Answers: gaia email review, approve, reject.
    """
    from gaia_email.faces.cli.pending_documents import PENDING_COLUMNS, item_row, pending_document

    items, waiting = _waiting(type_, cohort)
    form = chosen_format(as_json, as_jsonl)
    if form != "card":
        rows = [item_row(item) for item in items]
        write_rows(pending_document(items, waiting), rows, PENDING_COLUMNS, form, field_list(fields))
    elif items:
        _print(items)
    else:
        note("nothing waits for you.")


def _waiting(type_: PendingType | None, cohort: str | None) -> tuple[list[Item], dict[str, int]]:
    from gaia_email.policy_store import has_ledger

    if not has_ledger(os.environ):
        return [], {}
    from gaia_email.faces.cli.agent_inbox import agent_inbox

    with agent_inbox() as (ledger, inbox):
        items = inbox.list_pending(type=type_, cohort=cohort)
        with ledger.read() as tx:
            return items, {str(name): count for name, count in ledger.pending.count(tx).items()}


def _print(items: list[Item]) -> None:
    from rich.text import Text

    from gaia_email.faces.cli.card import HEADINGS, clipped, one_line
    from gaia_email.faces.cli.output import console
    from gaia_email.faces.cli.pending_documents import proposal_text
    from gaia_email.pending.proposal import Proposal

    out = console()
    for item in items[:ON_A_CARD]:
        proposal = Proposal.of(item)
        first = proposal.targets[0] if proposal.targets else None
        who = one_line(first.name or first.address) if first else ""
        subject = one_line(first.subject) if first else ""
        sure = "" if item.confidence is None else f" · {item.confidence:.0%} sure"
        head = f"{HEADINGS[proposal.bucket][0]} {who or '(no sender)'} · {subject or '(no subject)'}"
        tail = f"{item.item_id[:8]}  {item.type} · {item.cohort or 'no cohort'}{sure} · {proposal_text(proposal)}"
        out.print(Text(clipped(head, out.width), style="bold"), no_wrap=True, crop=False)
        out.print(Text("   " + clipped(tail, out.width - 3), style="dim"), no_wrap=True, crop=False)
    if len(items) > ON_A_CARD:
        out.print(Text(f"showing {ON_A_CARD} of {len(items):,}; --json has them all", style="dim"))
    out.print(Text("next  ", style="dim").append("gaia email review", style="bold"))
