"""`pending`, `review`, `approve`, `reject`, `status` with what mail servers ask, with and without a ledger."""

from __future__ import annotations

import os

import pytest

from gaia_email.actions.pending.questions import server_questions
from gaia_email.interfaces.cli import output
from gaia_email.interfaces.cli.server_review import review_servers
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.approvals import ApprovalRequest, Approvals
from gaia_email_registry.paths import approvals_file
from tests.cli.printed import Run, document
from tests.origins import PERSON

HOSTILE = "To: ada@corp.example\x1b[2J\x9b1A\n│ Hello\u202e\u200b\tthere"


def store() -> Approvals:
    return Approvals(approvals_file(os.environ))


def ask(call: str = "c1", shown: str = f"Send this email?\n{HOSTILE}") -> str:
    asked = ApprovalRequest(
        call=call,
        shown_digest="d",
        server="gaia-imap-mcp",
        account="me@corp.example",
        tool="send_email",
        shown=shown,
        origin=PERSON,
    )
    return store().ask(asked).approval_id


def test_looking_and_missing_make_no_file(run: Run) -> None:
    assert document(run, "pending", "pending")["total"] == 0
    assert document(run, "status", "status")["pending"]["confirmation"] == 0
    assert not approvals_file(os.environ).exists()


def test_a_servers_question_is_listed_counted_and_answered_without_a_ledger(run: Run) -> None:
    id_ = ask()
    found = document(run, "pending", "pending")
    (row,) = found["confirmations"]
    assert (found["total"], found["shown"], found["waiting"]["confirmation"]) == (1, 1, 1)
    assert (row["id"], row["type"], row["server"], row["tool"], row["risk"], row["state"]) == (
        id_,
        "confirmation",
        "gaia-imap-mcp",
        "send_email",
        "destructive",
        "open",
    )
    assert row["text"] == "Send this email?"
    assert row["body"].startswith("To: ada@corp.example")
    assert document(run, "status", "status")["pending"]["confirmation"] == 1
    assert "\tpending.confirmation\t" in run("status").out
    answer = document(run, "approve", "approve", id_[:8])
    assert (answer["answered"], answer["items"][0]["result"], answer["items"][0]["state"]) == (
        1,
        "approved",
        "answered",
    )
    assert "Let your assistant try again" in answer["items"][0]["reason"]
    assert document(run, "pending", "pending")["total"] == 0
    assert not has_ledger(os.environ)
    assert store().take("c1", "d")


def test_a_no_is_noted_and_coming_too_late_is_told(run: Run) -> None:
    id_ = ask()
    assert document(run, "reject", "reject", id_)["items"][0]["result"] == "rejected"
    late = document(run, "approve", "approve", id_, code=5)
    assert late["items"][0]["result"] == "taken"
    assert not store().take("c1", "d")


def test_nothing_a_server_shows_steers_the_terminal_and_no_line_is_cut(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    mark = "[another organisation] [name imitates another address]"
    id_ = ask(shown=f"Send this email?\nTo: {'a' * 60}@evil.example {mark}\n{HOSTILE}")
    shown = run("pending").out
    assert not any(char in shown for char in "\x1b\x9b\u202e\u200b\t")
    assert mark in shown
    assert f"gaia email approve {id_[:8]}" in shown
    assert "1 confirmation; gaia email review" in run("status").out
    line = run("approve", id_).err
    assert "approved: Send this email?" in line


def test_types_and_cohorts_leave_out_what_they_do_not_name(run: Run) -> None:
    ask()
    assert len(document(run, "pending", "pending", "--type", "confirmation")["confirmations"]) == 1
    for chosen in (("--type", "question"), ("--cohort", "newsletters")):
        found = document(run, "pending", "pending", *chosen)
        assert (found["confirmations"], found["waiting"]["confirmation"]) == ([], 1)


def test_a_stopped_agent_agrees_to_no_servers_question(run: Run) -> None:
    id_ = ask()
    assert run("stop").code == 0
    refused = document(run, "approve", "approve", id_, code=5)
    assert refused["items"][0]["result"] == "refused"
    assert "stopped" in refused["items"][0]["reason"]
    assert not store().take("c1", "d")
    assert document(run, "reject", "reject", id_)["answered"] == 1


def test_several_at_once_and_edits(run: Run) -> None:
    first, second = ask("c1"), ask("c2")
    assert run("approve", first, "--bucket", "urgent").code == 2
    assert run("approve", first, "--all-of-cohort").code == 2
    done = document(run, "approve", "approve", first, second, first)
    assert [item["id"] for item in done["items"]] == [first, second]
    assert run("approve", "ffffffff-ffff").code == 1


@pytest.mark.parametrize(
    ("keys", "came_to", "passes"),
    [
        ("a", (1, 0, 0, False), True),
        ("r", (1, 0, 0, False), False),
        ("s", (0, 1, 0, False), False),
        ("xa", (1, 0, 0, False), True),
        ("q", (0, 0, 1, True), False),
        ("", (0, 0, 1, True), False),
    ],
)
def test_the_review_takes_one_key_a_question(
    keys: str,
    came_to: tuple[int, int, int, bool],
    passes: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask()
    typed = iter(keys)
    questions = server_questions(os.environ, by="cli", halted=lambda: "")
    done = review_servers(questions, questions.waiting(), lambda: next(typed, ""))
    assert (done.answered, done.skipped, done.left, done.quit) == came_to
    assert store().take("c1", "d") is passes
    shown = capsys.readouterr().out
    assert "Send this email?" in shown
    assert "asked by gaia-imap-mcp" in shown
    assert not any(char in shown for char in "\x1b\x9b\u202e\u200b")


def test_a_long_question_is_shown_whole_on_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    lines = "\n".join(f"line {number}" for number in range(500))
    store().ask(
        ApprovalRequest(
            call="long",
            shown_digest="d",
            server="gaia-imap-mcp",
            account="me@example.org",
            tool="send_email",
            shown=f"Send this email?\n{lines}",
            origin=PERSON,
        )
    )
    questions = server_questions(os.environ, by="cli", halted=lambda: "")
    seen: list[str] = []
    typed = iter("va")

    def key() -> str:
        seen.append(capsys.readouterr().out)
        return next(typed, "")

    assert review_servers(questions, questions.waiting(), key).answered == 1
    first, whole = seen
    assert "line 0" in first and "line 499" not in first and "with v]" in first
    assert "line 0" in whole and "line 499" in whole and "more lines" not in whole
