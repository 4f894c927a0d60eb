"""`gaia email protect`: mail that automation may not touch."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.policy import protect, unprotect
from gaia_email.app.operations.state import policy
from gaia_email.interfaces.cli.changing import change_policy
from gaia_email.interfaces.cli.from_operation import operation_command
from gaia_email.interfaces.cli.options import (
    Decorated,
    HelpfulGroup,
    OutputChoice,
    pass_asking_app,
    pass_output,
)
from gaia_email.interfaces.cli.policy_printing import PROTECTED


@click.group(name="protect", cls=HelpfulGroup)
def command() -> None:
    """Senders, labels and threads that nothing automated may touch, whatever the level."""


def what_options(function: Decorated) -> Decorated:
    """Add `--sender`, `--label` and `--thread`."""
    for option in reversed(
        (
            click.option(
                "--sender", metavar="ADDRESS|DOMAIN", help="An address, or a domain with what is below it."
            ),
            click.option("--label", metavar="NAME", help="A label or folder, in any case."),
            click.option("--thread", metavar="ID", help="A conversation, as gaia email why --json names it."),
        )
    ):
        function = option(function)
    return function


def parse_target(sender: str | None, label: str | None, thread: str | None) -> dict[str, str]:
    """Return the one thing that was named.

    Raises:
        click.UsageError: Nothing was named, or several things.
    """
    named = {"sender": sender, "label": label, "thread": thread}
    given = [{"kind": kind, "value": value} for kind, value in named.items() if value is not None]
    if len(given) != 1:
        raise click.UsageError("Name one of --sender, --label and --thread.")
    return given[0]


@command.command(name="add")
@what_options
@pass_output
@pass_asking_app
def add(
    app: App,
    sender: str | None,
    label: str | None,
    thread: str | None,
    out: OutputChoice,
) -> None:
    """Protect a sender, a label or a thread."""
    change_policy(app, protect, parse_target(sender, label, thread), yes=False, out=out)


@command.command(name="remove")
@what_options
@click.option("--yes", is_flag=True, help="Save without asking.")
@pass_output
@pass_asking_app
def remove(
    app: App,
    sender: str | None,
    label: str | None,
    thread: str | None,
    yes: bool,
    out: OutputChoice,
) -> None:
    """Take the protection off again."""
    change_policy(app, unprotect, parse_target(sender, label, thread), yes=yes, out=out)


command.add_command(operation_command(policy, "What is protected.", PROTECTED, name="list"))
