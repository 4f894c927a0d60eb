"""Program-wide settings of the user, and their source. Entries: `settings_now`, `change_setting`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gaia_email.app import App
from gaia_email.ledger import NewLedgerEvent
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.ledger.user_settings import (
    RETENTION_DAYS,
    USER_SETTINGS,
    EffectiveSetting,
    EffectiveSettings,
    SetBy,
    SettingName,
    UserSettings,
    read_user_settings,
)
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.settings import switch

ENVIRONMENT: Mapping[SettingName, str] = {
    "weekly_look": "GAIA_DISCOVER_WEEKLY",
    "retention_days": "GAIA_EMAIL_RETENTION_DAYS",
}
"""Environment variables that override the user's settings."""


def settings_now(app: App) -> EffectiveSettings:
    """Return all settings with their effective values.

    Raises:
        MailError: The ledger cannot be read, or a variable has an invalid value.
    """
    kept, days = UserSettings(), RETENTION_DAYS
    if has_ledger(app.environ):
        with app.ledger(read_only=True) as ledger, ledger.read() as tx:
            kept, days = read_user_settings(ledger.documents, tx), ledger.kept_days(tx)
    values: Mapping[SettingName, float] = {
        "page_keys": kept.page_keys is not False,
        "weekly_look": _weekly_look(app, lambda: kept),
        "retention_days": days,
    }
    found = [
        EffectiveSetting(
            name=name, value=float(value), set_by=_set_by(app, name, kept), variable=ENVIRONMENT.get(name, "")
        )
        for name, value in values.items()
    ]
    return EffectiveSettings(settings=found)


def weekly_look(app: App) -> bool:
    """Return True if this machine is searched for new accounts once a week.

    Raises:
        MailError: The ledger cannot be read, or the variable is not a switch.
    """
    return _weekly_look(app, lambda: _kept(app))


def _weekly_look(app: App, kept: Callable[[], UserSettings]) -> bool:
    variable = ENVIRONMENT["weekly_look"]
    return switch(variable, {}, app.environ) if variable in app.environ else bool(kept().weekly_look)


def change_setting(app: App, name: SettingName, value: float, *, actor: str) -> None:
    """Change a setting and record the event.

    Raises:
        BadArgument: An environment variable overrides it.
        MailError: The ledger cannot be written.
    """
    variable = ENVIRONMENT.get(name, "")
    if variable and variable in app.environ:
        raise BadArgument(
            f"{variable} sets this.", argument=name, hint="unset it and start the program anew."
        )
    with app.ledger() as ledger, ledger.write() as tx:
        before = read_user_settings(ledger.documents, tx)
        days = value if name == "retention_days" else before.retention_days
        after = replace(
            before,
            page_keys=bool(value) if name == "page_keys" else before.page_keys,
            weekly_look=bool(value) if name == "weekly_look" else before.weekly_look,
            retention_days=days,
        )
        if after == before:
            return
        ledger.documents.write(tx, USER_SETTINGS, after.values, before.version)
        event = NewLedgerEvent(kind="settings.changed", actor=actor, payload={"what": name, "to": value})
        ledger.events.append(tx, event)


def _kept(app: App) -> UserSettings:
    if not has_ledger(app.environ):
        return UserSettings()
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        return read_user_settings(ledger.documents, tx)


def _set_by(app: App, name: SettingName, kept: UserSettings) -> SetBy:
    if ENVIRONMENT.get(name, "") in app.environ:
        return "environment"
    return "you" if name in kept.values else "default"
