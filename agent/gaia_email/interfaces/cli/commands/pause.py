"""`gaia email pause`: no new run starts."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="pause")
@output_options
@pass_app
def command(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Start no new run. The current one finishes, and reading goes on; gaia email resume ends it."""
    from gaia_email.interfaces.cli.switching import switch
    from gaia_email.services.switches import paused

    switch(
        app,
        "paused",
        paused,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )
