"""Collect visible text in reading order, with line breaks as a reader would see them. Entry: `Layout`.

White space follows the `innerText` algorithm
(https://html.spec.whatwg.org/multipage/dom.html#the-innertext-idl-attribute): runs collapse to one space,
blocks start a line, paragraphs are set off by a blank one, cells by a tab.
"""

from __future__ import annotations

SPACE, TAB, LINE, BLANK = 1, 2, 3, 4
SEPARATORS = ("", " ", "\t", "\n", "\n\n")

WIDE_SPACES = tuple(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000"
)
"""White space beyond ASCII."""

SHORT = 150
"""The length up to which a test for printable text is cheaper than a search for each wide space."""


def collapse_spaces(text: str) -> str:
    """Return a stripped text with each run of white space collapsed to one space."""
    # The only printable white space is the space; in a short text that test is far quicker than a split into
    # words.
    if len(text) < SHORT and text.isprintable():
        return " ".join(text.split()) if "  " in text else text
    if not text.isascii() and any(map(text.__contains__, WIDE_SPACES)):
        return " ".join(text.split())
    if "\n" in text:
        text = " ".join(filter(None, map(str.strip, text.split("\n"))))
    if "\t" in text:
        text = text.replace("\t", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


class Layout:
    """Text pieces and the breaks between them.

    Attributes:
        pieces: Text and separators so far; an index into it is a position in the text.
        pending: The break before the next piece, if any.
        chars: Characters of text so far.
    """

    __slots__ = ("chars", "pending", "pieces", "prefix")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.pending = 0
        self.chars = 0
        self.prefix = ""

    def text(self, raw: str) -> None:
        """Add the content of a text node, its white space collapsed."""
        piece = raw.strip()
        pending = self.pending
        if not piece:
            if raw and pending < SPACE:
                self.pending = SPACE
            elif pending == LINE and "\xa0" in raw:
                self.pending = BLANK
            return
        if piece == raw:
            self.pending = 0
        else:
            pending = pending or (SPACE if raw[0].isspace() else 0)
            self.pending = SPACE if raw[-1].isspace() else 0
        if not piece.isascii() or "\n" in piece or "  " in piece or "\t" in piece:
            piece = collapse_spaces(piece)
        pieces = self.pieces
        if pending and pieces:
            pieces.append(SEPARATORS[pending])
        if self.prefix:
            pieces.append(self.prefix)
            self.prefix = ""
        pieces.append(piece)
        self.chars += len(piece)

    def put(self, piece: str, pending: int) -> None:
        """Add a piece unchanged, after a break."""
        pieces = self.pieces
        if pending and pieces:
            pieces.append(SEPARATORS[pending])
        if self.prefix:
            pieces.append(self.prefix)
            self.prefix = ""
        pieces.append(piece)
        self.chars += len(piece)

    def add_pre(self, raw: str) -> None:
        """Add the content of a text node whose white space counts."""
        for number, line in enumerate(raw.split("\n")):
            if number:
                self.line_break()
            written = line.rstrip()
            if written:
                self.put(written, self.pending if self.pending >= LINE or not self.pieces else 0)
                self.pending = 0
            elif line and self.pending < SPACE:
                self.pending = SPACE

    def line_break(self) -> None:
        """Add a `br`: a second one in a row leaves a blank line."""
        self.pending = BLANK if self.pending >= LINE else LINE

    def block(self, level: int) -> None:
        """Add the edge of a block."""
        if self.pending < level:
            self.pending = level
