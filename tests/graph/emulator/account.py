"""One account of the emulated Graph: folders, messages, and what delta tells of them. Entry: `Account`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from gaia_mail.mime.scan import scan_headers
from gaia_mail.threads import ThreadIndex
from gaia_mail_mcp.delivery import Delivery, make_ready, without_bcc

WELL_KNOWN = {
    "inbox": "Inbox",
    "archive": "Archive",
    "drafts": "Drafts",
    "sentitems": "Sent Items",
    "deleteditems": "Deleted Items",
    "junkemail": "Junk Email",
}
_FOLDER_OF = {
    "INBOX": "inbox",
    "DRAFT": "drafts",
    "SENT": "sentitems",
    "TRASH": "deleteditems",
    "SPAM": "junkemail",
}


@dataclass(kw_only=True)
class Folder:
    """A folder; `changed` is the position of its last change, `entered` that at which it was made."""

    id: str
    name: str
    parent: str
    well_known: str = ""
    changed: int = 0
    entered: int = 0


@dataclass(kw_only=True)
class Item:
    """A message; `changed` is the position of its last change, `entered` that at which it came into its folder."""

    id: str
    raw: bytes
    folder: str
    conversation: str
    number: int
    read: bool = True
    flagged: bool = False
    important: bool = False
    draft: bool = False
    categories: list[str] = field(default_factory=list[str])
    changed: int = 0
    entered: int = 0
    last: dict[str, int] = field(default_factory=dict[str, int])
    """The position of the last change of each property that changed, by the names above."""


@dataclass(frozen=True, kw_only=True)
class Gone:
    """Something that left a folder (or the mailbox) at a position."""

    position: int
    where: str
    id: str


@dataclass(frozen=True, kw_only=True)
class Since:
    """What a delta token stands for; `known` is up to where its holder had been told everything."""

    where: str
    position: int
    known: int


class Account:
    """A mailbox as Exchange keeps it.

    Args:
        address: Whose it is.
        stable_ids: Whether a message keeps its id when it is moved, as those who ask for immutable ids get it.
        sparse: Whether delta tells of what is known already only what changed of it.
        forgetful: Whether delta tells of a message that left its folder and came back only that it left, as Exchange
            does with ids that last (https://learn.microsoft.com/answers/questions/1257719).
    """

    def __init__(
        self,
        address: str = "me@example.org",
        *,
        stable_ids: bool = True,
        sparse: bool = True,
        forgetful: bool = False,
    ) -> None:
        self.address = address
        self.stable_ids = stable_ids
        self.sparse = sparse
        self.forgetful = forgetful
        self.position = 0
        self.folders: dict[str, Folder] = {}
        self.items: dict[str, Item] = {}
        self.sent: list[bytes] = []
        self.deliveries: list[Delivery] = []
        """The same, with the envelope."""
        self.zone = "W. Europe Standard Time"
        self.on_arrival: Callable[[Item], None] = lambda item: None
        """What the rules of the inbox do with a message that came."""
        self.tokens: dict[str, Since] = {}
        self._gone: list[Gone] = []
        self._threads = ThreadIndex()
        self._made = 0
        self.root = self._new_id("root")
        for well_known, name in WELL_KNOWN.items():
            self.add_folder(name, self.root, well_known)

    def add_folder(self, name: str, parent: str, well_known: str = "") -> Folder:
        """A new folder."""
        folder = Folder(id=self._new_id("F"), name=name, parent=parent, well_known=well_known)
        folder.changed = folder.entered = self._next()
        self.folders[folder.id] = folder
        return folder

    def folder(self, name: str) -> Folder | None:
        """A folder by its id or its well-known name."""
        found = self.folders.get(name)
        return found or next((one for one in self.folders.values() if one.well_known == name.lower()), None)

    def rename_folder(self, folder: Folder, name: str) -> None:
        """Another name for it."""
        folder.name, folder.changed = name, self._next()

    def remove_folder(self, folder: Folder) -> None:
        """Away with it, its folders and its messages."""
        for child in [one for one in self.folders.values() if one.parent == folder.id]:
            self.remove_folder(child)
        for item in [one for one in self.items.values() if one.folder == folder.id]:
            self.remove(item)
        del self.folders[folder.id]
        self._gone.append(Gone(position=self._next(), where="", id=folder.id))

    def put(self, raw: bytes, labels: Sequence[str] = ("INBOX", "UNREAD")) -> Item:
        """A message that came with these labels; what is no system label is a category."""
        place = next((_FOLDER_OF[label] for label in labels if label in _FOLDER_OF), "archive")
        system = {*_FOLDER_OF, "UNREAD", "STARRED", "IMPORTANT"}
        item = self.add(raw, place)
        item.read, item.draft = "UNREAD" not in labels, "DRAFT" in labels
        item.flagged, item.important = "STARRED" in labels, "IMPORTANT" in labels
        item.categories = [label for label in labels if label not in system]
        if place == "inbox":
            self.on_arrival(item)
        return item

    def add(self, raw: bytes, place: str, *, draft: bool = False, read: bool = True) -> Item:
        """A new message in that folder."""
        folder = self.folder(place)
        assert folder is not None
        scan = scan_headers(raw)
        number = len(self._threads)
        self._threads.add(
            number,
            message_id=scan.message_id,
            references=scan.references,
            in_reply_to=scan.in_reply_to,
            subject=scan.subject,
            date=scan.date.timestamp() if scan.date else float(number),
            sender=scan.sender.address if scan.sender else "",
            recipients=[one.address for one in (*scan.to, *scan.cc)],
        )
        item = Item(
            id=self._new_id("A"),
            raw=raw,
            folder=folder.id,
            conversation=f"conv-{self._threads.freeze(number)}",
            number=number,
            draft=draft,
            read=read,
        )
        item.changed = item.entered = self._next()
        self.items[item.id] = item
        return item

    def touch(self, item: Item, change: Callable[[Item], None]) -> None:
        """Change it, which delta will tell."""
        before = replace(item, categories=list(item.categories))
        change(item)
        item.changed = self._next()
        for name in ("raw", "read", "flagged", "important", "draft", "categories"):
            if getattr(item, name) != getattr(before, name):
                item.last[name] = item.changed

    def move(self, item: Item, folder: Folder) -> Item:
        """To another folder."""
        if item.folder != folder.id:
            self._gone.append(Gone(position=self._next(), where=item.folder, id=item.id))
            del self.items[item.id]
            item.id = item.id if self.stable_ids else self._new_id("A")
            item.folder = folder.id
            item.entered = self.position + 1
            self.items[item.id] = item
        item.changed = self._next()
        return item

    def remove(self, item: Item) -> None:
        """Away for good."""
        del self.items[item.id]
        self._gone.append(Gone(position=self._next(), where=item.folder, id=item.id))

    def send(self, item: Item) -> None:
        """A draft leaves; the copy in Sent Items is the same item, and what is for oneself arrives."""
        self.sent.append(without_bcc(item.raw))
        self.deliveries.append(make_ready(item.raw, self.address, "<none@invalid>").delivery)
        sent = self.folder("sentitems")
        assert sent is not None
        item.draft = False
        self.move(item, sent)
        scan = scan_headers(item.raw)
        if self.address in {person.address for person in (*scan.to, *scan.cc)}:
            self.add(without_bcc(item.raw), "inbox", read=False)

    def token(self, where: str, position: int, known: int) -> str:
        """An opaque token for what happened in a folder (in the list of folders: empty) after a position."""
        text = secrets.token_urlsafe(12)
        self.tokens[text] = Since(where=where, position=position, known=known)
        return text

    def news(self, where: str, position: int) -> list[tuple[int, str, bool]]:
        """Position, id and whether it is still there of all that changed, in order."""
        if where:
            there = {one.id: one.changed for one in self.items.values() if one.folder == where}
        else:
            there = {one.id: one.changed for one in self.folders.values()}
        if self.forgetful and where and position:
            left = {one.id for one in self._gone if one.where == where and one.position > position}
            there = {id_: changed for id_, changed in there.items() if id_ not in left}
        found = [(changed, id_, True) for id_, changed in there.items() if changed > position]
        gone: dict[str, int] = {}
        if position:  # who begins is not told of what was there before
            gone = {
                one.id: one.position
                for one in self._gone
                if one.where == where and one.position > position and one.id not in there
            }
        return sorted([*found, *((at, id_, False) for id_, at in gone.items())])

    def _next(self) -> int:
        self.position += 1
        return self.position

    def _new_id(self, kind: str) -> str:
        self._made += 1
        return f"AAMk{kind}-{self._made:04d}_{'aA' if self._made % 2 else 'Aa'}="
