"""The result of reading one HTML body. Entry: `HtmlText`."""

from __future__ import annotations

from typing import NamedTuple

from gaia_understanding.prepare.model import JsonValue, Link


class HiddenText(NamedTuple):
    """A run of text that a reader does not see, and the trick that hides it (as in `Removal.how`)."""

    how: str
    text: str


class HtmlText(NamedTuple):
    """An HTML body as text.

    Attributes:
        text: All visible text in order: the new, the quoted and the signature.
        new: The text that is neither quoted nor a marked signature.
        quoted: Earlier messages, found by the markup that mail programs put around them.
        quoted_how: The convention that marked them; `""` if there is none.
        whole: True if there was no text outside the quotes, so that all of the text counts as new.
        signature: A signature block that a mail program marked as one.
        hidden: Runs that a reader does not see, in order.
        links: Visible links, in order.
        trackers: Addresses of images too small to be seen.
        json_ld: Parsed schema.org blocks.
        seen_too: Words that a reader may see in addition: title, preview text, descriptions of images.
        defects: Faults of the markup, or parts beyond a limit.
    """

    text: str
    new: str
    quoted: str
    quoted_how: str
    whole: bool
    signature: str
    hidden: tuple[HiddenText, ...]
    links: tuple[Link, ...]
    trackers: tuple[str, ...]
    json_ld: tuple[dict[str, JsonValue], ...]
    seen_too: str
    defects: tuple[str, ...]
