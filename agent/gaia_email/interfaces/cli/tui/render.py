"""A state as styled lines of a given width and height. Entries: `frame`, `plain`.

Styles are class names that `screen.py` colours; without colour, headings and the cursor's `›` are sufficient.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len

from gaia_email.interfaces.cli.card import clip
from gaia_email.interfaces.cli.tui.state import ScreenState, ThreadLine
from gaia_email.interfaces.keys import terminal_keys

Line = list[tuple[str, str]]
"""Parts of one line: a style class (or none) and a text."""

HINTS = (
    "j k move",
    "Enter read",
    "w why",
    "e archive",
    "s snooze",
    "u undo",
    "/ search",
    "? all keys",
    "q leave",
)
"""Hints of the last line; if it is too narrow, those before the last two are dropped, since `?` shows them."""

BESIDE = 40
"""Minimum columns for a reason next to a subject; only a wide screen has them."""

SENDER = 20
WHOSE = 20
"""Cells for the account, if several are shown together."""


def frame(state: ScreenState, width: int, height: int) -> list[Line]:
    """Return exactly `height` lines, none wider than `width` cells."""
    body = max(1, height - 3)
    head = _head(state, width)
    if state.pane == "help":
        middle = _help(width)
    elif state.pane == "text":
        middle = [[("", clip(line, width))] for line in state.lines[state.top : state.top + body]]
    else:
        middle = _list(state, width, body)
    middle = middle[:body] + [[("", "")]] * (body - len(middle))
    return [head, *middle, _status_line(state, width), [("class:hint", _hint(width))]]


def plain(state: ScreenState) -> list[str]:
    """Return the list as numbered lines with a heading per bucket, for a screen reader or a simple terminal."""
    lines: list[str] = []
    section = ""
    for number, row in enumerate(state.visible, 1):
        if row.section != section:
            section = row.section
            lines.append(f"{section}:")
        whose = f" In {row.account}." if row.account else ""
        when = {"": "", "now": "Now.", "ahead": "Dated ahead."}.get(row.age, f"{row.age} ago.")
        subject = row.subject if row.subject.endswith(("?", "!", ".", "…")) else f"{row.subject}."
        lines.append(f"{number}. {row.sender}: {subject} {row.reason} {when}{whose}".rstrip())
    return lines or ["The inbox is empty."]


def _hint(width: int) -> str:
    *some, keys, leave = HINTS
    while some and cell_len(" · ".join((*some, keys, leave))) > width:
        some.pop()
    return clip(" · ".join((*some, keys, leave)), width)


def _head(state: ScreenState, width: int) -> Line:
    count = len(state.visible)
    threads = f"  {count:,} {'thread' if count == 1 else 'threads'}" if state.rows else ""
    text = clip(f"{state.title}{threads}", width)
    waiting = f"  {state.waiting} waiting for you (p)" if state.waiting else ""
    if cell_len(text) + cell_len(waiting) > width:
        waiting = ""
    return [("class:title", text), ("class:waiting", waiting)]


def _status_line(state: ScreenState, width: int) -> Line:
    if state.busy:
        return [("class:busy", clip(f"{state.busy} …", width))]
    if state.status_text:
        return [("class:told", clip(state.status_text, width))]
    return [("class:hint", clip(f"only threads with: {state.words}", width) if state.words else "")]


def _help(width: int) -> list[Line]:
    keys = terminal_keys()
    room = max(len(key.shown) for key in keys)
    return [
        [("class:key", f"  {key.shown:<{room}}  "), ("", clip(key.help, width - room - 4))] for key in keys
    ]


def _list(state: ScreenState, width: int, height: int) -> list[Line]:
    rows = state.visible
    if not rows and state.busy:
        return []  # still unknown: the inbox may not be empty
    if not rows:
        return [[("class:dim", "Nothing here." if state.words else "The inbox is empty.")]]
    lines: list[Line] = []
    cursor = 0
    for at, row in enumerate(rows):
        if at == 0 or rows[at - 1].section != row.section:
            count = sum(other.section == row.section for other in rows)
            if lines:
                lines.append([("", "")])
            lines.append([("class:heading", row.section), ("class:dim", f"  {count}")])
        here = at == min(state.at, len(rows) - 1)
        if here:
            cursor = len(lines)
        lines += _row(row, width, here=here)
    first = max(0, min(cursor - height // 2, len(lines) - height))
    return lines[first : first + height]


def _row(row: ThreadLine, width: int, *, here: bool) -> Iterable[Line]:
    style = "class:cursor" if here else ""
    mark = "› " if here else "  "
    sender = clip(row.sender, SENDER)
    left = f"{mark}{row.badge:>2}  {sender}{' ' * (SENDER - cell_len(sender))}  "
    whose = f"{clip(row.account, WHOSE)}  " if row.account else ""
    right = whose + row.age
    room = width - cell_len(left) - cell_len(right) - 2
    subject = clip(row.subject, max(8, room))
    beside = room - cell_len(subject) - 2
    reason = f"  {clip(row.reason, beside)}" if not here and beside >= BESIDE else ""
    gap = " " * max(1, width - cell_len(left) - cell_len(subject + reason) - cell_len(right))
    if reason:
        yield [("", left + subject), ("class:dim", reason), ("", gap + right)]
    else:
        yield [(style, clip(left + subject + gap + right, width))]
    if here:
        doubt = " (unsure)" if row.unsure else ""
        yield [("class:reason", clip(f"      {row.reason}{doubt}", width))]
