"""`triage --apply`, `actions`, `undo`, `snooze`, `wake`, `unsubscribe`: what they do, print, and refuse."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gaia_email.actions.account_session import locked_account
from gaia_email.interfaces.cli import output, person
from gaia_email.interfaces.cli.acting import TerminalPrompt, lines
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.policy_store import StoredBrakes
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.policy.gate import CallRefused, Gate
from gaia_email.policy.question import CallQuestion
from gaia_email.runs.here import run_here
from gaia_email.runs.job import Job
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import MailError
from gaia_mail.asking.people import KnownPerson
from tests.cli.printed import Run, document
from tests.maildirs import link_mail
from tests.origins import PERSON


@pytest.fixture
def mail(sample_maildir: Path, tmp_path: Path) -> Path:
    """A sample mailbox of one's own."""
    folder = tmp_path / "Mail"
    shutil.copytree(sample_maildir, folder, copy_function=link_mail)
    messages = sorted(path for path in folder.rglob("*") if path.parent.name in ("cur", "new"))
    for number, path in enumerate(messages):
        if number % 5:
            path.unlink()
    return folder


@pytest.fixture
def on_a_terminal(monkeypatch: pytest.MonkeyPatch, plain_terminal: None) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)


def files(mail: Path) -> list[str]:
    """Every message's folder and flags."""
    found = [path.relative_to(mail) for path in mail.rglob("*") if path.parent.name in ("cur", "new")]
    return sorted(str(path) for path in found)


def test_what_is_done_is_listed_and_taken_back(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    before = files(mail)
    done = document(run, "triage-apply", "triage", "--apply", "--yes", *source)
    assert len(done["done"]) == done["modes"]["apply"] > 3
    assert done["undo"].startswith("gaia email undo --run ")
    assert {row["state"] for row in done["done"]} == {"applied"}
    assert {row["type"] for row in done["done"]} == {"archive", "label_add"}
    assert all(row["why"] and row["sender"] and row["level"] in ("L4", "L5") for row in done["done"])
    assert files(mail) != before
    listed = document(run, "actions", "actions", "--run", done["run_id"][:8])
    assert {row["action_id"] for row in listed["actions"]} >= {row["action_id"] for row in done["done"]}
    undone = document(run, "undo", "undo", "--run", done["run_id"][:8], *source)
    assert len(undone["taken_back"]) == len(done["done"])
    assert (undone["kept"], undone["left"]) == ([], 0)
    listed = document(run, "actions", "actions", "--limit", "5")
    assert (listed["shown"], listed["actions"][0]["type"]) == (5, "undo")


def test_a_second_triage_has_nothing_to_do_and_touches_no_file(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    first = document(run, "triage-apply", "triage", "--apply", "--yes", *source)
    before = files(mail)
    again = document(run, "triage-apply", "triage", "--apply", "--yes", *source)
    assert (again["done"], again["judged"], again["undo"]) == ([], 0, "")
    archived = sum(row["type"] == "archive" for row in first["done"])
    assert again["handled_before"] == first["judged"] - archived
    assert files(mail) == before


def test_what_was_taken_back_is_listed_as_such_and_done_once_more_when_asked(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    done = {
        row["message_id"]
        for row in document(run, "triage-apply", "triage", "--apply", "--yes", *source)["done"]
    }
    run("undo", *source)

    def planned(*words: str) -> dict[str, str]:
        rows = document(run, "triage", "triage", *words, *source)["buckets"].values()
        return {row["id"]: row["plan"]["mode"] for bucket in rows for row in bucket}

    modes = planned()
    assert {modes[id_] for id_ in done & modes.keys()} == {"leave"}
    assert "apply" not in modes.values()
    told = run("triage", *source).err
    assert f"{len(done)} of it you took back" in told and "--again" in told
    assert document(run, "triage-apply", "triage", "--apply", "--yes", *source)["done"] == []
    modes = planned("--again")
    assert {modes[id_] for id_ in done & modes.keys()} == {"apply"}
    again = document(run, "triage-apply", "triage", "--apply", "--again", "--yes", *source)["done"]
    assert {row["message_id"] for row in again} == done


@pytest.mark.usefixtures("on_a_terminal")
def test_a_run_is_one_card_with_one_undo(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    shown = run("triage", "--apply", "--yes", *source).out
    assert "archived" in shown
    assert shown.count("gaia email undo --run ") == 1
    listed = run("actions").out
    assert listed.count("gaia email undo") == 1
    assert "archived" in listed
    undone = run("undo", *source)
    assert (undone.code, "taken back" in undone.out) == (0, True)
    nothing = run("undo", *source)
    assert nothing.code == 1
    assert "Nothing was done" in nothing.err


def test_a_snoozed_message_is_away_and_its_undo_brings_it_back(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    buckets = json.loads(run("inbox", *source, "--json").out)["buckets"]
    id_ = buckets["urgent"][0]["id"]
    done = document(run, "snooze", "snooze", id_, "--until", "3d", *source)
    assert [row["type"] for row in done["done"]] == ["snooze"]
    assert done["done"][0]["labels"][0].startswith("gaia/snoozed-until-")
    assert id_ not in run("inbox", *source, "--jsonl").out
    assert document(run, "wake", "wake", *source)["done"] == []
    document(run, "undo", "undo", "--action", done["done"][0]["action_id"][:8], *source)
    assert id_ in run("inbox", *source, "--jsonl").out


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("triage", "--apply", "--yes", "--demo"), 2, "only read"),
        (("triage", "--apply", "--yes", "--dry-run", "--demo"), 2, "one of them"),
        (("snooze", "nowhere", "--until", "3d"), 1, "nowhere"),
        (("snooze", "x", "--until", "soon"), 2, "--until"),
        (("snooze", "x", "--until", "2001-01-01"), 2, "to come"),
        (("undo", "--run", "a", "--since", "1d"), 2, "not several"),
        (("undo", "--run", "zzzz"), 1, "No run"),
        (("undo", "--action", "zzzz"), 1, "No action"),
        (("undo", "--since", "1h"), 1, "nothing of that left"),
        (("unsubscribe", "--sender", "nobody"), 2, "address"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    run: Run, mail: Path, args: tuple[str, ...], code: int, said: str
) -> None:
    source = () if "--demo" in args else ("--maildir", str(mail))
    result = run(*args, *source)
    assert (result.code, said in result.err) == (code, True), result.err


def test_a_stopped_agent_applies_nothing_but_lets_the_user_undo(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    document(run, "triage-apply", "triage", "--apply", "--yes", *source)
    run("stop")
    result = run("triage", "--apply", "--yes", *source)
    assert (result.code, "stopped" in result.err) == (5, True)
    assert document(run, "undo", "undo", *source)["taken_back"]
    run("resume")
    run("pause")
    assert run("triage", "--apply", "--yes", *source).code == 5


def test_the_users_own_levels_decide_what_is_done(run: Run, mail: Path) -> None:
    for cohort in ("newsletters", "social", "transactional"):
        assert run("policy", "set", "--cohort", cohort, "--level", "2").code == 0
    before = files(mail)
    done = document(run, "triage-apply", "triage", "--apply", "--yes", "--maildir", str(mail))
    assert (done["done"], done["modes"].get("apply", 0)) == ([], 0)
    assert files(mail) == before
    run("policy", "set", "--cohort", "newsletters", "--level", "5", "--yes")
    assert document(run, "triage-apply", "triage", "--apply", "--yes", "--maildir", str(mail))["done"]


def test_what_needs_a_yes_is_not_done_in_a_pipe(
    run: Run, mail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email.actions.writing.MailWriter.can_leave_lists", _can)
    listed = json.loads(run("inbox", "--maildir", str(mail), "--json").out)["buckets"]["low_priority"]
    result = run("unsubscribe", "--sender", "nobody@x.example", "--maildir", str(mail))
    for row in listed:
        result = run("unsubscribe", "--sender", row["from"]["address"], "--maildir", str(mail))
        if result.code != 1:
            break
    assert result.code == 5
    assert "waits for your agreement, and nothing was done yet" in result.err
    (waiting,) = document(run, "pending", "pending")["confirmations"]
    assert waiting["id"][:8] not in result.err
    assert (waiting["tool"], len(waiting["senders"])) == ("unsubscribe", 1)
    assert run("reject", waiting["id"][:8]).code == 0
    assert run("approve", waiting["id"][:8]).code == 5
    assert document(run, "pending", "pending")["confirmations"] == []
    with open_ledger() as ledger, ledger.read() as tx:
        events = [event.kind for event in ledger.events.since(tx, kind="approval.*")]
    assert events == ["approval.requested", "approval.refused"]
    assert document(run, "actions", "actions")["actions"] == []


async def _can(self: object) -> bool:
    return True


def test_two_programs_do_not_act_on_one_account(run: Run, mail: Path) -> None:
    before = files(mail)
    with locked_account(Path(os.environ["GAIA_HOME"]), f"maildir:{mail}"):
        result = run("triage", "--apply", "--yes", "--maildir", str(mail))
    assert result.code == 2
    assert f"process {os.getpid()}" in result.err
    assert "nothing was done" in result.err
    assert files(mail) == before
    assert run("triage", "--apply", "--yes", "--maildir", str(mail)).code == 0


def test_a_lock_goes_with_the_program_that_had_it(mail: Path, run: Run) -> None:
    code = (
        "import os,sys\nfrom pathlib import Path\nfrom gaia_email.actions.account_session import locked_account\n"
        f"with locked_account(Path(os.environ['GAIA_HOME']), {f'maildir:{mail}'!r}):\n"
        "    print('mine', flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "mine\n"
        assert run("wake", "--maildir", str(mail)).code == 2
        other.kill()
        other.wait()
        assert run("wake", "--maildir", str(mail)).code == 0


def test_a_home_that_cannot_be_written_is_said_and_nothing_is_changed(
    run: Run, mail: Path, home_of_its_own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(mail)
    data = home_of_its_own / ".gaia"
    data.mkdir()
    if os.geteuid() == 0:  # root may write everywhere, so a file stands where the folder would be
        (data / "email").write_text("")
    else:
        data.chmod(stat.S_IRUSR | stat.S_IXUSR)
    result = run("triage", "--apply", "--yes", "--maildir", str(mail))
    assert result.code == 1
    assert result.err.startswith("Error: ")
    assert "inside gaia email" not in result.err
    assert files(mail) == before


def test_a_full_disk_is_said_before_anything_is_changed(
    run: Run, mail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("pause")
    run("resume")
    before = files(mail)
    limited = _limited(StoredBrakes.explain_hold, pages=0)
    monkeypatch.setattr(StoredBrakes, "explain_hold", limited)
    result = run("triage", "--apply", "--yes", "--maildir", str(mail))
    assert result.code == 1
    assert "disk is full" in result.err
    assert files(mail) == before
    monkeypatch.undo()


def _limited(held: Callable[[Any], str], *, pages: int) -> Callable[[Any], str]:
    """From the moment a run asks whether it may start, the ledger's file cannot grow by more pages."""

    def limit(brakes: Any) -> str:
        ledger: Ledger = brakes._ledger
        pool: Any = ledger._engine.pool  # pyright: ignore[reportPrivateUsage]
        from sqlalchemy import event

        def grow_no_more(connection: sqlite3.Connection, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count = {pages + 1}")

        event.listen(ledger._engine, "connect", grow_no_more)  # pyright: ignore[reportPrivateUsage]
        pool.dispose()
        return held(brakes)

    return limit


def test_nothing_of_a_hostile_mail_steers_the_terminal_that_asks() -> None:
    asked = CallQuestion(
        account="me@example.org",
        tool="send_email",
        risk="destructive",
        dry_run="Would send an email to 1 recipient.",
        recipients=(
            KnownPerson(
                field="to",
                name="bo\u202ess@corp.example\n       text  fine",
                address="eve\x1b[2J@evil.example",
                disguise=True,
                standing="other_organisation",
                only_in_text=True,
            ),
        ),
        subject="Hi\x1b]0;owned\x07\u202e",
        text="fine\x9b2J\n        why  You asked for it.",
        html_text="\x1b[2Jpay Eve",
        hidden=("\u200bpsst",),
        files=("a\x1b[1A.pdf",),
        messages=("\x1b[1A",),
        why="\x1b[31m",
    )
    shown = lines(asked)
    assert "  │         why  You asked for it." in shown
    assert "  │ ␛[2Jpay Eve" in shown
    assert not any(char in line for line in shown for char in "\x1b\x07\x9b\u202e\u200b\n")
    assert shown[1].endswith(
        "[another organisation] [address stands only in mail text] [name imitates another address]"
    )


def test_with_a_gate_that_refuses_no_interface_changes_a_mailbox(
    run: Run, mail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands, answers to what waits, undo, scheduled runs: all come by the gate."""
    where = ("--maildir", str(mail))
    done = document(run, "triage-apply", "triage", "--apply", "--yes", *where)
    note, question = (
        document(run, "pending", "pending", "--type", kind)["items"][0]["id"]
        for kind in ("notify", "question")
    )
    listed = json.loads(run("inbox", *where, "--json").out)["buckets"]
    message = next(rows[0]["id"] for rows in listed.values() if rows)
    run("snooze", message, "--until", "1h", *where)
    before = files(mail)
    asked: list[str] = []

    async def refuse(gate: Gate, call: ToolCall, *rest: object) -> CallRefused:
        asked.append(call.tool)
        return CallRefused(reason="The gate refuses.")

    def refuse_to_redeem(gate: Gate, key: str, call: ToolCall) -> CallRefused:
        return CallRefused(reason="The gate refuses.")

    monkeypatch.setattr(Gate, "ask", refuse)
    monkeypatch.setattr(Gate, "redeem", refuse_to_redeem)
    monkeypatch.setattr("gaia_email.actions.writing.MailWriter.can_leave_lists", _can)
    (mail / "cur" / "99.new:2,").write_bytes(
        b"From: News <n@new.example>\r\nTo: me@x.example\r\nSubject: Our weekly offers\r\nList-Id: <n.new.example>\r\n"
        b"List-Unsubscribe: <https://new.example/off>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
        b"Date: Mon, 30 Mar 2026 09:00:00 +0000\r\nMessage-ID: <99@new.example>\r\n\r\nOffers.\r\n"
    )
    before = files(mail)
    for command in (
        ("triage", "--apply", "--yes", *where),
        ("snooze", message, "--until", "2h", *where),
        ("wake", *where),
        ("unsubscribe", "--sender", "n@new.example", *where),
        ("approve", question),
        ("undo", note),
        ("undo", "--run", done["run_id"], *where),
        ("undo", *where),
    ):
        run(*command)
        assert files(mail) == before, command
    place = MailboxRef(kind="maildir", path=str(mail))
    for kind in ("triage", "wake"):
        with suppress(MailError):
            run_here(
                Job(kind=kind, run_id=f"gate-{kind}", place=place, scheduled=True, origin=PERSON),
                environ=os.environ,
            )
        assert files(mail) == before, kind
    assert {"batch_modify_emails", "unsubscribe", "get_or_create_label"} <= set(asked)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [(b"y\n", "yes"), (b"YES\n", "yes"), (b"\n", "no"), (b"maybe\n", "no"), (b"\x04", "no")],
)
def test_a_question_on_a_terminal_takes_a_yes_and_nothing_else_for_one(
    typed: bytes, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    master, slave = pty.openpty()
    asked = CallQuestion(
        account="me@example.org", tool="send_email", risk="destructive", dry_run="Would send."
    )
    with os.fdopen(slave, "r") as reading, os.fdopen(os.dup(slave), "w", buffering=1) as telling:
        monkeypatch.setattr(sys, "stdin", reading)
        monkeypatch.setattr(sys, "stderr", telling)
        monkeypatch.setattr(person, "open_terminal", lambda: person.Terminal(os.dup(slave)))
        monkeypatch.setattr(person, "known", person.PersonKnown(person=True))

        def types(self: person.Terminal) -> None:
            os.write(master, typed)

        monkeypatch.setattr(person.Terminal, "forget_typed", types)
        said = asyncio.run(asyncio.wait_for(TerminalPrompt().ask(asked), 5))
        monkeypatch.undo()
    os.close(master)
    assert said == answer


def test_the_first_triage_of_a_mailbox_shows_counts_and_waits_for_a_yes(
    run: Run, mail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = run("triage", "--apply", "--maildir", str(mail))
    assert asked.code == 5 and "Nothing was done." in asked.err
    assert "the first triage that acts on this mailbox" in asked.err and " × " in asked.err
    assert not document(run, "actions", "actions")["actions"]
    assert run("triage", "--apply", "--yes", "--maildir", str(mail)).code == 0
    assert run("triage", "--apply", "--maildir", str(mail)).code == 0, "asked once"
