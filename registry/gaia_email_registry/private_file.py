"""Files that only their owner may read, whole or not at all. Entries: `write_private`, `make_private`, `locked`.

A reader never sees half a file, and a crash leaves the old one; two programs that change the same file take
turns by `locked`, and find out by `held` that another one is at work.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from gaia_email_registry.paths import ensure_private_directory


def keep_files_private() -> None:
    """Let no file or directory that this process or its children make be open to others, whatever the umask was.

    For the first line of a program. Modes that are given where a file is made say the same; this also holds for
    libraries, such as SQLite, which give none.
    """
    os.umask(0o077)


def write_private(path: Path, content: bytes) -> None:
    """Replace `path` by `content`, mode 0600, in one step; its directory is made 0700 when it is missing.

    Raises:
        OSError: It cannot be written; the old file is as it was.
    """
    ensure_private_directory(path.parent)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600 by itself
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def write_new_private(path: Path, content: bytes) -> None:
    """Write a file, mode 0600, into a directory that exists; one that was there is replaced in place.

    For many files of a folder that is of no use until all are there; `write_private` also survives a crash.

    Raises:
        OSError: It cannot be written.
    """
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(content)


def make_private(path: Path) -> None:
    """An empty file, mode 0600, in a directory of 0700; one that exists is left as it is and not even opened.

    For databases: whoever closes any descriptor of a file gives up all locks that its process holds on it, those of
    SQLite's open connections too, and then another program deletes the log they write to
    (https://sqlite.org/howtocorrupt.html, 2.2).

    Raises:
        OSError: It cannot be made.
    """
    ensure_private_directory(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


@contextmanager
def locked(path: Path) -> Generator[None, None, None]:
    """Holds the lock file beside `path` meanwhile, against other programs that change `path`.

    Raises:
        OSError: The lock file cannot be made.
    """
    ensure_private_directory(path.parent)
    lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def held(path: Path) -> Generator[str | None, None, None]:
    """Holds the lock file `path` meanwhile, unless another program has it; the system takes it back from one that dies.

    Answers None, or which process has it (`""` where that is not known).

    Raises:
        OSError: The file cannot be made.
    """
    ensure_private_directory(path.parent)
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _other(lock)
    finally:
        os.close(lock)


def _other(lock: int) -> str | None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        process = os.pread(lock, 20, 0).decode("ascii", "replace").strip()
        return process if process.isdigit() else ""
    with suppress(OSError):  # only to name us to others; a full disk need not keep anybody from working
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
    return None


def open_to_others(path: Path) -> bool:
    """Whether anybody but its owner may read or write it, or it belongs to another user.

    Raises:
        OSError: It cannot be looked at.
    """
    found = path.stat()
    return bool(found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)) or found.st_uid not in (os.geteuid(), 0)
