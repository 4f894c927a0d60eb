"""Definitions to begin with, each with the questions that adapt it. Entries: `starters`, `starter_named`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from gaia_email_automations.authoring.template import AutomationTemplate
from gaia_email_registry.errors import NotFound

NAMES = (
    *("digest", "invoice_note", "newsletter_sweep", "vip_alert", "weekly_brief", "followup_reminder"),
    *("file_added", "ci_webhook", "spoken_week", "failed_run", "urgent_to_slack", "star_sender"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationStarter:
    """A definition to begin with; `says` describes it in a sentence."""

    name: str
    title: str
    says: str
    template: AutomationTemplate


@cache
def starters() -> tuple[AutomationStarter, ...]:
    """Return all starters in the order they are listed."""
    return tuple(map(_read, NAMES))


def _read(name: str) -> AutomationStarter:
    text = files("gaia_email_automations.authoring").joinpath(f"data/starters/{name}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    template = AutomationTemplate(definition=found["definition"], fields=found["fields"])
    return AutomationStarter(name=name, title=found["title"], says=found["says"], template=template)


def starter_named(name: str) -> AutomationStarter:
    """Return the starter with this name.

    Raises:
        NotFound: There is none.
    """
    for one in starters():
        if one.name == name.strip().lower().replace("-", "_").replace(" ", "_"):
            return one
    raise NotFound(
        f"There is no starter {name[:60]!r}; there are {', '.join(NAMES)}.",
        argument="starter",
        hint="gaia email automations starters",
    )
