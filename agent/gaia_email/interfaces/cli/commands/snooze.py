"""`gaia email snooze ID --until WHEN`: out of the inbox until then."""

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


@click.command(name="snooze")
@click.argument("message_ids", metavar="ID...", nargs=-1, required=True)
@click.option(
    "--until",
    metavar="WHEN",
    required=True,
    help="In how long (4h, 3d, 1w), a day (tomorrow, friday, 'next week'; at 08:00), or a time "
    "(2030-01-31T08:00).",
)
@source_options
@output_options
@pass_app
def command(
    app: App,
    message_ids: tuple[str, ...],
    until: str,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Take messages out of the inbox; `gaia email wake` brings them back, unread, when the time has come.

    The time is in a label of the message at your mail provider, so any machine can bring it back.
    """
    from datetime import UTC, datetime
    from time import perf_counter

    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.snooze import snooze
    from gaia_email.documents.actions import Acted
    from gaia_email.interfaces.cli.acting import with_account_session
    from gaia_email.interfaces.cli.did import show_acted
    from gaia_email.interfaces.cli.naming import messages_named
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.interfaces.cli.times import until_epoch
    from gaia_email.services.time_words import instant_text

    need_person(app)
    ids, source = messages_named(app, message_ids, named)
    instant = until_epoch(until, datetime.now(UTC).astimezone())
    started = perf_counter()

    async def scenario(session: AccountSession) -> Acted:
        applied = await snooze(session, ids, instant)
        back = f"gaia email undo {source.flags}".rstrip() if applied.done else ""
        seconds = perf_counter() - started
        return Acted(
            command="snooze",
            account=session.account,
            applied=applied,
            seconds=seconds,
            undo=back,
            until=instant_text(instant),
        )

    return show_acted(
        with_account_session(app, source, scenario),
        chosen_format(as_json, as_jsonl, fields),
        field_list(fields),
    )
