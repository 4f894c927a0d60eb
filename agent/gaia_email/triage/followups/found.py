"""What is owed in the user's mailboxes, as it is listed. Entry: `FollowupList`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gaia_email.triage.followups.standing import ThreadStanding
from gaia_email_registry.contract.wire import Address, Summary

Side: TypeAlias = Literal["all", "owe", "owed"]
"""Everything, what the user owes, or what is owed to the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followup:
    """A thread in which something is owed.

    Attributes:
        account: The mailbox.
        standing: Who owes, since and until when, and what shows it.
        summary: The message that shows it, the newest of them.
        people: Who is on the other side.
        days: Working days since.
        due: Whether it should have come by now.
        said: What the user said of it; empty for nothing.
        usual_s: Seconds within which the user usually answers whoever waits for them; None where that is not known.
        late: Whether it is longer ago than that.
    """

    account: str
    standing: ThreadStanding
    summary: Summary
    people: tuple[Address, ...]
    days: int
    due: bool
    said: str = ""
    usual_s: float | None = None
    late: bool = False


@dataclass(slots=True, kw_only=True)
class FollowupList:
    """What is owed, the oldest first, and an honest count: threads followed, and messages that were not read."""

    rows: list[Followup] = field(default_factory=list["Followup"])
    threads: int = 0
    settled: int = 0
    waiting: int = 0
    unread: int = 0
    problems: list[str] = field(default_factory=list[str])

    def on(self, side: Side) -> list[Followup]:
        """Those of one side."""
        wanted = {"owe": ("you",), "owed": ("they",), "all": ("you", "they")}[side]
        return [one for one in self.rows if one.standing.owes in wanted]
