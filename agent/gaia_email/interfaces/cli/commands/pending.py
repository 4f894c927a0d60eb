"""`gaia email pending`: what waits for your answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.documents.waiting import WAITING
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format, note, write_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaia_email.ledger import PendingItem, StoredConfirmation
    from gaia_email_registry.approvals import Approval

ON_A_CARD = 20
"""Items on a card; it names the rest."""


@click.command(name="pending")
@click.option("--type", "type_", type=click.Choice(WAITING), help="Only these.")
@click.option("--cohort", metavar="C", help="Only of this cohort.")
@output_options
@pass_app
def command(
    app: App, type_: str | None, cohort: str | None, as_json: bool, as_jsonl: bool, fields: str
) -> None:
    """What the agent asks you, has prepared for you, and wants you to know. Changes nothing.

    A confirmation is one exact call that needs your yes: a program waits for it for ten minutes, a mail server that an
    assistant uses for a day. A question is asked
    where the agent is unsure, where a sender is new, and at L2; a review is prepared at L3; a note tells of what was
    done from L4 on. Answers: gaia email review, approve, reject.
    """
    from gaia_email.documents.pending import PENDING_COLUMNS, call_line, call_row, item_row, pending_document
    from gaia_email.documents.server_questions import server_line, server_row
    from gaia_email.interfaces.cli.acting import INTERFACE
    from gaia_email.pending.server_questions import asked_by_servers
    from gaia_email.services.agent_inbox import what_waits

    servers = asked_by_servers(environ=app.environ)
    found = what_waits(app, INTERFACE, type_=type_, cohort=cohort)
    items, calls = found.items, found.calls
    waiting = {**found.counts, "confirmation": found.counts.get("confirmation", 0) + len(servers)}
    # What a server asks is about no cohort.
    servers = servers if type_ in (None, "confirmation") and cohort is None else []
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        rows = [*map(call_line, calls), *map(server_line, servers), *map(item_row, items)]
        asked = [*map(call_row, calls), *map(server_row, servers)]
        write_rows(pending_document(items, asked, waiting), rows, PENDING_COLUMNS, form, field_list(fields))
    elif items or calls or servers:
        _print(items, calls, servers)
    else:
        note("nothing waits for you.")


def _print(
    items: Sequence[PendingItem], calls: Sequence[StoredConfirmation], servers: Sequence[Approval]
) -> None:
    from rich.text import Text

    from gaia_email.cascade.wording.certainty import in_words
    from gaia_email.documents.pending import proposal_text
    from gaia_email.interfaces.cli.card import HEADINGS, clipped, one_line
    from gaia_email.interfaces.cli.output import console
    from gaia_email.interfaces.cli.pending_lines import call_lines, server_lines
    from gaia_email.pending.groups import is_group, people_of
    from gaia_email.pending.proposal import PendingProposal

    out = console()
    for lines in (*map(call_lines, calls), *map(server_lines, servers)):
        for number, line in enumerate(lines):
            # Whole: a mark at the end of a line that was cut off would be no mark.
            out.print(Text(line, style="bold red" if number == 0 else "dim"), soft_wrap=True)
    for item in items[:ON_A_CARD]:
        proposal = PendingProposal.of(item)
        first = proposal.targets[0] if proposal.targets else None
        who = one_line(first.name or first.address) if first else ""
        subject = one_line(first.subject) if first else ""
        if is_group(item):
            who, subject = f"{len(proposal.targets):,} messages", one_line(people_of(proposal))
        sure = "" if item.confidence is None else f" · {in_words(item.confidence)}"
        head = f"{HEADINGS[proposal.bucket][0]} {who or '(no sender)'} · {subject or '(no subject)'}"
        if first is None:
            head = f"{HEADINGS[proposal.bucket][0]} {one_line(item.why)}"
        tail = f"{item.item_id[:8]}  {item.type} · {item.cohort or 'no cohort'}{sure} · {proposal_text(proposal)}"
        out.print(Text(clipped(head, out.width), style="bold"), no_wrap=True, crop=False)
        out.print(Text("   " + clipped(tail, out.width - 3), style="dim"), no_wrap=True, crop=False)
    if len(items) > ON_A_CARD:
        out.print(Text(f"showing {ON_A_CARD} of {len(items):,}; --json has them all", style="dim"))
    asked = [*(call.confirmation_id for call in calls), *(one.approval_id for one in servers)]
    for id_ in asked:
        yes = f"gaia email approve {id_[:8]}"
        out.print(Text("next  ", style="dim").append(yes, style="bold").append("  (or reject)", style="dim"))
    if items:
        out.print(Text("next  ", style="dim").append("gaia email review", style="bold"))
