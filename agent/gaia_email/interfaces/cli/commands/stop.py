"""`gaia email stop`: everything ends now."""

from __future__ import annotations

from dataclasses import replace

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="stop")
@output_options
@pass_app
def command(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Stop the agent now, and see what it did in the last day.

    Nothing is changed after the effect that is under way, what waits for your answer is void, and nothing starts
    again by itself: gaia email resume does that.
    """
    from gaia_email.interfaces.cli.output import note
    from gaia_email.interfaces.cli.switching import switch
    from gaia_email.services.switches import cancel_everything

    switch(
        app,
        "stopped",
        lambda switches, now: (
            switches if switches.stopped_at is not None else replace(switches, stopped_at=now)
        ),
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
        show_done=True,
    )
    problem = cancel_everything(app)
    if problem is not None:
        note(f"The agent is stopped, but its runs could not be marked as cancelled yet: {problem.message}")
