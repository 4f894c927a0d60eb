"""Takes messages out of the inbox because the user said so. Entry point: `archive_messages`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from gaia_email.actions.account_session import open_desk
from gaia_email.actions.applying import Applied
from gaia_email.actions.archive import archive
from gaia_email.ledger import open_ledger
from gaia_email.services.mail_source import MailSource


def archive_messages(source: MailSource, ids: Sequence[str], *, actor: str, session_id: str) -> Applied:
    """Archive them; it is in the record and can be undone.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """

    async def main() -> Applied:
        with open_ledger() as ledger:
            async with open_desk(source.place.spec, ledger, actor=actor) as desk:
                return await archive(desk, ids, session_id=session_id)

    return asyncio.run(main())
