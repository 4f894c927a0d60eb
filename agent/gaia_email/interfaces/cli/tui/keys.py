"""Which key does what, in one table for every interface that has keys. Entry: `KEYS`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KeyCommand = Literal[
    "down", "up", "top", "bottom", "next_section", "open", "why", "close", "archive", "snooze", "undo", "correct",
    "answer", "search", "brief", "waiting", "refresh", "help", "quit",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyBinding:
    """A command with the keys that give it (as prompt_toolkit names them) and a line for the help."""

    command: KeyCommand
    keys: tuple[str, ...]
    shown: str
    help: str


KEYS = (
    KeyBinding(command="down", keys=("j", "down"), shown="j ↓", help="next thread"),
    KeyBinding(command="up", keys=("k", "up"), shown="k ↑", help="previous thread"),
    KeyBinding(command="next_section", keys=("tab",), shown="Tab", help="next bucket"),
    KeyBinding(command="top", keys=("g", "home"), shown="g", help="first thread"),
    KeyBinding(command="bottom", keys=("G", "end"), shown="G", help="last thread"),
    KeyBinding(command="open", keys=("enter", "o"), shown="Enter", help="read it, without quotes and tricks"),
    KeyBinding(command="why", keys=("w",), shown="w", help="why it is in its bucket"),
    KeyBinding(command="close", keys=("escape", "left", "h"), shown="Esc", help="back to the list"),
    KeyBinding(command="archive", keys=("e",), shown="e", help="archive"),
    KeyBinding(command="snooze", keys=("s",), shown="s", help="snooze until a time"),
    KeyBinding(command="undo", keys=("u",), shown="u", help="take back the last action"),
    KeyBinding(command="correct", keys=("c",), shown="c", help="say which bucket it belongs in"),
    KeyBinding(command="answer", keys=("a",), shown="a", help="answer from a template"),
    KeyBinding(command="search", keys=("/",), shown="/", help="show only threads with these words"),
    KeyBinding(command="brief", keys=("b",), shown="b", help="the brief of the day"),
    KeyBinding(command="waiting", keys=("p",), shown="p", help="answer what is waiting for you"),
    KeyBinding(command="refresh", keys=("r",), shown="r", help="look for new mail"),
    KeyBinding(command="help", keys=("?",), shown="?", help="these keys"),
    KeyBinding(command="quit", keys=("q", "c-c"), shown="q", help="leave"),
)
"""In the order of the help."""
