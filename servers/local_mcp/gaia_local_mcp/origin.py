"""Lists messages for the index: a Maildir folder by folder, other files all at once.

Entries: `MaildirOrigin`, `FilesOrigin`. An origin reports which of its units have changed since the last call, by
modification times, and lists a unit without reading messages that are already known.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from typing_extensions import override

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.files import maildir
from gaia_mail.files.maildir import MaildirFolder
from gaia_mail.files.model import RawMail
from gaia_mail.files.opening import display
from gaia_mail.files.read import open_reader, path_error
from gaia_mail.files.readers import load_name

_NO_FOLDER = "is not a folder, but a Maildir is one. For an mbox file give --mbox, for a message file --eml."
_NO_MAILDIR = (
    "is not a Maildir: no folder in it has `cur` and `new`. For a folder of other mail files give --eml."
)
_SETTLED_NS = 100_000_000
_COARSE_SETTLED_NS = 2_100_000_000


class Sighting(NamedTuple):
    """A message in a listing. `keys` are its possible keys, the preferred one first."""

    keys: tuple[str, ...]
    directory: str
    file: str
    start: int
    length: int
    labels: tuple[str, ...]
    flags: tuple[str, ...]
    header: Callable[[], RawMail]
    """Reads the header; called only for messages that are not known yet."""


class Origin(Protocol):
    """A source of messages for an index."""

    def changed_units(self) -> tuple[list[str], list[str]]:
        """Return the units to list again and those that are gone; the first call returns all units.

        Raises:
            MailError: The source as a whole cannot be read.
        """
        ...

    def sightings(self, unit: str) -> Iterator[Sighting]:
        """Yield the messages of a unit, in the source's order."""
        ...

    def sighting(self, path: str) -> tuple[str, Sighting] | None:
        """Return unit and message of a listed file; None if its name alone does not identify them."""
        ...

    def afresh(self) -> Origin | None:
        """Return an unused origin for the same source; None if listing it means reading it."""
        ...

    def paths_to_watch(self) -> list[str]:
        """Return the directories to watch for changes."""
        ...

    @property
    def nested(self) -> bool:
        """True if subdirectories must be watched as well."""
        ...


class MaildirOrigin(Origin):
    """A Maildir; its units are the paths of its folders."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.folders: dict[str, MaildirFolder] = {}
        self._stamps: dict[str, tuple[int, ...]] = {}
        self._keywords: dict[str, dict[str, str]] = {}

    @override
    def changed_units(self) -> tuple[list[str], list[str]]:
        try:
            with os.scandir(self.root) as entries:
                is_empty = next(entries, None) is None
        except NotADirectoryError:
            raise BadArgument(f"{display(self.root)} {_NO_FOLDER}", argument="path") from None
        except OSError as error:
            raise path_error(self.root, error) from error
        found = {folder.path: folder for folder in maildir.find_folders(self.root)}
        if not (found or self.folders or is_empty):
            raise NotFound(f"{display(self.root)} {_NO_MAILDIR}", argument="path")
        gone = [path for path in self.folders if path not in found]
        for path in gone:
            self._stamps.pop(path, None)
        self.folders = {
            path: self.folders[path] if self.folders.get(path) == folder else folder
            for path, folder in found.items()
        }
        changed: list[str] = []
        for path in self.folders:
            stamp, settled = _stamp(path)
            if self._stamps.get(path) != stamp:
                changed.append(path)
            self._stamps[path] = stamp if settled else ()
        return changed, gone

    @property
    @override
    def nested(self) -> bool:
        return True

    @override
    def afresh(self) -> MaildirOrigin:
        return MaildirOrigin(self.root)

    def keywords(self, path: str) -> dict[str, str]:
        """Return keyword names by letter, as of the folder's last listing."""
        return self._keywords.get(path, {})

    def all_keywords(self) -> list[str]:
        """Return every keyword of every folder, sorted."""
        return sorted({name for names in self._keywords.values() for name in names.values()})

    @override
    def sightings(self, unit: str) -> Iterator[Sighting]:
        folder = self.folders[unit]
        keywords = maildir.read_keywords(folder)
        if self._keywords.get(unit) != keywords:
            folder.forget_meanings()
            self._keywords[unit] = keywords
        directories = {part: os.path.join(folder.path, part) for part in ("cur", "new")}
        sight = self._sight_in(folder, keywords)
        for name, unique in maildir.unique_names(maildir.list_folder(folder)):
            yield sight(name, unique, directories[name.part])

    @override
    def sighting(self, path: str) -> tuple[str, Sighting] | None:
        directory, file = os.path.split(path)
        unit, part = os.path.split(directory)
        folder = self.folders.get(unit)
        if folder is None:
            return None
        name = maildir.MaildirFileName(file, part, *maildir.parse_name(file))
        return unit, self._sight_in(folder, self.keywords(unit))(name, name.unique, directory)

    def _sight_in(
        self, folder: MaildirFolder, keywords: dict[str, str]
    ) -> Callable[[maildir.MaildirFileName, str, str], Sighting]:
        renamed = maildir.RenamedFiles(folder)

        def sight(name: maildir.MaildirFileName, unique: str, directory: str) -> Sighting:
            labels, flags = folder.meaning(name, keywords)

            def header() -> RawMail:
                return load_name(folder, name, keywords, unique, headers_only=True, renamed=renamed).mail

            keys = (unique, f"{unique}\0{folder.name}")
            return Sighting(keys, directory, name.file, 0, -1, labels, flags, header)

        return sight

    @override
    def paths_to_watch(self) -> list[str]:
        return [self.root]


class FilesOrigin(Origin):
    """Any other file or folder; it is a single unit, listed again if anything in it has changed."""

    def __init__(self, path: str) -> None:
        self.root = os.path.expanduser(path)
        self._stamp: tuple[int, ...] = ()

    @override
    def changed_units(self) -> tuple[list[str], list[str]]:
        try:
            stamp, settled = _tree_stamp(self.root)
        except OSError as error:
            raise path_error(self.root, error) from error
        if self._stamp and stamp == self._stamp:
            return [], []
        self._stamp = stamp if settled else ()
        return [self.root], []

    @override
    def sightings(self, unit: str) -> Iterator[Sighting]:
        """Yield the messages; an empty folder is an empty mailbox."""
        if os.path.isdir(unit) and not os.listdir(unit):
            return
        # Only a listing that reaches its end counts as seen, so that the next call reports a failure again.
        stamp, self._stamp = self._stamp, ()
        for mail, location in open_reader(unit).walk(headers_only=True):
            directory, file = os.path.split(location.path)
            length = location.length if location.quoted or location.start else -1
            found = (directory, file, location.start, length, mail.labels, mail.flags)
            yield Sighting((mail.key,), *found, _constant(mail))
        self._stamp = stamp

    @override
    def sighting(self, path: str) -> None:
        """Return None: a file may contain many messages."""

    @override
    def afresh(self) -> None:
        """Return None: listing the files means reading them."""

    @override
    def paths_to_watch(self) -> list[str]:
        return [self.root if self.nested else os.path.dirname(os.path.abspath(self.root))]

    @property
    @override
    def nested(self) -> bool:
        return os.path.isdir(self.root)


def _constant(mail: RawMail) -> Callable[[], RawMail]:
    return lambda: mail


def _stamp(folder: str) -> tuple[tuple[int, ...], bool]:
    return _settle(
        [os.path.join(folder, name) for name in ("cur", "new", maildir.KEYWORDS_FILE)],
    )


def _settle(paths: list[str]) -> tuple[tuple[int, ...], bool]:
    """Return modification times, and True if they are old enough that any later change must alter them.

    File systems count time in ticks (4 ms on Linux, up to 2 s elsewhere). Of two changes within one tick the second
    leaves no trace, so a recent time is not trusted in the next check.
    """
    now = time.time_ns()
    stamp: list[int] = []
    settled = True
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            stamp += (0, 0)
            continue
        stamp += (status.st_mtime_ns, status.st_size if not os.path.isdir(path) else status.st_ino)
        age = now - status.st_mtime_ns
        tick = _COARSE_SETTLED_NS if status.st_mtime_ns % 1_000_000_000 == 0 else _SETTLED_NS
        settled = settled and not 0 <= age < tick
    return tuple(stamp), settled


def _tree_stamp(root: str) -> tuple[tuple[int, ...], bool]:
    os.stat(root)
    if not os.path.isdir(root):
        return _settle([root])
    directories = [path for path, _, _ in os.walk(root)]
    files: list[str] = []
    for directory in directories:
        with os.scandir(directory) as entries:
            files += [entry.path for entry in entries if entry.name.endswith((".mbox", ".mbx"))]
    return _settle(sorted(directories) + sorted(files))
