"""What is told of automations, of their runs, and of a try on the past.

Entries: `AutomationDetails`, `RunDetails`, `TriedFiring`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gaia_email.ledger.automations import (
    StoredAutomation,
    StoredAutomationRun,
    StoredStep,
    StoredTrigger,
    StoredVersion,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationDetails:
    """An automation with its newest version, its triggers and how many runs there are by status."""

    automation: StoredAutomation
    version: StoredVersion
    triggers: list[StoredTrigger]
    runs: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDetails:
    """A run with its steps."""

    run: StoredAutomationRun
    steps: list[StoredStep]


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedFiring:
    """When a trigger would have fired, what for, and each step as it would have been configured.

    A step that reads what an earlier one gives is not known before it runs; `unknown` says why, by step.
    """

    trigger: str
    at: float
    about: str
    error: str = ""
    configs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    unknown: Mapping[str, str] = field(default_factory=dict[str, str])
