"""Limits hostile markup that costs a parser quadratic time or memory. Entry: `bound_html`.

For each new element, an HTML parser does work in proportion to the open elements, to the attributes the tag already
has, and, in a new paragraph, to the unclosed formatting elements (https://html.spec.whatwg.org/multipage/parsing.html,
sections 13.2.4.3 and 13.2.6.1). Ordinary mail passes after its angle brackets are counted; large mail is scanned tag by
tag, and tags beyond the limits are removed.
"""

from __future__ import annotations

import re

from gaia_mail.lazy import lazy_pattern

MAX_CHARS = 8_000_000
"""Characters of HTML that are parsed; the rest is dropped."""

SMALL_CHARS = 60_000
SMALL_TAGS = 1_000
"""Markup within both limits is parsed unfiltered: no arrangement of so few tags costs a second."""

MAX_TAGS = 400_000
MAX_OPEN = 512
"""Elements open at a time, as in browsers. Tags that would open more are dropped; their content is kept."""

FORMATTING = frozenset(
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"]
)
MAX_FORMATTING = 64
"""Formatting elements open at a time: a parser reopens all of them in each new paragraph."""

MAX_ATTRIBUTES = 256
MAX_ROOTS = 16

_VOID = """
area base br col embed frame hr img input keygen link meta param source track wbr
"""
VOID = frozenset(_VOID.split())
_OPTIONAL = """
p li td th tr dt dd option thead tbody tfoot caption colgroup
"""
CLOSED_BY_THE_NEXT = frozenset(_OPTIONAL.split())
"""Elements that cannot nest directly: their end tags are optional, and a missing one leaves nothing open."""

RAW_TEXT = frozenset(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"])

_OPENING = lazy_pattern(r"<(?=[a-zA-Z/!?])")
_TAG = lazy_pattern(
    r"<(/?)([a-zA-Z][^\s/>]*+)"
    r"((?>[\s/]++|[^\s/>][^\s/>=]*+(?>\s*+=\s*+(?>\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?+)?+)*+)>"
)
_ATTRIBUTE = lazy_pattern(
    r"[\s/]*+([^\s/>][^\s/>=]*+(?>\s*+=\s*+(?>\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?+)?+)"
)
_COMMENT_END = lazy_pattern(r"--!?>")


def bound_html(html: str) -> tuple[str, tuple[str, ...]]:
    """Return markup that is safe to parse, and a description of each removal (none for ordinary mail)."""
    if len(html) <= SMALL_CHARS and html.count("<") <= SMALL_TAGS:
        return html, ()
    defects: list[str] = []
    if len(html) > MAX_CHARS:
        defects.append(f"the HTML has {len(html):,} characters; only the first {MAX_CHARS:,} were read")
        html = html[:MAX_CHARS]
    filtered = _Filter(html)
    filtered.run()
    if filtered.cut:
        defects.append(f"the HTML has more than {MAX_TAGS:,} tags; the rest was not read")
    if filtered.dropped:
        defects.append(
            f"the HTML nests too deeply or has too many attributes; {filtered.dropped:,} tags dropped"
        )
    return filtered.result(), tuple(defects)


def _skip(html: str, opening: re.Match[str]) -> int:
    """Return the end of the comment, doctype or bogus comment that begins here; 0 if it is a tag."""
    start = opening.start()
    if html.startswith("<!--", start):
        end = _COMMENT_END.search(html, start + 2)
        return len(html) if end is None else end.end()
    after = html[start + 1 : start + 3]
    if after[:1].isalpha() or (after[:1] == "/" and after[1:].isalpha()):
        return 0
    close = html.find(">", start)
    return len(html) if close < 0 else close + 1


class _Filter:
    def __init__(self, html: str) -> None:
        self.html = html
        self.dropped = 0
        self.cut = False
        self._open: list[str] = []
        self._roots = 0
        self._formatting = 0
        self._parts: list[str] = []
        self._done = 0

    def run(self) -> None:
        """Scan the markup once and drop the tags beyond the limits."""
        html = self.html
        at = tags = 0
        while (opening := _OPENING.search(html, at)) is not None:
            at = _skip(html, opening)
            if at:
                continue
            tags += 1
            match = _TAG.match(html, opening.start())
            if match is None or tags > MAX_TAGS:
                # An unterminated tag swallows all that follows: the parser drops it too.
                self.html = html[: opening.start()]
                self.cut = tags > MAX_TAGS
                return
            if match.group(1):
                self._close(match.group(2).lower())
                at = match.end()
            else:
                at = self._start(match)

    def _close(self, name: str) -> None:
        if self._open and self._open[-1] == name:
            self._open.pop()
            self._formatting -= name in FORMATTING

    def _start(self, match: re.Match[str]) -> int:
        name = match.group(2).lower()
        if name in RAW_TEXT:
            closing = re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE).search(self.html, match.end())
            return len(self.html) if closing is None else closing.start()
        if name in {"html", "body"}:
            self._roots += 1
            if self._roots > MAX_ROOTS:
                self._replace(match, "")
                return match.end()
        elif name not in VOID and name not in CLOSED_BY_THE_NEXT:
            if len(self._open) >= MAX_OPEN or (name in FORMATTING and self._formatting >= MAX_FORMATTING):
                self._replace(match, "")
                return match.end()
            self._open.append(name)
            self._formatting += name in FORMATTING
        if (
            len(match.group(3)) > MAX_ATTRIBUTES * 2
            and len(_ATTRIBUTE.findall(match.group(3))) > MAX_ATTRIBUTES
        ):
            kept = [
                found.group()
                for found, _ in zip(_ATTRIBUTE.finditer(match.group(3)), range(MAX_ATTRIBUTES), strict=False)
            ]
            self._replace(match, f"<{name}{''.join(kept)}>")
        return match.end()

    def _replace(self, match: re.Match[str], by: str) -> None:
        self.dropped += 1
        self._parts.append(self.html[self._done : match.start()])
        self._parts.append(by)
        self._done = match.end()

    def result(self) -> str:
        """Return the filtered markup."""
        if not self._parts:
            return self.html
        return "".join(self._parts) + self.html[self._done :]
