"""Renders HTML as readable text: the visible text, the link targets, and the hidden content.

Entries: `html_shown`, `visible_text`. Nothing is fetched, and no hiding is trusted: every text in the HTML appears in
one of the two lists, however it is made invisible. Only layout values (class names, sizes, colours) are left out.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gaia_mail.html_guard import bound_html
from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_TABLE = WordTable("gaia_mail", "html.txt")
_BLOCKS = _TABLE.words("blocks")
_TARGETS = _TABLE.words("targets")
"""Attributes with URLs that a reader would open or fetch."""

_LAYOUT = _TABLE.words("layout")
"""Attributes whose short values only describe appearance or type."""

_LONGEST_LAYOUT = 120
UNFINISHED = "its end is inside a tag or comment that is never closed, so it is shown as written"

_MOST_WORDS = 50
"""Pieces of a link's text that are compared with its target."""

_UNSEEN = lazy_pattern(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|font-size\s*:\s*1(?:px|pt|%)"
    r"|(?:font-size|line-height|max-height|max-width|opacity)\s*:\s*0*\.?0*(?:px|pt|em|rem|%)?\s*(?:[;!]|$)",
    re.IGNORECASE,
)
_SPACE = lazy_pattern(r"\s+")
_CHARSET = lazy_pattern(
    r"(?:text/html; ?charset=[\w-]{1,20}|width=device-width(?:, ?initial-scale=1(?:\.0)?)?)?\Z"
)
_DATA = lazy_pattern(r"data:[\w./+-]{0,80}[;,]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlShown:
    """HTML rendered as unescaped text; the caller escapes it for display.

    Attributes:
        words: The visible text alone, one line per block.
        text: The visible text with link and image targets in angle brackets.
        targets: The link and image targets, in order.
        hidden: Content a reader would not see: hidden elements, comments, scripts, styles, attribute values.
    """

    words: str
    text: str
    targets: tuple[str, ...]
    hidden: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    """Output collected so far.

    `unseen` collects the outermost hidden element, `late` goes to the end of `hidden`; `end` is the end mark.
    """

    words: list[str] = field(default_factory=list[str])
    text: list[str] = field(default_factory=list[str])
    targets: list[str] = field(default_factory=list[str])
    hidden: list[str] = field(default_factory=list[str])
    late: list[str] = field(default_factory=list[str])
    unseen: list[str] | None = None
    end: str = ""
    ended: bool = False

    @property
    def into(self) -> list[str]:
        """The list that collects text at this point."""
        return self.words if self.unseen is None else self.unseen

    def say(self, words: str) -> None:
        self.into.append(words)
        if self.unseen is None:
            self.text.append(words)

    def comment(self, words: str) -> None:
        if words == self.end:
            self.ended = True
        else:
            self.hidden.append(f"comment: {words}")

    def lead(self, target: str) -> None:
        """Add a link or image target."""
        found = _DATA.match(target)
        shown = f"{found[0]} {len(target):,} characters" if found else target
        if self.unseen is not None:
            self.unseen.append(f" <{shown}> ")
            return
        self.targets.append(shown)
        self.text.append(f" <{shown}> ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """An open element: link target, True if it hides its text, and length of the collected text at its start."""

    node: LexborNode
    tag: str
    target: str
    hides: bool
    began: int


def html_shown(html: str) -> HtmlShown:
    """Return the visible text, targets and hidden content of `html`; never raises.

    Markup that would cost a parser too much, or whose end a parser drops, is returned verbatim.
    """
    html = html.encode("utf-8", "replace").decode()
    markup, defects = bound_html(html)
    reading = _parse(markup) if markup == html else _Reading()
    if not reading.ended:
        return HtmlShown(words="", text=html, targets=(), hidden=defects or (UNFINISHED,))
    return HtmlShown(
        words=_lines("".join(reading.words)),
        text=_lines("".join(reading.text)),
        targets=tuple(reading.targets),
        hidden=tuple(filter(None, (" ".join(text.split()) for text in (*reading.hidden, *reading.late)))),
    )


def visible_text(html: str) -> str:
    """Return the visible text, one line per block, even of broken or shortened markup; never raises."""
    markup, _ = bound_html(html.encode("utf-8", "replace").decode())
    return _lines("".join(_parse(markup).words))


def _parse(markup: str) -> _Reading:
    """Read markup with a mark at its end, which an unclosed tag or comment swallows."""
    from selectolax.lexbor import LexborHTMLParser

    reading = _Reading(end=hashlib.sha256(markup.encode()).hexdigest())
    root = LexborHTMLParser(f"{markup}<!--{reading.end}-->").root
    if root is not None:
        _read(root.parent or root, reading)
    return reading


def says_the_same(shown: HtmlShown, text: str) -> bool:
    """Return True if the plain text matches the HTML's text, ignoring white space, and contains its link targets."""
    plain = " ".join(text.split())
    if " ".join(shown.text.split()) == plain:
        return True
    return " ".join(shown.words.split()) == plain and all(target in plain for target in shown.targets)


def _read(document: LexborNode, reading: _Reading) -> None:
    """Walk the tree without recursion: hostile HTML nests without limit."""
    node = document.child
    opened: list[_Opened] = []
    while node is not None or opened:
        if node is None:
            last = opened.pop()
            _leave(last, reading)
            node = last.node.next
            continue
        tag = node.tag or ""
        if tag == "-text":
            reading.say(_SPACE.sub(" ", node.text_content or ""))
        elif tag == "-comment":
            reading.comment(node.comment_content or "")
        elif tag in ("script", "style", "template", "title"):
            _aside(node, tag, reading)
        elif not tag.startswith("-"):
            opened.append(_enter(node, tag, reading))
            node = node.child
            continue
        node = node.next


def _aside(node: LexborNode, tag: str, reading: _Reading) -> None:
    """Record an element that readers never show as text. Styles go last: they are long and rarely contain text."""
    inner = node.html if tag == "template" else node.text(deep=True)
    (reading.late if tag == "style" else reading.hidden).append(f"{tag}: {inner or ''}")
    _attributes(node, tag, reading)


def _enter(node: LexborNode, tag: str, reading: _Reading) -> _Opened:
    """Start an element."""
    attributes = node.attributes
    hides = reading.unseen is None and (
        "hidden" in attributes or _UNSEEN.search(attributes.get("style") or "") is not None
    )
    if hides:
        reading.unseen = []
    if tag in _BLOCKS:
        reading.say("\n")
    if tag == "img":
        alt = " ".join((attributes.get("alt") or "").split())
        reading.say(f" {alt} " if alt else " ")
    _attributes(node, tag, reading)
    target = (attributes.get("href") or "").strip() if tag == "a" else ""
    return _Opened(node=node, tag=tag, target=target, hides=hides, began=len(reading.into))


def _leave(last: _Opened, reading: _Reading) -> None:
    said = reading.into[last.began : last.began + _MOST_WORDS] if last.target else []
    if last.target and last.target.removeprefix("mailto:") != "".join(said).strip():
        reading.lead(last.target)
    if last.tag in _BLOCKS:
        reading.say("\n")
    if last.hides and reading.unseen is not None:
        reading.hidden.append("".join(reading.unseen))
        reading.unseen = None


def _attributes(node: LexborNode, tag: str, reading: _Reading) -> None:
    """Record attribute values that show text or fetch a resource; a link's own target follows its text."""
    for name, given in node.attributes.items():
        value = (given or "").strip()
        if not value or (tag == "a" and name == "href") or (tag == "img" and name == "alt"):
            continue
        if name in _TARGETS:
            if not value.startswith("cid:"):
                reading.lead(value)
        elif name == "style":
            if "url(" in value.lower() or "content" in value.lower():
                reading.late.append(f"style: {value}")
        elif name == "content" and _CHARSET.match(value):
            continue
        elif name in ("value", "placeholder", "label"):
            reading.say(f" {value} ")
        elif name not in _LAYOUT or len(value) > _LONGEST_LAYOUT:
            reading.hidden.append(f"{name}: {value}")


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
