"""Read an HTML body as text. Entry: `read_html`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gaia_mail.html_guard import bound_html
from gaia_understanding.prepare.html.elements import note_attributes
from gaia_understanding.prepare.html.findings import HtmlFindings
from gaia_understanding.prepare.html.model import HtmlText
from gaia_understanding.prepare.html.quoting import part
from gaia_understanding.prepare.html.sheet import Sheet
from gaia_understanding.prepare.html.style import ROOT, hide
from gaia_understanding.prepare.html.walk import MAX_NODES, Walk
from gaia_understanding.prepare.model import JsonValue

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

WITHOUT_EVENTS = 1
"""`LexborDocumentOptions.WO_EVENTS`: without it a `select` with many options costs quadratic time."""

POOR_CHARS = 30
"""The characters of visible text below which the descriptions of images are the content of the mail."""

SPEAKING = "[aria-label], [aria-description], [title], meta[name=description]"
"""Elements with attributes that can contain sentences."""

MAX_SPEAKING = 2_000
MAX_JSON = 200_000


def read_html(html: str, *, reply: bool = False, forward: bool = False) -> HtmlText:
    """Return the visible and the hidden text of an HTML body. Never raises; time and memory are bounded.

    Args:
        html: The decoded body.
        reply: True if the message answers another one (see `quoting.part`).
        forward: True if the message forwards another one.
    """
    found, defects = _parse(html)
    found.runs.flush()
    if found.alts and found.layout.chars < POOR_CHARS:
        for alt in found.alts:
            found.layout.line_break()
            found.layout.text(alt)
    parted = part(found.layout.pieces, found.regions, reply=reply, forward=forward)
    return HtmlText(
        text="".join(found.layout.pieces) if found.regions else parted.new,
        new=parted.new,
        quoted=parted.quoted,
        quoted_how=parted.how,
        whole=parted.whole,
        signature=parted.signature,
        hidden=tuple(found.runs.found),
        links=tuple(found.links),
        trackers=tuple(found.trackers),
        json_ld=tuple(_json_ld(found.json_ld)),
        seen_too=" ".join((found.runs.preheader, *found.alts)),
        defects=defects,
    )


def _parse(html: str) -> tuple[HtmlFindings, tuple[str, ...]]:
    from selectolax.lexbor import LexborHTMLParser

    html, defects = bound_html(html)
    tree = LexborHTMLParser(html, options=WITHOUT_EVENTS)
    root = tree.root
    document = None if root is None else root.parent
    sheet = _sheet(tree, html)
    walk = Walk(sheet)
    walk.run(root if document is None else document.first_child)
    if walk.found.templates or walk.full:
        for fragment in tree.root.template_fragments()[:100] if tree.root else ():
            walk.run(fragment.first_child, hide(ROOT, "template"))
    found = walk.found
    if found.described or found.speaking or walk.full:
        note_attributes(found, [node.attributes for node in tree.css(SPEAKING)[:MAX_SPEAKING]])
    if walk.full:
        defects = (*defects, f"the HTML has more than {MAX_NODES:,} nodes; the rest was not read")
    return found, defects


def _sheet(tree: LexborHTMLParser, html: str) -> Sheet | None:
    nodes = tree.tags("style")
    if not nodes:
        return None
    sheet = Sheet(tuple([node.text() or "" for node in nodes[:100]]), tree, html)
    return sheet if sheet.used else None


def _json_ld(texts: list[str]) -> list[dict[str, JsonValue]]:
    blocks: list[dict[str, JsonValue]] = []
    for text in texts:
        if len(text) > MAX_JSON:
            continue
        try:
            value: JsonValue = json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError):
            continue
        blocks += [
            block for block in (value if isinstance(value, list) else [value]) if isinstance(block, dict)
        ]
    return blocks[:50]


def _refuse(name: str) -> None:
    raise ValueError(name)
