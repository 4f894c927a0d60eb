"""What preparing a message gives: `Prepared`, read by extraction, by every tier and by the interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gaia_mail.mime.model import ParsedMessage

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]


ORDINARY_HIDING = frozenset(
    {
        "attribute",
        "comment",
        "datalist",
        "media-fallback",
        "mso-conditional",
        "noscript",
        "placeholder",
        "preheader",
        "responsive",
        "ruby",
        "script",
        "soft-hyphen",
        "template",
        "title",
    }
)
"""`Removal.how` of hidden text that ordinary mail has too: it says nothing by being hidden, only by its words."""


class Link(NamedTuple):
    """A link a reader could follow: what is shown, and where it leads. Never fetched."""

    text: str
    url: str


class Removal(NamedTuple):
    """Something a step took out of the text, kept as evidence.

    Attributes:
        step: `hidden`, `quote`, `signature`, `disclaimer`, `tracker`, `mime`.
        how: The convention or trick, e.g. `display:none`, `zero-width`, `unicode-tags`, `gmail_quote`.
        text: What was removed (shortened to a few thousand characters).
        chars: How many characters were removed.
    """

    step: str
    how: str
    text: str
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    r"""A message after the pipeline of decode, hide, text, quote, signature and language.

    Attributes:
        message: The decoded message; nothing in it is changed.
        normalized: What the sender newly wrote, as a reader would see it: no hidden text, quoted reply,
            signature or disclaimer. `\n` line ends, at most one blank line in a row.
        quoted: Earlier messages quoted in this one.
        signature: The signature block, `""` when there is none.
        disclaimer: Legal boilerplate below it.
        hidden: Text that is in the message but that a reader does not see.
        language: ISO 639-1 code of `normalized`, `""` when too short or unsure.
        links: Visible links, in order.
        json_ld: Parsed schema.org blocks, in order; broken ones are left out.
        removed: What each step took away, in order.
        text_from: `plain`, `html` or `none`: which alternative `normalized` came from.
        defects: The message's own defects and those found while preparing.
    """

    message: ParsedMessage
    normalized: str
    quoted: str
    signature: str
    disclaimer: str
    hidden: str
    language: str
    links: tuple[Link, ...]
    json_ld: tuple[dict[str, JsonValue], ...]
    removed: tuple[Removal, ...]
    text_from: str
    defects: tuple[str, ...]
