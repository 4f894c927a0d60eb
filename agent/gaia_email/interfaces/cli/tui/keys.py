"""Which key does what, in one table for every interface that has keys. Entry: `KEYS`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Command = Literal[
    "down", "up", "top", "bottom", "next_section", "open", "why", "close", "archive", "snooze", "undo", "correct",
    "answer", "search", "waiting", "refresh", "help", "quit",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A command with the keys that give it (as prompt_toolkit names them) and a line for the help."""

    command: Command
    keys: tuple[str, ...]
    shown: str
    help: str


KEYS = (
    Key(command="down", keys=("j", "down"), shown="j ↓", help="next thread"),
    Key(command="up", keys=("k", "up"), shown="k ↑", help="previous thread"),
    Key(command="next_section", keys=("tab",), shown="Tab", help="next bucket"),
    Key(command="top", keys=("g", "home"), shown="g", help="first thread"),
    Key(command="bottom", keys=("G", "end"), shown="G", help="last thread"),
    Key(command="open", keys=("enter", "o"), shown="Enter", help="read it, without quotes and tricks"),
    Key(command="why", keys=("w",), shown="w", help="why it is in its bucket"),
    Key(command="close", keys=("escape", "left", "h"), shown="Esc", help="back to the list"),
    Key(command="archive", keys=("e",), shown="e", help="archive"),
    Key(command="snooze", keys=("s",), shown="s", help="snooze until a time"),
    Key(command="undo", keys=("u",), shown="u", help="take back the last action"),
    Key(command="correct", keys=("c",), shown="c", help="say which bucket it belongs in"),
    Key(command="answer", keys=("a",), shown="a", help="answer from a template"),
    Key(command="search", keys=("/",), shown="/", help="show only threads with these words"),
    Key(command="waiting", keys=("p",), shown="p", help="answer what is waiting for you"),
    Key(command="refresh", keys=("r",), shown="r", help="look for new mail"),
    Key(command="help", keys=("?",), shown="?", help="these keys"),
    Key(command="quit", keys=("q", "c-c"), shown="q", help="leave"),
)
"""In the order of the help."""
