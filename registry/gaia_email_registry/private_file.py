"""Files that only their owner may read, written atomically. Entries: `write_private`, `make_private`, `lock_file`.

A reader never sees a partial file, and a crash leaves the old one. Two programs that change the same file take turns
with `lock_file`, and detect each other with `try_lock_file`.
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
    """Restrict every file and directory that this process or its children create to the owner, whatever the umask was.

    For the first line of a program. Code that passes modes does so anyway; this also covers libraries, such as SQLite,
    that pass none.
    """
    os.umask(0o077)


def write_private(path: Path, content: bytes) -> None:
    """Replace `path` by `content` atomically, mode 0600; a missing directory is created with mode 0700.

    Raises:
        OSError: The file cannot be written; the old one is unchanged.
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
    """Write a file, mode 0600, to an existing directory; an existing file is overwritten in place.

    For the many files of a folder that is useless until it is complete; `write_private` also survives a crash.

    Raises:
        OSError: The file cannot be written.
    """
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(content)


def make_private(path: Path) -> None:
    """Create an empty file, mode 0600, in a directory of mode 0700; an existing file is not even opened.

    For databases: a process that closes any descriptor of a file loses all its locks on it, including those of SQLite's
    open connections, and another program may then delete the log they write to (https://sqlite.org/howtocorrupt.html,
    2.2).

    Raises:
        OSError: The file cannot be created.
    """
    ensure_private_directory(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


@contextmanager
def lock_file(path: Path) -> Generator[None, None, None]:
    """Acquire the lock file of `path`, waiting for other programs that change `path`.

    Raises:
        OSError: The lock file cannot be created.
    """
    ensure_private_directory(path.parent)
    lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def try_lock_file(path: Path) -> Generator[str | None, None, None]:
    """Try to acquire the lock file `path`; the system releases it if the process dies.

    Yields None on success, else the ID of the process that has it (`""` if unknown).

    Raises:
        OSError: The file cannot be created.
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
    with suppress(OSError):  # only informs other processes; a full disk need not stop the work
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
    return None


def open_to_others(path: Path) -> bool:
    """Return True if users other than its owner may read or write the file, or another user owns it.

    Raises:
        OSError: The file cannot be examined.
    """
    found = path.stat()
    return bool(found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)) or found.st_uid not in (os.geteuid(), 0)
