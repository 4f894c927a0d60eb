"""Another mail program on the same account, to put, move and look at messages behind our back. Entry: `OtherClient`."""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tools.mail_servers.dovecot import PASSWORD

imaplib._MAXLINE = 50_000_000  # type: ignore[attr-defined]  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]


@dataclass(frozen=True, slots=True)
class Held:
    """A message as the server holds it: its flags (Recent left out) and bytes."""

    flags: frozenset[str]
    raw: bytes


class OtherClient:
    """Thin over `imaplib`; every method raises `imaplib.IMAP4.error` where the server says no. A context manager."""

    def __init__(self, port: int, user: str, *, tls: ssl.SSLContext | None = None) -> None:
        self._imap = (
            imaplib.IMAP4("127.0.0.1", port, timeout=20)
            if tls is None
            else imaplib.IMAP4_SSL("localhost", port, ssl_context=tls, timeout=20)
        )
        self._imap.login(user, PASSWORD)

    def __enter__(self) -> OtherClient:
        return self

    def __exit__(self, *_: object) -> None:
        self._imap.shutdown()

    def append(
        self, raw: bytes, folder: str = "INBOX", flags: Sequence[str] = (), date: datetime | None = None
    ) -> int:
        """Store a message; its UID (0 where the server does not say)."""
        when = imaplib.Time2Internaldate(date or datetime.now(UTC))
        data = self._ok(self._imap.append(_quoted(folder), f"({' '.join(flags)})", when, raw))
        match = re.search(rb"APPENDUID \d+ (\d+)", b" ".join(data))
        return int(match[1]) if match else 0

    def folders(self) -> list[str]:
        """The name of every folder that can be opened, as it goes over the wire (modified UTF-7)."""
        lines = [line for line in self._ok(self._imap.list()) if b"\\noselect" not in line.lower()]
        found = [re.search(rb' "(?:\\.|[^"])" (?:"(.*)"|(\S+))$', line) for line in lines]
        return [(match[1] or match[2]).decode() for match in found if match]

    def create(self, folder: str) -> None:
        """A new folder."""
        self._ok(self._imap.create(_quoted(folder)))

    def rename(self, old: str, new: str) -> None:
        """A folder's new name."""
        self._ok(self._imap.rename(_quoted(old), _quoted(new)))

    def delete_folder(self, folder: str) -> None:
        """A folder and what is in it, gone."""
        self._ok(self._imap.delete(_quoted(folder)))

    def uids(self, folder: str = "INBOX") -> list[int]:
        """UIDs in order."""
        self._select(folder, writable=False)
        return [int(uid) for uid in b" ".join(self._ok(self._imap.uid("SEARCH", "ALL"))).split()]

    def held(self, folder: str = "INBOX") -> dict[int, Held]:
        """Everything in a folder, by UID."""
        self._select(folder, writable=False)
        found: dict[int, Held] = {}
        if not self._ok(self._imap.uid("SEARCH", "ALL"))[0]:
            return found
        for item in self._ok_items(*self._imap.uid("FETCH", "1:*", "(FLAGS BODY.PEEK[])")):
            match item:
                case (bytes() as head, bytes() as raw):
                    uid = re.search(rb"UID (\d+)", head)
                    flags = re.search(rb"FLAGS \(([^)]*)\)", head)
                    assert uid and flags
                    kept = frozenset(flags[1].decode().split()) - {"\\Recent"}
                    found[int(uid[1])] = Held(kept, raw)
                case _:
                    continue
        return found

    def everything(self) -> dict[str, dict[int, Held]]:
        """Every folder's content: the truth that a sync has to reach."""
        return {folder: self.held(folder) for folder in self.folders()}

    def flag(self, uids: Iterable[int], *flags: str, folder: str = "INBOX", off: bool = False) -> None:
        """Set or clear flags."""
        self._select(folder)
        what = "-FLAGS.SILENT" if off else "+FLAGS.SILENT"
        self._ok(self._imap.uid("STORE", _set(uids), what, f"({' '.join(flags)})"))

    def copy(self, uids: Iterable[int], target: str, folder: str = "INBOX") -> None:
        """Copies in another folder."""
        self._select(folder)
        self._ok(self._imap.uid("COPY", _set(uids), _quoted(target)))

    def move(self, uids: Iterable[int], target: str, folder: str = "INBOX") -> None:
        """Into another folder."""
        self._select(folder)
        self._ok(self._imap.uid("MOVE", _set(uids), _quoted(target)))

    def expunge(self, uids: Iterable[int], folder: str = "INBOX") -> None:
        """Gone for good."""
        self.flag(uids, "\\Deleted", folder=folder)
        self._ok(self._imap.expunge())

    def _select(self, folder: str, *, writable: bool = True) -> None:
        self._ok(self._imap.select(_quoted(folder), readonly=not writable))

    def _ok(self, answer: tuple[str, Sequence[object]]) -> list[bytes]:
        return [item for item in self._ok_items(*answer) if isinstance(item, bytes)]

    def _ok_items(self, kind: str, data: Sequence[object]) -> Sequence[object]:
        if kind != "OK":
            raise imaplib.IMAP4.error(f"{kind} {data!r}")
        return data


def _quoted(folder: str) -> str:
    return '"' + folder.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _set(uids: Iterable[int]) -> str:
    return ",".join(str(uid) for uid in uids)
