"""The document of what a step of an automation can do. Entry: `actions_document`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, TypedDict

from gaia_email.automations.definition import SIDE_EFFECTS
from gaia_email.document import Count, OneOf, Version, clean

if TYPE_CHECKING:
    from gaia_email.automations.actions import ActionType

SideEffectName = Annotated[str, OneOf(SIDE_EFFECTS)]


class AutomationActionRow(TypedDict):
    """An action by the name that a step gives, what it does, and the JSON Schema of its configuration."""

    name: str
    description: str
    side_effects: list[SideEffectName]
    config_schema: dict[str, object]


class AutomationActionsDocument(TypedDict):
    """What `automations actions` prints: ours, and approved tools of connected MCP servers."""

    schema_version: Version
    total: Count
    actions: list[AutomationActionRow]


def actions_document(found: Iterable[ActionType]) -> AutomationActionsDocument:
    """Actions, in the order given."""
    rows: list[AutomationActionRow] = [
        {
            "name": one.action.type,
            "description": clean(one.action.description),
            "side_effects": sorted({effect for used in one.capabilities for effect in used.side_effects}),
            "config_schema": one.action.config_schema,
        }
        for one in found
    ]
    return {"schema_version": 1, "total": len(rows), "actions": rows}
