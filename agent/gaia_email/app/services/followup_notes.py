"""The requests and promises in a mailbox's messages, read once: `NoteReader`.

For an account with a copy, the notes are stored and deleted with the copy, since they contain sentences of
mail.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import convert

from gaia_email.app import App
from gaia_email.app.documents.fields import object_of
from gaia_email.ledger.keeping import NOTES_DOCUMENT
from gaia_email.mailbox.reader import MailReader
from gaia_email.triage.followups.message_note import NOTES_VERSION, MessageNote
from gaia_email.triage.versions import fingerprint
from gaia_email_registry.errors import ProviderError

if TYPE_CHECKING:
    from gaia_understanding.cascade.verdict import Verdict

READ_BATCH = 50
"""Maximum number of messages read per request."""

AUTOMATIC = MessageNote(automatic=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNote:
    """The requests and promises of a message, and the Message-ID it replies to; empty if none."""

    note: MessageNote
    parent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWish:
    """A message whose note is wanted; `bucket` is that of its thread, empty if unknown."""

    id: str
    thread_id: str
    own: bool
    bucket: str

    @property
    def basis(self) -> str:
        """The inputs of a note other than the message and the program."""
        return f"{self.own:d}{self.bucket}"

    def is_met_by(self, basis: str) -> bool:
        """Return True if a note with that basis is still valid, as is that of a thread too old to be listed."""
        return basis == self.basis or (not self.bucket and basis.startswith(self.basis))


Judged = Callable[[Collection[str]], Awaitable[Mapping[str, "Verdict"]]]
"""Returns verdicts by message, for the given threads."""


class NoteReader:
    """Reads the notes of one mailbox.

    Args:
        app: The running program.
        mail: The open mailbox.
        account: Its name.
        own: The owner's addresses, lower case.
        judged: Judges the threads whose notes are missing.
        keep: Whether to store notes.
    """

    def __init__(
        self,
        app: App,
        mail: MailReader,
        account: str,
        own: frozenset[str],
        judged: Judged,
        *,
        keep: bool,
    ) -> None:
        self._app, self._mail, self._own, self._judged = app, mail, own, judged
        self._name = NOTES_DOCUMENT + account
        self._keep = keep
        self.unread = 0
        """Messages skipped because there were too many."""

    async def notes(self, wishes: Sequence[NoteWish], *, most: int) -> dict[str, ReadNote]:
        """Return the notes of the readable messages, by id; reads at most `most` messages."""
        known = self._known() if self._keep else {}
        found: dict[str, ReadNote] = {}
        lacking: list[NoteWish] = []
        for wish in wishes:
            kept = known.get(wish.id)
            if kept is None or not wish.is_met_by(str(kept.get("basis"))):
                lacking.append(wish)
            else:
                found[wish.id] = ReadNote(note=convert(kept, MessageNote), parent=str(kept.get("parent", "")))
        if lacking:
            found |= await self._read(lacking, most)
        if self._keep and (lacking or len(known) > len(wishes)):
            self._store({wish.id: (wish, found[wish.id]) for wish in wishes if wish.id in found})
        return found

    async def _read(self, wishes: Sequence[NoteWish], most: int) -> dict[str, ReadNote]:
        from gaia_email.triage.followups.reading import NoteTaker, may_ask  # imported late: slow to load

        threads = {wish.thread_id for wish in wishes if not wish.own}
        verdicts: Mapping[str, Verdict] = await self._judged(threads) if threads else {}
        found: dict[str, ReadNote] = {}
        wanted: list[NoteWish] = []
        for wish in wishes:
            verdict = None if wish.own else verdicts.get(wish.id)
            if verdict is None or may_ask(verdict):
                wanted.append(wish)
            else:
                found[wish.id] = ReadNote(note=AUTOMATIC)
        self.unread = len(wanted[most:])
        taker = NoteTaker(self._own)
        for start in range(0, len(wanted[:most]), READ_BATCH):
            batch = {wish.id: wish for wish in wanted[start : min(start + READ_BATCH, most)]}
            for email in (await self._mail.read_emails(list(batch)))["emails"]:
                with suppress(Exception):  # skip a message on which our own rules fail
                    own = batch[email["id"]].own
                    note, parent = taker.take(email, verdicts.get(email["id"]), by_owner=own)
                    found[email["id"]] = ReadNote(note=note, parent=parent)
        return found

    def _known(self) -> dict[str, Mapping[str, object]]:
        with self._app.ledger(read_only=True) as ledger, ledger.read() as tx:
            document = ledger.documents.read(tx, self._name)
        if document is None or document.value.get("made_by") != _made_by():
            return {}
        rows = object_of(document.value, "notes")
        return {id_: object_of(rows, id_) for id_ in rows}

    def _store(self, notes: Mapping[str, tuple[NoteWish, ReadNote]]) -> None:
        rows = {
            id_: {
                "basis": wish.basis,
                "parent": read.parent,
                **{name: value for name, value in asdict(read.note).items() if value},
            }
            for id_, (wish, read) in notes.items()
        }
        with suppress(ProviderError), self._app.ledger() as ledger, ledger.write() as tx:
            document = ledger.documents.read(tx, self._name)
            value = {"made_by": _made_by(), "notes": rows}
            ledger.documents.write(tx, self._name, value, document.version if document else 0)


@lru_cache(maxsize=1)
def _made_by() -> str:
    return f"{NOTES_VERSION} {fingerprint()}"
