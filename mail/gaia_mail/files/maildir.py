"""The Maildir layout: folders and file names.

Entries: `find_folders`, `list_folder`, `is_maildir`, `parse_name`.

A Maildir folder is a directory with `cur` and `new`. Subfolders are either Maildir++ (`.Work.Projects`, as in Dovecot
and Courier) or plain directories (`Work/Projects`, as in mbsync and OfflineIMAP). File names are `unique:2,FLAGS`;
capital flags are fixed (D F P R S T), small letters are keywords named in the folder's `dovecot-keywords`.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from gaia_mail.files import labels
from gaia_mail.files.opening import read_regular

MAX_DEPTH = 24
KEYWORDS_FILE = "dovecot-keywords"

_PARTS = ("cur", "new")
_INTERNAL = frozenset({"cur", "new", "tmp"})
_INTERNAL_KEYWORDS = frozenset({"junk", "nonjunk", "notjunk", "forwarded", "redirected", "mdnsent"})
_INFO = re.compile(r"^(.+?)[:!;]([12],[^:!;/]*)$")
_SHIFTED = re.compile(r"&([A-Za-z0-9+,]{0,400})-")
_NOT_ATOM = re.compile(r"[^!#$+,\-./0-9:;<=>?@A-Z\[^_`a-z|~]+")
_FLAGS = {"D": labels.DRAFT_FLAG, "F": labels.FLAGGED, "R": labels.ANSWERED, "S": labels.SEEN}


class MaildirFileName(NamedTuple):
    """A file in a folder: the file name, `cur` or `new`, its stable part and its flag letters."""

    file: str
    part: str
    unique: str
    flags: str


MeaningKey: TypeAlias = tuple[str, str]
Meaning: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
Meanings: TypeAlias = dict[MeaningKey, Meaning]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaildirFolder:
    """A Maildir folder. `name` is `INBOX` or the path of names joined with `/`; `label` as in `folder_label`."""

    path: str
    name: str
    label: str
    _meanings: Meanings = field(default_factory=dict[MeaningKey, Meaning], repr=False, compare=False)

    def meaning(self, name: MaildirFileName, keywords: dict[str, str]) -> Meaning:
        """Return the labels and IMAP flags of a file in this folder; files with equal flags share the tuples."""
        key = (name.part, name.flags)
        known = self._meanings.get(key)
        if known is None:
            known = self._meanings[key] = _meaning(self.label, name, keywords)
        return known

    def forget_meanings(self) -> None:
        """Clear the cache after the folder's keywords have changed."""
        self._meanings.clear()


def is_maildir(path: str) -> bool:
    """Return True if a directory is a Maildir, or the root of one whose INBOX is a plain subdirectory."""
    if _is_folder(path):
        return True
    for name in _directories(path, links=True):
        inner = os.path.join(path, name)
        if name.casefold() == "inbox" and _is_folder(inner):
            return True
    return False


def find_folders(root: str) -> list[MaildirFolder]:
    """Return the folders of a Maildir, INBOX first, then by name. Links are followed, each directory once."""
    found: dict[str, str] = {}
    _collect(root, (), found, set())
    names = frozenset(found.values())
    folders = [MaildirFolder(path=path, name=name, label=_label(name, names)) for path, name in found.items()]
    return sorted(folders, key=lambda folder: (folder.label != labels.INBOX, folder.name, folder.path))


def list_folder(folder: MaildirFolder) -> Iterator[MaildirFileName]:
    """Iterate over the messages of a folder, sorted by unique name (oldest first with most programs).

    All names are read before the first is returned, and kept as plain strings: a large folder costs a few hundred bytes
    per message.

    Raises:
        OSError: A directory cannot be read; a missing one counts as empty.
    """
    files: list[str] = []
    for number, part in enumerate(_PARTS):
        try:
            with os.scandir(os.path.join(folder.path, part)) as entries:
                files += [
                    f"{number}{e.name}"
                    for e in entries
                    if not e.name.startswith(".") and not _is_directory(e)
                ]
        except FileNotFoundError:
            continue
    # Two stable sorts: a single sort by (unique name, file) would build a tuple for every message.
    files.sort(key=_without_part)
    files.sort(key=_unique)
    return (MaildirFileName(file[1:], _PARTS[int(file[0])], *parse_name(file[1:])) for file in files)


def _without_part(numbered: str) -> str:
    return numbered[1:]


def _unique(numbered: str) -> str:
    return parse_name(numbered[1:])[0]


def parse_name(file: str) -> tuple[str, str]:
    """Return the permanent part of a file name, and its flag letters.

    The text after the first comma of the base name (`,S=` size, `,U=` UID) changes when a message moves.
    """
    base, separator, flags = file.partition(":2,")
    if not separator:
        match = _INFO.match(file)
        base, flags = (match[1], match[2][2:] if match[2][0] == "2" else "") if match else (file, "")
    comma = base.find(",")
    return (base[:comma] if comma > 0 else base), flags


def read_keywords(folder: MaildirFolder) -> dict[str, str]:
    """Return keyword names by letter from `dovecot-keywords`; empty if there is no such file."""
    try:
        data = read_regular(os.path.join(folder.path, KEYWORDS_FILE), 64 * 1024).data
    except OSError:
        return {}
    found: dict[str, str] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        number, _, name = line.partition(" ")
        if number.isascii() and number.isdigit() and int(number) < 26 and name.strip():
            found[chr(ord("a") + int(number))] = name.strip()
    return found


def decode_folder(name: str) -> str:
    """Decode a folder name from modified UTF-7 (RFC 3501 §5.1.3); names in any other form stay unchanged."""
    if "&" not in name:
        return name

    def decode_run(match: re.Match[str]) -> str:
        if not match[1]:
            return "&"
        padded = match[1].replace(",", "/") + "=" * (-len(match[1]) % 4)
        try:
            return base64.b64decode(padded).decode("utf-16-be")
        except ValueError:
            return match[0]

    return _SHIFTED.sub(decode_run, name)


def encode_folder(name: str) -> str:
    """Encode a folder name in modified UTF-7, as Maildir++ stores it on disk."""

    def encode_run(match: re.Match[str]) -> str:
        if match[0] == "&":
            return "&-"
        coded = base64.b64encode(match[0].encode("utf-16-be")).decode("ascii").rstrip("=")
        return f"&{coded.replace('/', ',')}-"

    return re.sub(r"&|[^ -~]+", encode_run, name)


def encode_keyword(text: str) -> str:
    """Encode characters that a keyword cannot contain, in the same coding as folder names."""
    coded = base64.b64encode(text.encode("utf-16-be", "surrogatepass")).decode("ascii").rstrip("=")
    return f"&{coded.replace('/', ',')}-"


def keyword_of(label: str) -> str:
    """Return the IMAP keyword for a label: an atom (RFC 9051 §9), whatever the label's name."""
    if label == labels.IMPORTANT:
        return "$Important"
    return _NOT_ATOM.sub(lambda match: encode_keyword(match[0]), label)


def keyword_label(keyword: str) -> str:
    """Return the label for a keyword; empty for keywords that mail programs use internally."""
    if keyword.lower() == "$important":
        return labels.IMPORTANT
    if keyword.startswith(("$", "\\")) or keyword.lower() in _INTERNAL_KEYWORDS:
        return ""
    return decode_folder(keyword)


class RenamedFiles:
    """Finds files that other programs have renamed (to change flags) since the folder was listed."""

    MAX_LISTINGS = 32

    def __init__(self, folder: MaildirFolder) -> None:
        self._folder = folder
        self._names: dict[str, MaildirFileName] = {}
        self._listings = 0

    def find(self, gone: MaildirFileName) -> MaildirFileName | None:
        """Return the current name of `gone`; None if the file has left this folder.

        The folder is listed again only if needed, and a bounded number of times.
        """
        known = self._names.get(gone.unique)
        if (known is None or known == gone) and self._listings < self.MAX_LISTINGS:
            self._listings += 1
            self._names = {name.unique: name for name in list_folder(self._folder)}
            known = self._names.get(gone.unique)
        return None if known == gone else known


def unique_names(names: Iterable[MaildirFileName]) -> Iterator[tuple[MaildirFileName, str]]:
    """Yield each name with its key within the folder; a second file with the same unique name gets a number."""
    previous, count = "", 0
    for name in names:
        count = count + 1 if name.unique == previous else 0
        previous = name.unique
        yield name, f"{name.unique}\0{count}" if count else name.unique


def _is_folder(path: str) -> bool:
    return all(os.path.isdir(os.path.join(path, part)) for part in _PARTS)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _directories(path: str, *, links: bool) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return sorted(e.name for e in entries if _is_directory(e) and (links or not e.is_symlink()))
    except OSError:
        return []


def _collect(path: str, name: tuple[str, ...], found: dict[str, str], seen: set[tuple[int, int]]) -> None:
    try:
        status = os.stat(path)
    except OSError:
        return
    if (status.st_dev, status.st_ino) in seen or len(name) > MAX_DEPTH:
        return
    seen.add((status.st_dev, status.st_ino))
    if any(os.path.isdir(os.path.join(path, part)) for part in _PARTS):
        found[path] = "/".join(name) or labels.INBOX
    for child in _directories(path, links=True):
        if child in _INTERNAL:
            continue
        inner = os.path.join(path, child)
        if not child.startswith("."):
            _collect(inner, (*name, decode_folder(child)), found, seen)
        elif any(os.path.isdir(os.path.join(inner, part)) for part in _PARTS):
            parts = tuple(decode_folder(part) for part in child[1:].split(".") if part)
            _collect(inner, (*name, *parts), found, seen)


def _label(name: str, folders: frozenset[str]) -> str:
    """Return a folder's label. A special name counts at the top, and below directories without mail of their own."""
    if labels.special_label(name) is not None:
        return labels.folder_label(name)
    parent, _, last = name.rpartition("/")
    special = labels.special_label(last)
    return name if special is None or not parent or parent in folders else special


def _meaning(label: str, name: MaildirFileName, keywords: dict[str, str]) -> Meaning:
    flags = tuple(_FLAGS[letter] for letter in name.flags if letter in _FLAGS)
    if "T" in name.flags:
        label = labels.TRASH
    found = list(labels.flag_labels(label, flags))
    for letter in name.flags:
        keyword = keyword_label(keywords.get(letter, ""))
        if keyword and keyword not in found:
            found.append(keyword)
    return tuple(found), flags
