"""`gaia email actions`: what was done to your mail, newest first."""

from __future__ import annotations

import click

from gaia_email.faces.cli.options import field_list, output_options, since_epoch
from gaia_email.faces.cli.output import chosen_format


@click.command(name="actions")
@click.option("--account", metavar="NAME", help="Only what was done on this account.")
@click.option("--run", "run_id", metavar="ID", help="Only this run (the beginning of its id will do).")
@click.option("--session", metavar="ID", help="Only this chat session.")
@click.option("--since", metavar="7d|DATE", help="Only from then on.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), default=200, help="At most N; usually 200.")
@output_options
def command(
    account: str | None,
    run_id: str | None,
    session: str | None,
    since: str | None,
    limit: int,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Everything that was done to your mail, newest first, each with its reason and its undo.

    A run is one card; --json lists its actions one by one.
    """
    from datetime import UTC, datetime

    from gaia_email.documents.actions import action_rows, actions_document
    from gaia_email.faces.cli.action_card import print_actions
    from gaia_email.faces.cli.did import show
    from gaia_email.faces.cli.naming import account_named
    from gaia_email.faces.cli.output import note
    from gaia_email.ledger import Selection, open_ledger
    from gaia_email.policy_store import has_ledger

    form = chosen_format(as_json, as_jsonl)
    after = since_epoch(since, datetime.now(UTC))
    found, total = [], 0
    if has_ledger():
        with open_ledger() as ledger, ledger.read() as tx:
            full = ledger.actions.run_starting_with(tx, run_id) if run_id else None
            chosen = Selection(
                account_id=account_named(account), run_id=full, session_id=session, since=after
            )
            found = ledger.actions.select(tx, chosen, limit=limit, newest_first=True)
            total = sum(ledger.actions.count(tx, chosen).values())
    if form == "card":
        print_actions(found, total, datetime.now(UTC).timestamp())
        return
    if len(found) < total:
        note(f"showing {len(found):,} of {total:,} actions")
    show(actions_document(found, total), action_rows(found), form, field_list(fields))
