"""Unfinished mail, stored on this machine until it is sent or discarded. Entries: `keep_text`, `kept_texts`.

Stored as a document of the ledger, so it survives a restart regardless of the mailbox; only the user sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import get_args

from gaia_email.app import App
from gaia_email.app.documents.composing import KeptRow
from gaia_email.app.documents.fields import object_of, rows_of, texts_of
from gaia_email.app.services.composing import MailInWriting, MailKind, written_row
from gaia_email.document import at
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.errors import NotFound

DOCUMENT = "kept_texts"

MOST = 30
"""Maximum number of texts stored; the least recently written are dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A mail being written, its account, and the time of its last change (epoch seconds)."""

    id: str
    account: str
    mail: MailInWriting
    at: float
    discarded: bool = False


def kept_texts(app: App) -> list[KeptText]:
    """Return the texts that are not discarded, newest first."""
    return [one for one in _all(app) if not one.discarded]


def kept_text(app: App, id_: str) -> KeptText:
    """Return the text with that id, even if it was discarded.

    Raises:
        NotFound: It was never stored, or was dropped.
        MailError: The ledger cannot be read.
    """
    found = next((one for one in _all(app) if one.id == id_), None)
    if found is None:
        raise NotFound("This text is not kept here.", argument="/id", hint="Begin it anew.")
    return found


def keep_text(app: App, id_: str, account: str, mail: MailInWriting) -> KeptText:
    """Store a text, replacing the one with that id."""

    def change(known: Sequence[KeptText], now: float) -> list[KeptText]:
        kept = KeptText(id=id_, account=account, mail=mail, at=now)
        return [kept, *(one for one in known if one.id != id_)][:MOST]

    return _change(app, change)[0]


def discard_text(app: App, id_: str, *, back: bool = False) -> KeptText:
    """Discard a text, or restore it if `back` is True.

    Raises:
        NotFound: It was never stored, or was dropped.
        MailError: The ledger cannot be written.
    """
    found = kept_text(app, id_)

    def change(known: Sequence[KeptText], now: float) -> list[KeptText]:
        return [replace(one, discarded=not back) if one.id == id_ else one for one in known]

    _change(app, change)
    return replace(found, discarded=not back)


def _all(app: App) -> list[KeptText]:
    if not has_ledger(app.environ):
        return []
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        document = ledger.documents.read(tx, DOCUMENT)
    return [] if document is None else [_text(row) for row in rows_of(document.value, "texts")]


def _change(app: App, change: Callable[[Sequence[KeptText], float], list[KeptText]]) -> list[KeptText]:
    with app.ledger() as ledger, ledger.write() as tx:
        document = ledger.documents.read(tx, DOCUMENT)
        known = [] if document is None else [_text(row) for row in rows_of(document.value, "texts")]
        after = change(known, ledger.clock())
        value = {"texts": [asdict(one) for one in after]}
        ledger.documents.write(tx, DOCUMENT, value, document.version if document else 0)
    return after


def _text(row: Mapping[str, object]) -> KeptText:
    mail = object_of(row, "mail")
    kind: MailKind = next((one for one in get_args(MailKind) if one == mail.get("kind")), "new")
    return KeptText(
        id=str(row["id"]),
        account=str(row["account"]),
        at=float(str(row["at"])),
        discarded=row.get("discarded") is True,
        mail=MailInWriting(
            kind=kind,
            about=str(mail.get("about", "")),
            to=tuple(texts_of(mail, "to")),
            cc=tuple(texts_of(mail, "cc")),
            bcc=tuple(texts_of(mail, "bcc")),
            subject=str(mail.get("subject", "")),
            body=str(mail.get("body", "")),
            quote=mail.get("quote") is not False,
        ),
    )


def kept_row(kept: KeptText) -> KeptRow:
    """Return a stored text as a row."""
    return {
        **written_row(kept.mail, kept.account),
        "id": kept.id,
        "at": at(kept.at),
        "discarded": kept.discarded,
    }
