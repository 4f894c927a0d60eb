"""Connects a Gmail account through Google's own login, stored in the vault. Entry: `connect_google`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from gaia_email.app.accounts.connect import ConnectedAccount, connect
from gaia_email.app.accounts.provider_logins import GMAIL, log_in_of
from gaia_email_registry.accounts import Account, now_text


async def connect_google(
    options: Mapping[str, str],
    environ: Mapping[str, str],
    *,
    say: Callable[[str], None],
    agree: Callable[[], bool],
) -> ConnectedAccount:
    """Have the user log in at Google, test the login and store it; the address's previous login is replaced.

    Args:
        options: `email` for the intended account, and the flags of `gaia-gmail-mcp auth`; `stored_login`
            as `true` for the login in the archived Gmail server's file, which is removed once the vault has it.
        environ: Determines the data directory and the vault.
        say: Shows a line.
        agree: Asks the user, after showing what the login allows.

    Raises:
        MailError: The login failed, or nothing can be stored. Nothing has changed then.
    """
    granted = await log_in_of(GMAIL)(options, say, agree)
    kept = {name: options[name] for name in ("oauth_path",) if options.get(name)}
    account = Account(
        id=granted["address"],
        provider="gmail",
        address=granted["address"],
        server=GMAIL,
        settings={**kept, "granted": granted["granted"]},
        added_at=now_text(),
    )
    connected = await connect(account, environ, password=granted["login"])
    if file := granted.get("file"):
        Path(file).unlink(missing_ok=True)
        say(
            f"The login is in the vault now; {file} is removed. A program that used that file has to log in again."
        )
    return connected
