"""`gaia email undo`: take back what was done, by action, run, session or time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click

from gaia_email.faces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    since_epoch,
    source_options,
)
from gaia_email.faces.cli.output import chosen_format

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.undo import Undone
    from gaia_email.pending.known_ids import Known


@click.command(name="undo")
@click.argument("given", metavar="[ID]", required=False)
@click.option("--action", "action_id", metavar="ID", help="This action (the beginning of its id will do).")
@click.option("--run", "run_id", metavar="ID", help="Everything of this run.")
@click.option("--session", metavar="ID", help="Everything of this chat session.")
@click.option("--since", metavar="2h|DATE", help="Everything from then on.")
@source_options
@output_options
def command(
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
    from gaia_email.faces.cli.acting import acting_progress, with_desk
    from gaia_email.faces.cli.did import show
    from gaia_email.faces.cli.errors import OK, PARTIAL
    from gaia_email.faces.cli.naming import named_to_undo, source_of, source_of_done

    if sum(option is not None for option in (given, action_id, run_id, session, since)) > 1:
        raise click.UsageError("Name one of ID, --action, --run, --session and --since, not several.")
    found = named_to_undo(given) if given else None
    after = since_epoch(since, datetime.now(UTC))
    exact = action_id or run_id
    if found is None and exact and not named.is_named:
        source = source_of(named_to_undo(exact), named)
    else:
        source = source_of(found, named) if found else source_of_done(named, session=session, since=after)
    form = chosen_format(as_json, as_jsonl)
    started = perf_counter()
    scenario = _scenario(found, action_id, run_id, session, after, acting_progress)
    name, result = with_desk(source, scenario)
    if result.problem is not None and not result.taken_back:
        raise result.problem
    seconds = perf_counter() - started
    if form == "card":
        from gaia_email.faces.cli.action_card import print_undone

        print_undone(result, seconds)
    else:
        show(undo_document(name, result, seconds), action_rows(result.taken_back), form, field_list(fields))
    return PARTIAL if result.kept or result.left else OK


def _scenario(
    named: Known | None,
    action_id: str | None,
    run_id: str | None,
    session: str | None,
    since: float | None,
    progress: Callable[[int, int], None],
) -> Callable[[AccountSession], Awaitable[tuple[str, Undone]]]:
    async def scenario(desk: AccountSession) -> tuple[str, Undone]:
        from gaia_email.actions.reconcile import reconcile
        from gaia_email.actions.undo import TAKEN_BACK, action_of, chosen_actions, last_done, undo
        from gaia_email.ledger import Selection
        from gaia_email.pending.known_ids import actions_of
        from gaia_email_registry.errors import NotFound

        await reconcile(desk, finish=False)
        if named is not None:
            found = actions_of(desk, named)
        elif action_id is not None:
            found = [action_of(desk, action_id)]
        elif run_id is None and session is None and since is None:
            found = last_done(desk)
        else:
            with desk.ledger.read() as tx:
                run = desk.ledger.actions.run_starting_with(tx, run_id) if run_id else None
            chosen = Selection(account_id=desk.account, run_id=run, session_id=session, since=since)
            found = chosen_actions(desk, chosen)
        if not any(action.state in TAKEN_BACK for action in found):
            raise NotFound(
                "There is nothing of that left to undo on this account.",
                hint="gaia email actions lists what was done.",
            )
        return desk.account, await undo(desk, found, progress=progress)

    return scenario
