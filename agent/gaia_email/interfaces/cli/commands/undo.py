"""`gaia email undo`: take back what was done, by action, run, session or time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_app,
    source_options,
)
from gaia_email.interfaces.cli.output import chosen_format
from gaia_email.interfaces.cli.times import since_epoch

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.undo import UndoOutcome


@click.command(name="undo")
@click.argument("given", metavar="[ID]", required=False)
@click.option("--action", "action_id", metavar="ID", help="This action (the beginning of its id will do).")
@click.option("--run", "run_id", metavar="ID", help="Everything of this run.")
@click.option("--session", metavar="ID", help="Everything of this chat session.")
@click.option("--since", metavar="2h|DATE", help="Everything from then on.")
@source_options
@output_options
@pass_app
def command(
    app: App,
    given: str | None,
    action_id: str | None,
    run_id: str | None,
    session: str | None,
    since: str | None,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Take back what was done last, or what ID or an option names; what you changed since is left alone and named.

    ID is of an action, a run, or something you approved, as any list shows it. Without one it is the last run, or the
    last single action. The mailbox need not be named. An undo is an action itself.
    """
    from datetime import UTC, datetime
    from time import perf_counter

    from gaia_email.documents.actions import action_rows, undo_document
    from gaia_email.interfaces.cli.acting import acting_progress, with_account_session
    from gaia_email.interfaces.cli.did import show
    from gaia_email.interfaces.cli.errors import OK, PARTIAL
    from gaia_email.interfaces.cli.naming import source_of, source_of_done
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.services.history import ActionSelection, undo_chosen
    from gaia_email.services.names import named_to_undo

    if sum(option is not None for option in (given, action_id, run_id, session, since)) > 1:
        raise click.UsageError("Name one of ID, --action, --run, --session and --since, not several.")
    need_person(app)
    found = named_to_undo(app, given) if given else None
    after = since_epoch(since, datetime.now(UTC))
    exact = action_id or run_id
    about = named_to_undo(app, exact) if exact and not named.is_named else found
    source = (
        source_of(app, about, named) if about else source_of_done(app, named, session=session, since=after)
    )
    form = chosen_format(as_json, as_jsonl, fields)
    started = perf_counter()
    chosen = ActionSelection(named=found, action_id=action_id, run_id=run_id, session_id=session, since=after)

    async def scenario(opened: AccountSession) -> tuple[str, UndoOutcome]:
        return opened.account, await undo_chosen(opened, chosen, progress=acting_progress)

    name, result = with_account_session(app, source, scenario)
    if result.problem is not None and not result.taken_back:
        raise result.problem
    seconds = perf_counter() - started
    if form == "card":
        from gaia_email.interfaces.cli.action_card import print_undone

        print_undone(result, seconds)
    else:
        show(undo_document(name, result, seconds), action_rows(result.taken_back), form, field_list(fields))
    return PARTIAL if result.kept or result.left else OK
