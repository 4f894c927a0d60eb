"""Checks, encodes and folds header fields for transmission. Entries: `fold_text`, `fold_addresses`.

Output is ASCII (RFC 2047 words, RFC 2231 parameters, IDNA domains), in lines of at most 78 characters if the content
allows it; the one exception is a non-ASCII local part, which only UTF-8 can represent (RFC 6532).
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from gaia_email_registry.errors import BadArgument
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import MailboxAddress

LINE = 78
"""Characters that a line should not exceed (RFC 5322 section 2.1.1)."""

_CONTROL = lazy_pattern(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")
_PIECE = lazy_pattern(r"[ \t]*[^ \t]+")
_ATOMS = lazy_pattern(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*\Z")
_Q_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")
_ID = lazy_pattern(r"<[!-;=?-~]{1,990}>\Z")
_WORD_OVERHEAD = len("=?utf-8?q??=")
_MAX_TOKEN = 500


def check_value(value: str, argument: str) -> str:
    """Return `value` unchanged if it may appear in a header: no line break, NUL or other control character.

    Raises:
        BadArgument: Names `argument`: a line break would let the value inject headers.
    """
    if _CONTROL.search(value):
        raise BadArgument(
            f"{argument} must not contain line breaks or control characters. Remove them and try again.",
            argument=argument,
        )
    return value


def fold_text(name: str, value: str, argument: str) -> str:
    """Return an unstructured field (`Subject`), folded, with its final line break."""
    value = check_value(value, argument).strip()
    if not _plain(value):
        return _fold(name, [" " + word for word in encoded_words(value, LINE - len(name) - 2)])
    pieces = _PIECE.findall(value)
    if pieces:
        pieces[0] = " " + pieces[0]
    return _fold(name, pieces)


def fold_addresses(name: str, mailboxes: Sequence[MailboxAddress], argument: str) -> str:
    """Return an address field, folded, with its final line break.

    Raises:
        BadArgument: There is a control character, or an address cannot be written.
    """
    pieces: list[str] = []
    for index, mailbox in enumerate(mailboxes):
        words = _mailbox_pieces(mailbox, argument)
        if index + 1 < len(mailboxes):
            words[-1] += ","
        pieces += words
    return _fold(name, pieces)


def fold_ids(name: str, ids: Iterable[str], argument: str) -> str:
    """Return a field of message ids, folded between ids if they do not fit on a line.

    Raises:
        BadArgument: An entry is not an id in angle brackets.
    """
    pieces: list[str] = []
    for found in ids:
        if not _ID.match(found):
            raise BadArgument(f"{argument} must be a Message-ID like <id@example.com>.", argument=argument)
        pieces.append(" " + found)
    return _fold(name, pieces)


def fold_parameters(name: str, token: str, parameters: Sequence[tuple[str, str]], argument: str) -> str:
    """Return a field of a token with parameters, encoded by RFC 2231 if a value needs it."""
    pieces = [" " + check_value(token, argument)]
    for key, value in parameters:
        for piece in _parameter(key, check_value(value, argument)):
            pieces[-1] += ";"
            pieces.append(" " + piece)
    return _fold(name, pieces)


def encoded_words(value: str, first_width: int = 75) -> list[str]:
    """Encode `value` as RFC 2047 words of at most 75 characters, without splitting a character.

    Uses base64 or quoted-printable, whichever is shorter overall.
    """
    data = value.encode("utf-8", "replace")
    q_size = sum(_q_length(c) for c in value)
    base64 = 4 * ((len(data) + 2) // 3) < q_size
    words: list[str] = []
    chunk: list[str] = []
    room = max(16, min(75, first_width) - _WORD_OVERHEAD)
    size = 0
    for c in value:
        step = len(c.encode("utf-8", "replace")) if base64 else _q_length(c)
        grown = 4 * ((size + step + 2) // 3) if base64 else size + step
        if chunk and grown > room:
            words.append(_word("".join(chunk), base64))
            chunk, size, room = [], 0, 75 - _WORD_OVERHEAD
        chunk.append(c)
        size += step
    if chunk:
        words.append(_word("".join(chunk), base64))
    return words


def _word(text: str, base64: bool) -> str:
    data = text.encode("utf-8", "replace")
    if base64:
        return f"=?utf-8?b?{binascii.b2a_base64(data, newline=False).decode()}?="
    return "=?utf-8?q?" + "".join(_q(byte) for byte in data) + "?="


def _q(byte: int) -> str:
    c = chr(byte)
    return "_" if c == " " else c if c in _Q_SAFE else f"={byte:02X}"


def _q_length(c: str) -> int:
    return 1 if c in _Q_SAFE or c == " " else 3 * len(c.encode("utf-8", "replace"))


def _plain(value: str) -> bool:
    return value.isascii() and "=?" not in value and all(len(word) <= _MAX_TOKEN for word in value.split(" "))


def _mailbox_pieces(mailbox: MailboxAddress, argument: str) -> list[str]:
    name = " ".join(check_value(mailbox.name, argument).split())
    address = _wire_address(check_value(mailbox.address, argument), argument)
    if not name:
        return [" " + address]
    if not _plain(name) or len(name) > 200:
        words = encoded_words(name, 60)
    elif _ATOMS.match(name):
        words = name.split(" ")
    else:
        words = ('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"').split(" ")
    return [" " + word for word in words] + [f" <{address}>"]


def _wire_address(address: str, argument: str) -> str:
    local, at, domain = address.rpartition("@")
    quoted = local.startswith('"') and local.endswith('"') and len(local) > 1
    if not at or not local or not domain or (not quoted and re.search(r"[<>\s]", address)):
        raise BadArgument(f"Recipient email address is invalid: {address}", argument=argument)
    if domain.isascii():
        return address
    try:
        return f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:
        raise BadArgument(f"Recipient email address is invalid: {address}", argument=argument) from None


def _parameter(key: str, value: str) -> list[str]:
    if value.isascii() and "=?" not in value and len(value) <= 60:
        if re.fullmatch(r"[A-Za-z0-9!#$&+.^_{}~-]+", value):
            return [f"{key}={value}"]
        return [f'{key}="' + value.replace("\\", "\\\\").replace('"', '\\"') + '"']
    encoded = [quote(c, safe="!#$&+-.^_`{}|~", encoding="utf-8", errors="replace") for c in value]
    if sum(map(len, encoded)) <= 55:
        return [f"{key}*=utf-8''{''.join(encoded)}"]
    sections = ["utf-8''"]
    for c in encoded:
        if len(sections[-1]) + len(c) > 55:
            sections.append("")
        sections[-1] += c
    return [f"{key}*{number}*={section}" for number, section in enumerate(sections)]


def _fold(name: str, pieces: Sequence[str]) -> str:
    lines: list[str] = []
    line = name + ":"
    fresh = True
    for piece in pieces:
        if not fresh and len(line) + len(piece) > LINE:
            lines.append(line)
            line = ""
        line += piece
        fresh = False
    return "\r\n".join([*lines, line]) + "\r\n"
