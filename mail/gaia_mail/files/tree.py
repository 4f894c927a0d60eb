"""Walks a folder of mail files of any kind in a fixed order: files first, then subfolders. Entry: `TreeReader`.

A directory may contain `.eml` and `.emlx` files, mboxes, Maildirs, numbered files (MH), or files without an extension
that begin like a message; other files are skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override

from gaia_mail.files import labels, maildir
from gaia_mail.files.location import LocatedMail, MailFileReader
from gaia_mail.files.opening import NotRegular, display, read_regular, reason
from gaia_mail.files.readers import MaildirReader, MboxReader
from gaia_mail.files.single import file_mail, unreadable
from gaia_mail.files.sniff import FileKind, extension_kind, sniff

MAX_DEPTH = 64
SEQUENCES_FILE = ".mh_sequences"

_MH_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_MAX_SEQUENCE = 1_000_000


@dataclass(frozen=True, slots=True)
class _Listing:
    files: list[str]
    directories: list[str]
    sequences: bool


class TreeReader(MailFileReader):
    """The mail in a folder and its subfolders; every key is the path of a file relative to the folder."""

    def __init__(self, root: str) -> None:
        self._root = root

    @override
    def walk(self, *, headers_only: bool) -> Iterator[LocatedMail]:
        """Yield the messages; an unreadable file or folder yields one `RawMail` with a `problem`."""
        yield from self._directory("", headers_only, frozenset(), 0)

    def _directory(
        self, relative: str, headers_only: bool, above: frozenset[tuple[int, int]], depth: int
    ) -> Iterator[LocatedMail]:
        path = os.path.join(self._root, relative) if relative else self._root
        try:
            status = os.stat(path)
            identity = (status.st_dev, status.st_ino)
            if identity in above or depth > MAX_DEPTH:
                return
            if maildir.is_maildir(path):
                prefix = f"{relative}\0" if relative else ""
                yield from MaildirReader(path, prefix=prefix).walk(headers_only=headers_only)
                return
            listing = _list(path)
        except OSError as error:
            yield unreadable(path, f"{relative}\0", f"the folder cannot be read: {reason(error)}")
            return
        label = tree_label(relative)
        flags = mh_flags(path) if listing.sequences else {}
        for name in listing.files:
            yield from self._file(os.path.join(relative, name), name, label, flags, headers_only)
        for name in listing.directories:
            inner = os.path.join(relative, name)
            yield from self._directory(inner, headers_only, above | {identity}, depth + 1)

    def _file(
        self, relative: str, name: str, label: str, mh: dict[str, tuple[str, ...]], headers_only: bool
    ) -> Iterator[LocatedMail]:
        path = os.path.join(self._root, relative)
        kind: FileKind | None = extension_kind(name)
        if kind not in ("message", "emlx"):
            try:
                kind = sniff(path)
            except NotRegular:
                return
            except OSError as error:
                if kind == "mbox":
                    yield unreadable(path, relative, f"the file cannot be read: {reason(error)}")
                return
        if kind == "mbox":
            stem = os.path.splitext(name)[0] if extension_kind(name) else name
            reader = MboxReader(
                path, prefix=f"{relative}\0", label=tree_label(os.path.join(relative, "..", stem))
            )
            yield from reader.walk(headers_only=headers_only)
        elif kind in ("message", "emlx"):
            flags = mh.get(name, (labels.SEEN,))
            yield file_mail(
                path,
                key=relative,
                kind="emlx" if kind == "emlx" else "message",
                headers_only=headers_only,
                label=label,
                flags=flags,
            )


def tree_label(relative: str) -> str:
    """Return the label of a directory or mbox in a tree, based on its name, else INBOX.

    Mail files carry no inbox flag, so all mail under an ordinary name counts as in the inbox.
    """
    for part in reversed(os.path.normpath(relative).split(os.sep)):
        name = part.removesuffix(".mbox").removesuffix(".sbd")
        if name.isdigit() or name in ("Messages", "Data"):
            continue
        special = labels.special_label(display(name))
        return labels.INBOX if special is None else special
    return labels.INBOX


def mh_flags(path: str) -> dict[str, tuple[str, ...]]:
    """Return IMAP flags by file name from an MH folder's sequences; files not in `unseen` are read."""
    try:
        data = read_regular(os.path.join(path, SEQUENCES_FILE), 1024 * 1024).data
    except OSError:
        return {}
    members: dict[str, set[int]] = {}
    for line in data.decode("ascii", "replace").splitlines():
        sequence, _, numbers = line.partition(":")
        found = members.setdefault(sequence.strip(), set())
        for match in _MH_RANGE.finditer(numbers):
            first, last = int(match[1]), int(match[2] or match[1])
            if last - first <= _MAX_SEQUENCE:
                found.update(range(first, last + 1))
    unseen, flagged = members.get("unseen", set()), members.get("flagged", set())
    answered = members.get("replied", set())
    result: dict[str, tuple[str, ...]] = {}
    for number in sorted(unseen | flagged | answered):
        flags = [] if number in unseen else [labels.SEEN]
        flags += [labels.FLAGGED] if number in flagged else []
        flags += [labels.ANSWERED] if number in answered else []
        result[str(number)] = tuple(flags)
    return result


def _list(path: str) -> _Listing:
    files: list[str] = []
    directories: list[str] = []
    sequences = False
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.name == SEQUENCES_FILE:
                sequences = True
            if entry.name.startswith("."):
                continue
            try:
                if entry.is_dir():
                    directories.append(entry.name)
                elif entry.is_file() or entry.is_symlink():
                    files.append(entry.name)
            except OSError:
                files.append(entry.name)
    return _Listing(sorted(files, key=_order), sorted(directories, key=_order), sequences)


def _order(name: str) -> tuple[int, int, str]:
    """Return the sort key of a name: numbers in numeric order (MH), before all other names."""
    return (0, int(name), name) if name.isascii() and name.isdigit() and len(name) < 19 else (1, 0, name)
