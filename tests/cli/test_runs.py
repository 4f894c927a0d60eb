"""`runs`, `schedule`, `worker` and what a stop does to them: the documents, and that nothing else loads the engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.ledger import NewItem, open_ledger
from gaia_email.runs.files import runs_file
from tests.cli.printed import Run, document
from tests.origins import PERSON
from tests.runs.mailbox import ME, Box

MAIN = "from gaia_email.interfaces.cli import main; main()"


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    made = Box(tmp_path)
    made.fill(3)
    return made


def test_a_triage_that_acts_is_a_run_that_is_listed(run: Run, box: Box) -> None:
    assert document(run, "runs", "runs")["runs"] == []
    assert not runs_file(os.environ).exists()
    done = document(
        run, "triage-apply", "triage", "--apply", "--yes", "--maildir", box.place.path, "--user", ME
    )
    assert len(done["done"]) == 3
    (row,) = document(run, "runs", "runs")["runs"]
    assert (row["id"], row["state"], row["actions"], row["scheduled"]) == (
        done["run_id"],
        "completed",
        3,
        False,
    )
    assert run("runs", "cancel", row["id"][:8]).code == 1
    assert document(run, "status", "status")["last_run"]["run_id"] == done["run_id"]


@pytest.mark.parametrize("how", ["damaged", "a folder"])
def test_where_the_engine_cannot_start_a_triage_says_so_and_does_its_work(
    run: Run, box: Box, how: str
) -> None:
    path = runs_file(os.environ)
    path.parent.mkdir(parents=True)
    if how == "damaged":
        path.write_bytes(b"no database" * 1000)
    else:
        path.mkdir()
    result = run("triage", "--apply", "--yes", "--maildir", box.place.path, "--user", ME, "--json")
    assert result.code == 0
    assert "runs.db cannot be" in result.err
    assert len(json.loads(result.out)["done"]) == 3
    assert run("runs").code == 1


def test_schedules_are_added_listed_and_removed(run: Run, box: Box) -> None:
    assert document(run, "schedule", "schedule", "list")["schedules"] == []
    add = ("schedule", "add", "triage", "--maildir", box.place.path, "--cron", "0 7 * * *")
    made = document(run, "schedule", *add, "--zone", "Europe/Berlin")["schedules"]
    assert (made[0]["zone"], made[0]["overlap"], made[0]["kind"]) == ("Europe/Berlin", "drop", "triage")
    assert document(run, "schedule", "schedule", "list")["schedules"] == made
    assert run(*add, "--zone", "Europe/Berlin").code == 2
    assert run(*add, "--zone", "Mars/North", "--name", "x").code == 2
    assert run("schedule", "add", "triage", "--cron", "0 7 * * *", "--zone", "UTC").code == 4
    assert run("schedule", "remove", made[0]["name"]).code == 0
    assert run("schedule", "remove", made[0]["name"]).code == 1


def test_a_stop_voids_what_waits(run: Run, box: Box) -> None:
    target = ProposalTarget(
        message_id="m", labels=(), seal="", name="", address="a@b.example", subject="s", date=""
    )
    proposal = PendingProposal(doing="confirm", bucket="urgent", targets=(target,))
    with open_ledger() as ledger, ledger.write() as tx:
        (item,) = ledger.pending.add(
            tx,
            [
                NewItem(
                    type="question",
                    account_id=ME,
                    proposal=proposal.to_json(ME),
                    cohort="default",
                    origin=PERSON,
                )
            ],
        )
    assert run("stop").code == 0
    assert document(run, "pending", "pending")["items"] == []
    run("resume")
    late = document(run, "approve", "approve", item.item_id, code=5)
    assert late["items"][0]["reason"] == "This was taken back, so nothing was done."


@pytest.mark.timeout(60)
def test_a_worker_says_that_the_agent_is_stopped_and_what_starts_it_again(run: Run, box: Box) -> None:
    assert run("stop").code == 0
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "email", "worker"], env=box.environ, stderr=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stderr is not None
        told = worker.stderr.readline()
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(20) == 0
    assert "stopped" in told and "gaia email resume" in told and "working" not in told
    listed = run("schedule", "list")
    assert "gaia email resume" in listed.err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_worker_works_until_a_signal_and_is_the_only_one(
    run: Run, box: Box, number: signal.Signals, code: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "email", "worker"], env=box.environ, stderr=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stderr is not None
        assert "working" in worker.stderr.readline()
        assert run("worker").code == 2
        worker.send_signal(number)
        assert worker.wait(20) == code


def test_reading_a_mailbox_loads_no_protocol_and_no_database(box: Box) -> None:
    """Their imports take several times what reading a mailbox of the usual size does."""
    code = (
        "import sys\nfrom gaia_email.interfaces.cli.app import gaia\n"
        f"gaia.main(['email', 'inbox', '--maildir', {box.place.path!r}, '--json'], standalone_mode=False)\n"
        "print(sorted({'fastmcp', 'mcp', 'mcp_types', 'httpx2', 'sqlalchemy', 'dbos'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=box.environ, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.partition("\n[")[0])["total"] == 3
    assert done.stdout.endswith("\n[]\n"), done.stdout[-200:]


def test_commands_that_need_no_engine_do_not_load_it(box: Box) -> None:
    code = (
        "import sys\nfrom gaia_email.interfaces.cli.app import gaia\n"
        "def run(*args):\n"
        "    try:\n        gaia.main(['email', *args], standalone_mode=False)\n    except SystemExit:\n        pass\n"
        "run('--help'); run('runs', '--help')\n"
        "print(sorted({'dbos', 'sqlalchemy', 'fastmcp'} & set(sys.modules)))\n"
        f"run('pending', '--json'); run('status', '--json'); run('triage', '--maildir', {box.place.path!r}, '--json')\n"
        "run('stop', '--json')\n"
        "print(sorted({'dbos'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=box.environ, capture_output=True, text=True, check=True
    )
    assert done.stdout.count("\n[]\n") == 2, done.stdout[-300:]
