"""The parts of a card, rendered alike in terminal, HTML and Markdown. Entry: `ShownCard`.

All text is plain and untrusted: the renderer escapes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CardTone = Literal["plain", "urgent", "needs", "good", "warn"]
"""The emphasis of a piece: red, amber, green, or a warning."""

ChipUse = Literal["", "search", "copy", "snooze"]
"""The effect of choosing a chip: search for its value, copy it, or snooze the thread until then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPill:
    """A short word on a coloured background; `title` explains it in a sentence."""

    text: str
    tone: CardTone = "plain"
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChip:
    """Something found in the mail, and what can be done with it."""

    text: str
    kind: str
    tone: CardTone = "plain"
    use: ChipUse = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAction:
    """An action for the user: the name of an operation, and its label."""

    operation: str
    label: str
    tone: CardTone = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """The content of one card: a header, at most a few lines, and actions.

    Attributes:
        mark: An emoji for the kind; empty for none.
        who: The sender or requester; may be empty.
        title: The subject.
        lines: Text lines, most important first.
        age_s: Age in seconds; None if unknown.
        unsure: True if the user should check it.
    """

    mark: str
    who: str
    title: str
    lines: tuple[str, ...] = ()
    pills: tuple[CardPill, ...] = ()
    chips: tuple[CardChip, ...] = ()
    actions: tuple[CardAction, ...] = ()
    age_s: float | None = None
    unsure: bool = False
