"""Opens mail of any kind: a file, a mailbox, a folder of them, standard input. Entry: `open_source`.

Problems with a whole source are raised before anything is read. A problem with one message is reported in its
`RawMail.problem`, and reading continues.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Protocol

from typing_extensions import override

from gaia_email_registry.errors import BadArgument, MailError, NotFound, ProviderError
from gaia_mail.files import labels, maildir
from gaia_mail.files.location import LocatedMail, MailFileReader
from gaia_mail.files.model import MAX_MESSAGE_BYTES, RawMail
from gaia_mail.files.opening import display, header_end, reason
from gaia_mail.files.readers import MaildirReader, MboxReader, walk_mbox
from gaia_mail.files.single import file_mail
from gaia_mail.files.sniff import SNIFF_BYTES, extension_kind, sniff, sniff_bytes
from gaia_mail.files.tree import TreeReader, tree_label
from gaia_mail.files.window import StreamWindow

STANDARD_INPUT = "-"


class MailSource(Protocol):
    """Mail to iterate in a fixed order, one message in memory at a time."""

    @property
    def path(self) -> str:
        """The path as given."""
        ...

    @property
    def once(self) -> bool:
        """True if the source can be read only once (standard input)."""
        ...

    def headers(self) -> Iterator[RawMail]:
        """Yield every message with only its header in `raw`; keys, labels and sizes as in `messages`."""
        ...

    def messages(self) -> Iterator[RawMail]:
        """Yield every message."""
        ...


class FileSource:
    """A file or folder on disk, iterated by `reader`."""

    once = False

    def __init__(self, path: str, reader: MailFileReader) -> None:
        self.path = path
        self.reader = reader

    def headers(self) -> Iterator[RawMail]:
        """Yield every message, with only its header in `raw`."""
        return (located.mail for located in self.reader.walk(headers_only=True))

    def messages(self) -> Iterator[RawMail]:
        """Yield every message."""
        return (located.mail for located in self.reader.walk(headers_only=False))


class StandardInput:
    """One message or an mbox from a pipe. A second pass raises `BadArgument`."""

    path = STANDARD_INPUT
    once = True

    def __init__(self, stream: BinaryIO) -> None:
        self._stream: BinaryIO | None = stream

    def headers(self) -> Iterator[RawMail]:
        """Yield every message, with only its header in `raw`."""
        return self._walk(headers_only=True)

    def messages(self) -> Iterator[RawMail]:
        """Yield every message."""
        return self._walk(headers_only=False)

    def _walk(self, *, headers_only: bool) -> Iterator[RawMail]:
        stream, self._stream = self._stream, None
        if stream is None:
            raise BadArgument("Standard input can be read only once.", argument="path")
        window = StreamWindow(stream)
        beginning = window.at(0, SNIFF_BYTES)
        kind = sniff_bytes(beginning)
        if kind == "empty" and not beginning.strip():
            raise BadArgument("Standard input is empty: pipe a message or an mbox into it.", argument="path")
        if kind == "mbox":
            walk = walk_mbox(window, STANDARD_INPUT, prefix="", label=labels.INBOX, headers_only=headers_only)
            return (located.mail for located in walk)
        if kind == "other":
            raise BadArgument(f"Standard input {_NO_MAIL}", argument="path")
        return iter((_whole(window, headers_only=headers_only),))


class _SingleFile(MailFileReader):
    """Reads a file that contains one message."""

    def __init__(self, path: str, *, emlx: bool) -> None:
        self._path = path
        self._emlx = emlx

    @override
    def walk(self, *, headers_only: bool) -> Iterator[LocatedMail]:
        key = os.path.basename(self._path)
        yield file_mail(
            self._path, key=key, kind="emlx" if self._emlx else "message", headers_only=headers_only
        )


_NO_MAIL = (
    "holds no mail that can be read: it is neither a message (header lines such as `From:`) nor an mbox "
    "(messages that begin with a `From ` line)."
)


def open_source(path: str, *, stdin: BinaryIO | None = None) -> MailSource:
    """Open the mail at a path: a message, an mbox, a Maildir, a folder of any of these, or `-`.

    Args:
        path: As the user wrote it, `~` not yet expanded; `-` is standard input.
        stdin: Stream to read for `-`; the process's own by default.

    Raises:
        NotFound: The path does not exist, or contains no mail.
        BadArgument: The path cannot contain mail.
        ProviderError: Permission to read it is denied.
    """
    if path == STANDARD_INPUT:
        return StandardInput(stdin if stdin is not None else sys.stdin.buffer)
    return FileSource(path, open_reader(path))


def open_reader(path: str) -> MailFileReader:
    """Return the reader for the files at `path`; raises the same errors as `open_source`."""
    real = os.path.expanduser(path)
    try:
        mode = os.stat(real).st_mode
        if stat.S_ISDIR(mode):
            return _folder(real, path)
        if not stat.S_ISREG(mode):
            raise BadArgument(
                f"{display(path)} is a pipe, socket or device. To read a stream, give `-` and redirect it to "
                "standard input.",
                argument="path",
            )
        return _file(real, path)
    except ValueError as error:
        raise BadArgument(f"{display(path)!r} cannot be a path: {error}.", argument="path") from error
    except OSError as error:
        raise path_error(path, error) from error


def path_error(path: str, error: OSError) -> MailError:
    """Return the error for a path that cannot be used at all."""
    shown = display(path)
    if isinstance(error, FileNotFoundError):
        return NotFound(f"{shown} does not exist. Check the path.", argument="path")
    if isinstance(error, PermissionError):
        return ProviderError(
            f"{shown} cannot be read: permission denied. Give this user the right to read it.",
            argument="path",
        )
    return BadArgument(f"{shown} cannot be read: {reason(error)}.", argument="path")


def _folder(real: str, path: str) -> MailFileReader:
    with os.scandir(real):
        pass
    if maildir.is_maildir(real):
        return MaildirReader(real)
    reader = TreeReader(real)
    walk = reader.walk(headers_only=True)
    if next(chain(walk, (None,)), None) is None:
        raise NotFound(
            f"{display(path)} holds no mail: no Maildir, no mbox and no message file was found in it.",
            argument="path",
        )
    return reader


def _file(real: str, path: str) -> MailFileReader:
    kind = sniff(real)
    if kind == "other":
        raise BadArgument(f"{display(path)} {_NO_MAIL}", argument="path")
    if kind in ("mbox", "empty"):
        stem = os.path.basename(real)
        stem = os.path.splitext(stem)[0] if extension_kind(stem) else stem
        return MboxReader(real, label=tree_label(stem))
    return _SingleFile(real, emlx=kind == "emlx")


def _whole(window: StreamWindow, *, headers_only: bool) -> RawMail:
    """Return a stream's content as one message."""
    raw = window.at(0, MAX_MESSAGE_BYTES)
    offset = len(raw)
    while True:
        base, data, last = window.chunk(offset, 0)
        offset = base + len(data)
        window.release(offset)
        if last:
            break
    end = header_end(raw) if headers_only else -1
    return RawMail(
        path=STANDARD_INPUT,
        index=0,
        key=STANDARD_INPUT,
        raw=raw if end < 0 else raw[:end],
        size=offset,
        labels=labels.flag_labels(labels.INBOX, (labels.SEEN,)),
        flags=(labels.SEEN,),
    )
