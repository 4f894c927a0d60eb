"""`gaia email vip`: the people whose mail matters most."""

from __future__ import annotations

import click

from gaia_email.app.operations.policy import add_vip, remove_vip
from gaia_email.app.operations.state import policy
from gaia_email.interfaces.cli.changing import change_command
from gaia_email.interfaces.cli.from_operation import operation_command
from gaia_email.interfaces.cli.options import HelpfulGroup
from gaia_email.interfaces.cli.policy_printing import VIPS


@click.group(name="vip", cls=HelpfulGroup)
def command() -> None:
    """Your VIPs: their mail is in the cohort vip, unless it is forged."""


command.add_command(change_command(add_vip, "Name ADDRESS a VIP.", name="add", asks_first=True))
command.add_command(
    change_command(
        remove_vip,
        "Take ADDRESS off the list; whom you usually answer counts as a VIP all the same.",
        name="remove",
    )
)


command.add_command(operation_command(policy, "The VIPs you named.", VIPS, name="list"))
