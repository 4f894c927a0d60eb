"""`gaia email travel-mode`: quiet work while the user is away."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="travel-mode")
@click.option(
    "--until", metavar="DATE|off", required=True, help="The last day, such as 2026-12-01; off ends it."
)
@output_options
@pass_app
def command(app: App, until: str, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Cap every level at 2 and tell of nothing until the end of a day; mail is understood all the while."""
    from gaia_email.interfaces.cli.person import need_yes
    from gaia_email.interfaces.cli.switching import switch
    from gaia_email_registry.errors import BadArgument

    ends = None if until == "off" else _end_of(until)
    if ends is not None and ends <= datetime.now().astimezone().timestamp():
        raise BadArgument(f"{until} is over already.", argument="until")
    if _ends_sooner(app, ends):
        need_yes(app, "Let the agent do more again")
    switch(
        app,
        "travel_mode",
        lambda switches, now: replace(switches, travel_until=ends),
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )


def _ends_sooner(app: App, ends: float | None) -> bool:
    """Whether travel mode, which caps levels, is on and would be over before its time."""
    from gaia_email.services.policy_changes import read_policy

    now = read_policy(app)[0].switches.travel_until
    return now is not None and (ends is None or ends < now)


def _end_of(day: str) -> float:
    try:
        after = date.fromisoformat(day) + timedelta(days=1)
        return datetime.combine(after, time()).astimezone().timestamp()
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{day[:40]!r} is neither a date such as 2026-12-01 nor off.", param_hint="--until"
        ) from None
