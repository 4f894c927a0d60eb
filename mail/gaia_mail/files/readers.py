"""Readers for stores of many messages.

Entries: `MboxReader`, `MaildirReader`.

Both yield every message as `RawMail` with its `FileLocation`, in an order that depends only on the files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b

from typing_extensions import override

from gaia_mail.files import labels, maildir
from gaia_mail.files.location import FileLocation, LocatedMail, MailFileReader
from gaia_mail.files.maildir import MaildirFileName, MaildirFolder
from gaia_mail.files.mbox import parse_arrival_time, split
from gaia_mail.files.model import MAX_MESSAGE_BYTES, RawMail
from gaia_mail.files.opening import Blob, display, read_header, read_regular, reason
from gaia_mail.files.single import unreadable
from gaia_mail.files.window import FileWindow, InputWindow

_VOLATILE = re.compile(
    rb"(?im)^(?:status|x-status|x-keywords|x-mozilla-status2?|x-mozilla-keys|x-evolution|x-uid|x-imap|x-imapbase"
    rb"|x-gmail-labels|content-length|lines):[^\n]*\n?(?:[ \t][^\n]*\n?)*"
)
_STORE_FIELD = re.compile(
    rb"(?im)^(x-gmail-labels|x-gm-thrid|status|x-status|x-mozilla-status2?|x-evolution|x-keywords|x-mozilla-keys)"
    rb":([^\n]*(?:\n[ \t][^\n]*)*)"
)
_TELLING = re.compile(rb"(?i)\n(?:x-[egkmuis]|status:|content-l|lines:)")
"""Quickly rules out most headers without any of these fields, several times faster than the full search."""

_HEX = re.compile(rb"[0-9A-Fa-f]{1,8}")
_EVOLUTION = re.compile(rb"[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4,8})\b")
_MOZILLA_EXPUNGED, _MOZILLA_DELETED = 0x8, 0x0020_0000
"""`Expunged` and `IMAPDeleted` in Thunderbird's `nsMsgMessageFlags`."""
_EVOLUTION_BITS = (
    (0x10, labels.SEEN),
    (0x1, labels.ANSWERED),
    (0x8, labels.FLAGGED),
    (0x4, labels.DRAFT_FLAG),
)
_EVOLUTION_DELETED = 0x2
_MOZILLA_BITS = ((0x1, labels.SEEN), (0x2, labels.ANSWERED), (0x4, labels.FLAGGED))
_STATUS_LETTERS = {"R": labels.SEEN, "A": labels.ANSWERED, "F": labels.FLAGGED, "T": labels.DRAFT_FLAG}


class MboxReader(MailFileReader):
    """The messages of an mbox file; `prefix` begins their keys, `label` is the label of the file's folder."""

    def __init__(self, path: str, *, prefix: str = "", label: str = labels.INBOX) -> None:
        self._path = path
        self._prefix = prefix
        self._label = label

    @override
    def walk(self, *, headers_only: bool) -> Iterator[LocatedMail]:
        """Yield the messages; a file that cannot be opened yields one message with a `problem`."""
        try:
            window = FileWindow(self._path)
        except OSError as error:
            yield unreadable(self._path, self._prefix, f"the mbox cannot be read: {reason(error)}")
            return
        with window:
            yield from walk_mbox(
                window, self._path, prefix=self._prefix, label=self._label, headers_only=headers_only
            )


def walk_mbox(
    window: InputWindow, path: str, *, prefix: str, label: str, headers_only: bool
) -> Iterator[LocatedMail]:
    """Yield the messages of an mbox in a window, such as standard input."""
    shown = display(path)
    seen: dict[bytes, int] = {}
    passed = 0
    for index, span in enumerate(split(window)):
        if span.skipped:
            problem = f"{span.skipped:,} more messages in a row are empty; they are not shown"
            yield unreadable(path, f"{prefix}empty.{index}", problem, index=index + passed)
            passed += span.skipped - 1
            continue
        telling = _TELLING.search(b"\n" + span.header) is not None
        if telling and _has_expunged_flag(span.header):
            continue
        lasting = _VOLATILE.sub(b"", span.header) if telling else span.header
        digest = blake2b(lasting, digest_size=12).digest()
        count = seen[digest] = seen.get(digest, -1) + 1
        key = f"{prefix}{digest.hex()}.{count}" if count else f"{prefix}{digest.hex()}"
        found, flags, hint = store_fields(span.header if telling else b"", label)
        size = span.end - span.start
        mail = RawMail(
            path=shown,
            index=index + passed,
            key=key,
            raw=span.header if headers_only else span.read(window),
            size=size,
            labels=found,
            flags=flags,
            modified=parse_arrival_time(span.envelope),
            thread_hint=hint,
        )
        yield LocatedMail(mail, FileLocation(path, span.start, size, quoted=True))


def store_fields(header: bytes, label: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the labels, IMAP flags and thread hint that an mbox writer stored in header fields.

    Takeout writes `X-Gmail-Labels` and `X-GM-THRID`; Dovecot, Mutt and Pine `Status`, `X-Status` and `X-Keywords`;
    Thunderbird `X-Mozilla-Status`; Evolution `X-Evolution`. A message without any of them counts as read; a message
    marked as deleted is in Trash.
    """
    if not header:
        return labels.flag_labels(label, (labels.SEEN,)), (labels.SEEN,), ""
    fields = _store_fields_of(header)
    hint = fields.get("x-gm-thrid", b"").decode("ascii", "replace")[:40]
    if "x-gmail-labels" in fields:
        given = labels.takeout_labels(fields["x-gmail-labels"])
        return given, _flags_of(given), hint
    flags = _status_flags(fields)
    found = list(labels.flag_labels(labels.TRASH if _has_deletion_mark(fields) else label, flags))
    words = (fields.get("x-keywords", b"") + b" " + fields.get("x-mozilla-keys", b"")).decode(
        "utf-8", "replace"
    )
    found += [word for word in dict.fromkeys(words.split()) if word not in found]
    return tuple(found), flags, hint


def _store_fields_of(header: bytes) -> dict[str, bytes]:
    fields: dict[str, bytes] = {}
    for name, value in _STORE_FIELD.findall(header):
        fields.setdefault(name.decode("ascii").lower(), value.strip())
    return fields


def _has_expunged_flag(header: bytes) -> bool:
    """Return True if Thunderbird removed a message and only keeps its bytes until it compacts the file."""
    return bool(_bits(_store_fields_of(header).get("x-mozilla-status", b"")) & _MOZILLA_EXPUNGED)


def _has_deletion_mark(fields: dict[str, bytes]) -> bool:
    """Return True if a message is marked as deleted: the program that wrote the file would remove it eventually."""
    return (
        b"D" in fields.get("status", b"") + fields.get("x-status", b"")
        or bool(_bits(fields.get("x-mozilla-status2", b"")) & _MOZILLA_DELETED)
        or bool(_evolution_bits(fields) & _EVOLUTION_DELETED)
    )


def _bits(value: bytes) -> int:
    return int(value, 16) if _HEX.fullmatch(value) else 0


def _evolution_bits(fields: dict[str, bytes]) -> int:
    found = _EVOLUTION.match(fields.get("x-evolution", b""))
    return int(found[1], 16) if found else 0


def _status_flags(fields: dict[str, bytes]) -> tuple[str, ...]:
    letters = (fields.get("status", b"") + fields.get("x-status", b"")).decode("ascii", "replace")
    flags = [flag for letter, flag in _STATUS_LETTERS.items() if letter in letters]
    mozilla = fields.get("x-mozilla-status", b"")
    if _HEX.fullmatch(mozilla):
        bits = _bits(mozilla)
        flags += [flag for bit, flag in _MOZILLA_BITS if bits & bit and flag not in flags]
    elif _EVOLUTION.match(fields.get("x-evolution", b"")):
        bits = _evolution_bits(fields)
        flags += [flag for bit, flag in _EVOLUTION_BITS if bits & bit and flag not in flags]
    elif "status" not in fields and labels.SEEN not in flags:
        flags.append(labels.SEEN)
    return tuple(flags)


def _flags_of(found: tuple[str, ...]) -> tuple[str, ...]:
    flags = [] if labels.UNREAD in found else [labels.SEEN]
    if labels.STARRED in found:
        flags.append(labels.FLAGGED)
    if labels.DRAFT in found:
        flags.append(labels.DRAFT_FLAG)
    return tuple(flags)


class MaildirReader(MailFileReader):
    """The messages of a Maildir with all its folders; `prefix` begins their keys."""

    def __init__(self, path: str, *, prefix: str = "") -> None:
        self._path = path
        self._prefix = prefix

    @override
    def walk(self, *, headers_only: bool) -> Iterator[LocatedMail]:
        """Yield the messages; an unreadable folder or message yields one `RawMail` with a `problem`."""
        folders = maildir.find_folders(self._path)
        seen: set[int] | None = set() if len(folders) > 1 else None
        for folder in folders:
            keywords = maildir.read_keywords(folder)
            try:
                names = maildir.list_folder(folder)
            except OSError as error:
                key = f"{self._prefix}{folder.name}\0"
                yield unreadable(folder.path, key, f"the folder cannot be read: {reason(error)}")
                continue
            renamed = maildir.RenamedFiles(folder)
            for name, unique in maildir.unique_names(names):
                key = self._prefix + maildir_key(unique, folder, seen)
                yield load_name(folder, name, keywords, key, headers_only=headers_only, renamed=renamed)


def maildir_key(unique: str, folder: MaildirFolder, seen: set[int] | None) -> str:
    """Return a message's key: its unique name, followed by the folder's if another folder already used the name.

    A message therefore keeps its key when it moves to another folder. `seen` collects hashes of the names.
    """
    if seen is None:
        return unique
    mark = hash(unique)
    if mark in seen:
        return f"{unique}\0{folder.name}"
    seen.add(mark)
    return unique


def load_name(
    folder: MaildirFolder,
    name: MaildirFileName,
    keywords: dict[str, str],
    key: str,
    *,
    headers_only: bool,
    renamed: maildir.RenamedFiles | None = None,
) -> LocatedMail:
    """Read the message in a Maildir file, even if another program has renamed it since it was listed."""
    path = _directory(folder.path, name.part) + name.file
    read = read_header if headers_only else _read_whole
    try:
        try:
            blob = read(path)
        except FileNotFoundError:
            now = (renamed or maildir.RenamedFiles(folder)).find(name)
            if now is None:
                raise
            name = now
            path = _directory(folder.path, name.part) + name.file
            blob = read(path)
    except OSError as error:
        return unreadable(path, key, f"the message cannot be read: {reason(error)}")
    if blob.size == 0:
        return unreadable(path, key, "the file is empty")
    found, flags = folder.meaning(name, keywords)
    mail = RawMail(
        path=display(path),
        index=0,
        key=key,
        raw=blob.data,
        size=blob.size,
        labels=found,
        flags=flags,
        modified=blob.modified,
    )
    return LocatedMail(mail, FileLocation(path))


@lru_cache(maxsize=64)
def _directory(folder: str, part: str) -> str:
    return os.path.join(folder, part, "")


def _read_whole(path: str) -> Blob:
    return read_regular(path, MAX_MESSAGE_BYTES)
