r"""Gmail's idea of IMAP for the scripted server: every message once, folders as views by label. Entry: `GmailStore`.

After Google's description of its extensions: what is in All Mail has labels (X-GM-LABELS); a folder shows what
carries its label. Only Spam and Trash are other places. Expunging elsewhere takes a label off and removes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.mail_servers.scripted_store import Box, Kept, Store

CAPABILITIES = (
    "IMAP4rev1",
    "UNSELECT",
    "IDLE",
    "ID",
    "X-GM-EXT-1",
    "UIDPLUS",
    "MOVE",
    "CONDSTORE",
    "SPECIAL-USE",
)

ALL, DRAFTS, SENT, SPAM, TRASH = (
    f"[Gmail]/{name}" for name in ("All Mail", "Drafts", "Sent Mail", "Spam", "Trash")
)
_ROLES = {ALL: "All", DRAFTS: "Drafts", SENT: "Sent", SPAM: "Junk", TRASH: "Trash"}
_LABELS = {"INBOX": "\\Inbox", DRAFTS: "\\Draft", SENT: "\\Sent"}
_SHUT = (SPAM, TRASH)
_RESERVED = {"inbox", "sent", "drafts", "draft", "spam", "trash", "starred", "important", "chats", "all mail"}


class GmailStore(Store):
    """Gmail's labels as folders; a new user label is a new folder."""

    def __init__(self) -> None:
        super().__init__()
        for name, role in _ROLES.items():
            self.create(name, role)

    def append(self, message: Kept, folder: str) -> int:
        """Store a message with the folder's label; the UID it has there."""
        if folder in _SHUT:
            return super().append(message, folder)
        if folder != ALL:
            message.labels.add(_label(folder))
        self.boxes[ALL].add(message)
        self.note(message)
        return next(uid for uid, kept in self.boxes[folder].messages.items() if kept is message)

    def copy(self, uids: Sequence[int], source: str, target: str) -> None:
        """A label more; into and out of Spam and Trash it is a move."""
        for kept in [self.boxes[source].messages[uid] for uid in uids]:
            if target in _SHUT:
                kept.labels.discard("\\Inbox")
                for box in self.boxes.values():
                    _drop(box, kept)
                self.boxes[target].add(kept)
            else:
                for name in _SHUT:
                    _drop(self.boxes[name], kept)
                if target != ALL:
                    kept.labels.add(_label(target))
                if all(other is not kept for other in self.boxes[ALL].messages.values()):
                    self.boxes[ALL].add(kept)
            self.note(kept)

    def move(self, uids: Sequence[int], source: str, target: str) -> None:
        """Another label instead of this one."""
        messages = [self.boxes[source].messages[uid] for uid in uids]
        self.copy(uids, source, target)
        for kept in messages if source not in (ALL, *_SHUT) and target not in _SHUT else ():
            kept.labels.discard(_label(source))
            self.note(kept)

    def expunge(self, uids: Sequence[int], folder: str) -> None:
        """Gone for good from Spam and Trash; elsewhere a label less."""
        if folder in _SHUT:
            super().expunge(uids, folder)
            return
        for kept in [self.boxes[folder].messages[uid] for uid in uids]:
            kept.flags.discard("\\Deleted")
            kept.labels.discard(_label(folder))
            self.note(kept)

    def note(self, message: Kept) -> None:
        """Show the message where its labels say, and nowhere else."""
        if any(kept is message for kept in self.boxes[ALL].messages.values()):
            for label in message.labels:
                if not label.startswith("\\") and label not in self.boxes:
                    self.create(label)
            for name, box in self.boxes.items():
                if name in (ALL, *_SHUT):
                    continue
                shown = any(kept is message for kept in box.messages.values())
                if shown and _label(name) not in message.labels:
                    _drop(box, message)
                elif not shown and _label(name) in message.labels:
                    box.add(message)
        super().note(message)

    def refuses(self, folder: str) -> bool:
        """Names of Gmail's own labels are not to be had."""
        return folder.lower() in _RESERVED or super().refuses(folder)


def _label(folder: str) -> str:
    return _LABELS.get(folder, folder)


def _drop(box: Box, message: Kept) -> None:
    for uid in [uid for uid, kept in box.messages.items() if kept is message]:
        del box.messages[uid]
