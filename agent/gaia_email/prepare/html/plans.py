"""Remembers what to do with an element that looks like one seen before. Entry: `Plans`.

Mail repeats itself: the same few kinds of cell make up a newsletter, and its sender's next one too.
"""

from __future__ import annotations

from gaia_email.prepare.html.style import State

Plan = tuple[State, int, bool]
"""The state inside the element, the break around it, and whether it needs a closer look."""

Key = tuple[str, State] | tuple[str, State, str | None, str | None, str | None]
"""Tag, the state around it, and the `style`, `class` and `id` where there are attributes."""

MAX_PLANS = 4_000
MAX_KEY_CHARS = 400


class Plans:
    """A bounded memory of plans under one stylesheet.

    Attributes:
        known: The plans; read only.
    """

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.known: dict[Key, Plan] = {}

    def remember(self, key: Key, plan: Plan) -> None:
        """Keep a plan, unless its key is too long to be worth it."""
        if sum(len(part) for part in key[2:] if isinstance(part, str)) > MAX_KEY_CHARS:
            return
        if len(self.known) >= MAX_PLANS:
            self.known.clear()
        self.known[key] = plan


WITHOUT_SHEET = Plans()
"""The plans of all mail that has no stylesheet."""
