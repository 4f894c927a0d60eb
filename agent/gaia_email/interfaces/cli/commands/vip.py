"""`gaia email vip`: the people whose mail matters most."""

from __future__ import annotations

import click

from gaia_email.app.operations.policy import ADD_VIP, REMOVE_VIP
from gaia_email.app.operations.state import POLICY
from gaia_email.interfaces.cli.changing import change_command
from gaia_email.interfaces.cli.from_operation import operation_command
from gaia_email.interfaces.cli.options import HelpfulGroup
from gaia_email.interfaces.cli.policy_printing import VIPS


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


command.add_command(operation_command(POLICY, "The VIPs you named.", VIPS, name="list"))
