"""Key bindings of every interface that has keys, in one table. Entries: `KEYS`, `terminal_keys`, `page_keys`.

The web pages and the terminal inbox build their key handlers and their help from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaia_email.plugins import load_parts

KeyPlace = Literal[
    "everywhere", "list", "thread", "waiting", "brief", "search", "teach", "connect", "integrations"
]
"""Kinds of pages that have a key binding; `list` is any page of threads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyBinding:
    """A command, its keys, and a line for the help.

    Attributes:
        terminal: Keys as prompt_toolkit names them; empty if the terminal does not have the command.
        shown: The terminal's keys as its help shows them.
        page: Keys as the DOM names them (`KeyboardEvent.key`); a space separates two keys pressed in sequence.
        places: The pages that have this binding.
    """

    command: str
    help: str
    terminal: tuple[str, ...] = ()
    shown: str = ""
    page: tuple[str, ...] = ()
    places: tuple[KeyPlace, ...] = ("everywhere",)


_MAIL: tuple[KeyPlace, ...] = ("list", "thread")

KEYS = (
    KeyBinding(
        command="down",
        help="next thread",
        terminal=("j", "down"),
        shown="j ↓",
        page=("j",),
        places=("everywhere",),
    ),
    KeyBinding(command="up", help="previous thread", terminal=("k", "up"), shown="k ↑", page=("k",)),
    KeyBinding(command="next_section", help="next bucket", terminal=("tab",), shown="Tab", page=("]",)),
    KeyBinding(command="previous_section", help="previous bucket", page=("[",)),
    KeyBinding(command="top", help="first thread", terminal=("g", "home"), shown="g"),
    KeyBinding(command="bottom", help="last thread", terminal=("G", "end"), shown="G"),
    KeyBinding(
        command="open",
        help="read it, without quotes and tricks",
        terminal=("enter", "o"),
        shown="Enter",
        page=("o",),
        places=("list", "waiting", "brief", "search", "connect", "integrations"),
    ),
    KeyBinding(
        command="why",
        help="why it is in its bucket",
        terminal=("w",),
        shown="w",
        page=("w",),
        places=("thread",),
    ),
    KeyBinding(
        command="close",
        help="back to the list",
        terminal=("escape", "left", "h"),
        shown="Esc",
        page=("Escape",),
    ),
    KeyBinding(command="select", help="select several", page=("x",), places=("list",)),
    KeyBinding(command="archive", help="archive", terminal=("e",), shown="e", page=("e",), places=_MAIL),
    KeyBinding(
        command="snooze", help="snooze until a time", terminal=("s",), shown="s", page=("s",), places=_MAIL
    ),
    KeyBinding(command="later", help="answer later", page=("b",), places=_MAIL),
    KeyBinding(command="reply", help="reply", page=("r",), places=_MAIL),
    KeyBinding(command="reply_all", help="reply to all", page=("R",), places=_MAIL),
    KeyBinding(command="forward", help="forward", page=("f",), places=_MAIL),
    KeyBinding(
        command="compose", help="write a new mail", page=("c",), places=("list", "thread", "brief", "search")
    ),
    KeyBinding(command="label", help="label", page=("l",), places=_MAIL),
    KeyBinding(command="spam", help="move to spam", page=("!",), places=_MAIL),
    KeyBinding(command="trash", help="move to trash", page=("#",), places=_MAIL),
    KeyBinding(command="undo", help="take back the last action", terminal=("u",), shown="u", page=("u",)),
    KeyBinding(command="correct", help="say which bucket it belongs in", terminal=("c",), shown="c"),
    KeyBinding(
        command="move",
        help="move to that bucket, which teaches",
        page=("m 1", "m 2", "m 3", "m 4"),
        places=_MAIL,
    ),
    KeyBinding(command="approve", help="approve, or seen", page=("a",), places=("waiting", "integrations")),
    KeyBinding(command="edit", help="approve as another bucket", page=("e",), places=("waiting",)),
    KeyBinding(command="reject", help="reject", page=("r",), places=("waiting",)),
    KeyBinding(command="cohort", help="approve all of the cohort", page=("c",), places=("waiting",)),
    KeyBinding(
        command="teach", help="it belongs in that bucket", page=("1", "2", "3", "4"), places=("teach",)
    ),
    KeyBinding(command="skip", help="skip this question", page=("s",), places=("teach",)),
    KeyBinding(command="answer", help="answer from a template", terminal=("a",), shown="a"),
    KeyBinding(
        command="search", help="find threads with these words", terminal=("/",), shown="/", page=("/",)
    ),
    KeyBinding(command="inbox", help="the inbox", page=("g i",)),
    KeyBinding(
        command="waiting", help="answer what is waiting for you", terminal=("p",), shown="p", page=("g a",)
    ),
    KeyBinding(command="brief", help="the brief of the day", terminal=("b",), shown="b", page=("g b",)),
    KeyBinding(command="zero", help="one thread after the other, until there is none", page=("g z",)),
    KeyBinding(command="focus", help="messages to answer later, one after the other", page=("g r",)),
    KeyBinding(command="answered", help="it is answered: off the list", page=("d",), places=("thread",)),
    KeyBinding(command="preview", help="look into it without opening it", page=("p",), places=("search",)),
    KeyBinding(command="next", help="the next one of these", page=(".",), places=("thread",)),
    KeyBinding(command="back", help="the one before", page=(",",), places=("thread",)),
    KeyBinding(command="activity", help="what was done", page=("g c",)),
    KeyBinding(command="settings", help="settings", page=("g s",)),
    KeyBinding(command="integrations", help="accounts, servers and channels", page=("g n",)),
    KeyBinding(command="chat", help="ask about your mail", page=("g t",)),
    KeyBinding(command="aloud", help="read the brief aloud, or stop", page=("v",), places=("brief",)),
    KeyBinding(command="pause", help="pause the agent", page=("g p",)),
    KeyBinding(command="refresh", help="look for new mail", terminal=("r",), shown="r"),
    KeyBinding(command="help", help="these keys", terminal=("?",), shown="?", page=("?",)),
    KeyBinding(command="quit", help="leave", terminal=("q", "c-c"), shown="q"),
)
"""All bindings, in the order of the help."""


def terminal_keys() -> tuple[KeyBinding, ...]:
    """Return the bindings that have terminal keys."""
    return tuple(one for one in KEYS if one.terminal)


def page_keys() -> tuple[KeyBinding, ...]:
    """Return the bindings that have page keys; those of plug-ins follow the activity page, as in the navigation."""
    plugged = [one for part in load_parts("keys") for one in part]
    after = next(at for at, one in enumerate(KEYS, 1) if one.command == "activity")
    return tuple(one for one in (*KEYS[:after], *plugged, *KEYS[after:]) if one.page)
