"""The egress ledger as a file: many programs write it at once, nothing that goes wrong with it stops mail."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_registry.egress.flow import Flow, Recorder, reason, start_flow
from gaia_email_registry.egress.rows import DAY_S, EgressRow, add, delete, ledger_file, make_room, read
from tests.egress.conftest import Rows

NOW = 1_800_000_000.0
ROW = EgressRow(
    id="a1",
    at=NOW,
    until=NOW,
    program="gaia",
    account="me@example.org",
    host="imap.example.org",
    port=993,
    via="",
    why="mail",
    sent=10,
    received=20,
    open=True,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return ledger_file({"GAIA_HOME": str(tmp_path / "home")})


def later(name: str, days: int) -> EgressRow:
    return replace(ROW, id=name, at=NOW + days * DAY_S, until=NOW + days * DAY_S)


class Clock:
    now = NOW

    def __call__(self) -> float:
        return self.now


def test_the_last_line_of_a_connection_counts_and_only_its_owner_may_read_it(path: Path) -> None:
    add(path, ROW)
    add(path, replace(ROW, id="b2", at=NOW + 1))
    add(path, replace(ROW, sent=99, open=False))
    assert read(path, NOW) == [replace(ROW, sent=99, open=False), replace(ROW, id="b2", at=NOW + 1)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_lines_that_make_no_sense_are_left_out_and_spoil_no_other(path: Path) -> None:
    add(path, ROW)
    good = json.loads(path.read_text())
    broken = [
        b'{"id": "half of a li',
        b"[" * 3_000,
        b"\xff\xfe",
        b"{}",
        json.dumps({**good, "id": "c3", "port": "993"}).encode(),
        json.dumps({**good, "id": "c4", "why": "spying"}).encode(),
        json.dumps({**good, "id": "c5", "subject": "Roof"}).encode(),
    ]
    with path.open("ab") as file:
        file.write(b"\n".join(broken))  # the last without an end: a program died there
    add(path, replace(ROW, id="d4", at=NOW + 1))
    assert [row.id for row in read(path, NOW)] == ["a1", "d4"]


def test_it_takes_three_files_of_room_at_most_and_keeps_the_newest(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email_registry.egress.rows.MOST_BYTES", 3_000)
    for number in range(100):
        make_room(path, NOW)
        add(path, replace(ROW, id=f"{number:04}", at=NOW + number))
    kept = [row.id for row in read(path, NOW)]
    assert kept == [f"{number:04}" for number in range(100 - len(kept), 100)] and len(kept) > 20
    files = [each for each in path.parent.iterdir() if each.suffix == ".jsonl"]
    assert len(files) == 3 and sum(each.stat().st_size for each in files) < 3 * 3_300
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in files)


def test_a_program_that_runs_for_months_fills_no_disk_and_loses_no_connection(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email_registry.egress.rows.MOST_BYTES", 100_000)
    clock = Clock()
    recorder = Recorder({"GAIA_HOME": str(path.parent)}, "gaia", clock)
    flows = [Flow(replace(ROW, id=f"flow{number}"), recorder) for number in range(3)]
    for _ in range(2_000):
        clock.now += 61
        for flow in flows:
            flow.count_received(10)
    assert sum(each.stat().st_size for each in path.parent.iterdir()) < 400_000
    assert [(row.id, row.received) for row in read(path, clock.now)] == [
        ("flow0", 20_000),
        ("flow1", 20_000),
        ("flow2", 20_000),
    ]


def test_what_is_older_than_ninety_days_is_not_told_and_goes(path: Path) -> None:
    add(path, ROW)
    add(path, later("b2", 60))
    assert [row.id for row in read(path, NOW + 91 * DAY_S)] == ["b2"]
    for days in (46, 92, 138):
        make_room(path, NOW + days * DAY_S)
        add(path, later(f"day{days}", days))
    assert [row.id for row in read(path, NOW + 138 * DAY_S)] == ["b2", "day92", "day138"]
    assert not any(b'"a1"' in each.read_bytes() for each in path.parent.iterdir())


def test_it_is_deleted_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_email_registry.egress.rows.MOST_BYTES", 10)
    add(path, ROW)
    make_room(path, NOW)
    add(path, ROW)
    delete(path)
    assert read(path, NOW) == [] and list(path.parent.iterdir()) == []


def test_programs_that_write_at_once_lose_no_row(path: Path) -> None:
    program = (
        "import os, sys\n"
        "from gaia_email_registry.egress.flow import start_flow\n"
        "from gaia_email_registry.egress.recording import record\n"
        "record(os.environ, sys.argv[1])\n"
        "for number in range(200):\n"
        "    flow = start_flow('imap.example.org', 993, 'mail')\n"
        "    flow.count_sent(number)\n"
        "    flow.close()\n"
    )
    environ = {**os.environ, "GAIA_HOME": str(path.parent)}
    running = [
        subprocess.Popen([sys.executable, "-c", program, f"p{which}"], env=environ) for which in range(4)
    ]
    assert [one.wait(60) for one in running] == [0] * 4
    rows = [row for row in read(path, 0) if not row.open]
    assert sorted({row.program for row in rows}) == ["p0", "p1", "p2", "p3"] and len(rows) == 800
    assert sum(row.sent for row in rows) == 4 * sum(range(200))


def test_a_program_that_is_killed_leaves_the_row_behind(path: Path) -> None:
    program = (
        "import os, signal\n"
        "from gaia_email_registry.egress.flow import start_flow\n"
        "from gaia_email_registry.egress.recording import record\n"
        "record(os.environ, 'p')\n"
        "start_flow('imap.example.org', 993, 'mail')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "GAIA_HOME": str(path.parent)}, check=False
    )
    (row,) = read(path, 0)
    assert row.open and row.host == "imap.example.org"


def test_what_is_still_open_at_the_end_of_a_program_is_written_down(path: Path) -> None:
    program = (
        "import os\n"
        "from gaia_email_registry.egress.flow import start_flow\n"
        "from gaia_email_registry.egress.recording import record\n"
        "record(os.environ, 'p')\n"
        "flow = start_flow('imap.example.org', 993, 'mail')\n"
        "flow.count_sent(7)\n"
    )
    subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "GAIA_HOME": str(path.parent)}, check=True
    )
    (row,) = read(path, 0)
    assert not row.open and row.sent == 7


def test_a_long_connection_is_written_down_every_minute(path: Path) -> None:
    clock = Clock()
    flow = Flow(ROW, Recorder({"GAIA_HOME": str(path.parent)}, "gaia", clock))
    flow.count_received(5)
    assert read(path, NOW)[0].received == 20
    clock.now += 61
    flow.count_received(6)
    (row,) = read(path, NOW)
    assert (row.received, row.until, row.open) == (11, NOW + 61, True)


@pytest.mark.parametrize("obstacle", ["a file for the folder", "a folder for the file", "a link"])
def test_a_ledger_that_cannot_be_written_stops_nothing(path: Path, obstacle: str) -> None:
    elsewhere = path.parent.parent / "elsewhere"
    if obstacle == "a file for the folder":
        path.parent.write_text("")
    else:
        path.parent.mkdir()
        path.mkdir() if obstacle == "a folder for the file" else path.symlink_to(elsewhere)
    flow = Flow(ROW, Recorder({"GAIA_HOME": str(path.parent)}, "gaia", Clock()))
    flow.count_sent(5)
    flow.close()
    assert flow.total == (5, 0) and not elsewhere.exists()


def test_whoever_knows_the_reason_says_it_for_those_who_open_connections(rows: Rows) -> None:
    with reason("sign-in"), reason(account="me@example.org"):
        start_flow("login.example.org", 443, "mail").close()
    start_flow("imap.example.org", 993, "mail", "ann@example.org").close()
    assert [(row.why, row.account) for row in rows()] == [
        ("sign-in", "me@example.org"),
        ("mail", "ann@example.org"),
    ]


def test_names_of_strangers_take_no_more_room_than_names_do(rows: Rows) -> None:
    start_flow("a" * 100_000, 443, "unsubscribe").close()
    assert len(rows()[0].host) == 255
