"""Settings the user changes while the program runs: a ledger document, overridden by the environment.

Entries: `UserSettings`, `read_user_settings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gaia_email.document import Document

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger.documents import DocumentStore

SettingName = Literal["page_keys", "weekly_look", "retention_days"]
SetBy = Literal["you", "environment", "default"]

USER_SETTINGS = "settings"
"""The name of the document."""

RETENTION_DAYS = 90.0
"""Days that events and similar rows are kept (`keeping.py`) by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSettings:
    """The user's settings; None if the user did not set one.

    Attributes:
        page_keys: True if single letters are shortcuts on pages (WCAG 2.2, 2.1.4).
        weekly_look: True to look for new accounts on this machine once a week.
        retention_days: Days that events and similar rows are kept; 0 forever.
        version: Version of the document; 0 if it does not exist.
    """

    page_keys: bool | None = None
    weekly_look: bool | None = None
    retention_days: float | None = None
    version: int = 0

    @property
    def values(self) -> dict[str, object]:
        """The settings as stored in the document."""
        found = {
            "page_keys": self.page_keys,
            "weekly_look": self.weekly_look,
            "retention_days": self.retention_days,
        }
        return {name: value for name, value in found.items() if value is not None}


class EffectiveSetting(Document, frozen=True, kw_only=True):
    """A setting: its value (1 and 0 for on and off), the source of the value, and the variable that overrides it."""

    name: SettingName
    value: float
    set_by: SetBy
    variable: str


class EffectiveSettings(Document, frozen=True, kw_only=True):
    """All settings of the whole program."""

    settings: list[EffectiveSetting]


def read_user_settings(documents: DocumentStore, tx: Connection) -> UserSettings:
    """Return the user's settings; values of a wrong type count as not set."""
    kept = documents.read(tx, USER_SETTINGS)
    if kept is None:
        return UserSettings()
    value: Mapping[str, object] = kept.value
    days = value.get("retention_days")
    return UserSettings(
        page_keys=_truth(value.get("page_keys")),
        weekly_look=_truth(value.get("weekly_look")),
        retention_days=float(days) if isinstance(days, int | float) and not isinstance(days, bool) else None,
        version=kept.version,
    )


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None
