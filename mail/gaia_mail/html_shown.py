"""HTML as text that can be read: what a reader sees, where links lead, and what is hidden.

Entries: `html_shown`, `visible_text`. Nothing is fetched and nothing is trusted to stay hidden: every text in the HTML
is in one of the two lists, however it is made invisible. Only the values of layout (class names, sizes, colours) are
left out.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gaia_mail.html_guard import bounded
from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_TABLE = WordTable("gaia_mail", "html.txt")
_BLOCKS = _TABLE.words("blocks")
_TARGETS = _TABLE.words("targets")
"""Attributes that name what a reader would open or fetch."""

_LAYOUT = _TABLE.words("layout")
"""Attributes whose short values say how something looks or what kind it is, and nothing to anybody."""

_LONGEST_LAYOUT = 120
UNFINISHED = "its end stands in a tag or comment that is never closed, so it is shown as it is written"

_MOST_WORDS = 50
"""Pieces of text of a link that are compared with where it leads."""

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
    """HTML as text, as its sender wrote it: whoever shows it escapes it.

    Attributes:
        words: The visible text alone, a line a block.
        text: The same with where links and images lead, in angle brackets.
        targets: Those places, in order.
        hidden: What a reader would not see: hidden elements, comments, scripts, styles, values of attributes.
    """

    words: str
    text: str
    targets: tuple[str, ...]
    hidden: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    """What has been read so far.

    `unseen` gathers the outermost hidden element, `late` what is told last; `end` is the mark of the end.
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
        """Where words go now."""
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
        """Note where something leads."""
        found = _DATA.match(target)
        shown = f"{found[0]} {len(target):,} characters" if found else target
        if self.unseen is not None:
            self.unseen.append(f" <{shown}> ")
            return
        self.targets.append(shown)
        self.text.append(f" <{shown}> ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """An element whose end has not come: where it leads, whether it hides its text, and how much was said before."""

    node: LexborNode
    tag: str
    target: str
    hides: bool
    began: int


def html_shown(html: str) -> HtmlShown:
    """What `html` says, leads to and hides; never raises.

    Markup that would cost a parser too much, or whose end a parser drops, is shown as it is written.
    """
    html = html.encode("utf-8", "replace").decode()
    markup, defects = bounded(html)
    reading = _parsed(markup) if markup == html else _Reading()
    if not reading.ended:
        return HtmlShown(words="", text=html, targets=(), hidden=defects or (UNFINISHED,))
    return HtmlShown(
        words=_lines("".join(reading.words)),
        text=_lines("".join(reading.text)),
        targets=tuple(reading.targets),
        hidden=tuple(filter(None, (" ".join(text.split()) for text in (*reading.hidden, *reading.late)))),
    )


def visible_text(html: str) -> str:
    """What a reader sees, a line a block, also of markup that is broken or had to be shortened; never raises."""
    markup, _ = bounded(html.encode("utf-8", "replace").decode())
    return _lines("".join(_parsed(markup).words))


def _parsed(markup: str) -> _Reading:
    """Read it with a mark at its end, which is missing where that stands in a tag or comment that is never closed."""
    from selectolax.lexbor import LexborHTMLParser

    reading = _Reading(end=hashlib.sha256(markup.encode()).hexdigest())
    root = LexborHTMLParser(f"{markup}<!--{reading.end}-->").root
    if root is not None:
        _read(root.parent or root, reading)
    return reading


def says_the_same(shown: HtmlShown, text: str) -> bool:
    """Whether the plain text says what the HTML says, white space aside, and names where its links lead."""
    plain = " ".join(text.split())
    if " ".join(shown.text.split()) == plain:
        return True
    return " ".join(shown.words.split()) == plain and all(target in plain for target in shown.targets)


def _read(document: LexborNode, reading: _Reading) -> None:
    """Walk the tree without recursion: hostile HTML nests without end."""
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
    """What no reader shows as part of the text. Styles come last: they are long, and seldom say anything."""
    inner = node.html if tag == "template" else node.text(deep=True)
    (reading.late if tag == "style" else reading.hidden).append(f"{tag}: {inner or ''}")
    _attributes(node, tag, reading)


def _enter(node: LexborNode, tag: str, reading: _Reading) -> _Opened:
    """Begin an element."""
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
    """What the attributes of an element say or fetch; a link's own target comes after its text."""
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
