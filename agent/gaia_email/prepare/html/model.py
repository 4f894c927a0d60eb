"""What reading one HTML body gives: `HtmlText`."""

from __future__ import annotations

from typing import NamedTuple

from gaia_email.prepare.model import JsonValue, Link


class HiddenText(NamedTuple):
    """A run of text that a reader does not see, and the trick that hides it (as in `Removal.how`)."""

    how: str
    text: str


class HtmlText(NamedTuple):
    """An HTML body as text.

    Attributes:
        text: All visible text in order: the new, the quoted and the signature.
        new: What is neither quoted nor a marked signature.
        quoted: Earlier messages, found by the markup mail programs put around them.
        quoted_how: The convention that marked them; `""` when nothing was.
        whole: Nothing stood outside of the quotes, so all of the text counts as new.
        signature: A signature block that a mail program marked as one.
        hidden: Runs that a reader does not see, in order.
        links: Visible links, in order.
        trackers: Addresses of images too small to be seen.
        json_ld: Parsed schema.org blocks.
        seen_too: Words a reader may meet beside the text: title, preview text, descriptions of images.
        defects: What was wrong with the markup, or too much of it.
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
