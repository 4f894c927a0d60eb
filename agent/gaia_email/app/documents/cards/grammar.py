"""What a card is made of; terminal, HTML and Markdown render the same. Entry: `ShownCard`.

Every text is plain and untrusted: whoever renders it escapes it for where it goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CardTone = Literal["plain", "urgent", "needs", "good", "warn"]
"""How a piece stands out: red, amber, green, or as a warning."""

ChipUse = Literal["", "search", "copy", "snooze"]
"""What choosing a chip leads to: a search for its value, the value copied, or the thread put off until then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPill:
    """A short word on a coloured ground; `title` says it in a sentence."""

    text: str
    tone: CardTone = "plain"
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChip:
    """Something that stands in the mail, and what can be done with it."""

    text: str
    kind: str
    tone: CardTone = "plain"
    use: ChipUse = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAction:
    """Something that a person can do: an operation by its name, and how it is called."""

    operation: str
    label: str
    tone: CardTone = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """What is shown of one thing: who and what in its head, at most a few lines, and what can be done.

    Attributes:
        mark: An emoji that says of what kind it is; empty for none.
        who: Whom it is from, or who asks; may be empty.
        title: What it is about.
        lines: What is told of it, the most important first.
        age_s: Seconds since then; None where that is not known.
        unsure: Whether a person should look for themselves.
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
