"""Details of automations, of their runs, and of a trial on past events.

Entries: `AutomationDetails`, `RunDetails`, `TriedFiring`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gaia_email_automations.store import (
    StoredAutomation,
    StoredAutomationRun,
    StoredStep,
    StoredTrigger,
    StoredVersion,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationDetails:
    """An automation with its newest version, its triggers, and the number of runs by status."""

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
    """A hypothetical firing of a trigger: its time and cause, and each step's configuration.

    A step that uses an earlier step's output cannot be configured in advance; `unknown` has the reason, by step.
    """

    trigger: str
    at: float
    about: str
    error: str = ""
    configs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    unknown: Mapping[str, str] = field(default_factory=dict[str, str])
