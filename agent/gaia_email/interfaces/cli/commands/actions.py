"""`gaia email actions`: what was done to your mail, newest first."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format
from gaia_email.interfaces.cli.times import since_epoch


@click.command(name="actions")
@click.option("--account", metavar="NAME", help="Only what was done on this account.")
@click.option("--run", "run_id", metavar="ID", help="Only this run (the beginning of its id will do).")
@click.option("--session", metavar="ID", help="Only this chat session.")
@click.option("--since", metavar="7d|DATE", help="Only from then on.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), default=200, help="At most N; usually 200.")
@output_options
@pass_app
def command(
    app: App,
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
    from gaia_email.interfaces.cli.action_card import print_actions
    from gaia_email.interfaces.cli.did import show
    from gaia_email.interfaces.cli.output import note
    from gaia_email.services.history import ActionSelection, list_actions
    from gaia_email.services.names import account_named

    form = chosen_format(as_json, as_jsonl, fields)
    after = since_epoch(since, datetime.now(UTC))
    chosen = ActionSelection(run_id=run_id, session_id=session, since=after)
    done = list_actions(app, account_named(app, account), chosen, limit=limit)
    found, total = done.shown, done.total
    if form == "card":
        print_actions(found, total, datetime.now(UTC).timestamp())
        return
    if len(found) < total:
        note(f"showing {len(found):,} of {total:,} actions")
    show(actions_document(found, total), action_rows(found), form, field_list(fields))
