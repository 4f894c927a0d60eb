"""The commands of `gaia email automations` about files that runs have kept. Entry: `FILE_COMMANDS`."""

from __future__ import annotations

from pathlib import Path

import click

from gaia_email.app import App
from gaia_email.app.operations import artifacts as operations
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command
from gaia_email.interfaces.cli.options import pass_app

FILES_VIEW = OperationView(
    columns=("id", "name", "kind", "bytes", "visibility", "run_id", "created_at", "expires_at"),
    rows=lambda document: document["files"],
    card="automation_files_card.print_files",
)
LINK_VIEW = OperationView(columns=("path", "expires_at"), card="automation_files_card.print_link")


@click.command(name="file")
@click.argument("artifact_id", metavar="FILE")
@click.option(
    "--to",
    "to",
    required=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Where to; never over another.",
)
@pass_app
def copy_file(app: App, artifact_id: str, to: Path) -> None:
    """Copy a file that a run has kept to PATH, a file or a folder."""
    from gaia_email.app.services.artifacts import artifact_content
    from gaia_email.interfaces.cli.output import note
    from gaia_mail.printable import visible

    found, content = artifact_content(app, artifact_id)
    path = to / found.name if to.is_dir() else to
    try:
        with path.open("xb") as file:
            file.write(content)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from None
    note(f"wrote {visible(str(path))}.")


FILE_COMMANDS: tuple[click.Command, ...] = (
    operation_command(
        operations.automation_files, "Files that runs have kept, newest first.", FILES_VIEW, name="files"
    ),
    copy_file,
    operation_command(
        operations.share_file,
        "A link that opens one file for some hours, shown this once.",
        LINK_VIEW,
        name="share",
    ),
    operation_command(operations.unshare_file, "Void every link to a file.", FILES_VIEW, name="unshare"),
    operation_command(operations.remove_file, "Delete a file.", FILES_VIEW, name="delete-file"),
)
