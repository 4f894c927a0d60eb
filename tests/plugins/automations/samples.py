"""Definitions that tests begin with. Entry points: `definition`, `tell`."""

from __future__ import annotations

from typing import Any


def tell(step_id: str = "tell", text: str = "Done.", **more: Any) -> dict[str, Any]:
    return {"step_id": step_id, "action": "notification", "config": {"text": text}, **more}


def definition(*plan: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A whole definition; without steps, one that tells something."""
    return {"schema_version": 1, "name": "Sample", "plan": list(plan) or [tell()], **more}
