"""`gaia email watch` as a program: signals, exit codes, what it prints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import pytest

from gaia_email.interfaces.cli.app import gaia
from gaia_email.interfaces.cli.errors import run_guarded
from gaia_email.triage.watch import only_watch
from gaia_email_registry.accounts import Account, store_account
from tests.cli.printed import fits
from tests.contract.suite.seed import write_message

pytestmark = pytest.mark.timeout(120)  # whole programs are started; a busy machine takes its time

MAIN = "from gaia_email.interfaces.cli import main; main()"
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    for part in ("cur", "new", "tmp"):
        (tmp_path / "Mail" / part).mkdir(parents=True)
    return tmp_path / "Mail"


@pytest.fixture
def start(maildir: Path) -> Iterator[Start]:
    """Starts a watch of the Maildir; it is killed at the end where a test has not ended it."""
    with ExitStack() as stack:

        def begin(*args: str, stdout: int | IO[str] = subprocess.PIPE) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [sys.executable, "-c", MAIN, "email", "watch", "--maildir", str(maildir), *args],
                stdout=stdout,
                stderr=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        yield begin


def deliver(maildir: Path, number: int) -> None:
    (maildir / "tmp" / str(number)).write_bytes(write_message(number))
    os.rename(maildir / "tmp" / str(number), maildir / "new" / str(number))


def line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline()


def rest(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.read()


def test_a_line_is_of_the_published_form_and_after_a_kill_the_next_run_goes_on(
    maildir: Path, start: Start
) -> None:
    deliver(maildir, 1)
    watch = start("--jsonl")
    assert line(watch.stderr).startswith(f"Watching maildir:{maildir.resolve()} (1 there now)")
    for number in (2, 3):
        deliver(maildir, number)
        row: dict[str, Any] = json.loads(line(watch.stdout))
        fits(row, "watch")
        assert row["subject"] == f"Message number {number}"
    watch.kill()
    watch.wait()
    deliver(maildir, 4)
    again = start("--jsonl", "--fields", "subject", "--once")
    told = [json.loads(row)["subject"] for row in rest(again.stdout).splitlines()]
    # Only the last line before the kill may come again: the program may not have noted it down yet.
    assert [subject for subject in told if subject != "Message number 3"] == ["Message number 4"]
    assert again.wait() == 0


def test_ctrl_c_ends_it_with_130_and_no_traceback(start: Start) -> None:
    watch = start()
    line(watch.stderr)
    watch.send_signal(signal.SIGINT)
    assert watch.wait() == 130
    assert rest(watch.stderr) == ""


def test_a_pipe_gets_a_table_with_one_header(
    maildir: Path, home_of_its_own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deliver(maildir, 1)
    deliver(maildir, 2)
    arguments = ["email", "watch", "--maildir", str(maildir), "--all", "--once"]
    assert run_guarded(lambda: gaia.main(arguments, prog_name="gaia", standalone_mode=False)) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split("\t")[:3] == ["at", "bucket", "priority.score"]
    assert [row.split("\t")[5] for row in rows] == ["Message number 1", "Message number 2"]


def test_a_second_watch_of_the_same_mailbox_is_refused(
    maildir: Path, home_of_its_own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["email", "watch", "--maildir", str(maildir)]
    with only_watch(home_of_its_own / ".gaia", f"maildir:{maildir}", ["INBOX"]):
        assert run_guarded(lambda: gaia.main(arguments, prog_name="gaia", standalone_mode=False)) == 2
    assert "already" in capsys.readouterr().err


def test_an_account_that_does_not_exist_is_not_tried_again(
    home_of_its_own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store_account(
        Account(id="ida", provider="other", address="ida@own.example", server="imap", settings={}, secret=""),
        os.environ,
    )
    arguments = ["email", "watch", "--account", "nobody"]
    assert run_guarded(lambda: gaia.main(arguments, prog_name="gaia", standalone_mode=False)) == 4
    assert "No account 'nobody'" in capsys.readouterr().err
    assert not (home_of_its_own / ".gaia" / "watch").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_an_output_that_is_full_is_said_and_the_message_is_told_by_the_next_run(
    maildir: Path, start: Start
) -> None:
    deliver(maildir, 1)
    with open("/dev/full", "w") as full:
        watch = start("--jsonl", "--all", "--once", stdout=full)
        assert watch.wait() == 1
    assert "the output could not be written (No space left" in rest(watch.stderr)
    again = start("--jsonl", "--all", "--fields", "subject", "--once")
    assert [json.loads(row)["subject"] for row in rest(again.stdout).splitlines()] == ["Message number 1"]


def test_a_closed_pipe_ends_it_quietly(maildir: Path, start: Start) -> None:
    watch = start("--jsonl")
    line(watch.stderr)
    assert watch.stdout is not None
    watch.stdout.close()
    deliver(maildir, 1)
    assert watch.wait() == 0
    assert rest(watch.stderr) == ""
