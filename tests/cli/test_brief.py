"""`gaia email brief` on the sample mailbox."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.printed import Run, document


def test_the_sample_mailbox_has_a_brief_with_mail_events_and_follow_ups(run: Run) -> None:
    found = document(run, "brief", "brief", "--demo", "--evening")
    assert found["kind"] == "evening" and not found["empty"]
    assert set(found["email"]) == {"urgent", "actionable", "informational", "suspicious", "low_priority"}
    assert "Press check, spring posters" in [one["title"] for one in found["events"]]
    assert found["owe"] and found["owed"]


def test_inbox_and_brief_count_the_same_sections(run: Run) -> None:
    inbox, brief = document(run, "inbox", "inbox", "--demo"), document(run, "brief", "brief", "--demo")
    counted = {name: one["threads"] for name, one in inbox["counts"].items()}
    assert counted == {name: one["threads"] for name, one in brief["email"].items()}
    assert counted == {name: len(rows) for name, rows in inbox["buckets"].items()}
    assert counted["suspicious"] >= 10 and sum(counted.values()) == inbox["threads"]
    assert all({"phishing", "injection"} & set(row["warnings"]) for row in inbox["buckets"]["suspicious"])
    apart = [name for name in counted if name != "suspicious"]
    assert not any(
        {"phishing", "injection"} & set(row["warnings"]) for name in apart for row in inbox["buckets"][name]
    )


def test_text_is_printed_as_it_is(run: Run) -> None:
    found = run("brief", "--demo", "--to", "markdown")
    assert found.code == 0 and found.out.startswith("# ") and "## Follow-ups" in found.out


def test_a_pipe_gets_the_brief_and_not_a_row_about_it(run: Run) -> None:
    found = run("brief", "--demo", "--evening")
    assert found.out.startswith("Evening brief, Thursday") and "Press check, spring posters" in found.out
    assert run("brief", "--demo", "--fields", "kind,threads").out.startswith("kind\tthreads\n")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("command", [("brief",), ("inbox",), ("followups",), ("search", "hello")])
def test_a_reader_that_leaves_early_is_a_normal_end(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_text("From: ann@example.org\nTo: me@example.org\nSubject: Hello\n\nHello\n")
    gaia = str(Path(sys.executable).with_name("gaia"))
    with subprocess.Popen(
        [gaia, "email", *command, "--eml", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout is not None and program.stderr is not None
        program.stdout.close()
        told = program.stderr.read().decode()
        assert program.wait(timeout=60) == 0 and "Error" not in told and "Traceback" not in told


def test_what_does_not_go_together_is_refused(run: Run) -> None:
    assert run("brief", "--demo", "--last", "--evening").code == 2
    assert run("brief", "--demo", "--date", "soon").code == 2
