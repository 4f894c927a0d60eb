"""Connects mail files on this machine, as the default if no mailbox is named. Entry: `connect_files`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email.mailbox.ref import WRITABLE, MailboxRef
from gaia_email_registry.accounts import Account, now_text, store_account

if TYPE_CHECKING:
    from gaia_email.app.accounts.connect import ConnectedAccount

PROVIDER, SERVER = "files", "local"


async def connect_files(
    kind: str, path: str, addresses: Sequence[str], environ: Mapping[str, str]
) -> ConnectedAccount:
    """Read the files, then store their location; nothing is copied or changed.

    Args:
        kind: `maildir`, `mbox` or `eml`.
        path: The location of the files.
        addresses: The owner's addresses; empty to infer them from the mail.
        environ: Determines the data directory.

    Raises:
        MailError: The mailbox does not exist, or nothing can be stored.
    """
    from gaia_email.app.accounts.connect import ConnectedAccount
    from gaia_email.mailbox.client import open_mail

    place = MailboxRef(kind=kind, path=os.path.abspath(os.path.expanduser(path)))
    async with open_mail(place.reading(environ)) as mail:
        labels, status = await mail.labels(), await mail.status()
    account = Account(
        id=place.key,
        provider=PROVIDER,
        address=place.key,
        server=SERVER,
        settings={"kind": kind, "path": place.path, "user": ",".join(addresses)},
        added_at=now_text(),
    )
    store_account(account, environ)
    return ConnectedAccount(
        account=account, labels=len(labels), can_send=kind in WRITABLE, problems=tuple(status["errors"])
    )


def files_of(account: Account) -> MailboxRef | None:
    """Return the location of an account's files, or None for an account on a server."""
    if account.server != SERVER:
        return None
    return MailboxRef(kind=account.settings.get("kind", "maildir"), path=account.settings.get("path", ""))


def addresses_of(account: Account) -> tuple[str, ...]:
    """Return the addresses that were given when the files were connected."""
    return tuple(filter(None, account.settings.get("user", "").split(",")))
