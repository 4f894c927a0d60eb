"""Removal of what the plug-in keeps beyond its time, or at a purge. Entries: `clean_up`, `purge_files`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email_automations.artifacts import ArtifactStore
from gaia_email_automations.draft_use_cases import clean_drafts
from gaia_email_automations.run_files import clean_artifacts


def clean_up(app: App) -> None:
    """Delete files of runs and drafts whose time is over.

    Raises:
        MailError: The ledger cannot be read or written.
    """
    clean_artifacts(app)
    clean_drafts(app)


def purge_files(app: App) -> None:
    """Delete all files of runs."""
    ArtifactStore(app.environ, app.clock).purge()
