"""Maps the names that mail stores use to Gmail's label vocabulary.

Entries: `folder_label`, `takeout_labels`, `flag_labels`.

Folder names are those that mail programs create for special folders in their languages (RFC 6154 defines the roles);
Takeout names are those that Google writes into `X-Gmail-Labels`.
"""

from __future__ import annotations

from functools import cache, lru_cache

from gaia_mail.word_table import WordTable

INBOX, UNREAD, STARRED, IMPORTANT = "INBOX", "UNREAD", "STARRED", "IMPORTANT"
SENT, DRAFT, SPAM, TRASH = "SENT", "DRAFT", "SPAM", "TRASH"

ARCHIVE = ""
"""Placeholder for mail in the archive, which has no label."""

SEEN, FLAGGED, ANSWERED, DRAFT_FLAG = "\\Seen", "\\Flagged", "\\Answered", "\\Draft"

FOLDER_NAMES = {
    INBOX: "INBOX",
    SENT: "Sent",
    DRAFT: "Drafts",
    SPAM: "Junk",
    TRASH: "Trash",
    ARCHIVE: "Archive",
}
"""Names for special folders that have to be created."""

_PREFIXES = ("[gmail]/", "[google mail]/", "inbox/", "inbox.")


_TABLE = WordTable("gaia_mail", "labels.txt")


def _by_name(kind: str, labels: tuple[str, ...]) -> dict[str, str]:
    return {
        name: label for label in labels for name in _TABLE.phrases(f"{kind}_{label.lower() or 'archive'}")
    }


@cache
def _folders() -> dict[str, str]:
    return _by_name("folder", (INBOX, SENT, DRAFT, TRASH, SPAM, STARRED, IMPORTANT, ARCHIVE))


@cache
def _takeout() -> dict[str, str]:
    folders = {name: label for name, label in _folders().items() if label != ARCHIVE}
    categories = (
        "CATEGORY_PERSONAL",
        "CATEGORY_UPDATES",
        "CATEGORY_PROMOTIONS",
        "CATEGORY_SOCIAL",
        "CATEGORY_FORUMS",
    )
    return folders | _by_name("takeout", (ARCHIVE, UNREAD, "seen", "CHAT", *categories))


def special_label(name: str) -> str | None:
    """Return the system label for a folder name, `""` for the archive, None for a user folder."""
    key = name.casefold()
    for prefix in _PREFIXES:
        key = key.removeprefix(prefix)
    return _folders().get(key)


def folder_label(name: str) -> str:
    """Return the label of a folder: a system label, `""` for the archive, else the folder's own name."""
    label = special_label(name)
    return name if label is None else label


def flag_labels(label: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels of a message with these IMAP flags in the folder with `label`."""
    labels = [label] if label else []
    if SEEN not in flags:
        labels.append(UNREAD)
    if FLAGGED in flags and STARRED not in labels:
        labels.append(STARRED)
    if DRAFT_FLAG in flags and label in ("", INBOX):
        labels.append(DRAFT)
    return tuple(labels)


@lru_cache(maxsize=4096)
def takeout_labels(value: bytes) -> tuple[str, ...]:
    """Return label ids from Takeout's `X-Gmail-Labels`, however folded, encoded and localised.

    Commas separate the labels; a label that contains a comma is in double quotes.
    """
    found: list[str] = []
    seen = False
    for name in _split(_decode(value)):
        label = _takeout().get(name.casefold(), name)
        if label == "seen":
            seen = True
        elif label and label not in found:
            found.append(label)
    if seen and UNREAD in found:
        found.remove(UNREAD)
    return tuple(found)


def _decode(value: bytes) -> str:
    unfolded = b"".join(value.splitlines()).strip()
    if b"=?" not in unfolded:
        return unfolded.decode("utf-8", "replace")
    from email.errors import HeaderParseError
    from email.header import decode_header

    parts: list[str] = []
    try:
        pieces = decode_header(unfolded.decode("ascii", "replace"))
    except (HeaderParseError, ValueError, LookupError):
        return unfolded.decode("utf-8", "replace")
    for piece, charset in pieces:
        if isinstance(piece, str):
            parts.append(piece)
            continue
        try:
            parts.append(piece.decode(charset or "ascii", "replace"))
        except LookupError:
            parts.append(piece.decode("utf-8", "replace"))
    return "".join(parts)


def _split(text: str) -> list[str]:
    names: list[str] = []
    quoted = False
    current: list[str] = []
    for character in text:
        if character == '"':
            quoted = not quoted
        elif character == "," and not quoted:
            names.append("".join(current).strip())
            current = []
        else:
            current.append(character)
    names.append("".join(current).strip())
    return [name for name in names if name]
