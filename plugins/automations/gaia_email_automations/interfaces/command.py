"""`gaia email automations`: saved definitions, and what their runs did and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import (
    call_operation,
    print_document,
    view_of,
)
from gaia_email.interfaces.cli.options import (
    HelpfulGroup,
    NamedSource,
    OutputChoice,
    pass_app,
    pass_output,
    source_options,
)
from gaia_email_automations import operations
from gaia_email_automations.interfaces.draft_commands import (
    AUTHORING_COMMANDS,
    definition_in,
    named_values,
    show_before_saving,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

RUN_CODES = {"failed": 1, "timed_out": 1, "cancelled": 5, "waiting": 3}


def _check_code(document: Mapping[str, Any]) -> int:
    return 0 if document["is_valid"] else 1


def _run_code(document: Mapping[str, Any]) -> int:
    return RUN_CODES.get(document["run"]["status"], 0)


CHECK_VIEW = replace(view_of(operations.check_automation), code=_check_code)
RUN_VIEW = replace(view_of(operations.automation_run), code=_run_code)

FILE = click.argument(
    "file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
)


@click.group(name="automations", cls=HelpfulGroup)
def command() -> None:
    """Automate work: you save a JSON definition, which a clock, an event, a webhook or you set off.

    gaia email worker runs them. What sends mail or deletes waits for your yes in gaia email review, whatever is saved.
    """


@command.command(name="check")
@FILE
@pass_output
@pass_app
def check(app: App, file: Path, out: OutputChoice) -> int:
    """Read the definition in FILE (- for standard input) and say all that is wrong with it."""
    answer = call_operation(app, operations.check_automation, {"definition": definition_in(file)})
    return print_document(answer, CHECK_VIEW, *out)


@command.command(name="add")
@FILE
@click.option(
    "--flow",
    "flows",
    metavar="LINE",
    multiple=True,
    help="A line under `flows` of its check that runs need not ask about; can be repeated.",
)
@click.option("--replaces", metavar="AUTOMATION", default="", help="It is a new version of this one.")
@source_options
@pass_output
@pass_app
def add(
    app: App, file: Path, flows: tuple[str, ...], replaces: str, named: NamedSource, out: OutputChoice
) -> int:
    """Save the definition in FILE for a mailbox, after you have seen what it may do."""
    definition = definition_in(file)
    read = call_operation(app, operations.check_automation, {"definition": definition}).document
    if not read["is_valid"]:
        from gaia_email.app.documents.layouts.filled_card import fill_layout
        from gaia_email_automations.cards import ERRORS

        raise click.ClickException("\n".join(fill_layout(ERRORS, read).text_lines()))
    show_before_saving(read, flows)
    asked = {"definition": definition, "flows": flows, "replaces": replaces}
    answer = call_operation(
        app, operations.add_automation, asked, named, asks=f"Save the automation {read['name']!r}"
    )
    return print_document(answer, view_of(operations.add_automation), *out)


for one in AUTHORING_COMMANDS:
    command.add_command(one)


@command.command(name="file")
@click.argument("artifact_id", metavar="FILE")
@click.option(
    "--to",
    "to",
    required=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="File to write; never replaces another.",
)
@pass_app
def copy_file(app: App, artifact_id: str, to: Path) -> None:
    """Copy a file that a run has kept to PATH, a file or a folder."""
    from gaia_email.interfaces.cli.output import note
    from gaia_email_automations.run_files import artifact_content
    from gaia_mail.printable import visible

    found, content = artifact_content(app, artifact_id)
    path = to / found.name if to.is_dir() else to
    try:
        with path.open("xb") as file:
            file.write(content)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from None
    note(f"wrote {visible(str(path))}.")


@command.command(name="run")
@click.argument("automation_id", metavar="AUTOMATION")
@click.option(
    "--input",
    "inputs",
    metavar="NAME=VALUE",
    multiple=True,
    help="An input; VALUE is JSON, or a text as it is. Can be repeated.",
)
@pass_output
@pass_app
def run(app: App, automation_id: str, inputs: tuple[str, ...], out: OutputChoice) -> int:
    """Run an automation now, and show what each step did."""
    asked: Mapping[str, Any] = {
        "automation_id": automation_id,
        "inputs": named_values(inputs, "--input"),
        "wait": True,
    }
    return print_document(call_operation(app, operations.run_automation, asked), RUN_VIEW, *out)


@command.command(name="retry")
@click.argument("run_id", metavar="RUN")
@pass_output
@pass_app
def retry(app: App, run_id: str, out: OutputChoice) -> int:
    """Run again what a run was, as a new run, and show what each step did."""
    asked = {"run_id": run_id, "wait": True}
    return print_document(call_operation(app, operations.retry_run, asked), RUN_VIEW, *out)


@command.command(name="webhook")
@click.argument("name", metavar="NAME")
@pass_app
def webhook(app: App, name: str) -> None:
    """Keep the address of an incoming webhook of Slack in the vault, as NAME, for steps `slack_post`."""
    from gaia_email.interfaces.cli.output import note
    from gaia_email.interfaces.cli.person import need_yes
    from gaia_email_automations.webhooks import keep_slack_webhook

    need_yes(app, "Let automations that you save post there")
    address = click.prompt("Address", hide_input=True, err=True)
    keep_slack_webhook(app, name, str(address).strip())
    note("kept in the vault.")
