"""Operations on files saved by runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import on_command_line
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation
from gaia_email_automations import cards

if TYPE_CHECKING:
    from gaia_email_automations.artifacts import ArtifactLink, ArtifactList


class ArtifactsInput(OperationInput, frozen=True, kw_only=True):
    """Choice of files."""

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


@operation(
    output="automation-files",
    path="GET /v1/automations/files",
    columns=("id", "name", "kind", "bytes", "visibility", "run_id", "created_at", "expires_at"),
    rows="files",
    card=cards.FILES,
    cli=Command(
        name="files",
        heading="automations",
        after="diff",
        help="Files that runs have kept, newest first.",
    ),
)
def automation_files(app: App, call: OperationCall[ArtifactsInput]) -> ArtifactList:
    """List files that runs of automations have kept, newest first."""
    from gaia_email_automations.artifacts import ArtifactList
    from gaia_email_automations.run_files import store

    return ArtifactList(files=store(app).all(call.asked.run_id))


@operation(
    output="automation-file-link",
    path="POST /v1/automations/files/{artifact_id}/share",
    example={"artifact_id": "00000000"},
    risk="person",
    columns=("path", "expires_at"),
    card=cards.FILE_LINK,
    cli=Command(
        name="share",
        heading="automations",
        after="file",
        help="A link that opens one file for some hours, shown this once.",
    ),
)
def share_file(app: App, call: OperationCall[ShareArtifactInput]) -> ArtifactLink:
    """Make a link that opens one file of a run for some hours, for whoever has it.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.run_files import share_artifact

    return share_artifact(app, call.asked.artifact_id, call.asked.hours)


@operation(
    output="automation-files",
    path="POST /v1/automations/files/{artifact_id}/unshare",
    example={"artifact_id": "00000000"},
    risk="restrain",
    columns=("id", "name", "kind", "bytes", "visibility", "run_id", "created_at", "expires_at"),
    rows="files",
    card=cards.FILES,
    cli=Command(
        name="unshare",
        heading="automations",
        after="share",
        help="Void every link to a file.",
    ),
)
def unshare_file(app: App, call: OperationCall[ArtifactInput]) -> ArtifactList:
    """Void every link to a file of a run.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.artifacts import ArtifactList
    from gaia_email_automations.run_files import unshare_artifact

    return ArtifactList(files=[unshare_artifact(app, call.asked.artifact_id)])


@operation(
    output="automation-files",
    path="DELETE /v1/automations/files/{artifact_id}",
    example={"artifact_id": "00000000"},
    risk="person",
    columns=("id", "name", "kind", "bytes", "visibility", "run_id", "created_at", "expires_at"),
    rows="files",
    card=cards.FILES,
    cli=Command(
        name="delete-file",
        heading="automations",
        after="unshare",
        help="Delete a file.",
    ),
)
def remove_file(app: App, call: OperationCall[ArtifactInput]) -> ArtifactList:
    """Delete a file of a run.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.artifacts import ArtifactList
    from gaia_email_automations.run_files import remove_artifact

    return ArtifactList(files=[remove_artifact(app, call.asked.artifact_id)])
