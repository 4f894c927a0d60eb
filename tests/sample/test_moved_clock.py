"""The demo shows the same at night as by day, wherever the user lives: whole programs under a moved clock."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gaia_email_registry import clock

_INSTANT = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
GAIA = str(Path(sys.executable).with_name("gaia"))
MOMENTS = [
    ("2026-11-29T00:30", "Europe/Berlin"),
    ("2026-11-29T23:50", "Europe/Berlin"),
    ("2028-02-29T00:30", "America/Los_Angeles"),
    ("2026-12-31T23:50", "America/Los_Angeles"),
]


def _shown(moment: str, zone: str, home: Path, *command: str) -> dict[str, Any]:
    then = datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).timestamp()
    environ = {**os.environ, "TZ": zone, "GAIA_HOME": str(home), clock.OFFSET: str(then - time.time())}
    ran = subprocess.run(
        [GAIA, "email", *command, "--demo", "--json"],
        env=environ,
        capture_output=True,
        timeout=120,
        check=True,
    )
    local = _INSTANT.sub(lambda found: _wall_clock(found[0], zone), ran.stdout.decode())
    document: dict[str, Any] = json.loads(local)
    return document


def _wall_clock(instant: str, zone: str) -> str:
    """Return what a clock in this zone shows at an instant: the sample's day is the same one by each user's clock."""
    return datetime.fromisoformat(instant).astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M:%S")


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("moment", "zone"), MOMENTS)
def test_the_demo_is_the_same_at_any_hour_in_any_zone(moment: str, zone: str, tmp_path: Path) -> None:
    inbox = _shown(moment, zone, tmp_path, "inbox")
    buckets = {one["id"]: name for name, rows in inbox["buckets"].items() for one in rows}
    noon = _shown("2026-11-25T15:00", "UTC", tmp_path, "inbox")
    assert buckets == {one["id"]: name for name, rows in noon["buckets"].items() for one in rows}

    brief = _shown(moment, zone, tmp_path, "brief", "--evening")
    assert "Press check, spring posters" in [one["title"] for one in brief["events"]]
    noon = _shown("2026-11-25T15:00", "UTC", tmp_path, "brief", "--evening")
    for document, expected in ((brief, zone), (noon, "UTC")):
        assert document.pop("zone") == expected
        assert document.pop("made_at").startswith("2026-11-18T15:0")
    assert brief == noon
