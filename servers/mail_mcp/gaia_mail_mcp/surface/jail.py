"""Reads and writes files in one directory each, and nowhere else. Entries: `save`, `load`.

Filenames are untrusted: a name with `..`, separators, control characters or a link cannot leave the directory, and
existing files are never overwritten.
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
"""Largest total size of a message's attachments, which is Gmail's limit."""

_FLAGS = {"savePath": "--download-dir", "attachments": "--attachment-dir"}
"""Flags that set the directory for an argument."""

_MAX_NAME_BYTES = 200
_MAX_NUMBER = 1_000
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def save(directory: Path | None, below: str | None, filename: str, content: bytes) -> Path:
    """Write `content` under an unused name in `directory`, or its subfolder `below`; return the path.

    Raises:
        NeedsApproval: No download directory is configured, or `below` is outside it.
        BadArgument: The folder cannot be created or written to.
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
    """Resolve `given`, absolute or relative to `base`, following links; refuse a path outside `base`."""
    path = (base / Path(given).expanduser()).resolve()
    if path != base and base not in path.parents:
        raise NeedsApproval(
            f"{argument} must be inside {base}.",
            argument=argument,
            hint=f"Start the server with {_FLAGS[argument]} to say that it may be elsewhere.",
        )
    return path


def bare_name(filename: str) -> str:
    """Return the name without directories, control characters or leading dots, short enough for any file system."""
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
    """Return the names and contents of files to attach, all regular files in `directory`.

    Raises:
        NeedsApproval: No attachment directory is configured, or a path is outside it.
        NotFound: A file does not exist.
        BadArgument: A file is not regular or cannot be read, or the files are too large in total.
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
        content = _read(_locate(base, given), given, MAX_OUTGOING_BYTES - total)
        total += len(content)
        loaded.append((bare_name(given), content))
    return loaded


def _locate(base: Path, given: str) -> Path:
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
