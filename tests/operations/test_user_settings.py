"""What the user sets for the whole program holds where it is used, and the environment comes before it."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.user_settings import weekly_look
from gaia_email_registry.errors import BadArgument
from tests.origins import PERSON

DAY_S = 86_400.0


def call(app: App, name: str, **asked: object) -> dict[str, dict[str, Any]]:
    operation = OPERATIONS[name]
    document = operation.run(app, OperationCall(asked=operation.read(asked), origin=PERSON, by_person=True))
    return {row["name"]: row for row in document["settings"]}


def test_what_nobody_set_is_as_usual_and_makes_no_ledger() -> None:
    app = App()
    rows = call(app, "settings")
    assert {name: (row["value"], row["set_by"]) for name, row in rows.items()} == {
        "page_keys": (1, "default"),
        "weekly_look": (0, "default"),
        "retention_days": (90, "default"),
    }
    assert not (app.home / "email" / "ledger.db").exists()


def test_how_long_things_are_kept_is_what_tidying_goes_by() -> None:
    app = App()
    assert call(app, "change_setting", retention_days=1)["retention_days"]["set_by"] == "you"
    with app.ledger() as ledger:
        with ledger.read() as tx:
            assert ledger.kept_days(tx) == 1
            (event,) = ledger.events.since(tx, kind="settings.changed")
        assert event.payload == {"what": "retention_days", "to": 1}
        now = ledger.clock()
        ledger.clock = lambda: now + 3 * DAY_S
        ledger.tidy()
        with ledger.read() as tx:
            assert ledger.events.since(tx, kind="settings.changed") == []
            assert ledger.events.verify(tx) is None
    call(app, "change_setting", retention_days=0)
    with app.ledger() as ledger:
        assert ledger.tidy() is None


def test_the_weekly_look_is_switched_by_the_user_or_the_environment() -> None:
    app = App()
    assert not weekly_look(app)
    call(app, "change_setting", weekly_look="on")
    assert weekly_look(app)
    other = App(environ={**app.environ, "GAIA_DISCOVER_WEEKLY": "off"})
    assert not weekly_look(other)
    assert call(other, "settings")["weekly_look"]["set_by"] == "environment"
    with pytest.raises(BadArgument, match="GAIA_DISCOVER_WEEKLY sets this"):
        call(other, "change_setting", weekly_look="on")


def test_one_thing_is_set_at_a_time() -> None:
    for asked in ({}, {"page_keys": "on", "retention_days": 3}):
        with pytest.raises(BadArgument, match="one thing at a time"):
            call(App(), "change_setting", **asked)
