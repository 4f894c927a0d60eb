"""The sample mailbox is on the same day at any hour of any day in any zone."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gaia_email.app import App
from gaia_email.app.sample.day import DAY, local_zone, sample_day
from gaia_email.app.sample.mailbox import sample_messages
from gaia_email.app.services.choosing import sample_source
from gaia_email_registry import clock

ZONES = ("UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati")
NIGHT = datetime(2028, 2, 29, 0, 30, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("zone", ZONES)
def test_it_is_the_same_afternoon_of_the_user_whenever_the_program_is_started(zone: str) -> None:
    for real in (time.time(), NIGHT):
        with clock.set_to(real), sample_day({"TZ": zone}) as here, sample_day({"TZ": zone}):
            assert (
                datetime.fromtimestamp(clock.now(), UTC)
                .astimezone(here)
                .replace(second=0, microsecond=0, tzinfo=None)
                == DAY
            )
        with clock.set_to(real):
            assert abs(clock.now() - real) < 60, "the clock is as before"


def test_people_of_the_sample_write_at_the_same_hours_wherever_the_user_lives() -> None:
    walls = [
        [re.findall(rb"^Date: (.*:\d\d) [+-]", one.raw, re.MULTILINE) for one in sample_messages(now)]
        for now in (DAY.replace(tzinfo=ZoneInfo(zone)) for zone in ("UTC", "Asia/Kolkata"))
    ]
    assert len(walls[0]) > 150 and walls[0] == walls[1]


def test_on_a_sample_day_every_program_goes_by_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    app, before = App(), time.time()
    with sample_day(app.environ) as zone:
        here = datetime.fromtimestamp(app.clock(), UTC).astimezone(zone)
        assert (here.date(), here.hour) == (DAY.date(), DAY.hour)
        assert clock.is_set() and clock.OFFSET in os.environ
    assert not clock.is_set() and app.clock() >= before


def test_a_program_pointed_at_the_samples_data_directory_has_its_clock_too() -> None:
    with sample_source(App()) as (app, _):
        environ = {"GAIA_HOME": app.environ["GAIA_HOME"]}
        clock.take_from_home(environ)
        assert environ[clock.OFFSET] == os.environ[clock.OFFSET] == app.environ[clock.OFFSET]


def test_another_data_directory_leaves_the_clock_alone(tmp_path: Path) -> None:
    environ = {"GAIA_HOME": str(tmp_path)}
    clock.take_from_home(environ)
    assert clock.OFFSET not in environ


@pytest.mark.parametrize("named", ["Europe/Berlin", ":Europe/Berlin"])
def test_the_zone_is_the_one_that_tz_names(named: str) -> None:
    assert str(local_zone({"TZ": named})) == "Europe/Berlin"


@pytest.mark.parametrize("named", ["", "CET-1CEST", "no/such/zone"])
def test_a_zone_that_cannot_be_looked_up_is_that_of_the_machine(named: str) -> None:
    assert datetime.now(UTC).astimezone(local_zone({"TZ": named})).utcoffset() is not None
