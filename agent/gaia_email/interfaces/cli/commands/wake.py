"""`gaia email wake`: bring back what was snoozed until now."""

from __future__ import annotations

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


@click.command(name="wake")
@source_options
@output_options
@pass_app
def command(
    app: App,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Bring snoozed messages whose time has come back into the inbox, unread; what is in Trash or Spam stays there."""
    from time import perf_counter

    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.snooze import wake
    from gaia_email.documents.actions import Acted
    from gaia_email.interfaces.cli.acting import with_account_session
    from gaia_email.interfaces.cli.did import show_acted

    source = named.chosen(app)
    started = perf_counter()

    async def scenario(session: AccountSession) -> Acted:
        applied = await wake(session)
        seconds = perf_counter() - started
        return Acted(command="wake", account=session.account, applied=applied, seconds=seconds)

    return show_acted(
        with_account_session(app, source, scenario),
        chosen_format(as_json, as_jsonl, fields),
        field_list(fields),
    )
