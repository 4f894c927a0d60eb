"""What many automations cost an event, and how fast a webhook answers beside an empty endpoint. Entry: `rows`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.http import served
from benchmarks.measure import Row, in_turn
from gaia_email.app import App
from gaia_email.app.services.choosing import sample_source
from gaia_email.ledger import Ledger, NewLedgerEvent, open_ledger
from gaia_email.mailbox.ref import MailboxRef
from gaia_email_automations.saving import SavedBy, save
from gaia_email_automations.triggers import KeptTriggers, look
from gaia_email_automations.use_cases import make_token

ME = "me@example.org"
FEW, MANY = 10, 1000
MOST_TIMES = 3.0
LEAST_RATE = 0.5


_KEPT: dict[int, KeptTriggers] = {}
"""What a program that looks again and again has read, by ledger."""


def rows(*, quick: bool) -> list[Row]:
    """Microseconds an event against many automations and against few; requests a second of a webhook and of nothing."""
    return [_events(quick=quick), _webhook(quick=quick)]


def _events(*, quick: bool) -> Row:
    events = 1_000 if quick else 10_000
    with tempfile.TemporaryDirectory() as folder:
        few, many = (_ledger(Path(folder) / str(count), count) for count in (FEW, MANY))
        pairs = in_turn(lambda: _looked(many, events), lambda: _looked(few, events), 3 if quick else 7)
        few.close()
        many.close()
    ours, theirs = (median(one) / events * 1e6 for one in (pairs.ours, pairs.theirs))
    times = 1 / pairs.ratio
    return Row(
        name=f"{events:,} events against {MANY:,} automations, beside {FEW}",
        ours=f"{ours:.0f} µs/event",
        theirs=f"{theirs:.0f} µs/event",
        ratio=times,
        target=f"<= {MOST_TIMES:g}",
        met=times <= MOST_TIMES,
    )


def _ledger(home: Path, count: int) -> Ledger:
    ledger = open_ledger(url=f"sqlite:///{home}.db")
    for number in range(count):
        condition = {"payload.category": {"equals": f"c{number}"}, "subject": {"contains": "invoice"}}
        _save(
            ledger, f"a{number}", [{"type": "event", "event_type": "message.triaged", "filters": condition}]
        )
    return ledger


def _save(ledger: Ledger, name: str, triggers: list[dict[str, object]]) -> str:
    definition = {
        "schema_version": 1,
        "name": name,
        "triggers": triggers,
        "plan": [{"step_id": "tell", "action": "notification", "config": {"text": "Hello."}}],
        "execution": {"concurrency": "allow_parallel"},
    }
    place = MailboxRef(kind="account", path="me")
    return save(
        ledger, definition, SavedBy(account_id=ME, place=place, owner=(ME,), actor="bench")
    ).automation_id


def _looked(ledger: Ledger, events: int) -> float:
    """Seconds of dispatching so many new events, of which one in five hundred sets something off."""
    with ledger.write() as tx:
        ledger.events.append(
            tx,
            *(
                NewLedgerEvent(
                    kind="message.triaged",
                    account_id=ME,
                    subject="Your invoice",
                    payload={"category": "c0" if not number % 500 else "other"},
                )
                for number in range(events)
            ),
        )
    started = perf_counter()
    look(ledger, _KEPT.setdefault(id(ledger), KeptTriggers()))
    return perf_counter() - started


def _webhook(*, quick: bool) -> Row:
    with sample_source(App()) as (app, source), served(app, source) as client:
        with app.ledger() as ledger:
            id_ = _save(ledger, "hook", [{"type": "webhook"}])
        _, token = make_token(app, id_)
        headers = {"authorization": f"Bearer {token}"}

        def fired() -> float:
            started = perf_counter()
            client.post(f"/v1/automations/{id_}/fire", json={}, headers=headers).raise_for_status()
            return perf_counter() - started

        def empty() -> float:
            started = perf_counter()
            client.get("/health").raise_for_status()
            return perf_counter() - started

        pairs = in_turn(fired, empty, 20 if quick else 55)
    return Row(
        name="a webhook, beside an empty endpoint of the same server",
        ours=f"{1 / median(pairs.ours):.0f}/s",
        theirs=f"{1 / median(pairs.theirs):.0f}/s",
        ratio=pairs.ratio,
        target=f">= {LEAST_RATE:g}",
        met=pairs.ratio >= LEAST_RATE,
    )
