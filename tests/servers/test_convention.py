"""`--server NAME` with a server that has only the convention's tools: it is read, searched and watched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.printed import Run
from tests.cli.test_connected_files import maildir, subjects
from tests.servers.conftest import MAIN
from tests.servers.convention_box import ME, ConventionBox

POST = ("--server", "post")
USER = (*POST, "--user", ME)


@pytest.fixture
def box(run: Run, tmp_path: Path) -> ConventionBox:
    found = ConventionBox(tmp_path)
    found.serve()
    return found


def test_the_inbox_is_sorted_from_headers_and_text(run: Run, box: ConventionBox) -> None:
    told = run("inbox", *USER, "--json")
    assert told.code == 0, told.err
    assert subjects(told.out) == {"Bill for the roof", "Weekly news", "Can you call me?"}
    rows = {row["id"]: row for rows in json.loads(told.out)["buckets"].values() for row in rows}
    assert rows["m4"]["unread"] and not rows["m3"]["unread"]


def test_why_says_what_could_not_be_judged(run: Run, box: ConventionBox) -> None:
    told = run("why", "m4", *USER, "--json")
    assert told.code == 0, told.err
    defects = " ".join(json.loads(told.out)["defects"])
    assert "gives no authentication results" in defects and "only the plain text" in defects
    assert "1 attached file could not be judged" in defects
    assert json.loads(run("why", "m3", *USER, "--json").out)["defects"] == [
        one
        for one in json.loads(run("show", "m3", *USER, "--json").out)["defects"]
        if "plain text" not in one
    ]
    # What was kept of the message says the same as what was just read.
    assert run("why", "m4", *USER, "--json").out == told.out


def test_nothing_is_taken_for_proved_and_hidden_text_is_found_where_html_is_given(
    run: Run, box: ConventionBox
) -> None:
    why = json.loads(run("why", "m2", *USER, "--json").out)
    checks = why["flags"]["authentication"]
    assert not checks["trusted"] and {checks["spf"], checks["dkim"], checks["dmarc"]} == {"none"}
    shown = json.loads(run("show", "m3", *USER, "--json").out)
    assert "fence paint" not in shown["text"]["normalized"]
    assert any("fence paint" in one["text"] for one in shown["removed"])


def test_its_mail_is_searched_and_read_once(run: Run, box: ConventionBox) -> None:
    first = json.loads(run("search", "fence", *POST, "--json").out)
    assert {row["id"] for row in first["hits"]} >= {"m1", "m2"}
    reads = [tool for tool, _ in box.calls()].count("read_email")
    assert json.loads(run("search", "from:ann", *POST, "--json").out)["shown"] == 1
    assert [tool for tool, _ in box.calls()].count("read_email") == reads == 4


def test_mail_outside_the_inbox_is_found_by_the_servers_own_search(run: Run, box: ConventionBox) -> None:
    held = box.held()
    held["mail"]["m0"] = {**held["mail"]["m2"], "subject": "Old fence contract", "labels": []}
    box.write(held)
    assert "m0" not in run("inbox", *USER, "--json").out
    found = json.loads(run("search", "contract", *POST, "--json").out)
    assert [row["id"] for row in found["hits"]] == ["m0"]
    assert "m0" not in run("inbox", *USER, "--json").out


def test_a_watch_tells_what_came_since_the_last_one(run: Run, box: ConventionBox) -> None:
    assert run("watch", *USER, "--once").code == 0
    box.arrives("m5", "The gate is broken")
    told = run("watch", *USER, "--once", "--jsonl")
    assert told.code == 0, told.err
    assert [json.loads(line)["id"] for line in told.out.splitlines()] == ["m5"]


def test_a_watch_says_that_it_looks_now_and_then(box: ConventionBox) -> None:
    command = [sys.executable, "-c", MAIN, "email", "watch", *USER]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr is not None
            said = next(line for line in process.stderr if "Watching" in line)
        finally:
            process.terminate()
    assert "server:post" in said and "looked at every 3 minutes" in said


def test_reading_calls_no_tool_that_changes_something(run: Run, box: ConventionBox) -> None:
    for words in (("inbox",), ("why", "m2"), ("search", "fence")):
        assert run(*words, *POST).code == 0
    assert {tool for tool, _ in box.calls()} == {"search_emails", "read_email", "list_email_labels"}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("flood", "with 20,000 messages; 100 were asked for"),
        ("prose", "answer to a search cannot be read: I found some mail"),
    ],
)
def test_an_answer_that_cannot_be_is_said_and_nothing_is_shown(
    fault: str, said: str, run: Run, box: ConventionBox
) -> None:
    box.serve(fault)
    told = run("inbox", *USER, "--json")
    assert told.code == 1 and told.out == "" and said in told.err


def test_a_message_that_names_two_senders_is_not_read_as_either(run: Run, box: ConventionBox) -> None:
    box.serve("two-senders")
    told = run("why", "m2", *USER)
    assert told.code != 0 and "boss" not in told.out


def test_a_text_without_end_is_cut_and_says_so(run: Run, box: ConventionBox) -> None:
    box.serve("huge")
    told = run("why", "m2", *USER, "--json")
    assert told.code == 0, told.err
    assert any("only the first 200,000 were taken in" in one for one in json.loads(told.out)["defects"])


def test_a_label_that_the_server_cannot_search_is_told(run: Run, box: ConventionBox) -> None:
    box.serve("no-stars")
    told = run("inbox", *USER, "--json")
    assert told.code == 0 and len(subjects(told.out)) == 3
    assert "does not say which messages carry STARRED, so nothing in it is changed" in told.err


def test_a_look_at_it_says_that_it_is_a_mailbox(run: Run, box: ConventionBox) -> None:
    assert "a mailbox: gaia email inbox --server post" in run("servers", "test", "post").err


def test_a_server_of_ours_with_the_core_tools_alone_is_such_a_mailbox(run: Run, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof", "Fence")
    program = ["-m", "gaia_local_mcp.server", "--maildir", str(folder), "--enabled-tools", "core"]
    added = run("servers", "add", "core", "--", sys.executable, *program)
    assert "a mailbox: gaia email inbox --server core" in added.err
    core = ("--server", "core", "--user", ME)
    told = run("inbox", *core, "--json")
    assert subjects(told.out) == {"Roof", "Fence"}
    id_ = next(row["id"] for rows in json.loads(told.out)["buckets"].values() for row in rows)
    assert "no authentication results" in run("why", id_, *core, "--json").out
    assert run("snooze", id_, "--until", "3d", "--server", "core").code == 0
    assert len(subjects(run("inbox", *core, "--json").out)) == 1
    assert run("undo", "--server", "core").code == 0
    assert subjects(run("inbox", *core, "--json").out) == {"Roof", "Fence"}
