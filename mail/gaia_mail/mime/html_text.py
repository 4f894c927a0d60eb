"""The words of simple HTML, for a plain version beside it. Entry: `text_of_html`."""

from __future__ import annotations

_BREAKS = "br, p, div, li, tr, h1, h2, h3, h4, h5, h6"


def text_of_html(html: str) -> str:
    """Its lines of text, without markup; nothing is fetched."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    tree.strip_tags(["script", "style", "head", "title"])
    for node in tree.css(_BREAKS):
        node.insert_before("\n")
        if node.tag != "br":
            node.insert_after("\n")
    lines = [" ".join(line.split()) for line in tree.text().split("\n")]
    return "\n".join(line for line in lines if line)
