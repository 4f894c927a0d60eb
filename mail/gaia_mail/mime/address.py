"""Parses address headers into mailboxes, tolerant of any input. Entries: `parse_addresses`, `validate_address`."""

from __future__ import annotations

import re
from functools import lru_cache

from gaia_email_registry.errors import BadArgument
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.mime.words import decode_words

MAX_ADDRESSES = 1_000
"""Maximum number of mailboxes read from one header."""

_MAX_CHARS = 65_536
_SIMPLE = lazy_pattern(
    r"(?:([A-Za-z0-9][A-Za-z0-9 '._-]{0,100}?) *<|<?)([A-Za-z0-9._%+=-]{1,64}@[A-Za-z0-9.-]{1,253})>?\Z"
)
_ENCODED = lazy_pattern(
    r"((?:(?:[A-Za-z0-9][A-Za-z0-9'._-]{0,100}|=\?[A-Za-z0-9-]{1,40}\?[bBqQ]\?[A-Za-z0-9+/=_.!*-]{0,500}\?=) +)+)"
    r"<([A-Za-z0-9._%+=-]{1,64}@[A-Za-z0-9.-]{1,253})>\Z"
)
_TOKEN = lazy_pattern(
    r"""\s+|"(?P<quoted>(?:[^"\\]|\\.)*)"|<(?P<angle>[^<>]*)>|(?P<mark>[,;:])"""
    r"""|(?P<word>=\?[^?\s]{1,64}\?[bBqQ]\?[^?\r\n]{0,2000}\?=|[^\s"<>,;:]+)|(?P<other>["<>])""",
    re.DOTALL,
)
_ESCAPE = lazy_pattern(r"\\(.)", re.DOTALL)
_SPACE = lazy_pattern(r"\s+")
_PARENS = lazy_pattern(r"[()\"]|\\.", re.DOTALL)


def parse_addresses(value: str) -> tuple[MailboxAddress, ...]:
    """Parse every mailbox in an address header's undecoded value, in order, at most `MAX_ADDRESSES`.

    Handles RFC 5322 with its obsolete forms: groups (members are listed, an empty group gives a mailbox without
    address), comments, quoted names with commas, routes, semicolons as separators, and words without an address (a name
    with an empty address). Encoded words are decoded after the list is split.
    """
    return _cached(value) if len(value) <= 500 else _parse(value)


def _parse(value: str) -> tuple[MailboxAddress, ...]:
    simple = _SIMPLE.match(value)
    if simple is not None and value.endswith(">") == ("<" in value):
        return (MailboxAddress(name=simple[1] or "", address=simple[2]),)
    plain = _read_plain(value)
    if plain is not None:
        return plain
    found = _read_list(value)
    if "=?" in value and not any("@" in mailbox.address for mailbox in found):
        decoded = decode_words(value)
        if "@" in decoded:
            return _read_list(decoded)
    return found


_cached = lru_cache(maxsize=4096)(_parse)


def _read_plain(value: str) -> tuple[MailboxAddress, ...] | None:
    """Parse entries of the most common forms; return None if any entry has another form."""
    found: list[MailboxAddress] = []
    for entry in value.split(",", MAX_ADDRESSES):
        mailbox = _plain_entry(entry.strip())
        if mailbox is None:
            return None
        found.append(mailbox)
    return tuple(found)


@lru_cache(maxsize=4096)
def _plain_entry(entry: str) -> MailboxAddress | None:
    match = _SIMPLE.match(entry)
    if match is not None and entry.endswith(">") == ("<" in entry):
        return MailboxAddress(name=" ".join(match[1].split()) if match[1] else "", address=match[2])
    match = _ENCODED.match(entry)
    return (
        None if match is None else MailboxAddress(name=_clean(" ".join(match[1].split())), address=match[2])
    )


class _Entry:
    """A mailbox being parsed."""

    __slots__ = ("angle", "comments", "words")

    def __init__(self) -> None:
        self.words: list[tuple[str, bool]] = []
        self.angle: str | None = None
        self.comments: list[str] = []

    def mailbox(self) -> MailboxAddress | None:
        if self.angle is not None:
            name = _phrase(self.words) or " ".join(self.comments)
            return MailboxAddress(name=_clean(name), address=_spec(self.angle))
        if not self.words:
            return None
        at = next((i for i in range(len(self.words) - 1, -1, -1) if "@" in self.words[i][0]), None)
        if at is None:
            if self.comments:
                return MailboxAddress(name=_clean(" ".join(self.comments)), address=_spec(self.words[-1][0]))
            return MailboxAddress(name=_clean(_phrase(self.words)), address="")
        first, last = _around(self.words, at)
        address = "".join(
            _quoted_local(text) if quoted else text for text, quoted in self.words[first : last + 1]
        )
        name = _phrase(self.words[:first] + self.words[last + 1 :]) or " ".join(self.comments)
        return MailboxAddress(name=_clean(name), address=_spec(address))


def _around(words: list[tuple[str, bool]], at: int) -> tuple[int, int]:
    """Return the range of words that form one address around an `@`: old mailers write `a @ b . c` with spaces."""
    first = last = at
    while first > 0 and (words[first][0][:1] in ("@", ".") or words[first - 1][0].endswith(".")):
        first -= 1
    while last + 1 < len(words) and (words[last][0][-1:] in ("@", ".") or words[last + 1][0].startswith(".")):
        last += 1
    return first, last


class _Reader:
    """An address list being parsed: the mailboxes so far, the current entry, the open group."""

    __slots__ = ("entry", "found", "group", "members")

    def __init__(self) -> None:
        self.found: list[MailboxAddress] = []
        self.entry = _Entry()
        self.group: str | None = None
        self.members = 0

    def finish_entry(self) -> None:
        mailbox = self.entry.mailbox()
        self.entry = _Entry()
        if mailbox is not None and (mailbox.name or mailbox.address):
            self.found.append(mailbox)
            self.members += 1

    def finish_group(self) -> None:
        if self.group and not self.members:
            self.found.append(MailboxAddress(name=_clean(self.group), address=""))
        self.group = None

    def mark(self, mark: str) -> None:
        """Process a comma, semicolon or colon outside quotes and angle brackets."""
        words = self.entry.words
        if mark != ":":
            self.finish_entry()
            if mark == ";":
                self.finish_group()
        elif self.entry.angle is None and not any("@" in word for word, _ in words):
            if [word.lower() for word, _ in words] != ["mailto"]:
                self.group, self.members = _phrase(words), 0
            self.entry = _Entry()


def _read_list(value: str) -> tuple[MailboxAddress, ...]:
    text, comments = _without_comments(value[:_MAX_CHARS])
    reader = _Reader()
    position = 0
    last_close = text.rfind(">")
    while position < len(text) and len(reader.found) < MAX_ADDRESSES:
        match = _TOKEN.match(text, position)
        if match is None:
            position += 1
            continue
        kind = match.lastgroup
        if kind == "other":
            text = _blank_open_marks(text, position, match[0], last_close)
            position += text[position] in '<>"'
            continue
        start, position = position, match.end()
        if kind == "quoted":
            reader.entry.words.append((_ESCAPE.sub(r"\1", match["quoted"]), True))
        elif kind == "angle":
            if reader.entry.angle is None:
                reader.entry.angle = match["angle"]
        elif kind == "word":
            reader.entry.words.append((match["word"], False))
        elif kind == "mark":
            reader.mark(match[0])
        elif comments:
            reader.entry.comments += [comments[at] for at in range(start, position) if at in comments]
    reader.finish_entry()
    reader.finish_group()
    return tuple(reader.found[:MAX_ADDRESSES])


def _blank_open_marks(text: str, position: int, mark: str, last_close: int) -> str:
    """Blank out an unclosed quote or bracket and all later ones of its kind."""
    if mark == '"' or (mark == "<" and last_close < position):
        return text[:position] + text[position:].replace(mark, " ")
    return text


def _without_comments(text: str) -> tuple[str, dict[int, str]]:
    """Return `text` with each comment replaced by a tab, and the comments by the position of their tab."""
    if "(" not in text:
        return text, {}
    out: list[str] = []
    comments: dict[int, str] = {}
    length = depth = last = opened = 0
    quoted = False
    for match in _PARENS.finditer(text):
        mark = match[0]
        if mark == '"' and depth == 0:
            quoted = not quoted
        elif quoted:
            continue
        elif mark == "(":
            if depth == 0:
                opened = match.start()
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
            if depth == 0:
                out += (text[last:opened], "\t")
                length += opened - last + 1
                comments[length - 1] = text[opened + 1 : match.start()]
                last = match.end()
    rest = text[last:]
    return "".join(out) + (rest.replace("(", " ").replace(")", " ") if depth else rest), comments


def _phrase(words: list[tuple[str, bool]]) -> str:
    return " ".join(word for word, _ in words)


def _quoted_local(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _clean(name: str) -> str:
    """Clean up a display name: decode encoded words, collapse white space, remove enclosing quotes."""
    name = _SPACE.sub(" ", decode_words(name)).strip()
    while len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1].strip()
    return name


def _spec(text: str) -> str:
    """Return the bare address, without route, white space, `mailto:` and enclosing quotes."""
    text = decode_words(text).strip()
    if text.startswith("@") and ":" in text:
        text = text.partition(":")[2].strip()
    if text[:7].lower() == "mailto:":
        text = text[7:]
    if '"' not in text:
        return _SPACE.sub("", text).strip("'<>")
    return text.strip() if text[:1] == '"' and "@" in text else _SPACE.sub("", text.strip('"'))


_LOCAL = lazy_pattern(r"[^\s@\"(),:;<>\[\]\\\x00-\x1f\x7f]{1,64}\Z")
_QUOTED_LOCAL = lazy_pattern(r'"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f]){0,62}"\Z')
_LABEL = lazy_pattern(r"(?!-)[^\W_](?:[\w-]{0,61}[^\W_])?\Z")
_CONTROL = lazy_pattern(r"[\x00-\x1f\x7f\u2028\u2029]")


def validate_address(text: str) -> MailboxAddress:
    """Parse `text` as one mailbox that mail can be sent to: `a@b.co` or `Name <a@b.co>`.

    Raises:
        BadArgument: With the convention's message, if `text` is not exactly one address with a local part and a domain
            of at least two labels, or contains a control character.
    """
    found = parse_addresses(text) if not _CONTROL.search(text) and len(text) <= 1000 else ()
    if len(found) == 1 and _sendable(found[0].address) and ("<" in text or not found[0].name):
        return found[0]
    raise BadArgument(f"Recipient email address is invalid: {text}", argument="to")


def _sendable(address: str) -> bool:
    local, at, domain = address.rpartition("@")
    if not at or len(address) > 254 or not (_LOCAL.match(local) or _QUOTED_LOCAL.match(local)):
        return False
    if local[0] == "." or local[-1] == "." or ".." in local:
        return local[0] == '"'
    labels = domain.split(".")
    return len(labels) >= 2 and all(_LABEL.match(label) for label in labels) and not labels[-1].isdigit()
