"""A state machine that knows what each tag does at each place of an HTML mail. Entry: `Place`.

Mail repeats itself, tag for tag. What a tag does depends on the elements that are open around it and on its own
text alone, so it is looked at once (`steps.learn`) and remembered as a step from one place to the next. Tags in a row
without text between them are remembered as a way that sums up their steps (`steps.way_of`).
"""

from __future__ import annotations

from enum import IntEnum

from gaia_email.prepare.html.findings import Attributes
from gaia_email.prepare.html.style import State

HOLE = "\x00"
"""Stands for an address in a tag: links and images are alike but for it."""


class Irregular(ValueError):
    """The markup is not what it seems: it takes a parser to read it."""


class Content(IntEnum):
    """What may stand at a place."""

    DOCUMENT = 0
    ROOT = 1
    HEAD = 2
    AFTER_HEAD = 3
    TITLE = 4
    FLOW = 5
    PHRASES = 6
    TABLE = 7
    SECTION = 8
    ROW = 9
    LIST = 10
    STYLE = 11
    END = 12


class Do(IntEnum):
    """What a tag does beside leading to another place."""

    GO = 0
    LINK = 1
    CLOSE = 2
    NOTHING = 3
    BREAK = 4
    ALT = 5
    OPEN = 6
    IMAGE = 7
    RULE = 8
    HIDE = 9
    """Enter an element whose text is hidden."""


class Reads(IntEnum):
    """What becomes of text at a place."""

    TEXT = 0
    HIDDEN = 1
    LINES = 2
    RULES = 3
    NOTHING = 4


class Place:
    """Inside a certain element within certain others.

    Attributes:
        state: How text is painted here.
        content: What may stand here.
        depth: How many elements are open.
        linked: A link is open.
        known: The steps from here by the tag, without `<` and `>`.
        ways: The ways from here by tags in a row, without the last `>`.
        last: The tags in a row without an address that stood here last; `way` is theirs.
        head: What stood before the only address of those with one that stood here last, `tail` after it; `beside` is
            their way.
        reads: What becomes of text here.
    """

    __slots__ = (
        "beside",
        "content",
        "depth",
        "head",
        "known",
        "last",
        "linked",
        "reads",
        "state",
        "tail",
        "way",
        "ways",
    )

    def __init__(self, state: State, content: Content, depth: int = 0, *, linked: bool = False) -> None:
        self.state = state
        self.content = content
        self.depth = depth
        self.linked = linked
        self.known: dict[str, Step] = {}
        self.ways: dict[str, Way] = {}
        self.last = self.head = self.tail = ""
        self.way: Way = (self, 0, ())
        self.beside: Way = (self, 0, ())
        self.reads = Reads.RULES if content is Content.STYLE else Reads.NOTHING
        if content in _WITH_TEXT:
            self.reads = Reads.HIDDEN if state.cause else Reads.LINES if state.pre else Reads.TEXT


Step = tuple[Do, Place, int, Attributes, str]
"""What a tag does, where it leads, the break it makes (less than nothing where what follows is hidden), its attributes,
and the name of the element where that matters. A plain tuple, as a named one takes twice as long to take apart."""

Act = tuple[Do, int, int, Step]
"""What a tag in a row does, the break before it, the number of its address among those of the row, and its step."""

Way = tuple[Place, int, tuple[Act, ...]]
"""Where tags in a row lead, the break that they make, and what they do beside."""

_WITH_TEXT = frozenset([Content.TITLE, Content.FLOW, Content.PHRASES, Content.LIST])
