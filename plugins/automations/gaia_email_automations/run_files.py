"""Files saved by runs: list, read, share by a signed link, clean up. Entries: `share_artifact`, `shared_artifact`."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from gaia_email.document import Timestamp
from gaia_email.ledger.failures import LostRace
from gaia_email_automations.artifacts import ArtifactLink, ArtifactStore, StoredArtifact
from gaia_email_registry.errors import NeedsAuth, NotFound
from gaia_email_registry.vault import open_vault

if TYPE_CHECKING:
    from gaia_email.app import App
    from gaia_email.ledger import Ledger

LINKS = "artifact links"
"""The document with the vault reference of the key that signs links."""

LINK_IS_BAD = "This link is not valid, or its time is over."


def store(app: App) -> ArtifactStore:
    """Return the artifact store in this program's data folder."""
    return ArtifactStore(app.environ, app.clock)


def share_artifact(app: App, beginning: str, hours: int) -> ArtifactLink:
    """Share a file for some hours with anyone who has the link.

    Raises:
        NotFound: The file does not exist.
        MailError: The vault or the ledger cannot be used.
    """
    files = store(app)
    found = files.change(files.get(beginning), "shared")
    expires = int(app.clock()) + hours * 3_600
    signature = _signature(_key(app, make=True), found, expires)
    path = f"/v1/automations/runs/{found.run_id}/shared/{found.id}"
    return ArtifactLink(
        file=found, path=f"{path}?expires={expires}&signature={signature}", expires_at=Timestamp(expires)
    )


def unshare_artifact(app: App, beginning: str) -> StoredArtifact:
    """Make a file private again: existing links no longer open it.

    Raises:
        NotFound: The file does not exist.
    """
    files = store(app)
    return files.change(files.get(beginning), "private")


def remove_artifact(app: App, beginning: str) -> StoredArtifact:
    """Delete a file.

    Raises:
        NotFound: The file does not exist.
    """
    files = store(app)
    found = files.get(beginning)
    files.remove(found)
    return found


def artifact_content(app: App, beginning: str) -> tuple[StoredArtifact, bytes]:
    """Return a file with its bytes.

    Raises:
        NotFound: The file does not exist.
        ProviderError: Its content has changed since it was stored.
    """
    files = store(app)
    found = files.get(beginning)
    return found, files.content(found)


def shared_artifact(
    app: App, run_id: str, artifact_id: str, expires: str, signature: str
) -> tuple[StoredArtifact, bytes]:
    """Return the file that a link opens.

    Raises:
        NeedsAuth: The link is invalid for this file of this run or has expired, or the file is no longer shared.
        ProviderError: The content has changed since it was stored.
    """
    refused = NeedsAuth(LINK_IS_BAD, hint="Ask for another one.")
    if not expires.isascii() or not expires.isdigit() or len(expires) > 12 or int(expires) <= app.clock():
        raise refused
    files = store(app)
    try:
        found = files.get(artifact_id)
    except NotFound:
        raise refused from None
    key = _key(app, make=False)
    if not key or found.id != artifact_id or found.run_id != run_id or found.visibility != "shared":
        raise refused
    if not hmac.compare_digest(_signature(key, found, int(expires)).encode(), signature.encode()):
        raise refused
    return found, files.content(found)


def _signature(key: str, artifact: StoredArtifact, expires: int) -> str:
    """Sign the run, the file, its content and the expiry time."""
    signed = f"{artifact.run_id}\n{artifact.id}\n{artifact.sha256}\n{expires}"
    return hmac.new(key.encode(), signed.encode(), hashlib.sha256).hexdigest()


def _key(app: App, *, make: bool) -> str:
    """Return the signing key from the vault; empty if there is none and `make` is False."""
    with app.ledger(read_only=not make) as ledger:
        reference = _reference(ledger)
        if not reference and make:
            made = open_vault(app.environ).put("artifact-links", secrets.token_urlsafe(32))
            with suppress(LostRace), ledger.write() as tx:
                ledger.documents.write(tx, LINKS, {"key": made}, 0)
            reference = _reference(ledger)
    return open_vault(app.environ).get(reference) if reference else ""


def _reference(ledger: Ledger) -> str:
    with ledger.read() as tx:
        known = ledger.documents.read(tx, LINKS)
    return "" if known is None else str(known.value["key"])


def clean_artifacts(app: App) -> int:
    """Delete the expired files of runs; return the number deleted."""
    return store(app).clean()
