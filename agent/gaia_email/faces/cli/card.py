"""The inbox card: four buckets, what looks like fraud apart, three lines a thread. Entry: `InboxCard`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from gaia_email.cascade.bands import bucket_at
from gaia_email.cascade.verdict import BUCKETS, Bucket
from gaia_email.documents.mail import warnings
from gaia_email.faces.cli.output import console
from gaia_email.faces.cli.terminal import age
from gaia_email.policy.model import Decision
from gaia_email.services.source import Source
from gaia_email.triage.inbox import Inbox, Item
from gaia_mail.printable import visible

HEADINGS: dict[Bucket, tuple[str, str, str]] = {
    "urgent": ("🔥", "Urgent", "bold red"),
    "actionable": ("📬", "Needs you", "bold yellow"),
    "informational": ("ℹ️ ", "Worth knowing", "bold cyan"),
    "low_priority": ("🗃️ ", "Low priority", "bold bright_black"),
}
"""Emoji, heading and style of a bucket; the last two emoji are drawn two cells wide but counted as one."""

SUSPICIOUS = ("⚠️ ", "Suspicious", "bold red")
"""Heading of threads that look like fraud, whatever bucket they are in."""

INDENT = " " * 9
"""Under a row's number and badge."""

RECENT_S = 14 * 86_400.0
"""A first look opens with what is at most this much older than the newest message; the rest is counted."""

BADGES: dict[Bucket, str] = {"urgent": "bold white on red", "actionable": "black on yellow"}
MAX_WIDTH = 110
SENDER_WIDTH = 22
WHOSE_WIDTH = 40
TELLING = 40
"""Characters of a summary by which it is recognised in the reason."""

PLAN_TEXT = {
    "reply": "draft a reply",
    "do": "keep it on your list",
    "label": "label it",
    "archive": "archive it",
    "warn": "leave it, with a warning",
    "keep": "leave it",
}
MODE_TEXT = {
    "apply": "would do, with undo",
    "review": "would put up for review",
    "suggest": "would suggest",
    "leave": "would leave it alone",
}


def badge(score: float) -> str:
    """A priority as a number of at most two digits, the same as in JSON times a hundred."""
    return f"{round(100 * round(score, 2)):>3} "


def badge_style(score: float) -> str:
    """The colour of a priority badge: red for what is urgent, amber for what needs the user, grey below."""
    return BADGES.get(bucket_at(score), "white on bright_black")


def sender_name(item: Item) -> str:
    """Who a thread is from, as a person would say it: the display name, else the address."""
    sender = item.summary["from"]
    return " ".join(sender["name"].split()) or sender["address"] or "(no sender)"


def one_line(text: str) -> str:
    """Untrusted text as one visible line."""
    return visible(" ".join(text.split()))


def clipped(text: str, width: int) -> str:
    """`text` in at most `width` terminal cells, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"


def suspicious(item: Item) -> bool:
    """Whether a thread belongs under `SUSPICIOUS`."""
    return any(name != "spam" for name in warnings(item.verdict))


def deadline_first(reason: str) -> str:
    """A reason that ends with its deadline, with the deadline in front: `Due Friday. Ann asks …`."""
    told, found, due = reason.rpartition("; due ")
    if not found or '"' in due:
        return reason
    return f"Due {due.rstrip('.')}. {told}{'' if told.endswith('.') else '.'}"


def beside_subject(reason: str, subject: str) -> str:
    """A reason as it reads under the subject: words that are the subject's own are not said again."""
    lead, opened, rest = reason.partition('"')
    said, closed, tail = rest.partition('"')
    if not (opened and closed) or '"' in tail or said.rstrip("…").casefold() not in subject.casefold():
        return reason
    lead, tail = lead.rstrip(), tail.lstrip(";., ")
    if lead.endswith(" says"):
        lead = f"{lead.rpartition('. ')[0]}." if ". " in lead else ""
    elif lead.endswith(":"):
        lead = f"{lead[:-1]}."
    else:
        return reason
    return " ".join(filter(None, (lead, f"{tail[:1].upper()}{tail[1:]}"))) or reason


def _told(summary: str, subject: str, reason: str) -> bool:
    """Whether the subject or the reason already says what the summary would."""
    start = summary[:TELLING].rstrip(" .?!…").casefold()
    return start in one_line(reason).casefold() or summary.casefold() == one_line(subject).casefold()


class InboxCard:
    """Prints an inbox for a person.

    Args:
        inbox: What triage found.
        source: Where it came from, for the next commands; of several accounts, the first.
        seconds: How long it took.
        per_bucket: Threads shown a bucket; None for all.
        out: Where to print; standard output unless given.
    """

    def __init__(
        self,
        inbox: Inbox,
        source: Source,
        *,
        seconds: float,
        per_bucket: int | None,
        out: Console | None = None,
    ) -> None:
        self._inbox = inbox
        self._source = source
        self._seconds = seconds
        self._per_bucket = per_bucket
        self._shown: list[Item] = []
        accounts = {item.summary["account"] for items in inbox.buckets.values() for item in items}
        self._is_merged = len(accounts) > 1
        self._console: Console = out or console()
        self._width = min(self._console.width, MAX_WIDTH)
        ages = [item.age_s for items in inbox.buckets.values() for item in items if item.age_s is not None]
        self._newest_s = max(0.0, min(ages, default=0.0))

    @property
    def shown(self) -> list[Item]:
        """The threads whose rows were printed, in their order: row 1 is the first."""
        return list(self._shown)

    def print(self, *, open_all: bool, with_plan: bool) -> None:
        """The whole card; `open_all` opens the low bucket too, `with_plan` adds what would be done."""
        self._head()
        fraud: list[Item] = []
        for bucket in BUCKETS:
            items = [item for item in self._inbox.buckets[bucket] if not suspicious(item)]
            fraud += [item for item in self._inbox.buckets[bucket] if suspicious(item)]
            if bucket == "low_priority":
                self._section(SUSPICIOUS, fraud, with_plan)
            if not items:
                continue
            if bucket == "low_priority" and not open_all:
                self._heading(HEADINGS[bucket], items, collapsed=True)
                if with_plan:
                    self._plan_line(items)
            else:
                self._section(HEADINGS[bucket], items, with_plan)
        self._foot(with_plan)

    def _section(self, heading: tuple[str, str, str], items: Sequence[Item], with_plan: bool) -> None:
        if not items:
            return
        self._heading(heading, items, collapsed=False)
        self._items(items, with_plan)

    def _head(self) -> None:
        inbox = self._inbox
        name = "sample mailbox" if self._source.kind == "demo" else one_line(inbox.account)
        where = "sorted" if self._source.kind == "account" else "all"
        counts = f"  {inbox.total:,} messages · {inbox.threads:,} threads · {self._seconds:.1f} s"
        rest = f"{counts} · {where} on this machine"
        line = Text(clipped(name, max(12, self._width - cell_len(rest))), style="bold")
        line.append(rest, style="dim")
        self._put(line)
        if not inbox.total:
            self._put(Text("The inbox is empty.", style="dim"))

    def _heading(self, heading: tuple[str, str, str], items: Sequence[Item], *, collapsed: bool) -> None:
        emoji, title, style = heading
        line = Text(f"\n{emoji} ")
        line.append(title, style=style)
        line.append(f"  {len(items):,}", style="dim")
        if collapsed:
            kinds = Counter(item.verdict.content_category for item in items)
            parts = [
                f"{kind} {count}"
                for kind, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))
            ]
            room = self._width - line.cell_len - 4  # the emoji before it is wider than it is counted
            line.append("   " + clipped(" · ".join(parts), room), style="dim")
        self._put(line)

    def _items(self, items: Sequence[Item], with_plan: bool) -> None:
        recent = [item for item in items if self._per_bucket is None or self._is_recent(item)]
        shown = recent[: self._per_bucket]
        for item in shown:
            self._item(item, with_plan)
        parts = [f"{len(recent) - len(shown):,} more"] if len(shown) < len(recent) else []
        parts += [f"{len(items) - len(recent):,} older than two weeks"] if len(recent) < len(items) else []
        if parts:
            self._put(Text(f"{INDENT}{' · '.join(parts)}; --all shows them", style="dim"))
        if with_plan and (left := sum(item.decision.mode == "leave" for item in items)):
            self._put(Text(f"{INDENT}{left:,} of {len(items):,} would be left alone", style="dim"))

    def _is_recent(self, item: Item) -> bool:
        return item.age_s is None or item.age_s - self._newest_s <= RECENT_S

    def _item(self, item: Item, with_plan: bool) -> None:
        score = item.verdict.priority.score
        when = age(item.age_s)
        self._shown.append(item)
        head = Text()
        head.append(f"{len(self._shown):>3} ", style="dim")
        head.append(badge(score), style=badge_style(score))
        head.append(" ")
        name = clipped(one_line(sender_name(item)), SENDER_WIDTH)
        head.append(name, style="bold")
        count = f" ({item.messages})" if item.messages > 1 else ""
        room = self._width - cell_len(head.plain) - cell_len(when) - cell_len(count) - 5
        head.append(f" · {clipped(one_line(item.summary['subject']) or '(no subject)', room)}")
        head.append(count, style="dim")
        head.append(" " * max(2, self._width - cell_len(head.plain) - cell_len(when)))
        head.append(when, style="dim")
        self._put(head)
        subject = one_line(item.summary["subject"])
        reason = beside_subject(one_line(deadline_first(item.verdict.priority.reason)), subject)
        summary = one_line(item.verdict.summary)
        if _told(summary, item.summary["subject"], reason):
            summary = ""
        tail = self._tail(item, with_plan)
        room = self._width - len(INDENT)
        both = f"{reason} {summary}".rstrip()
        if cell_len(both) + tail.cell_len <= room:
            line = Text(INDENT).append(reason).append(both[len(reason) :], style="dim")
            self._put(line.append_text(tail))
            return
        self._put(Text(INDENT).append(clipped(reason, room)))
        told = clipped(summary, room - tail.cell_len) if summary else ""
        if told or tail:
            self._put(Text(INDENT if told else INDENT[2:]).append(told, style="dim").append_text(tail))

    def _tail(self, item: Item, with_plan: bool) -> Text:
        """What stands behind the words: warnings, doubt, the plan, the id."""
        chips = [(f"⚠ {name}", "bold red") for name in warnings(item.verdict) if name != "spam"]
        if item.unsure:
            chips.append(("unsure: review this", "yellow"))
        if with_plan and item.decision.mode != "leave":
            chips.append((f"→ {plan_text(item.decision)}", "green"))
        if self._is_merged:
            whose = " and ".join((item.summary["account"], *item.also_in))
            chips.append((clipped(one_line(whose), WHOSE_WIDTH), "dim"))
        tail = Text("")
        for text, style in chips:
            tail.append("  ").append(text, style=style)
        return tail

    def _plan_line(self, items: Sequence[Item]) -> None:
        plans = Counter(plan_text(item.decision) for item in items)
        for text, count in sorted(plans.items(), key=lambda pair: (-pair[1], pair[0])):
            self._put(Text(f"{INDENT}{count:,} × {text}", style="green"))

    def _foot(self, with_plan: bool) -> None:
        inbox = self._inbox
        handled = inbox.total - inbox.unreadable
        self._put(
            Text(
                f"\nhandled {handled:,} · unsure about {inbox.unsure:,} · could not read {inbox.unreadable:,}",
                style="dim",
            )
        )
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
            line.append(command, style="bold")
        self._put(line)

    def _put(self, text: Text) -> None:
        self._console.print(text, no_wrap=True, overflow="ignore", crop=False)


def plan_text(decision: Decision) -> str:
    """`would archive it, with undo` and the like, in a few words."""
    if decision.mode == "leave":
        return MODE_TEXT["leave"]
    return f"{MODE_TEXT[decision.mode]}: {PLAN_TEXT[decision.action]}"
