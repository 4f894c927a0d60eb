r"""Appends messages to folders, each exactly once. Entry: `Filer`.

If the connection breaks before the answer, the folder is checked before anything is repeated. A sent message that could
not be saved in Sent is kept in the index's notes and saved when the server can be reached again.
"""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable

from gaia_email_registry.errors import MailError, ProviderError
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.writer import Writer
from gaia_imap_mcp.index.views import carrying, rows
from gaia_imap_mcp.protocol.arguments import flag_list
from gaia_imap_mcp.protocol.errors import CommandRefused, ConnectionDropped, ExcessiveResponse
from gaia_imap_mcp.protocol.facts import HEAD_BYTES, read_head
from gaia_mail.files import labels
from gaia_mail.header_facts import unpack
from gaia_mail.mime.scan import scan_headers

TRIES = 3
UNFILED = "unfiled"
"""The kind of notes for sent messages that are not in Sent yet."""

LOOKS, LOOK_PAUSE_S = 8, 0.75
"""Number of checks, and the pause before each, for a server that itself saves sent mail in Sent."""

_CLAIM_S = 120.0
_LINE_END = re.compile(rb"\r\n|\r|\n")


class Filer:
    """Files messages of one account; used in its worker thread."""

    def __init__(
        self, account: ImapAccount, writer: Writer, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._account, self._writer, self._sleep = account, writer, sleep

    def append(self, raw: bytes, label: str, flags: list[str]) -> str:
        """Append a message to the folder that represents a label; return its id.

        Raises:
            CommandRefused: The server does not accept it, for example because the mailbox is full.
            ConnectionDropped, ExcessiveResponse: The server failed repeatedly, and the message was not found in the
                folder.
        """
        raw = _LINE_END.sub(b"\r\n", raw)
        folder = self._writer.folder_for(label)
        self._account.refresh()
        followed = self._account.index.folder(folder) is not None
        seen_in = (
            folder if followed else self._account.folder_of(labels.ARCHIVE) or folder
        )  # Gmail's All Mail
        before = self._count(seen_in)
        for attempt in range(TRIES):
            try:
                connection = self._account.connection()
                placed = connection.append(folder, raw, flag_list(flags))
            except (ConnectionDropped, ExcessiveResponse):
                self._account.refresh()
                found = self._find(seen_in, raw, before)
                if found is not None:
                    return found
                if attempt == TRIES - 1:
                    raise
                continue
            self._account.refresh()
            state = self._account.index.folder(folder)
            if placed is not None and state is not None and state.uidvalidity == placed[0]:
                held = self._account.index.find_copy(state, placed[1])
                if held is not None:
                    return held[0]
            found = self._find(seen_in, raw, before)
            if found is None and not followed:  # Gmail only adds a label to a message it already has
                found = self._carrying(label, scan_headers(raw).message_id)
            if found is not None:
                return found
            break
        raise ProviderError(f"The server accepted the message, but it does not appear in {folder}.")

    def keep(self, raw: bytes, draft_id: str) -> None:
        """Note that a message was sent and must be filed, with its draft if any; contacts no server."""
        content = base64.b64encode(raw).decode()
        claim = {"until": time.time() + _CLAIM_S, "raw": content, "draft": draft_id}
        self._note(scan_headers(raw).message_id, json.dumps(claim))

    def was_sent(self, draft_id: str) -> bool:
        """Return True if a draft was sent but its copy is not in Sent yet; contacts no server."""
        kept = self._account.index.notes(UNFILED).values()
        return any(json.loads(text)["draft"] == draft_id for text in kept)

    def give_up(self, raw: bytes) -> None:
        """Leave the filing of a noted message to a later call; contacts no server."""
        key = scan_headers(raw).message_id
        text = self._account.index.notes(UNFILED).get(key)
        if text is not None:
            self._note(key, json.dumps({**json.loads(text), "until": 0}))

    def file_sent(self, raw: bytes, *, by_server: bool) -> str:
        """Ensure that a sent message is in Sent exactly once; return its id.

        Args:
            raw: The sender's version of the message, noted before.
            by_server: True if the SMTP server itself saves it in Sent, with some delay.

        Raises:
            ProviderError: The server cannot be reached or does not accept the message.
        """
        return self._file(scan_headers(raw).message_id, raw, by_server=by_server)

    def file_left(self) -> list[str]:
        """Save noted messages in Sent as far as possible, without raising; return drafts that can be removed."""
        drafts: list[str] = []
        for key, text in self._account.index.notes(UNFILED).items():
            if not self._claim(key, text):
                continue
            kept = json.loads(text)
            try:
                self._file(key, base64.b64decode(kept["raw"]), by_server=False)
            except CommandRefused:  # only this one: retry it later, go on with the others
                continue
            except MailError:
                self._note(key, text)
                break
            drafts += [kept["draft"]] if kept["draft"] else []
        return drafts

    def _file(self, key: str, raw: bytes, *, by_server: bool) -> str:
        self._account.refresh()
        found = self._carrying(labels.SENT, key)
        for _ in range(LOOKS if by_server and found is None else 0):
            self._sleep(LOOK_PAUSE_S)
            self._account.refresh()
            found = self._carrying(labels.SENT, key)
            if found is not None:
                break
        if found is None:
            found = self.append(raw, labels.SENT, [labels.SEEN])
        self._note(key, None)
        return found

    def _claim(self, key: str, text: str) -> bool:
        """Claim a message for filing, unless another process has just done so."""
        index = self._account.index
        with index.writing():
            now = index.notes(UNFILED).get(key)
            left_s = json.loads(text)["until"] - time.time()
            if now != text or 0 < left_s <= _CLAIM_S:  # more is left only when the clock was set back
                return False
            index.note(UNFILED, key, json.dumps({**json.loads(text), "until": time.time() + _CLAIM_S}))
        return True

    def _carrying(self, label: str, message_id: str) -> str | None:
        """Return the message with a label and this Message-ID; the server may have changed the rest of it."""
        for row in carrying(self._account.index, label) if message_id else ():
            if unpack(row.facts).message_id == message_id:
                return row.id
        return None

    def _count(self, folder: str) -> dict[int, str]:
        """Return the message ids in a folder by UID."""
        rows = self._account.index.database.execute(
            "SELECT p.uid, m.id FROM places p JOIN folders f ON f.id = p.folder JOIN messages m ON m.key = p.message "
            "WHERE f.name = ?",
            (folder,),
        )
        return dict(rows.fetchall())

    def _find(self, folder: str, raw: bytes, before: dict[int, str]) -> str | None:
        """Return the message just put into a folder, by content, else by Message-ID; None if it is missing."""
        new = {id_ for uid, id_ in self._count(folder).items() if before.get(uid) != id_}
        expected = read_head(raw[:HEAD_BYTES], len(raw), b"").id
        if expected in new:
            return expected
        own = scan_headers(raw).message_id
        for id_, row in rows(self._account.index, new).items():
            if own and unpack(row.facts).message_id == own:
                return id_
        return None

    def _note(self, key: str, value: str | None) -> None:
        with self._account.index.writing():
            self._account.index.note(UNFILED, key, value)
