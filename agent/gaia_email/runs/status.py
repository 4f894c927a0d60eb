"""How a run stands. Entry point: `RunStatus`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """A run as it stands; times are epoch seconds, counts are None until they are known."""

    run_id: str
    kind: str
    place: str
    state: str
    created_at: float | None
    started_at: float | None
    finished_at: float | None
    scheduled: bool
    messages: int | None = None
    actions: int | None = None
    asked: int | None = None
    reason: str = ""
