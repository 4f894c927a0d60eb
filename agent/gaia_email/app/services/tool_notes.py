"""Tells of tools of MCP servers that changed, in the Agent Inbox. Entry: `note_changes`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.actions.pending.telling import take_back, tell
from gaia_email.ledger import Ledger
from gaia_email_registry.capabilities import ServerTool
from gaia_email_registry.origin import OURS

MOST_NAMED = 3
"""Tools whose difference is told; the command shows all."""


def note_changes(ledger: Ledger, server: str, tools: Mapping[str, ServerTool]) -> str:
    """Put up a note while tools of a server are not as they were approved, and take it down when they are.

    Returns:
        What is new to the user, a sentence; empty where nothing is.
    """
    about = f"server:{server}"
    changed = sorted(name for name, one in tools.items() if one.approval_state == "changed")
    with ledger.write() as tx:
        if not changed:
            take_back(ledger, tx, about)
            return ""
        what = f"{len(changed)} tool{'s' * (len(changed) > 1)} of {server} changed and {'are' if changed[1:] else 'is'}"
        asked = f"{what} not called: gaia email servers approve {server}"
        why = " ".join(
            f"{server}.{name}: {'; '.join(tools[name].differences())}." for name in changed[:MOST_NAMED]
        )
        return asked if tell(ledger, tx, about, asked=asked, why=why, origin=OURS) else ""


def forget_notes(ledger: Ledger, server: str) -> None:
    """Take down what waits about a server that is gone."""
    with ledger.write() as tx:
        take_back(ledger, tx, f"server:{server}")
