"""Files in and out, below one directory each and nowhere else. Entries: `save`, `load`.

Names come from strangers: a name with `..`, a separator, a control character or a link leads nowhere but
into the directory, and nothing that exists is overwritten.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from gaia_email_registry.paths import ensure_private_directory
from gaia_mail_mcp import convention

MAX_OUTGOING_BYTES = 25_000_000
"""All attachments of a message together; what Gmail accepts."""

_FLAGS = {"savePath": "--download-dir", "attachments": "--attachment-dir"}
"""What moves the directory that an argument is kept in."""

_MAX_NAME_BYTES = 200
_MAX_NUMBER = 1_000
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def save(directory: Path | None, below: str | None, filename: str, content: bytes) -> Path:
    """Write `content` under a new name in `directory`, or in the folder `below` of it; the path it got.

    Raises:
        NeedsApproval: No download directory is configured, or `below` leads out of it.
        BadArgument: The folder cannot be made or written to.
    """
    if directory is None:
        raise NeedsApproval(
            "Saving attachments is switched off on this server.",
            hint="Start it with --download-dir to say where they may go.",
        )
    try:
        base = _made(directory)
        folder = base if not below else _inside(base, below, "savePath")
        if folder != base:
            ensure_private_directory(folder)
            folder = _inside(base, str(folder), "savePath")
        return _write_new(folder, bare_name(filename), content)
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadArgument(f"it cannot be saved there ({reason}).", argument="savePath") from None


def _made(directory: Path) -> Path:
    ensure_private_directory(directory)
    return directory.resolve()


def _inside(base: Path, given: str, argument: str) -> Path:
    """`given`, relative to `base` or absolute, with links followed; refused when that is outside."""
    path = (base / Path(given).expanduser()).resolve()
    if path != base and base not in path.parents:
        raise NeedsApproval(
            f"{argument} must be inside {base}.",
            argument=argument,
            hint=f"Start the server with {_FLAGS[argument]} to say that it may be elsewhere.",
        )
    return path


def bare_name(filename: str) -> str:
    """A name without directories, control characters or leading dots, short enough for any file system."""
    last = filename.replace("\\", "/").rpartition("/")[2]
    name = "".join(c for c in last if c.isprintable() and c not in '<>:"|?*').strip().lstrip(".").strip()
    stem, dot, suffix = (name or "attachment").rpartition(".")
    if not dot or len(suffix.encode()) > 20:
        stem, suffix = name or "attachment", ""
    return _cut(stem, _MAX_NAME_BYTES - len(suffix.encode()) - 1) + (f".{suffix}" if suffix else "")


def _cut(text: str, size: int) -> str:
    return text.encode(errors="replace")[:size].decode(errors="ignore")


def _write_new(folder: Path, name: str, content: bytes) -> Path:
    for path in _candidates(folder, name):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        return path
    raise BadArgument(f"there are {_MAX_NUMBER} files of that name already.", argument="filename")


def _candidates(folder: Path, name: str) -> Iterator[Path]:
    yield folder / name
    stem, suffix = Path(name).stem, Path(name).suffix
    for number in range(1, _MAX_NUMBER):
        yield folder / f"{stem} ({number}){suffix}"


def load(directory: Path | None, paths: list[str]) -> list[tuple[str, bytes]]:
    """Names and contents of files to attach, each a regular file in `directory`.

    Raises:
        NeedsApproval: No attachment directory is configured, or a path leads out of it.
        NotFound: A file does not exist.
        BadArgument: One is not a regular file or cannot be read, or together they are too large.
    """
    if not paths:
        return []
    if directory is None:
        raise NeedsApproval(
            "No file can be attached: this server was not told which folder files may come from.",
            argument="attachments",
            hint="Start it with --attachment-dir FOLDER, and keep only files there that may be sent.",
        )
    base = directory.expanduser().resolve()
    loaded: list[tuple[str, bytes]] = []
    total = 0
    for given in paths:
        content = _read(_located(base, given), given, MAX_OUTGOING_BYTES - total)
        total += len(content)
        loaded.append((bare_name(given), content))
    return loaded


def _located(base: Path, given: str) -> Path:
    try:
        return _inside(base, given, "attachments")
    except (OSError, ValueError, RuntimeError):
        raise NotFound(convention.file_missing(given), argument="attachments") from None


def _read(path: Path, given: str, room: int) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise NotFound(convention.file_missing(given), argument="attachments") from None
    except OSError as error:
        raise BadArgument(
            f"{convention.one_line(given)} cannot be read ({error.strerror}).", argument="attachments"
        ) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadArgument(f"{convention.one_line(given)} is not a file.", argument="attachments")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(room + 1)
    if len(content) > room:
        limit = MAX_OUTGOING_BYTES // 1_000_000
        raise BadArgument(f"The attachments are larger than {limit} MB together.", argument="attachments")
    return content
