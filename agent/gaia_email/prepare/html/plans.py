"""Remembers what to do with an element that looks like one seen before. Entry: `Plans`.

Mail repeats itself: the same few kinds of cell make up a newsletter, and its sender's next one too.
"""

from __future__ import annotations

from gaia_email.prepare.html.findings import Attributes
from gaia_email.prepare.html.presentation import RELEVANT
from gaia_email.prepare.html.style import State

Plan = tuple[State, int, bool]
"""The state inside the element, the break around it, and whether it needs a closer look."""

Key = tuple[str | State | None, ...]
"""Tag, the state around it, and what else of the element can matter."""

MAX_PLANS = 4_000
MAX_KEY_CHARS = 400


def key_of(tag: str, state: State, attrs: Attributes) -> Key:
    """Under what the plan of an element with attributes is remembered.

    All attributes count, but those of an ordinary link: hardly two lead to the same place.
    """
    get = attrs.get
    style, classes, identifier = get("style"), get("class"), get("id")
    others = len(attrs) - (style is not None) - (classes is not None) - (identifier is not None)
    # Most have no others, and a key of five parts is built twice as fast as one of them all.
    if not others or (tag == "a" and (others == ("href" in attrs) or RELEVANT.isdisjoint(attrs))):
        return tag, state, style, classes, identifier
    return tag, state, *attrs, *attrs.values()


class Plans:
    """A bounded memory of plans under one stylesheet.

    Attributes:
        known: The plans; read only.
    """

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.known: dict[Key, Plan] = {}

    def remember(self, tag: str, state: State, attrs: Attributes, plan: Plan) -> None:
        """Keep a plan, unless its key is too long to be worth it."""
        key = key_of(tag, state, attrs) if attrs else (tag, state)
        if sum(len(part) for part in key if isinstance(part, str)) > MAX_KEY_CHARS:
            return
        if len(self.known) >= MAX_PLANS:
            self.known.clear()
        self.known[key] = plan


WITHOUT_SHEET = Plans()
"""The plans of all mail that has no stylesheet."""
