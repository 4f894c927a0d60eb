"""Takes messages out of the inbox because the user said so. Entry points: `archive_messages`, `move_to_spam`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.actions.applying import AppliedActions
from gaia_email.actions.archive import archive, put_in_spam
from gaia_email.app import App
from gaia_email.app.services.acting import with_account_session
from gaia_email.app.services.source import SourceSpec
from gaia_email_registry.origin import RequestOrigin


def archive_messages(
    app: App, source: SourceSpec, ids: Sequence[str], *, origin: RequestOrigin, session_id: str | None = None
) -> AppliedActions:
    """Archive them; it is in the record and can be undone.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    return with_account_session(
        app, source, lambda session: archive(session, ids, session_id=session_id), prompt=None, origin=origin
    )


def move_to_spam(
    app: App, source: SourceSpec, ids: Sequence[str], *, origin: RequestOrigin
) -> AppliedActions:
    """Move them to where the provider keeps spam; it is in the record and can be undone exactly.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    return with_account_session(
        app, source, lambda session: put_in_spam(session, ids), prompt=None, origin=origin
    )
