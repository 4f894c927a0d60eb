"""What left this machine, by the egress ledger. Entries: `connections`, `forget`."""

from __future__ import annotations

import time

from gaia_email.app import App
from gaia_email.app.services.names import account_named
from gaia_email_registry.egress.rows import EgressRow, delete, ledger_file, read
from gaia_email_registry.errors import ProviderError


def connections(app: App, since: float | None = None, account: str | None = None) -> list[EgressRow]:
    """The connections of every program of ours on this machine, the newest first.

    Args:
        app: The running program.
        since: Only those over which something went after this time.
        account: Only those for this account.

    Raises:
        ProviderError: The ledger cannot be read.
    """
    try:
        rows = read(ledger_file(app.environ), time.time())
    except OSError as error:
        raise ProviderError(f"The egress ledger cannot be read: {error.strerror}.") from None
    names = {name.casefold() for name in (account, account_named(app, account)) if name}
    return [
        row
        for row in reversed(rows)
        if (since is None or row.until >= since) and (not names or row.account.casefold() in names)
    ]


def forget(app: App) -> int:
    """Delete the egress ledger; how many connections it held.

    Raises:
        ProviderError: It cannot be deleted.
    """
    path = ledger_file(app.environ)
    try:
        held = len(read(path, time.time()))
        delete(path)
    except OSError as error:
        raise ProviderError(f"The egress ledger cannot be deleted: {error.strerror}.") from None
    return held
