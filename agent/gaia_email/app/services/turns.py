"""Turns of a conversation in the event log: each with an id, none with its text. Entry point: `noted_turn`."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.errors import MailError


@contextmanager
def noted_turn(
    app: App, source: SourceSpec, session_id: str, turn_id: str | None
) -> Generator[Callable[[], None], None, None]:
    """Record that a line is being answered, and the outcome; yields a function that marks it as failed.

    Without a ledger, nothing is written. A log that cannot be written never prevents the answer.

    Args:
        app: The running program.
        source: The mailbox of the conversation.
        session_id: The conversation.
        turn_id: The id of the turn; None for a new one, empty if it is recorded elsewhere.
    """
    ended = "finished"

    def fail() -> None:
        nonlocal ended
        ended = "failed"

    turn = str(uuid.uuid4()) if turn_id is None else turn_id
    kept = bool(turn) and source.kind != "demo" and has_ledger(app.environ)
    if kept:
        _note(app, session_id, turn, "started")
    try:
        yield fail
    except BaseException:
        fail()
        raise
    finally:
        if kept:
            _note(app, session_id, turn, ended)


def _note(app: App, session_id: str, turn_id: str, what: str) -> None:
    from gaia_email.ledger import NewLedgerEvent

    event = NewLedgerEvent(kind=f"chat.turn.{what}", actor="user", session_id=session_id, run_id=turn_id)
    with suppress(MailError), app.ledger() as ledger, ledger.write() as tx:
        ledger.events.append(tx, event)
