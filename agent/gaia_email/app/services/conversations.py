"""The last conversation about a mailbox, stored so that it can continue after the program was killed.

Entries: `stored_conversation`, `keep`.

Only the user's own lines and the messages shown (ids and headers, which the ledger has anyway) are stored: no
answers, no text of mail, and no open questions, since an approval only ever applies to what is on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gaia_email.app import App
from gaia_email.app.documents.fields import object_of, rows_of, texts_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import NewLedgerEvent
from gaia_email.ledger.failures import LostRace
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.errors import BadArgument, NotFound

MOST_LINES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation as it was left.

    Attributes:
        session_id: Its id in the record of actions.
        lines: The user's lines, oldest first.
        unanswered: The line being answered when the program ended; empty for none.
        listed: The messages that were listed, each with `id`, `name`, `address`, `subject`.
        focus: The message that was opened last, in the same form; None for none.
        page: The list that `more` continues: `kind`, `about`, `extra`, `start`; None for none.
        version: The document's version, so that two programs cannot continue the same one.
    """

    session_id: str
    lines: tuple[str, ...] = ()
    unanswered: str = ""
    listed: tuple[Mapping[str, object], ...] = ()
    focus: Mapping[str, object] | None = None
    page: Mapping[str, object] | None = None
    version: int = 0


def stored_conversation(app: App, source: SourceSpec) -> Conversation:
    """Return the last conversation about the mailbox.

    Raises:
        NotFound: There is none.
        MailError: The ledger cannot be read.
    """
    document = None
    if has_ledger(app.environ):
        with app.ledger(read_only=True) as ledger, ledger.read() as tx:
            document = ledger.documents.read(tx, _name(source))
    if document is None:
        raise NotFound("There is no conversation to go on with.", hint="gaia email chat begins one.")
    value = document.value
    return Conversation(
        session_id=str(value["session_id"]),
        lines=tuple(texts_of(value, "lines")),
        unanswered=str(value.get("unanswered", "")),
        listed=tuple(rows_of(value, "listed")),
        focus=object_of(value, "focus") or None,
        page=object_of(value, "page") or None,
        version=document.version,
    )


def keep(app: App, source: SourceSpec, conversation: Conversation) -> int:
    """Store the conversation; return the version to continue with.

    Raises:
        BadArgument: Another program continued the same conversation.
        MailError: The ledger cannot be written.
    """
    value: dict[str, object] = {
        "session_id": conversation.session_id,
        "lines": list(conversation.lines[-MOST_LINES:]),
        "unanswered": conversation.unanswered,
        "listed": [dict(row) for row in conversation.listed],
        "focus": dict(conversation.focus or {}),
        "page": dict(conversation.page or {}),
    }
    name = _name(source)
    with app.ledger() as ledger, ledger.write() as tx:
        before = ledger.documents.read(tx, name)
        if before is not None and before.value.get("session_id") != conversation.session_id:
            return ledger.documents.write(tx, name, value, before.version)
        try:
            return ledger.documents.write(tx, name, value, conversation.version)
        except LostRace:
            raise BadArgument(
                "This conversation goes on in another window.", hint="gaia email chat begins a new one."
            ) from None


def note_refused(app: App, tool: str, *, session_id: str, said_in: str) -> None:
    """Record that a model called a tool that the user's words do not allow."""
    with app.ledger() as ledger, ledger.write() as tx:
        event = NewLedgerEvent(
            kind="tool.refused", actor=said_in, session_id=session_id, payload={"tool": tool[:60]}
        )
        ledger.events.append(tx, event)


def _name(source: SourceSpec) -> str:
    return f"conversation:{source.mailbox.key}"
