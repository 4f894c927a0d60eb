"""List the follow-ups in the user's mailboxes. Entry: `FollowupList`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gaia_email.triage.followups.standing import ThreadStanding
from gaia_email_registry.contract.wire import Address, Summary

Side: TypeAlias = Literal["all", "owe", "owed"]
"""Everything, only what the user owes, or only what is owed to the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followup:
    """A thread in which one side owes an answer.

    Attributes:
        account: The mailbox.
        standing: Who owes, since when, until when, and the evidence.
        summary: The newest message of the evidence.
        people: The people on the other side.
        days: Working days since then.
        due: True if the answer is overdue.
        said: The user's own decision about it; empty for none.
        usual_s: Seconds within which the user usually answers these people; None if unknown.
        late: True if more time than that has passed.
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
    """Follow-ups, oldest first, with the number of threads followed and of messages that could not be read."""

    rows: list[Followup] = field(default_factory=list["Followup"])
    threads: int = 0
    settled: int = 0
    waiting: int = 0
    unread: int = 0
    problems: list[str] = field(default_factory=list[str])

    def on(self, side: Side) -> list[Followup]:
        """Return the rows of one side."""
        wanted = {"owe": ("you",), "owed": ("they",), "all": ("you", "they")}[side]
        return [one for one in self.rows if one.standing.owes in wanted]
