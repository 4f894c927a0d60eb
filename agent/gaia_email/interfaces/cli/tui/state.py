"""The content of the screen and the cursor, without a screen. Entries: `ScreenState`, `rows_of`.

Pure: every key creates a new state, so tests do not need a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gaia_email.app.documents.cards.wording import HEADINGS, age, deadline_first, one_line
from gaia_email.app.documents.listing import sender_name
from gaia_email.app.documents.mail_types import SECTIONS, SectionName, ThreadRow
from gaia_email.interfaces.cli.card import badge


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadLine:
    """A thread as the list shows it; every text is one line without control characters.

    `account` names its account if several mailboxes are shown together; empty for a single one.
    """

    id: str
    section: str
    badge: str
    sender: str
    subject: str
    age: str
    reason: str
    unsure: bool = False
    account: str = ""

    def holds(self, words: str) -> bool:
        """Return True if every word occurs in it, ignoring case."""
        text = f"{self.sender} {self.subject} {self.reason} {self.account}".casefold()
        return all(word in text for word in words.casefold().split())


Pane = Literal["list", "text", "help"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenState:
    """The screen.

    Attributes:
        rows: All threads by section, the most pressing first.
        at: The cursor's index in `visible`.
        words: The words that filter the list; empty for all of it.
        pane: The visible pane: the list, a text over it, or the keys.
        lines: The text, if one is shown; `top` is its first line on the screen.
        waiting: The number of items waiting for the user's answer.
        status_text: The last line: the result of the last action, or its error.
        busy: The active task; empty for none.
    """

    title: str = ""
    rows: tuple[ThreadLine, ...] = ()
    at: int = 0
    words: str = ""
    pane: Pane = "list"
    lines: tuple[str, ...] = ()
    top: int = 0
    waiting: int = 0
    status_text: str = ""
    busy: str = ""

    @property
    def visible(self) -> tuple[ThreadLine, ...]:
        """Rows that the list shows."""
        return tuple(row for row in self.rows if row.holds(self.words)) if self.words else self.rows

    @property
    def current(self) -> ThreadLine | None:
        """Row at the cursor; None in an empty list."""
        rows = self.visible
        return rows[min(self.at, len(rows) - 1)] if rows else None

    def move(self, by: int) -> ScreenState:
        """Move the cursor, or scroll the text, by a number of lines."""
        if self.pane != "list":
            return replace(self, top=max(0, min(self.top + by, max(0, len(self.lines) - 1))))
        return replace(self, at=max(0, min(self.at + by, len(self.visible) - 1)), status_text="")

    def jump(self, *, end: bool) -> ScreenState:
        """Move the cursor to the first thread, or to the last."""
        return replace(self, at=len(self.visible) - 1 if end and self.visible else 0, status_text="")

    def in_next_section(self) -> ScreenState:
        """Move the cursor to the first thread of the next bucket, or of the first one after the last."""
        rows, here = self.visible, self.current
        if here is None:
            return self
        firsts = [at for at, row in enumerate(rows) if at == 0 or rows[at - 1].section != row.section]
        return replace(self, at=next((at for at in firsts if at > self.at), 0), status_text="")

    def filter_by(self, words: str) -> ScreenState:
        """Show only threads with these words; all threads for an empty text."""
        return replace(self, words=words.strip(), at=0, pane="list", status_text="")

    def with_text(self, lines: Sequence[str]) -> ScreenState:
        """Show a text over the list."""
        return replace(self, pane="text", lines=tuple(lines), top=0, busy="", status_text="")

    def close(self) -> ScreenState:
        """Return to the list; in the list, remove the filter."""
        if self.pane != "list":
            return replace(self, pane="list", lines=(), top=0, status_text="")
        return self.filter_by("") if self.words else replace(self, status_text="")

    def without(self, message_id: str) -> ScreenState:
        """Remove a thread that left the inbox; the cursor keeps its position."""
        rows = tuple(row for row in self.rows if row.id != message_id)
        state = replace(self, rows=rows, pane="list", lines=())
        return replace(state, at=max(0, min(state.at, len(state.visible) - 1)))

    def refresh(self, rows: Sequence[ThreadLine], *, waiting: int) -> ScreenState:
        """Replace the list; the cursor stays on its thread, or else at its position."""
        here = self.current
        state = replace(self, rows=tuple(rows), waiting=waiting, busy="")
        places: Mapping[str, int] = {row.id: at for at, row in enumerate(state.visible)}
        at = places.get(here.id) if here is not None else None
        return replace(state, at=max(0, min(self.at, len(state.visible) - 1)) if at is None else at)


def rows_of(buckets: Mapping[SectionName, Sequence[ThreadRow]]) -> list[ThreadLine]:
    """Return the threads of an inbox by section."""
    return [_line(HEADINGS[name][1], row) for name in SECTIONS for row in buckets[name]]


def _warned(row: ThreadRow) -> str:
    """Return warnings about other messages of the thread, with their senders; empty if none looks like fraud."""
    found = dict.fromkeys(
        f"{name} from {one_line(one['from']['address'])}"
        for one in row["others"]
        for name in one["warnings"]
        if name != "spam"
    )
    return f"⚠ {' and '.join(found)}. " if found else ""


def _line(section: str, row: ThreadRow) -> ThreadLine:
    return ThreadLine(
        id=row["id"],
        section=section,
        badge=badge(row["priority"]).strip(),
        sender=one_line(sender_name(row["from"])),
        subject=one_line(row["subject"]) or "(no subject)",
        age=age(row["age_s"]),
        reason=_warned(row) + one_line(deadline_first(row["reason"])),
        unsure=row["unsure"],
        account=one_line(row["account"]),
    )
