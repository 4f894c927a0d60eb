"""Files of runs: listed, read, shared by a signed link, cleaned. Entries: `share_artifact`, `shared_artifact`."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from gaia_email.automations.artifacts import ArtifactLink, ArtifactStore, StoredArtifact
from gaia_email.document import Timestamp
from gaia_email.ledger.failures import LostRace
from gaia_email_registry.errors import NeedsAuth, NotFound
from gaia_email_registry.vault import open_vault

if TYPE_CHECKING:
    from gaia_email.app import App
    from gaia_email.ledger import Ledger

LINKS = "artifact links"
"""The document that says where in the vault the key of links lies."""

LINK_IS_BAD = "This link is not valid, or its time is over."


def store(app: App) -> ArtifactStore:
    """The files of this program's data folder."""
    return ArtifactStore(app.environ, app.clock)


def share_artifact(app: App, beginning: str, hours: int) -> ArtifactLink:
    """Let whoever has the link have a file for some hours.

    Raises:
        NotFound: There is no such file.
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
    """Keep a file to oneself again: no link opens it any more.

    Raises:
        NotFound: There is no such file.
    """
    files = store(app)
    return files.change(files.get(beginning), "private")


def remove_artifact(app: App, beginning: str) -> StoredArtifact:
    """Delete a file.

    Raises:
        NotFound: There is no such file.
    """
    files = store(app)
    found = files.get(beginning)
    files.remove(found)
    return found


def artifact_content(app: App, beginning: str) -> tuple[StoredArtifact, bytes]:
    """A file with its bytes.

    Raises:
        NotFound: There is no such file.
        ProviderError: Its content is not as it was kept.
    """
    files = store(app)
    found = files.get(beginning)
    return found, files.content(found)


def shared_artifact(
    app: App, run_id: str, artifact_id: str, expires: str, signature: str
) -> tuple[StoredArtifact, bytes]:
    """The file that a link opens.

    Raises:
        NeedsAuth: The link is not valid for this file of this run, is over, or the file is shared no more.
        ProviderError: The content is not as it was kept.
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
    """Over the run, the file, its content and the time."""
    signed = f"{artifact.run_id}\n{artifact.id}\n{artifact.sha256}\n{expires}"
    return hmac.new(key.encode(), signed.encode(), hashlib.sha256).hexdigest()


def _key(app: App, *, make: bool) -> str:
    """The key of links, from the vault; empty where there is none and none is to be made."""
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
    """Delete the files of runs whose time is over; how many went."""
    return store(app).clean()
