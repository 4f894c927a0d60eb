"""Renders the question as plain text, for a dialog, a page or a terminal. Entry: `mail_text`.

Untrusted text cannot pass for the question itself: it appears on lines that begin with a bar, or at the end of a line
after the program's own text. Lines are short enough that no reader wraps them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from gaia_mail.asking.mail import AttachmentShown, MailShown
from gaia_mail.asking.people import AddressStanding, KnownPerson, ascii_form
from gaia_mail.lazy import lazy_pattern
from gaia_mail.printable import is_blank, one_line

MOST = 4_000
"""Characters shown of each text: the plain text, the HTML as text, and the HTML's hidden content."""

BAR = "│ "

_WIDTH = 76
_LONGEST_NAME = 60
_MOST_PARTS = 100
_INDENT = "    "
_BLANKS = lazy_pattern("[\u115f\u1160\u2800\u3164\uffa0\U000e0100-\U000e01ef]")
"""Letters and signs that are invisible although they count as printable."""

_STANDING: Mapping[AddressStanding, str] = {
    "own": "your own address",
    "inside": "",
    "other_organisation": "another organisation",
    "free_mail": "free-mail address",
}
_FIELD = {"to": "To", "cc": "Cc", "bcc": "Bcc"}


def mail_text(asked: str, shown: MailShown, *, most: int = MOST) -> str:
    """Render the question `asked` about a mail: its recipients, its content, and anything unusual.

    Every recipient is named. The first `most` characters of each text are shown and the rest is counted; the answer
    covers the whole mail (`MailShown.digest`).
    """
    lines = [asked]
    for person in shown.recipients:
        lines += person_lines(_FIELD.get(person.field, "To"), person)
    lines += _about_the_sender(shown)
    lines += _wrap(f"Subject: {single(shown.subject) or '(none)'}", _INDENT)
    for part in shown.attachments[:_MOST_PARTS]:
        lines += _wrap(_attachment(part), _INDENT)
    if len(shown.attachments) > _MOST_PARTS:
        lines.append(f"[{len(shown.attachments) - _MOST_PARTS:,} more attachments]")
    for name, value in shown.headers[:_MOST_PARTS]:
        lines += _wrap(f"Header {single(name)}: {single(value)}", _INDENT)
    if len(shown.headers) > _MOST_PARTS:
        lines.append(f"[{len(shown.headers) - _MOST_PARTS:,} more headers]")
    for defect in shown.unread:
        lines += _wrap(f"Not as it should be: {single(defect)}", _INDENT)
    lines += ["", *block(shown.text, most)] if shown.text.strip() or not shown.html_text else []
    if shown.html_text:
        lines += ["", "The formatted version, as text:", *block(shown.html_text, most)]
    if shown.hidden:
        lines += ["", "Hidden in the formatted version:", *block("\n".join(shown.hidden), most)]
    return "\n".join(lines)


def _about_the_sender(shown: MailShown) -> Iterator[str]:
    """Yield the sender if it is not the account, and the addresses for answers and receipts."""
    if not shown.from_account:
        for person in shown.senders:
            yield from person_lines("From", person)
        if not shown.senders:
            yield "From: (nobody)"
        for person in shown.sent_by:
            yield from person_lines("Sender", person)
    for person in shown.reply_to:
        yield from person_lines("Answers go to" if shown.replies_elsewhere else "Reply-To", person)
    for person in shown.receipts:
        yield from person_lines("Asks for a receipt to", person)


def person_lines(label: str, person: KnownPerson) -> list[str]:
    """Return one address with its marks, then its name, placed so that it cannot pass for a mark."""
    first = " ".join((f"{label}: {single(person.address)}", *(f"[{mark}]" for mark in marks(person))))
    name = single(person.name)
    if not name:
        return [first]
    cut = len(name) - _LONGEST_NAME
    if cut > 0:
        name = f"{name[:_LONGEST_NAME]}… {cut:,} more characters"
    named = _quote(name)
    together = f"{first} {named}"
    return [together] if _columns(together) <= _WIDTH else [first, f"{_INDENT}named {named}"]


def marks(person: KnownPerson) -> tuple[str, ...]:
    """Return the warnings about an address, the gravest last; empty for an ordinary address in the organisation."""
    wired = ascii_form(person.address)
    found = (
        _STANDING[person.standing],
        "never written to" if person.never_written else "",
        f"letters beyond ASCII, in ASCII {single(wired)}" if wired else "",
        "address stands only in mail text" if person.only_in_text else "",
        "name imitates another address" if person.disguise else "",
    )
    return tuple(mark for mark in found if mark)


def block(text: str, most: int = MOST) -> list[str]:
    """Return untrusted text as wrapped lines behind a bar, with counts of empty lines and omitted characters."""
    lines: list[str] = []
    empty = 0
    for line in (*text[:most].splitlines(), None):
        if line is not None and is_blank(line):
            empty += 1
            continue
        if empty > 2:
            lines.append(f"[{empty:,} empty lines]")
        else:
            lines += [BAR.rstrip()] * empty
        empty = 0
        if line is not None:
            lines += _wrap(harmless(line), "", BAR)
    if len(text) > most:
        lines.append(f"[{len(text) - most:,} more characters]")
    return lines or ["(no text)"]


def harmless(text: str) -> str:
    """Return one line without control, invisible or blank characters."""
    return _BLANKS.sub("\N{REPLACEMENT CHARACTER}", one_line(text))


def single(text: str) -> str:
    """Apply `harmless` and collapse each run of white space to one space."""
    return " ".join(harmless(text).split())


def _attachment(part: AttachmentShown) -> str:
    about = f"Attachment: {single(part.content_type)}, {part.size:,} bytes"
    subject = f", the mail {_quote(single(part.subject))}" if part.subject else ""
    return f"{about}, {_quote(single(part.name))}{subject}" if part.name else f"{about}{subject}"


def _quote(text: str) -> str:
    """Put `text` in quotation marks that it cannot close."""
    return f'"{text.replace(chr(34), chr(39))}"'


def _wrap(line: str, indent: str, bar: str = "") -> list[str]:
    """Split `line` into pieces that fit a terminal's width; every piece after the first is indented."""
    lines: list[str] = []
    piece: list[str] = []
    used = len(bar)
    for char in line:
        width = _width(char)
        if used + width > _WIDTH and piece:
            lines.append(bar + "".join(piece).rstrip())
            piece, used = [indent], len(bar) + len(indent)
        piece.append(char)
        used += width
    return [*lines, bar + "".join(piece).rstrip()]


def _columns(text: str) -> int:
    return sum(map(_width, text))


def _width(char: str) -> int:
    if char.isascii():
        return 1
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
