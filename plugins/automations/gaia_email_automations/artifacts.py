"""Files made by runs: content by hash, a record each, deleted when they expire. Entry: `ArtifactStore`.

They are in `GAIA_ARTIFACTS_DIR`, or else in `artifacts` of the data directory, readable by the owner only:
`files/ab/abcd…` is the content, `records/ID.json` its record. A record has the same id for the same step of the same
run, so that a repeated step makes no second file.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from gaia_email.document import Count, Document, Timestamp
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_email_registry.paths import ensure_private_directory, home

ArtifactKind = Literal["audio", "document", "image", "data"]
ArtifactRetention = Literal["transient", "default", "permanent"]
ArtifactVisibility = Literal["private", "account", "shared"]

KEPT_S: Mapping[ArtifactRetention, float | None] = {
    "transient": 86_400.0,
    "default": 90 * 86_400.0,
    "permanent": None,
}
"""Seconds for which a file is kept; None for always."""

MOST_BYTES = 64 << 20
MOST_NAME = 120
_KEPT_AS = {"id": "artifact_id", "account": "account_id"}
"""Fields that have another name in stored records."""
_IDS = uuid.UUID("5b6f5d0a-2a1c-4a8e-8a55-0d7f6b1f3c27")
_ID = re.compile(r"[0-9a-f]{32}")


class StoredArtifact(Document, frozen=True, kw_only=True):
    """The record of a file that a run made.

    Attributes:
        id: Its id, 32 hexadecimal digits.
        run_id: The run.
        step_id: The step of the run.
        account: The account of the run.
        name: File name without a folder.
        kind: Kind of content.
        media_type: Media type (RFC 2046).
        bytes: Size of the content.
        sha256: Hash of the content.
        retention: How long it is kept.
        visibility: Who has access: the user (`private`), also programs with the API token (`account`), also anyone with
            a signed link (`shared`).
        created_at: Time of creation.
        expires_at: Time of deletion; None for never.
    """

    id: str
    run_id: str
    step_id: str
    account: str
    name: str
    kind: ArtifactKind
    media_type: str
    bytes: Count
    sha256: str
    retention: ArtifactRetention
    visibility: ArtifactVisibility
    created_at: Timestamp
    expires_at: Timestamp | None


class ArtifactList(Document, frozen=True, kw_only=True):
    """Files of runs, newest first."""

    files: list[StoredArtifact]


class ArtifactLink(Document, frozen=True, kw_only=True):
    """A link that opens one file of a run until it expires; `path` is relative to the server's address."""

    file: StoredArtifact
    path: str
    expires_at: Timestamp


class ArtifactFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that a step provides about its file."""

    run_id: str
    step_id: str
    account_id: str
    name: str
    kind: ArtifactKind
    media_type: str
    retention: ArtifactRetention = "default"
    visibility: ArtifactVisibility = "private"


def artifacts_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder for files of runs; it may not exist yet."""
    given = environ.get("GAIA_ARTIFACTS_DIR", "").strip()
    return Path(given).expanduser().absolute() if given else home(environ) / "artifacts"


class ArtifactStore:
    """The files of runs.

    Args:
        environ: The environment that locates the folder.
        clock: Epoch seconds.
    """

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float]) -> None:
        self._folder = artifacts_folder(environ)
        self._clock = clock

    def keep(self, content: bytes, facts: ArtifactFacts) -> StoredArtifact:
        """Store a file, replacing an earlier one of the same step.

        Raises:
            BadArgument: It is empty or too large.
            ProviderError: It cannot be written.
        """
        if not 0 < len(content) <= MOST_BYTES:
            raise BadArgument(f"A file of a run has 1 to {MOST_BYTES:,} bytes.", argument="content")
        now = float(self._clock())
        kept_s = KEPT_S[facts.retention]
        found = StoredArtifact(
            id=uuid.uuid5(_IDS, f"{facts.run_id} {facts.step_id}").hex,
            run_id=facts.run_id,
            step_id=facts.step_id,
            account=facts.account_id,
            name=file_name(facts.name),
            kind=facts.kind,
            media_type=facts.media_type,
            bytes=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            retention=facts.retention,
            visibility=facts.visibility,
            created_at=Timestamp(now),
            expires_at=None if kept_s is None else Timestamp(now + kept_s),
        )
        self._write(self._content(found.sha256), content)
        self._put(found)
        return found

    def get(self, beginning: str) -> StoredArtifact:
        """Return a file by its id, or a prefix of it.

        Raises:
            NotFound: There is none, or more than one.
        """
        found = [one for one in self.all() if beginning and one.id.startswith(beginning.lower())]
        if len(found) != 1:
            what = "More than one file has" if found else "No file has"
            raise NotFound(
                f"{what} an id that begins with {beginning[:40]!r}.",
                argument="artifact_id",
                hint="gaia email automations artifacts",
            )
        return found[0]

    def content(self, artifact: StoredArtifact) -> bytes:
        """Return the content of a file.

        Raises:
            ProviderError: It is missing or was changed.
        """
        try:
            content = self._content(artifact.sha256).read_bytes()
        except OSError:
            content = b""
        if hashlib.sha256(content).hexdigest() != artifact.sha256:
            raise ProviderError(f"The content of {artifact.name!r} is not as it was kept.")
        return content

    def all(self, run_id: str = "") -> list[StoredArtifact]:
        """Return the files that have not expired, of one run or of all, newest first."""
        now = self._clock()
        found = [
            one
            for one in self._records()
            if (one.expires_at is None or one.expires_at > now) and one.run_id.startswith(run_id)
        ]
        return sorted(found, key=lambda one: (-one.created_at, one.id))

    def change(self, artifact: StoredArtifact, visibility: ArtifactVisibility) -> StoredArtifact:
        """Change who has access to a file."""
        changed = msgspec.structs.replace(artifact, visibility=visibility)
        self._put(changed)
        return changed

    def remove(self, artifact: StoredArtifact) -> None:
        """Delete a file."""
        self._record(artifact.id).unlink(missing_ok=True)
        self.clean()

    def clean(self) -> int:
        """Delete expired files, and content without a record; return the number of files deleted."""
        now, kept, gone = self._clock(), set[str](), 0
        for one in self._records():
            if one.expires_at is not None and one.expires_at <= now:
                self._record(one.id).unlink(missing_ok=True)
                gone += 1
            else:
                kept.add(one.sha256)
        for path in self._folder.glob("files/??/*"):
            # Content that is just being written has no record yet.
            if path.name not in kept and path.stat().st_mtime < now - KEPT_S_UNNAMED:
                path.unlink(missing_ok=True)
        return gone

    def purge(self) -> int:
        """Delete all files; return their number."""
        records = list(self._folder.glob("records/*.json"))
        for path in (*records, *self._folder.glob("files/??/*")):
            path.unlink(missing_ok=True)
        return len(records)

    def _records(self) -> Iterator[StoredArtifact]:
        for path in self._folder.glob("records/*.json"):
            with suppress(OSError, msgspec.DecodeError):
                found = _from_record(msgspec.json.decode(path.read_bytes(), type=dict[str, Any]))
                if len(found.name) <= MOST_NAME:
                    yield found

    def _put(self, artifact: StoredArtifact) -> None:
        self._write(self._record(artifact.id), msgspec.json.encode(_record_of(artifact), enc_hook=float))

    def _record(self, artifact_id: str) -> Path:
        if not _ID.fullmatch(artifact_id):
            raise NotFound(f"There is no file {artifact_id[:40]!r}.", argument="artifact_id")
        return self._folder / "records" / f"{artifact_id}.json"

    def _content(self, sha256: str) -> Path:
        return self._folder / "files" / sha256[:2] / sha256

    def _write(self, path: Path, content: bytes) -> None:
        """Write a file completely or not at all, even after a crash."""
        beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            ensure_private_directory(path.parent)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise ProviderError(
                f"A file of the run cannot be kept: {error.strerror}.", hint="GAIA_ARTIFACTS_DIR says where."
            ) from None


KEPT_S_UNNAMED = 3_600.0
"""Seconds for which content without a record is kept."""


def _record_of(artifact: StoredArtifact) -> dict[str, object]:
    kept = msgspec.structs.asdict(artifact)
    return {_KEPT_AS.get(name, name): value for name, value in kept.items()}


def _from_record(kept: Mapping[str, Any]) -> StoredArtifact:
    names = {old: name for name, old in _KEPT_AS.items()}
    fields = {names.get(name, name): value for name, value in kept.items()}
    return msgspec.convert(fields, StoredArtifact, dec_hook=lambda kind, value: kind(value))


def file_name(text: str) -> str:
    """Return a safe file name for any text: no folder, no control characters, limited length."""
    plain = re.sub(r"[^\w .,()+@-]+", " ", text).strip(" .")
    return " ".join(plain.split())[:MOST_NAME].strip(" .") or "file"
