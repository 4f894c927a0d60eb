"""Switches accounts on and off and says which. Entry: `switch_accounts`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.interfaces.cli.output import note
from gaia_email_registry.accounts import set_enabled


def switch_accounts(app: App, name: str | None, *, enabled: bool) -> None:
    """Switch an account, or without a name all of them.

    Raises:
        MailError: There is no such account, or the list of accounts cannot be changed.
    """
    changed = set_enabled(name, enabled, app.environ)
    word = "on" if enabled else "off"
    for account in changed:
        note(f"{account.id} is switched {word}.")
    if not changed:
        note(f"{name or 'every account'} was switched {word} before; nothing changed.")
    elif not enabled:
        of = f" --account {name}" if name else ""
        note(f"its data stays. next: gaia email enable{of} switches it on again.")
