"""Remembers what to do with an element that looks like one seen before. Entry: `Plans`.

Mail repeats itself: the same few kinds of cell make up a newsletter, and its sender's next one too.
"""

from __future__ import annotations

from gaia_email.prepare.html.findings import Attributes
from gaia_email.prepare.html.places import Content, Place
from gaia_email.prepare.html.presentation import NOTEWORTHY, RELEVANT
from gaia_email.prepare.html.style import ROOT, State

Plan = tuple[State, int, bool]
"""The state inside the element, the break around it, and whether it needs a closer look."""

Key = tuple[str | State | None, ...]
"""Tag, the state around it, and what else of the element can matter."""

MAX_PLANS = 4_000
MAX_STEPS = 4_000
MAX_KEY_CHARS = 400


def key_of(tag: str, state: State, attrs: Attributes) -> Key:
    """Under what the plan of an element is remembered.

    Where an attribute beside `style`, `class` and `id` can matter, all count; but not those of links that are only
    described, since hardly two lead to the same place.
    """
    if not attrs:
        return tag, state
    if NOTEWORTHY.isdisjoint(attrs) or (tag == "a" and RELEVANT.isdisjoint(attrs)):
        return tag, state, attrs.get("style"), attrs.get("class"), attrs.get("id")
    return tag, state, *attrs, *attrs.values()


class Plans:
    """A bounded memory of plans under one stylesheet.

    Attributes:
        known: The plans; read only.
        steps: How many steps and ways from place to place were learnt.
    """

    __slots__ = ("_first", "known", "steps")

    def __init__(self) -> None:
        self.known: dict[Key, Plan] = {}
        self.steps = 0
        self._first: dict[Content, Place] = {}

    def first(self, content: Content) -> Place:
        """The place where a document begins."""
        if self.steps >= MAX_STEPS:
            self._first.clear()
            self.steps = 0
        place = self._first.get(content)
        if place is None:
            place = self._first[content] = Place(ROOT, content)
        return place

    def remember(self, tag: str, state: State, attrs: Attributes, plan: Plan) -> None:
        """Keep a plan, unless its key is too long to be worth it."""
        key = key_of(tag, state, attrs)
        if sum(len(part) for part in key if isinstance(part, str)) > MAX_KEY_CHARS:
            return
        if len(self.known) >= MAX_PLANS:
            self.known.clear()
        self.known[key] = plan


WITHOUT_SHEET = Plans()
"""The plans of all mail that has no stylesheet."""
