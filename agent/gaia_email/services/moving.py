"""Takes messages out of the inbox because the user said so. Entry point: `archive_messages`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.applying import AppliedActions
from gaia_email.actions.archive import archive
from gaia_email.app import App
from gaia_email.services.acting import with_account_session
from gaia_email.services.source import SourceSpec


def archive_messages(
    app: App, source: SourceSpec, ids: Sequence[str], *, actor: str, session_id: str
) -> AppliedActions:
    """Archive them; it is in the record and can be undone.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    return with_account_session(
        app, source, lambda session: archive(session, ids, session_id=session_id), prompt=None, actor=actor
    )
