"""The document of a mail as its sender formatted it. Entry: `formatted_document`.

Its markup is untrusted: it is for a frame without scripts and without a network, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from gaia_email.document import Version, clean

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


class FormattedDocument(TypedDict):
    """A message with its text/html part; `html` is empty where it has none."""

    schema_version: Version
    id: str
    html: str


def formatted_document(found: FoundMessage) -> FormattedDocument:
    """The formatted part of a message, without what could run or load anything."""
    html = found.understood.message.html
    if html:
        from selectolax.lexbor import LexborHTMLParser

        tree = LexborHTMLParser(html)
        tree.strip_tags(list(REMOVED))
        html = tree.html or ""
    return {"schema_version": 1, "id": found.summary["id"], "html": clean(html)}
