"""Stop and pause hold whatever is wrong with the disk or the ledger; reading goes on where nothing can be written."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fastmcp import Client

from gaia_email.ledger import open_ledger
from gaia_email.ledger.policy_store import StoredBrakes, explain_hold
from gaia_email_registry.halt import read_halt
from gaia_mail.files.location import short_id
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.cli.printed import Run
from tests.contract.memory.mailbox import MemoryMailbox
from tests.contract.suite.seed import write_message
from tests.origins import PERSON


def ledger_file() -> Path:
    with open_ledger() as ledger:
        assert ledger.file is not None
        return ledger.file


@pytest.mark.parametrize("command", ["stop", "pause"])
def test_it_holds_beside_a_ledger_that_is_broken(run: Run, command: str) -> None:
    file = ledger_file()
    file.write_bytes(b"no database at all")
    result = run(command)
    assert result.code == 0
    assert "could not take note" in result.err
    assert explain_hold(environ=os.environ)
    file.unlink()
    assert explain_hold(environ=os.environ)
    assert run("resume").code == 0
    assert not explain_hold(environ=os.environ)


def test_a_run_under_way_sees_a_stop_that_the_ledger_does_not_know(run: Run) -> None:
    with open_ledger() as ledger:
        assert not StoredBrakes(ledger).explain_halt()
        with ledger.write():
            assert run("stop").code == 0
            assert "stopped" in StoredBrakes(ledger).explain_halt()


def test_a_stop_takes_no_new_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger_file()

    real = os.open

    def full(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", full)
    run("stop")
    assert read_halt().stopped_at is not None


def test_what_waited_before_such_a_stop_is_void_after_it(run: Run) -> None:
    from gaia_email.ledger import NewItem

    with open_ledger() as ledger, ledger.write() as tx:
        ledger.pending.add(tx, [NewItem(type="review", account_id="a@b.example", proposal={}, origin=PERSON)])
    with open_ledger() as ledger, ledger.write():
        assert run("stop").code == 0
    assert run("resume").code == 0
    with open_ledger() as ledger, ledger.read() as tx:
        assert ledger.pending.select(tx) == []


def _full_disk(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    inside = f"mount -t tmpfs -o size=3m none {folder} && {script}"
    return subprocess.run(["unshare", "-m", "sh", "-c", inside], capture_output=True, text=True, check=False)


def _can_mount(folder: Path) -> bool:
    try:
        return _full_disk(folder, "true").returncode == 0
    except OSError:
        return False


def test_it_stops_on_a_disk_without_a_free_block_and_reads_on_one_that_is_read_only(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if not _can_mount(home):
        pytest.skip("this user may mount nothing")
    gaia = f"GAIA_HOME={home}/gaia {Path(sys.executable).parent}/gaia email"
    let = "from gaia_email.app import App; from gaia_email.app.services.scripts import let_scripts_answer as let"
    let = f"{let}; let(App(), answer=True)"
    make = f"GAIA_HOME={home}/gaia {sys.executable} -c '{let}' && {gaia} vip add ann@example.com >&2"
    fill = f"cat /dev/zero > {home}/filler 2>/dev/null; sync"
    stop = f"{gaia} stop >&2; echo $?"
    read = f"mount -o remount,ro {home} && {gaia} status --json && {gaia} ledger verify"
    told = _full_disk(home, f"{make}; {fill}; {stop}; {read}; echo $?")
    lines = told.stdout.strip().splitlines()
    assert lines[0] == "0", told.stderr
    assert json.loads("\n".join(lines[1:-3]))["switches"]["stopped_at"], told.stderr
    assert "The ledger is whole" in lines[-3], told.stderr
    assert lines[-1] == "0"


READING = (
    "inbox --maildir {mail}",
    "why {id} --maildir {mail}",
    "status",
    "actions",
    "pending",
    "policy list",
    "export",
    "ledger verify",
)


def test_everything_that_reads_works_in_a_home_that_is_read_only(tmp_path: Path) -> None:
    home, mail = tmp_path / "home", tmp_path / "Mail"
    home.mkdir()
    if not _can_mount(home):
        pytest.skip("this user may mount nothing")
    (mail / "cur").mkdir(parents=True)
    (mail / "cur" / "1.M1P1.host:2,").write_bytes(write_message(1))
    gaia = f"GAIA_HOME={home}/gaia {Path(sys.executable).parent}/gaia email"
    commands = [command.format(mail=mail, id=short_id("1.M1P1.host")) for command in READING]
    make = f"{gaia} inbox --maildir {mail} >&2; {gaia} pause >&2"
    tried = "; ".join(f"{gaia} {command} > {tmp_path}/out; echo $?" for command in commands)
    told = _full_disk(home, f"{make} && mount -o remount,ro {home} && ({tried})")
    codes = dict(zip(commands, told.stdout.split(), strict=True))
    assert set(codes.values()) == {"0"}, (codes, told.stderr)
    assert "Traceback" not in told.stderr and "inside gaia email" not in told.stderr


def test_garbage_in_the_file_of_questions_is_one_line_of_status(run: Run) -> None:
    ledger_file()
    home = Path(os.environ["GAIA_HOME"])
    (home / "approvals.db").write_bytes(b"garbage " * 500)
    found = run("status", "--json")
    assert found.code == 0
    assert "questions of mail servers" in json.loads(found.out)["problems"][0]


def test_a_server_changes_nothing_while_everything_is_stopped(run: Run) -> None:
    assert run("stop").code == 0

    async def call() -> tuple[bool, str, bool]:
        async with Client(create_server(MemoryMailbox(), SurfaceSettings())) as client:
            told = await client.call_tool("create_label", {"name": "Work"}, raise_on_error=False)
            read = await client.call_tool("server_status", {}, raise_on_error=False)
        return bool(told.is_error), str(told.content), bool(read.is_error)

    failed, said, reading_failed = asyncio.run(call())
    assert failed and "stopped" in said
    assert not reading_failed
