"""The document of what the user sets for the whole program. Entry: `settings_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.document import Version

if TYPE_CHECKING:
    from gaia_email.ledger.user_settings import EffectiveSetting


class SettingRow(TypedDict):
    """A setting: its value (1 and 0 for on and off), who said so, and the variable that would come before it."""

    name: Literal["page_keys", "weekly_look", "retention_days"]
    value: float
    set_by: Literal["you", "environment", "default"]
    variable: str


class SettingsDocument(TypedDict):
    """All of them."""

    schema_version: Version
    settings: list[SettingRow]


def settings_document(found: Sequence[EffectiveSetting]) -> SettingsDocument:
    """What holds."""
    return {
        "schema_version": 1,
        "settings": [
            {"name": one.name, "value": float(one.value), "set_by": one.set_by, "variable": one.variable}
            for one in found
        ],
    }
