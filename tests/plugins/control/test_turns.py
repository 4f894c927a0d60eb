"""Lines of a conversation in the event log: each has an id and an end, and none its words."""

from __future__ import annotations

import pytest

from gaia_email.app import App
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.turns import noted_turn
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_control.reading import ControlReading, tail
from gaia_email_control.service import opened_control


def test_a_line_is_a_flight_with_an_end_and_without_its_words() -> None:
    with sample_source(App()) as (app, source), opened_control(app) as service:
        with noted_turn(app, source, "talk", "before there is a ledger"):
            pass
        assert not has_ledger(app.environ)
        reading = ControlReading(service, service.program())
        with noted_turn(app, source, "talk", None):
            pass
        with noted_turn(app, source, "talk", "t2") as failed:
            failed()
        with pytest.raises(KeyboardInterrupt), noted_turn(app, source, "talk", "t3"):
            raise KeyboardInterrupt
        with noted_turn(app, source, "talk", ""):
            pass
        flights = {str(one["id"]): one["state"] for one in reading.flights()}
        told, _ = tail(service, after=0, limit=50)
        conversations = [one["id"] for one in reading.conversations()]
    assert sorted(map(str, flights.values())) == ["completed", "failed", "failed"]
    assert (flights["t2"], flights["t3"]) == ("failed", "failed")
    assert [one.kind for _, one in told].count("invocation.requested") == 3
    assert conversations == ["agent-inbox", "talk"]
