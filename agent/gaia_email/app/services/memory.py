"""Preferences that the user asked the agent to remember, never from mail. Entries: `list_preferences`, `remember`.

Stored as a document of the ledger, each with its interface and time; the user can list, change and delete
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gaia_email.app import App
from gaia_email.app.documents.fields import rows_of
from gaia_email.document import Count, Document
from gaia_email.ledger import NewLedgerEvent
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.errors import BadArgument, NotFound

DOCUMENT = "remembered"
MOST, LONGEST = 100, 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """One sentence: its interface (`cli`, `chat`), and its time in epoch seconds."""

    text: str
    said_in: str
    at: float


class RememberedSentence(Document, frozen=True, kw_only=True):
    """A sentence that the user asked to remember, its number, and the interface it came from."""

    n: Count
    text: str
    said_in: str


class RememberedSentences(Document, frozen=True, kw_only=True):
    """All sentences, numbered from 1 in their order."""

    sentences: list[RememberedSentence]

    @staticmethod
    def of(known: Sequence[Preference]) -> RememberedSentences:
        """Number these sentences."""
        return RememberedSentences(
            sentences=[
                RememberedSentence(n=number, text=one.text, said_in=one.said_in)
                for number, one in enumerate(known, 1)
            ]
        )


def list_preferences(app: App) -> list[Preference]:
    """Return all sentences, oldest first."""
    if not has_ledger(app.environ):
        return []
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        document = ledger.documents.read(tx, DOCUMENT)
    return [] if document is None else _read(document.value)


def remember(app: App, text: str, *, said_in: str) -> list[Preference]:
    """Store a sentence of the user; return all sentences.

    Raises:
        BadArgument: It is empty or too long, or there are too many.
        MailError: The ledger cannot be written.
    """
    sentence = " ".join(text.split())
    if not sentence or len(sentence) > LONGEST:
        raise BadArgument(f"A sentence of 1 to {LONGEST} characters can be remembered.", argument="text")

    def change(known: list[Preference], now: float) -> list[Preference]:
        if any(one.text.casefold() == sentence.casefold() for one in known):
            return known
        if len(known) >= MOST:
            raise BadArgument(f"{MOST} sentences are remembered already.", hint="forget one first.")
        return [*known, Preference(text=sentence, said_in=said_in, at=now)]

    return _change(app, change, said_in)


def replace_sentence(app: App, number: int, text: str, *, said_in: str) -> list[Preference]:
    """Replace the sentence with number `number`, counted from 1.

    Raises:
        NotFound: It does not exist.
        BadArgument: As in `remember`.
        MailError: The ledger cannot be written.
    """
    sentence = " ".join(text.split())
    if not sentence or len(sentence) > LONGEST:
        raise BadArgument(f"A sentence of 1 to {LONGEST} characters can be remembered.", argument="text")

    def change(known: list[Preference], now: float) -> list[Preference]:
        _check(known, number)
        known[number - 1] = Preference(text=sentence, said_in=said_in, at=now)
        return known

    return _change(app, change, said_in)


def forget(app: App, number: int, *, said_in: str) -> list[Preference]:
    """Delete the sentence with that number, counted from 1; return the others.

    Raises:
        NotFound: It does not exist.
        MailError: The ledger cannot be written.
    """

    def change(known: list[Preference], now: float) -> list[Preference]:
        _check(known, number)
        return [one for place, one in enumerate(known, 1) if place != number]

    return _change(app, change, said_in)


def _check(known: list[Preference], number: int) -> None:
    if not 1 <= number <= len(known):
        raise NotFound(
            f"There is no sentence {number}; {len(known)} are remembered.", hint="gaia email remember --list"
        )


def _change(
    app: App, change: Callable[[list[Preference], float], list[Preference]], said_in: str
) -> list[Preference]:
    with app.ledger() as ledger, ledger.write() as tx:
        document = ledger.documents.read(tx, DOCUMENT)
        known = [] if document is None else _read(document.value)
        after = change(list(known), ledger.clock())
        if after != known:
            rows = [{"text": one.text, "said_in": one.said_in, "at": one.at} for one in after]
            ledger.documents.write(tx, DOCUMENT, {"sentences": rows}, document.version if document else 0)
            event = NewLedgerEvent(kind="memory.changed", actor=said_in, payload={"sentences": len(after)})
            ledger.events.append(tx, event)
        return after


def _read(value: Mapping[str, object]) -> list[Preference]:
    return [
        Preference(text=str(row["text"]), said_in=str(row["said_in"]), at=float(str(row["at"])))
        for row in rows_of(value, "sentences")
    ]
