"""Operations on files that runs made. Entry: `ARTIFACTS`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import on_command_line
from gaia_email.app.operations.operation import Operation, OperationCall, OperationInput


class ArtifactsInput(OperationInput, frozen=True, kw_only=True):
    """Whose files."""

    run_id: Annotated[
        str,
        Meta(max_length=100, description="Only of this run, by the beginning of its id; empty for all."),
        on_command_line(option="--run", metavar="RUN"),
    ] = ""


class ArtifactInput(OperationInput, frozen=True, kw_only=True):
    """One file."""

    artifact_id: Annotated[
        str,
        Meta(min_length=1, max_length=40, description="A file's id, or the beginning of it."),
        on_command_line(argument=True, metavar="FILE"),
    ]


class ShareArtifactInput(ArtifactInput, frozen=True, kw_only=True):
    """One file, and for how long."""

    hours: Annotated[
        int, Meta(ge=1, le=168, description="For how many hours."), on_command_line(metavar="HOURS")
    ] = 24


def automation_files(app: App, call: OperationCall[ArtifactsInput]) -> dict[str, Any]:
    """List files that runs of automations have kept, newest first."""
    from gaia_email.app.documents.artifacts import artifacts_document
    from gaia_email.app.services.artifacts import store

    return {**artifacts_document(store(app).all(call.asked.run_id))}


def share_file(app: App, call: OperationCall[ShareArtifactInput]) -> dict[str, Any]:
    """Make a link that opens one file of a run for some hours, for whoever has it.

    Raises:
        NotFound: There is none.
    """
    from gaia_email.app.documents.artifacts import artifact_link_document
    from gaia_email.app.services.artifacts import share_artifact

    return {**artifact_link_document(share_artifact(app, call.asked.artifact_id, call.asked.hours))}


def unshare_file(app: App, call: OperationCall[ArtifactInput]) -> dict[str, Any]:
    """Void every link to a file of a run.

    Raises:
        NotFound: There is none.
    """
    from gaia_email.app.documents.artifacts import artifacts_document
    from gaia_email.app.services.artifacts import unshare_artifact

    return {**artifacts_document([unshare_artifact(app, call.asked.artifact_id)])}


def remove_file(app: App, call: OperationCall[ArtifactInput]) -> dict[str, Any]:
    """Delete a file of a run.

    Raises:
        NotFound: There is none.
    """
    from gaia_email.app.documents.artifacts import artifacts_document
    from gaia_email.app.services.artifacts import remove_artifact

    return {**artifacts_document([remove_artifact(app, call.asked.artifact_id)])}


LIST_FILES = Operation(
    name="automation_files", run=automation_files, input=ArtifactsInput, output="automation-files"
)
SHARE_FILE = Operation(
    name="share_file", run=share_file, input=ShareArtifactInput, output="automation-file-link", risk="person"
)
UNSHARE_FILE = Operation(
    name="unshare_file", run=unshare_file, input=ArtifactInput, output="automation-files", risk="restrain"
)
REMOVE_FILE = Operation(
    name="remove_file", run=remove_file, input=ArtifactInput, output="automation-files", risk="person"
)
ARTIFACTS: tuple[Operation[Any], ...] = (LIST_FILES, SHARE_FILE, UNSHARE_FILE, REMOVE_FILE)
