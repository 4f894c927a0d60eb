"""`gaia email habits`: what a mailbox shows of its owner."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    pass_app,
    printed,
    source_options,
)
from gaia_email.interfaces.cli.output import write_rows


@click.command(name="habits")
@source_options
@printed
@pass_app
def command(app: App, named: NamedSource, out: OutputChoice) -> None:
    """Whom you answer and how soon, your newsletters, signature and languages, as the last 90 days show them.

    Counted anew each time and kept nowhere. Whom you answer often counts as a VIP; gaia email vip changes that.
    """
    from gaia_email.app.documents.habits import HABITS_COLUMNS, habits_document, people_rows
    from gaia_email.app.services.habits import read_habits

    found = read_habits(app, named.chosen(app))
    if out.form == "card":
        from gaia_email.interfaces.cli.habits_card import print_habits

        print_habits(found)
        return
    write_rows(habits_document(found), people_rows(found), HABITS_COLUMNS, *out)
