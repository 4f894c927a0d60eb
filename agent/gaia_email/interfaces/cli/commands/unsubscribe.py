"""`gaia email unsubscribe --sender S`: leave a mailing list by one click."""

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


@click.command(name="unsubscribe")
@click.option("--sender", metavar="ADDRESS", required=True, help="Whose mailing list.")
@source_options
@output_options
@pass_app
def command(
    app: App,
    sender: str,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Ask a sender's list to stop, by the one-click header of RFC 8058, never by a link in the text. Asks first.

    It cannot be undone. Whether the list took it is kept in the list of actions.
    """
    from time import perf_counter

    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.unsubscribe import newest_of, unsubscribe
    from gaia_email.documents.actions import Acted
    from gaia_email.interfaces.cli.acting import with_account_session
    from gaia_email.interfaces.cli.did import show_acted
    from gaia_email.policy.gate import Consent

    source = named.chosen(app)
    started = perf_counter()

    async def scenario(session: AccountSession) -> Acted:
        summary = await newest_of(session, sender)
        left = await unsubscribe(session, summary, Consent(by="user", why="You asked for it."))
        seconds = perf_counter() - started
        applied = AppliedActions(done=[left.action])
        return Acted(command="unsubscribe", account=session.account, applied=applied, seconds=seconds)

    return show_acted(
        with_account_session(app, source, scenario),
        chosen_format(as_json, as_jsonl, fields),
        field_list(fields),
    )
