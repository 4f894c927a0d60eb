"""Maps a set of labels to a folder, flags and keywords of a Maildir. Entry: `plan_labels`.

A message is in one folder, which gives the label INBOX, SENT, DRAFT, SPAM, TRASH or its own name; the archive gives
none. Flags give UNREAD and STARRED. Every other label is a keyword.
"""

from __future__ import annotations

from dataclasses import dataclass

from gaia_mail.files import labels, maildir
from gaia_mail.files.maildir import MaildirFolder

_EXCLUSIVE_LABELS = (labels.TRASH, labels.SPAM, labels.INBOX, labels.DRAFT, labels.SENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutTarget:
    """The target of a message: the label of its folder, and the fixed flags and keywords in its file name."""

    folder: str
    flags: str
    keywords: tuple[str, ...]


def plan_labels(wanted: frozenset[str], current: str, flags: str, folders: frozenset[str]) -> LayoutTarget:
    """Return the folder and the marks that give a message exactly the labels `wanted`.

    Args:
        wanted: Label ids.
        current: The label of its current folder.
        flags: Its current flag letters; those that do not represent a label are kept.
        folders: Labels that are folders.
    """
    folder = next((label for label in _EXCLUSIVE_LABELS if label in wanted), None)
    if folder is None:
        own = sorted(wanted & folders)
        folder = current if current in own else own[0] if own else labels.ARCHIVE
    letters = {letter for letter in flags if letter.isupper()}
    letters ^= letters & {"S", "F"}
    if labels.UNREAD not in wanted:
        letters.add("S")
    if labels.STARRED in wanted:
        letters.add("F")
    if labels.TRASH not in wanted:
        letters.discard("T")
    if labels.DRAFT not in wanted:
        letters.discard("D")
    marks = wanted - {folder, labels.UNREAD, labels.STARRED}
    if "D" in letters:
        marks -= {labels.DRAFT}
    return LayoutTarget(folder=folder, flags="".join(sorted(letters)), keywords=tuple(sorted(marks)))


def folder_path(root: str, name: str, *, dotted: bool) -> str:
    """Return the directory of a folder: `.Work.Projects` below the root if `dotted` (Maildir++)."""
    if name == "INBOX" and dotted:
        return root
    parts = [part for part in name.split("/") if part]
    if not dotted:
        return "/".join((root, *(maildir.encode_folder(part) for part in parts)))
    escaped = (maildir.encode_folder(part).replace(".", "&AC4-") for part in parts)
    return f"{root}/.{'.'.join(escaped)}"


def uses_dots(root: str, folders: list[MaildirFolder]) -> bool:
    """Return True if new folders follow Maildir++: no folder, INBOX included, is a plain subdirectory."""
    inner = [folder.path.rpartition("/")[2] for folder in folders if folder.path != root]
    return all(name.startswith(".") for name in inner)
