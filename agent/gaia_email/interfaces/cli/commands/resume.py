"""`gaia email resume`: the agent may work again."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="resume")
@output_options
@pass_app
def command(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """End a pause or a stop. What was cancelled stays cancelled; travel mode and quiet hours stay as they are."""
    from gaia_email.interfaces.cli.person import need_yes
    from gaia_email.interfaces.cli.switching import switch
    from gaia_email.services.switches import resumed

    need_yes(app, "Let the agent work again")
    switch(
        app,
        "resumed",
        resumed,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )
