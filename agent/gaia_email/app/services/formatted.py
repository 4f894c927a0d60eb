"""A mail as its sender formatted it. Entry: `formatted_mail`.

Its markup is untrusted: it is for a frame without scripts and without a network, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.document import Document

if TYPE_CHECKING:
    from gaia_email.triage.inbox import FoundMessage

REMOVED = (
    "script",
    "iframe",
    "frame",
    "frameset",
    "object",
    "embed",
    "applet",
    "link",
    "meta",
    "base",
    "form",
)
"""Elements that could load, run or lead elsewhere, taken out before a browser's own limits refuse them."""


class FormattedMail(Document, frozen=True, kw_only=True):
    """A message with its text/html part; `html` is empty where it has none."""

    id: str
    html: str


def formatted_mail(found: FoundMessage) -> FormattedMail:
    """Return the formatted part of a message, without what could run or load anything."""
    html = found.understood.message.html
    if html:
        from selectolax.lexbor import LexborHTMLParser

        tree = LexborHTMLParser(html)
        tree.strip_tags(list(REMOVED))
        html = tree.html or ""
    return FormattedMail(id=found.summary["id"], html=html)
