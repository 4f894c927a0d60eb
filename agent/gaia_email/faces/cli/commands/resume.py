"""`gaia email resume`: the agent may work again."""

from __future__ import annotations

from dataclasses import replace

import click

from gaia_email.faces.cli.options import field_list, output_options
from gaia_email.faces.cli.output import chosen_format


@click.command(name="resume")
@output_options
def command(as_json: bool, as_jsonl: bool, fields: str) -> None:
    """End a pause or a stop. What was cancelled stays cancelled; travel mode and quiet hours stay as they are."""
    from gaia_email.faces.cli.switching import switch

    switch(
        "resumed",
        lambda switches, now: replace(switches, paused_at=None, stopped_at=None),
        form=chosen_format(as_json, as_jsonl),
        fields=field_list(fields),
    )
