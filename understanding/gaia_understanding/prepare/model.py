"""The result of preparing a message, for extraction, every tier and the interfaces. Entry: `Prepared`."""

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
"""`Removal.how` of hidden text that ordinary mail has too: only its words count, not that it is hidden."""


class Link(NamedTuple):
    """A link that a reader could follow: its visible text and its target. Never fetched."""

    text: str
    url: str


class Removal(NamedTuple):
    """A piece of text that a step removed, kept as evidence.

    Attributes:
        step: `hidden`, `quote`, `signature`, `disclaimer`, `tracker`, `mime`.
        how: The convention or trick, e.g. `display:none`, `zero-width`, `unicode-tags`, `gmail_quote`.
        text: The removed text (shortened to a few thousand characters).
        chars: The number of characters removed.
    """

    step: str
    how: str
    text: str
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    r"""A message after the pipeline of decode, hide, text, quote, signature and language.

    Attributes:
        message: The decoded message, unchanged.
        normalized: The sender's new text, as a reader would see it: no hidden text, quoted reply, signature or
            disclaimer. `\n` line ends, at most one blank line in a row.
        quoted: Earlier messages quoted in this one.
        signature: The signature block, `""` if there is none.
        disclaimer: Legal boilerplate below it.
        hidden: Text of the message that a reader does not see.
        language: ISO 639-1 code of `normalized`, `""` if too short or unsure.
        links: Visible links, in order.
        json_ld: Parsed schema.org blocks, in order; broken ones are left out.
        removed: The text that each step removed, in order.
        text_from: The alternative that `normalized` came from: `plain`, `html` or `none`.
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
