"""What mail servers ask, answered in the Agent Inbox: once, never while stopped; nothing is made by looking."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_email.actions.pending.questions import ServerQuestions, asked_by_servers, server_questions
from gaia_email_registry.approvals import GRANTED_S, OPEN_S, ApprovalRequest, Approvals
from gaia_email_registry.errors import NotFound, ProviderError
from gaia_email_registry.paths import approvals_file
from tests.origins import PERSON

ASKED = ApprovalRequest(
    call="call",
    shown_digest="digest",
    server="gaia-imap-mcp",
    account="me@corp.example",
    tool="send_email",
    shown="Send this email?\nTo: ada@corp.example",
    origin=PERSON,
)


class Bench:
    """One file of questions, a clock, and a switch."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_000_000.0
        self.stopped = ""
        self.store = Approvals(folder / "approvals.db", clock=lambda: self.now)
        self.questions = ServerQuestions(self.store, by="cli", halted=lambda: self.stopped)

    def ask(self) -> str:
        return self.store.ask(ASKED).approval_id


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_yes_lets_the_same_call_pass_once_and_does_nothing_itself(bench: Bench) -> None:
    id_ = bench.ask()
    assert [one.approval_id for one in bench.questions.waiting()] == [id_]
    given = bench.questions.approve(id_[:8].upper())
    assert (given.result, given.counts, given.approval.answered_by) == ("approved", True, "cli")
    assert "within 15 minutes. Let your assistant try again." in given.reason
    assert bench.questions.waiting() == []
    assert bench.store.take("call", "digest")
    assert not bench.store.take("call", "digest")
    late = bench.questions.approve(id_)
    assert (late.result, late.reason) == (
        "taken",
        "This was agreed to in cli and used already; it is good for one call.",
    )


def test_a_no_is_noted_and_stands(bench: Bench) -> None:
    id_ = bench.ask()
    assert bench.questions.reject(id_).result == "rejected"
    assert bench.store.find_refusal("call", "digest") is not None
    assert bench.questions.approve(id_).reason == "This was refused already in cli; that answer stands."
    assert not bench.store.take("call", "digest")


def test_a_second_yes_is_told_and_does_not_last_longer(bench: Bench) -> None:
    id_ = bench.ask()
    bench.questions.approve(id_)
    bench.now += GRANTED_S - 1
    assert bench.questions.approve(id_).reason.startswith("This was agreed to already in cli.")
    bench.now += 2
    assert not bench.store.take("call", "digest")


def test_a_question_that_has_run_out_takes_no_answer(bench: Bench) -> None:
    id_ = bench.ask()
    bench.now += OPEN_S + 1
    given = bench.questions.approve(id_)
    assert (given.result, given.approval.state) == ("taken", "expired")
    assert "has expired" in given.reason


def test_a_stopped_agent_takes_a_no_and_no_yes(bench: Bench) -> None:
    id_ = bench.ask()
    bench.stopped = "The agent is stopped."
    given = bench.questions.approve(id_)
    assert (given.result, given.counts, given.reason) == ("refused", False, "The agent is stopped.")
    assert not bench.store.take("call", "digest")
    assert bench.questions.reject(id_).result == "rejected"


def test_what_is_not_there_is_said(bench: Bench) -> None:
    with pytest.raises(NotFound, match="Nothing that is waiting has"):
        bench.questions.approve("00000000")


def test_looking_makes_no_file(tmp_path: Path) -> None:
    environ = {"GAIA_HOME": str(tmp_path / "home")}
    assert asked_by_servers(environ) == []
    found = server_questions(environ, by="cli", halted=lambda: "")
    assert (found.waiting(), found.find_by_prefix("00000000")) == ([], [])
    assert not (tmp_path / "home").exists()


def test_a_damaged_file_is_a_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    environ = {"GAIA_HOME": str(tmp_path)}
    approvals_file(environ).write_bytes(b"no database at all " * 100)
    with pytest.raises(ProviderError, match="cannot be used") as error:
        asked_by_servers(environ)
    assert "delete approvals.db" in (error.value.hint or "")
