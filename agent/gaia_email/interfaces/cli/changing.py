"""Commands that change the policy: try it on past mail, show, ask, save. Entries: `change_command`, `change_policy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import (
    OperationAnswer,
    OperationView,
    call_operation,
    operation_parameters,
    print_document,
)
from gaia_email.interfaces.cli.options import OutputChoice, pass_asking_app, pass_output

if TYPE_CHECKING:
    from gaia_email.app.operations.operation import Operation

YES = click.option(
    "--yes", is_flag=True, help="Save without asking, where it lets the agent do more by itself."
)
CHANGE = OperationView(
    columns=("saved", "change.what", "change.name", "change.from", "change.to", "backtest.total"),
    card="policy_card.print_change",
    notes=lambda document: ["saved."] if document["saved"] else [],
)


def change_command(
    operation: Operation[Any], help_text: str, *, name: str, asks_first: bool = False
) -> click.Command:
    """Return the command of a change; with `asks_first`, the user must be present before anything is read."""

    @click.command(name=name, help=help_text)
    @YES
    @pass_output
    @pass_asking_app
    def command(app: App, /, yes: bool, out: OutputChoice, **asked: Any) -> None:
        change_policy(app, operation, asked, yes=yes, out=out, asks_first=asks_first)

    command.params[:0] = operation_parameters(operation)
    return command


def change_policy(
    app: App,
    operation: Operation[Any],
    asked: Mapping[str, Any],
    *,
    yes: bool,
    out: OutputChoice,
    asks_first: bool = False,
) -> None:
    """Change the user's policy.

    Args:
        app: The running program.
        operation: The change.
        asked: The operation's input.
        yes: True if the user agreed beforehand.
        out: The output format.
        asks_first: True if the user must be present before anything is read.

    Raises:
        BadArgument: The change is not possible, or the policy was changed in the meantime.
        NeedsApproval: It lets the agent do more by itself, and the user did not agree.
    """
    from gaia_email.interfaces.cli.person import says_yes

    def confirm(document: Mapping[str, Any]) -> bool:
        answer = OperationAnswer(document=document)
        if out.form == "card":
            print_document(answer, CHANGE, *out)
        agreed = not document["needs_yes"] or says_yes(app, "Save this?", said=yes)
        if not agreed and out.form != "card":
            print_document(answer, CHANGE, *out)
        return agreed

    answer = call_operation(app, operation, asked, asks=None if asks_first else "", confirm=confirm)
    if out.form != "card":
        print_document(answer, CHANGE, *out)
    elif answer.document["saved"]:
        from gaia_email.interfaces.cli.policy_card import print_saved

        print_saved()
