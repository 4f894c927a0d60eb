"""The documents of files that runs made. Entries: `artifacts_document`, `artifact_link_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from gaia_email.automations.artifacts import RETENTIONS, VISIBILITIES
from gaia_email.document import Count, OneOf, Time, Version, at, at_if_known, clean

if TYPE_CHECKING:
    from gaia_email.automations.artifacts import ArtifactLink, StoredArtifact


class ArtifactRow(TypedDict):
    """A file that a run made."""

    id: str
    run_id: str
    step_id: str
    account: str
    name: str
    kind: Annotated[str, OneOf(("audio", "document", "image", "data"))]
    media_type: str
    bytes: Count
    sha256: str
    retention: Annotated[str, OneOf(RETENTIONS)]
    visibility: Annotated[str, OneOf(VISIBILITIES)]
    created_at: Time
    expires_at: Time | None


class ArtifactsDocument(TypedDict):
    """What `automations files` prints."""

    schema_version: Version
    files: list[ArtifactRow]


class ArtifactLinkDocument(TypedDict):
    """A signed link, shown this once; `path` is below the address of `gaia email serve`."""

    schema_version: Version
    file: ArtifactRow
    path: str
    expires_at: Time


ARTIFACT_DOCUMENTS: dict[str, object] = {
    "automation-files": ArtifactsDocument,
    "automation-file-link": ArtifactLinkDocument,
}


def artifacts_document(found: Sequence[StoredArtifact]) -> ArtifactsDocument:
    """The files of runs, as given."""
    return {"schema_version": 1, "files": [_row(one) for one in found]}


def artifact_link_document(link: ArtifactLink) -> ArtifactLinkDocument:
    """A link with its file."""
    return {
        "schema_version": 1,
        "file": _row(link.artifact),
        "path": link.path,
        "expires_at": at(link.expires_at),
    }


def _row(one: StoredArtifact) -> ArtifactRow:
    return {
        "id": one.artifact_id,
        "run_id": one.run_id,
        "step_id": one.step_id,
        "account": clean(one.account_id),
        "name": clean(one.name),
        "kind": one.kind,
        "media_type": one.media_type,
        "bytes": one.bytes,
        "sha256": one.sha256,
        "retention": one.retention,
        "visibility": one.visibility,
        "created_at": at(one.created_at),
        "expires_at": at_if_known(one.expires_at),
    }
