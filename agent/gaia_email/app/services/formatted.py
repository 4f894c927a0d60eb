"""A mail in its sender's formatting. Entry: `formatted_mail`.

The markup is untrusted: it may only be shown in a frame without scripts and network access.
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
"""Elements that could load, run or link something; removed in addition to a browser's own restrictions."""


class FormattedMail(Document, frozen=True, kw_only=True):
    """A message with its text/html part; `html` is empty if it has none."""

    id: str
    html: str


def formatted_mail(found: FoundMessage) -> FormattedMail:
    """Return the HTML part of a message, without elements that could run or load anything."""
    html = found.understood.message.html
    if html:
        from selectolax.lexbor import LexborHTMLParser

        tree = LexborHTMLParser(html)
        tree.strip_tags(list(REMOVED))
        html = tree.html or ""
    return FormattedMail(id=found.summary["id"], html=html)
