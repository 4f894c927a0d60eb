"""`gaia email vip`: the people whose mail matters most."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.changing import change_command
from gaia_email.interfaces.cli.options import HelpfulGroup, OutputChoice, pass_app, printed
from gaia_email.operations.policy import ADD_VIP, REMOVE_VIP


@click.group(name="vip", cls=HelpfulGroup)
def command() -> None:
    """Your VIPs: their mail is in the cohort vip, unless it is forged."""


command.add_command(change_command(ADD_VIP, "Name ADDRESS a VIP.", name="add", asks_first=True))
command.add_command(
    change_command(
        REMOVE_VIP,
        "Take ADDRESS off the list; whom you usually answer counts as a VIP all the same.",
        name="remove",
    )
)


@command.command(name="list")
@printed
@pass_app
def list_vips(app: App, out: OutputChoice) -> None:
    """The VIPs you named."""
    from gaia_email.interfaces.cli.policy_printing import print_entries
    from gaia_email.services.policy_changes import read_policy

    vips = list(read_policy(app)[0].policy.vips)
    rows: list[dict[str, object]] = [{"address": vip} for vip in vips]
    print_entries({"vips": vips}, rows, *out)
