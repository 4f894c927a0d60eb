"""Connects an Outlook or Microsoft 365 account through Microsoft's own login. Entry: `connect_microsoft`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gaia_email.app.accounts.connect import ConnectedAccount, connect
from gaia_email.app.accounts.provider_logins import GRAPH, log_in_of
from gaia_email_registry.accounts import Account, now_text


async def connect_microsoft(
    options: Mapping[str, str],
    environ: Mapping[str, str],
    *,
    say: Callable[[str], None],
    agree: Callable[[], bool],
) -> ConnectedAccount:
    """Have the user log in at Microsoft, test the login and store it; the address's previous login is replaced.

    Args:
        options: `provider`, `email` for the intended account, `shared` for a mailbox shared with it, and the flags of
            `gaia-graph-mcp auth`.
        environ: Determines the data directory and the vault.
        say: Shows a line.
        agree: Asks the user, after showing what the login allows.

    Raises:
        MailError: The login failed, or nothing can be stored. Nothing has changed then.
    """
    granted = await log_in_of(GRAPH)(options, say, agree)
    account = Account(
        id=granted["address"],
        provider=options.get("provider", "outlook"),
        address=granted["address"],
        server=GRAPH,
        settings={name: granted[name] for name in ("granted", "graph_cloud", "shared")},
        added_at=now_text(),
    )
    return await connect(account, environ, password=granted["login"])
