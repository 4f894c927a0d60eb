"""Changes a Maildir in place, while other programs may do the same. Entry: `MaildirWriter`.

Every change to a message is one `rename`, so a message is never half changed and never lost; a file that another
program has renamed meanwhile is looked up again. Keyword letters are added under Dovecot's own lock.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from typing_extensions import TypedDict  # pydantic needs this one below Python 3.12

from gaia_email_registry.errors import ProviderError
from gaia_email_registry.paths import ensure_private_directory
from gaia_local_mcp.layout import LayoutTarget, folder_path, uses_dots
from gaia_mail.files import labels, maildir
from gaia_mail.files.maildir import MaildirFolder
from gaia_mail.files.opening import display, read_regular, reason

STATE_FILE = ".gaia-email.json"
"""The file for facts that a Maildir cannot store: former folders of trashed messages, and visibility of labels."""

_PARTS = ("tmp", "new", "cur")

MAX_KEYWORDS = 26
_LOCK_FILE = "dovecot-uidlist.lock"
_LOCK_TRIES = 40
_LOCK_PAUSE_S = 0.05
_STALE_LOCK_S = 120.0
_MAX_STATE_BYTES = 16 * 1024 * 1024


class StateFile(TypedDict):
    """The content of the state file."""

    schema_version: int
    origins: dict[str, str]
    visibility: dict[str, dict[str, str]]


class FileGone(Exception):
    """The file is no longer at its path; the folder has to be listed again."""


class MaildirWriter:
    """Renames, adds and removes files of a Maildir; keeps no messages in memory."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._counter = itertools.count(1)

    def move(self, path: str, folder: MaildirFolder, target: MaildirFolder, goal: LayoutTarget) -> str:
        """Move the file at `path` in `folder` to `target` with the marks of `goal`; return its new path.

        Raises:
            FileGone: Another program has renamed or removed the file.
            ProviderError: The folder has no letter left for a keyword, or cannot be locked.
            OSError: The file cannot be moved.
        """
        file = os.path.basename(path)
        unique, flags = maildir.parse_name(file)
        letters = self._letters(folder, target, flags, goal)
        base = _base_of(file) if folder.path == target.path else _without_uid(_base_of(file))
        new = os.path.join(target.path, "cur", f"{base}:2,{letters}")
        if new == path:
            return path
        try:
            if folder.path != target.path and os.path.lexists(new):
                new = os.path.join(target.path, "cur", f"{self.unique_name()}:2,{letters}")
            os.rename(path, new)
        except FileNotFoundError as error:
            raise FileGone(unique) from error
        return new

    def deliver(self, folder: MaildirFolder, raw: bytes, flags: str, *, mark: str = "") -> str:
        """Store a new message by Maildir's rules (sync it in `tmp`, then rename it); return its unique name."""
        unique = self.unique_name(mark)
        temporary = os.path.join(folder.path, "tmp", unique)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            os.rename(temporary, os.path.join(folder.path, "cur", f"{unique},S={len(raw)}:2,{flags}"))
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        return unique

    def unique_name(self, mark: str = "") -> str:
        """Return a name that no other delivery has: time, process, counter, host."""
        now = time.time_ns()
        host = socket.gethostname().replace("/", "-").replace(":", "-").replace(",", "-")[:60] or "localhost"
        micro = now // 1000 % 1_000_000
        return f"{now // 1_000_000_000}.M{micro}P{os.getpid()}Q{next(self._counter)}{mark}.{host}"

    def make_folder(self, name: str, folders: list[MaildirFolder]) -> MaildirFolder:
        """Create a folder, in the layout that the Maildir already has.

        Raises:
            OSError: It cannot be created.
        """
        path = folder_path(self.root, name, dotted=uses_dots(self.root, folders))
        try:
            _make_parts(path)
        except OSError:
            remove_empty(path)  # half a folder would count as an existing one
            raise
        if path != self.root and os.path.basename(path).startswith("."):
            with suppress(OSError), open(os.path.join(path, "maildirfolder"), "xb"):
                pass
        return MaildirFolder(path=path, name=name, label=labels.folder_label(name))

    def folder_for(self, label: str, folders: list[MaildirFolder]) -> MaildirFolder:
        """Return the folder with a label, creating it if necessary."""
        for folder in folders:
            if folder.label == label:
                _make_parts(folder.path)  # its creation may have been interrupted
                return folder
        return self.make_folder(labels.FOLDER_NAMES.get(label, label), folders)

    def rename_keyword(self, folder: MaildirFolder, old: str, new: str | None) -> None:
        """Rename a keyword of a folder; None removes the name from its letter.

        Raises:
            ProviderError: The folder is locked.
            OSError: The file cannot be written.
        """
        with self._lock(folder):
            names = maildir.read_keywords(folder)
            letters = [letter for letter, name in names.items() if name == old]
            if not letters:
                return
            for letter in letters:
                names[letter] = new if new is not None else f"$gaia-unused-{letter}"
            self._write_keywords(folder, names)

    def origins(self) -> dict[str, str]:
        """Return the labels of trashed messages' former folders, by unique name."""
        return self._state()["origins"]

    def remember_origins(self, changes: dict[str, str | None]) -> None:
        """Note the former folders of messages that go to Trash; None deletes a note.

        Raises:
            OSError: The file cannot be read or written; it is unchanged.
        """
        state = self._state_to_change()
        for unique, origin in changes.items():
            if origin is None:
                state["origins"].pop(unique, None)
            else:
                state["origins"][unique] = origin
        self._save(state)

    def visibilities(self) -> dict[str, dict[str, str]]:
        """Return the visibility of labels, by label id."""
        return self._state()["visibility"]

    def remember_visibility(self, label: str, visibility: dict[str, str] | None) -> None:
        """Note the visibility of a label; None deletes the note.

        Raises:
            OSError: As `remember_origins`.
        """
        state = self._state_to_change()
        before = state["visibility"].pop(label, None)
        if visibility is not None:
            state["visibility"][label] = visibility
        if before != visibility:
            self._save(state)

    def _letters(self, folder: MaildirFolder, target: MaildirFolder, flags: str, goal: LayoutTarget) -> str:
        """Return the flag letters for the target folder: fixed flags, existing hidden keywords, wanted keywords."""
        names = maildir.read_keywords(folder)
        kept = {
            names[letter] for letter in flags if letter in names and not maildir.keyword_label(names[letter])
        }
        unnamed = {letter for letter in flags if letter.islower() and letter not in names}
        wanted = sorted(kept | {maildir.keyword_of(label) for label in goal.keywords})
        letters = set(goal.flags) | (unnamed if folder.path == target.path else set[str]())
        if wanted:
            known = {name: letter for letter, name in maildir.read_keywords(target).items()}
            if any(name not in known for name in wanted):
                known = self._add_keywords(target, wanted)
            letters |= {known[name] for name in wanted}
        return "".join(sorted(letters))

    def _add_keywords(self, folder: MaildirFolder, wanted: list[str]) -> dict[str, str]:
        with self._lock(folder):
            names = maildir.read_keywords(folder)
            free = [
                letter for letter in map(chr, range(ord("a"), ord("a") + MAX_KEYWORDS)) if letter not in names
            ]
            for name in wanted:
                if name in names.values():
                    continue
                if not free:
                    raise ProviderError(
                        f"The folder {folder.name} has {MAX_KEYWORDS} labels already; a Maildir folder cannot "
                        "hold more. Delete a label that is not needed.",
                        argument="labels",
                    )
                names[free.pop(0)] = name
            self._write_keywords(folder, names)
            return {name: letter for letter, name in names.items()}

    def _write_keywords(self, folder: MaildirFolder, names: dict[str, str]) -> None:
        lines = "".join(f"{ord(letter) - ord('a')} {names[letter]}\n" for letter in sorted(names))
        _replace(os.path.join(folder.path, maildir.KEYWORDS_FILE), lines.encode())

    @contextmanager
    def _lock(self, folder: MaildirFolder) -> Generator[None]:
        path = os.path.join(folder.path, _LOCK_FILE)
        for _ in range(_LOCK_TRIES):
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
                break
            except FileExistsError:
                with suppress(OSError):
                    if time.time() - os.stat(path).st_mtime > _STALE_LOCK_S:
                        os.unlink(path)
                        continue
                time.sleep(_LOCK_PAUSE_S)
        else:
            raise ProviderError(
                f"Another mail program holds the folder {folder.name} locked; try again soon."
            )
        try:
            yield
        finally:
            with suppress(OSError):
                os.unlink(path)

    def _state(self) -> StateFile:
        try:
            return self._state_to_change()
        except OSError:
            return StateFile(schema_version=1, origins={}, visibility={})

    def _state_to_change(self) -> StateFile:
        """Return the notes. An existing file that cannot be read raises, so that it is not overwritten without them."""
        from pydantic import TypeAdapter, ValidationError

        try:
            data = read_regular(os.path.join(self.root, STATE_FILE), _MAX_STATE_BYTES).data
            return TypeAdapter(StateFile).validate_json(data)
        except (FileNotFoundError, ValidationError):
            return StateFile(schema_version=1, origins={}, visibility={})

    def _save(self, state: StateFile) -> None:
        text = json.dumps(state, sort_keys=True, indent=1)
        _replace(os.path.join(self.root, STATE_FILE), text.encode())


_NEXT = {
    errno.ENOSPC: "Free some space, then do it again.",
    errno.EDQUOT: "Free some space, then do it again.",
    errno.EROFS: "Mount it for writing, then do it again.",
    errno.EACCES: "Give yourself the right to write there, then do it again.",
    errno.EPERM: "Give yourself the right to write there, then do it again.",
    errno.EIO: "Copy your mail to another disk before you go on.",
}


def write_error(error: OSError, what: str) -> ProviderError:
    """Return the error for a failed write: what was not done, why, and what to do next."""
    path = f" ({display(error.filename)})" if isinstance(error.filename, str) else ""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    why = "the disk is full" if full else f"{reason(error)}{path}"
    return ProviderError(f"{what}: {why}. {_NEXT.get(error.errno or 0, '')}".rstrip())


def remove_empty(path: str) -> None:
    """Remove an empty folder of a Maildir; parts that contain anything stay."""
    for name in (maildir.KEYWORDS_FILE, "maildirfolder"):
        with suppress(OSError):
            os.unlink(os.path.join(path, name))
    for part in (*_PARTS, ""):
        with suppress(OSError):
            os.rmdir(os.path.join(path, part) if part else path)


def _make_parts(path: str) -> None:
    for part in _PARTS:
        ensure_private_directory(Path(path) / part)


def _base_of(file: str) -> str:
    base, separator, _ = file.partition(":2,")
    if separator:
        return base
    cut = len(file) - len(maildir.parse_name(file)[1])
    return file[: cut - 3] if file[cut - 3 : cut] in ("!2,", ";2,") else file.partition(":")[0]


def _without_uid(base: str) -> str:
    """Remove the UID of mbsync and OfflineIMAP, which differs in another folder."""
    return ",".join(part for part in base.split(",") if not part.startswith(("U=", "FMD5=")))


def _replace(path: str, data: bytes) -> None:
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise
