"""Plain text with paragraphs that wrap in any window: format=flowed (RFC 3676). Entries: `flow`, `unflow`."""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern

WIDTH = 72
"""Characters of a wrapped line, before stuffing; RFC 3676 section 4.2 recommends at most 78."""

_QUOTES = lazy_pattern(r"(?:> ?)*")
_SIGNATURE = "-- "


def flow(text: str) -> str:
    """Return `text` with soft breaks in long lines and with space-stuffing.

    Lines that begin with `>` are quotes of that depth. Trailing spaces are removed (they would mean a soft break),
    except in the signature separator `-- `.
    """
    return "\n".join(part for line in text.split("\n") for part in _flow_line(line))


def unflow(text: str, *, delsp: bool = False) -> str:
    """Reverse `flow`: join soft line breaks and remove stuffing; quotes become `> ` and the text."""
    out: list[str] = []
    depth_open = -1
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        soft = content.endswith(" ") and content != _SIGNATURE
        piece = content[:-1] if soft and delsp else content
        if depth_open == depth and content != _SIGNATURE:
            out[-1] += piece
        else:
            out.append(">" * depth + (" " if depth and piece else "") + piece)
        depth_open = depth if soft else -1
    return "\n".join(out)


def _flow_line(line: str) -> list[str]:
    depth = content_at = 0
    if line.startswith(">"):
        match = _QUOTES.match(line)
        content_at = match.end() if match is not None else 0
        depth = line.count(">", 0, content_at)
    content = line[content_at:]
    if content != _SIGNATURE:
        content = content.rstrip(" ")
    return [_stuff(piece, depth) for piece in _wrap(content, max(20, WIDTH - depth - 1))]


def _stuff(piece: str, depth: int) -> str:
    if depth:
        return ">" * depth + (" " + piece if piece else "")
    return " " + piece if piece.startswith((" ", ">", "From ")) else piece


def _wrap(content: str, width: int) -> list[str]:
    """Split `content` into pieces of at most `width` characters that join to it, all but the last ending in a space."""
    pieces: list[str] = []
    start = 0
    while len(content) - start > width:
        at = content.rfind(" ", start, start + width)
        if at < start or content[start : at + 1] in (_SIGNATURE, " " * (at + 1 - start)):
            at = content.find(" ", start + width)
            if at < 0:
                break
        if content[at + 1 : at + 2] in (" ", ""):
            while content[at + 1 : at + 2] == " ":
                at += 1
        pieces.append(content[start : at + 1])
        start = at + 1
    return [*pieces, content[start:]]
