"""The inbox card: four buckets, suspected fraud separately, three lines per thread. Entry: `InboxCard`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from gaia_email.app.documents.card import Card, CardRow, CardSection
from gaia_email.app.documents.cards.wording import (
    HEADINGS,
    age,
    card_lines,
    one_line,
    plan_text,
    priority_number,
)
from gaia_email.app.documents.mail_types import SECTIONS, SectionName
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.typed_command import make_runnable
from gaia_email_registry import clock
from gaia_understanding.cascade.bands import bucket_at
from gaia_understanding.cascade.verdict import Bucket

STYLES: dict[SectionName, str] = {
    "urgent": "bold red",
    "actionable": "bold yellow",
    "informational": "bold cyan",
    "suspicious": "bold red",
    "low_priority": "bold bright_black",
}

INDENT = " " * 9
"""Indentation below a row's number and badge."""

BADGES: dict[Bucket, str] = {"urgent": "bold white on red", "actionable": "black on yellow"}
MAX_WIDTH = 110
SENDER_WIDTH = 22
WHOSE_WIDTH = 40
WARNED_WIDTH = 60


def in_terminal(emoji: str) -> str:
    """Return an emoji padded to a common width; one with a variation selector is counted as a single cell."""
    return f"{emoji} " if emoji.endswith("\ufe0f") else emoji


def badge(score: float) -> str:
    """Return a priority as a number of at most two digits: the value in JSON times a hundred."""
    return f"{priority_number(score):>3} "


def badge_style(score: float) -> str:
    """Return the colour of a priority badge: red for urgent, amber for needing the user, grey below."""
    return BADGES.get(bucket_at(score), "white on bright_black")


def clip(text: str, width: int) -> str:
    """Return `text` cut to at most `width` terminal cells, with an ellipsis if it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"


def _sample_name() -> str:
    day = clock.utc_now().astimezone()
    return f"sample of {day.day} {day:%b %Y}" if clock.is_set() else "sample mailbox"


class InboxCard:
    """A printer of an inbox on a terminal.

    Args:
        card: The content to print.
        source: The mailbox, for the suggested commands; with several accounts, the first one.
        seconds: The time it took.
        per_bucket: Maximum threads per bucket; None for all.
        offers: The offers to archive finished mail: question id, and number of messages.
        out: The output; standard output by default.
    """

    def __init__(
        self,
        card: Card,
        source: SourceSpec,
        *,
        seconds: float,
        per_bucket: int | None,
        offers: Sequence[tuple[str, int]] = (),
        out: Console | None = None,
    ) -> None:
        self._card = card
        self._source = source
        self._seconds = seconds
        self._per_bucket = per_bucket
        self._offers = offers
        self._shown: list[CardRow] = []
        self._console: Console = out or console()
        self._width = min(self._console.width, MAX_WIDTH)

    @property
    def shown(self) -> list[CardRow]:
        """Threads whose rows were printed, in order: row 1 is the first."""
        return list(self._shown)

    def print(self, *, open_all: bool, with_plan: bool) -> None:
        """Print the whole card; `open_all` expands the low bucket, `with_plan` adds the planned actions."""
        self._head()
        for name in SECTIONS:
            section = self._card.sections[name]
            if not section.threads:
                continue
            collapsed = name == "low_priority" and not open_all
            self._heading(name, section, collapsed=collapsed)
            if not collapsed:
                self._rows(section, with_plan)
            elif with_plan:
                self._plan_line(section)
        self._foot(with_plan)

    def _head(self) -> None:
        card = self._card
        name = _sample_name() if self._source.kind == "demo" else one_line(card.account)
        where = "sorted" if self._source.kind == "account" else "all"
        counts = f"  {card.total:,} messages · {card.threads:,} threads · {self._seconds:.1f} s"
        rest = f"{counts} · {where} on this machine"
        line = Text(clip(name, max(12, self._width - cell_len(rest))), style="bold")
        line.append(rest, style="dim")
        self._put(line)
        if not card.total:
            self._put(Text("The inbox is empty.", style="dim"))

    def _heading(self, name: SectionName, section: CardSection, *, collapsed: bool) -> None:
        emoji, title = HEADINGS[name]
        line = Text(f"\n{in_terminal(emoji)} ")
        line.append(title, style=STYLES[name])
        line.append(f"  {section.threads:,}", style="dim")
        if collapsed:
            parts = [f"{kind} {count}" for kind, count in section.categories]
            room = self._width - line.cell_len - 4  # the emoji before it is wider than its counted cells
            line.append("   " + clip(" · ".join(parts), room), style="dim")
        self._put(line)

    def _rows(self, section: CardSection, with_plan: bool) -> None:
        shown = section.rows[: self._per_bucket]
        for row in shown:
            self._row(row, with_plan)
        more, older = section.recent - len(shown), section.threads - section.recent
        parts = [f"{more:,} more"] if more else []
        parts += [f"{older:,} older than two weeks"] if older else []
        if parts:
            self._put(Text(f"{INDENT}{' · '.join(parts)}; --all shows them", style="dim"))
        if with_plan and section.left_alone:
            told = f"{INDENT}{section.left_alone:,} of {section.threads:,} would be left alone"
            self._put(Text(told, style="dim"))

    def _row(self, row: CardRow, with_plan: bool) -> None:
        when = age(row.age_s)
        self._shown.append(row)
        head = Text()
        head.append(f"{len(self._shown):>3} ", style="dim")
        head.append(badge(row.score), style=badge_style(row.score))
        head.append(" ")
        name = clip(one_line(row.sender), SENDER_WIDTH)
        head.append(name, style="bold")
        count = f" ({row.messages})" if row.messages > 1 else ""
        room = self._width - cell_len(head.plain) - cell_len(when) - cell_len(count) - 5
        head.append(f" · {clip(one_line(row.subject) or '(no subject)', room)}")
        head.append(count, style="dim")
        head.append(" " * max(2, self._width - cell_len(head.plain) - cell_len(when)))
        head.append(when, style="dim")
        self._put(head)
        reason, summary = card_lines(row.subject, row.reason, row.summary)
        tail = self._tail(row, with_plan)
        room = self._width - len(INDENT)
        both = f"{reason} {summary}".rstrip()
        if cell_len(both) + tail.cell_len <= room:
            line = Text(INDENT).append(reason).append(both[len(reason) :], style="dim")
            self._put(line.append_text(tail))
            return
        for part in Text(reason).wrap(self._console, room):
            self._put(Text(INDENT).append_text(part))
        told = clip(summary, room - tail.cell_len) if summary else ""
        if told or tail:
            self._put(Text(INDENT if told else INDENT[2:]).append(told, style="dim").append_text(tail))

    def _tail(self, row: CardRow, with_plan: bool) -> Text:
        """Return the end of a row: warnings, doubt, the plan, the account."""
        whose = f" from {', '.join(map(one_line, row.warned_of))}" if row.warned_of else ""
        fraud = " and ".join(name for name in row.warnings if name != "spam")
        chips = [(clip(f"⚠ {fraud}{whose}", WARNED_WIDTH), "bold red")] if fraud else []
        if row.unsure:
            chips.append(("unsure: review this", "yellow"))
        if with_plan and row.mode != "leave":
            chips.append((f"→ {plan_text(row.mode, row.action)}", "green"))
        if self._card.is_merged:
            accounts = " and ".join((row.account, *row.also_in))
            chips.append((clip(one_line(accounts), WHOSE_WIDTH), "dim"))
        tail = Text("")
        for text, style in chips:
            tail.append("  ").append(text, style=style)
        return tail

    def _plan_line(self, section: CardSection) -> None:
        plans: Counter[str] = Counter()
        for mode, action, count in section.plans:
            plans[plan_text(mode, action)] += count
        for text, count in sorted(plans.items(), key=lambda pair: (-pair[1], pair[0])):
            self._put(Text(f"{INDENT}{count:,} × {text}", style="green"))

    def _foot(self, with_plan: bool) -> None:
        card = self._card
        handled = card.total - card.unreadable
        self._put(
            Text(
                f"\nhandled {handled:,} · unsure about {card.unsure:,} · could not read {card.unreadable:,}",
                style="dim",
            )
        )
        for item_id, messages in self._offers:
            said = Text(
                f"{messages:,} messages that needed you are over; to archive them together: ", style="dim"
            )
            self._put(said.append(make_runnable(f"gaia email approve {item_id[:8]}"), style="bold"))
        flags = self._source.flags
        commands = ["gaia email why 1", "gaia email show 1"] if self._shown else []
        commands.append(
            (f"gaia email inbox --all {flags}" if with_plan else f"gaia email triage {flags}").rstrip()
        )
        if self._source.kind == "demo":
            commands.append("gaia email connect --maildir ~/Mail")
        line = Text()
        line.append("next  ", style="dim")
        for number, command in enumerate(commands):
            line.append("\n      " if number else "")
            line.append(make_runnable(command), style="bold")
        self._put(line)

    def _put(self, text: Text) -> None:
        self._console.print(text, no_wrap=True, overflow="ignore", crop=False)
