"""What the messages of a mailbox ask and promise, read once: `NoteReader`.

Of an account with a copy the notes are kept beside it, since they hold sentences of mail, and go with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import lru_cache

from gaia_email.app import App
from gaia_email.app.documents.fields import object_of
from gaia_email.cascade.builtin_tier import BuiltinTier
from gaia_email.cascade.understand import read_raw
from gaia_email.cascade.verdict import Context, Verdict
from gaia_email.ledger.keeping import NOTES_DOCUMENT
from gaia_email.mailbox.reader import MailReader
from gaia_email.prepare.pipeline import prepare
from gaia_email.triage.followups.notes import NOTES_VERSION, MessageNote, note_of, reader_of
from gaia_email.triage.inbox import READ_BATCH
from gaia_email.triage.versions import fingerprint
from gaia_email_registry.errors import ProviderError
from gaia_mail.mime.model import ParsedMessage

AUTOMATIC = MessageNote(automatic=True)
_TEXTS = tuple(one.name for one in fields(MessageNote) if one.type == "str")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNote:
    """What a message says, and the Message-ID of the one it replies to; empty where it replies to none."""

    note: MessageNote
    parent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWish:
    """A message whose note is wanted; `verdict` is known of what was judged."""

    id: str
    own: bool
    verdict: Verdict | None = None

    @property
    def basis(self) -> str:
        """What a note depends on besides the message and the program."""
        judged = "?" if self.verdict is None else f"{self.verdict.needs_reply:d}{self.verdict.bucket}"
        return f"{self.own:d}{judged}"


class NoteReader:
    """Reads notes of one mailbox.

    Args:
        app: The running program.
        mail: The mailbox, open.
        account: What it is called.
        own: The owner's addresses, lower case.
        keep: Whether notes are kept.
    """

    def __init__(self, app: App, mail: MailReader, account: str, own: frozenset[str], *, keep: bool) -> None:
        self._app, self._mail, self._own = app, mail, own
        self._name = NOTES_DOCUMENT + account
        self._keep = keep
        self._tier = BuiltinTier(summaries=False, lessons=False)

    async def notes(self, wishes: Sequence[NoteWish]) -> dict[str, ReadNote]:
        """The notes of those of the messages that can be read, by id.

        Raises:
            MailError: The mailbox does not answer.
        """
        known = self._known() if self._keep else {}
        found: dict[str, ReadNote] = {}
        lacking: list[NoteWish] = []
        for wish in wishes:
            kept = known.get(wish.id)
            note = None if kept is None or kept.get("basis") != wish.basis else _note(kept)
            if note is None:
                lacking.append(wish)
            else:
                found[wish.id] = note
        for start in range(0, len(lacking), READ_BATCH):
            batch = {wish.id: wish for wish in lacking[start : start + READ_BATCH]}
            for email in (await self._mail.read_emails(list(batch)))["emails"]:
                with suppress(Exception):  # a message that our own rules stumble over is left out
                    found[email["id"]] = self._read(read_raw(email), batch[email["id"]])
        if self._keep and (lacking or len(known) > len(wishes)):
            self._store({wish.id: (wish, found[wish.id]) for wish in wishes if wish.id in found})
        return found

    def _read(self, message: ParsedMessage, wish: NoteWish) -> ReadNote:
        prepared = prepare(message)
        if wish.own:
            context, verdict = Context(owner=reader_of(message, self._own)), None
        else:
            context = Context(owner=self._own)
            verdict = wish.verdict or self._tier.judge(prepared, context)
        note = note_of(prepared, context, verdict=verdict, tier=self._tier)
        return ReadNote(note=note, parent=message.in_reply_to[-1] if message.in_reply_to else "")

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


def _note(kept: Mapping[str, object]) -> ReadNote | None:
    texts = {name: str(kept.get(name, "")) for name in (*_TEXTS, "parent")}
    parent = texts.pop("parent")
    closes, automatic = kept.get("closes") is True, kept.get("automatic") is True
    return ReadNote(note=MessageNote(closes=closes, automatic=automatic, **texts), parent=parent)


@lru_cache(maxsize=1)
def _made_by() -> str:
    return f"{NOTES_VERSION} {fingerprint()}"
