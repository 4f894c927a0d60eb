"""What the user sets while the program runs: a document of the ledger, which the environment comes before.

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
"""Days that events and the like are kept (`keeping.py`), unless the user or the environment says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSettings:
    """What is set; None is what the user did not say.

    Attributes:
        page_keys: Whether single letters are keys on the pages (WCAG 2.2, 2.1.4).
        weekly_look: Whether new accounts of this machine are looked for once a week.
        retention_days: Days that events and the like are kept; 0 for ever.
        version: Of the document; 0 where there is none yet.
    """

    page_keys: bool | None = None
    weekly_look: bool | None = None
    retention_days: float | None = None
    version: int = 0

    @property
    def values(self) -> dict[str, object]:
        """As the document keeps them."""
        found = {
            "page_keys": self.page_keys,
            "weekly_look": self.weekly_look,
            "retention_days": self.retention_days,
        }
        return {name: value for name, value in found.items() if value is not None}


class EffectiveSetting(Document, frozen=True, kw_only=True):
    """A setting: its value (1 and 0 for on and off), who said so, and the variable that would come before it."""

    name: SettingName
    value: float
    set_by: SetBy
    variable: str


class EffectiveSettings(Document, frozen=True, kw_only=True):
    """All settings of the whole program."""

    settings: list[EffectiveSetting]


def read_user_settings(documents: DocumentStore, tx: Connection) -> UserSettings:
    """What the user set; what in the document is of another type counts as not said."""
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
