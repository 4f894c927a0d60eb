"""Questions of servers that wait for a person: answered once, used once, in time, by whichever program is first."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_registry.approvals import (
    GRANTED_S,
    MAX_OPEN,
    MAX_SHOWN,
    OPEN_S,
    SKEW_S,
    ApprovalRequest,
    Approvals,
)
from gaia_email_registry.errors import NeedsApproval, ProviderError
from tests.origins import PERSON


class Clock:
    """Epoch seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def asked(call: str = "call", digest: str = "digest", shown: str = "Send this email?") -> ApprovalRequest:
    return ApprovalRequest(
        call=call,
        shown_digest=digest,
        server="gaia-imap-mcp",
        account="me@a.example",
        tool="send_email",
        shown=shown,
        origin=PERSON,
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Approvals:
    path = tmp_path / "home" / "approvals.db" if request.param == "file" else None
    return Approvals(path, clock=clock)


def test_a_yes_lets_the_same_call_pass_once(store: Approvals) -> None:
    question = store.ask(asked())
    assert not store.take("call", "digest")
    assert store.answer(question.approval_id, "granted", by="terminal")
    assert store.take("call", "digest")
    assert not store.take("call", "digest")
    found = store.get(question.approval_id)
    assert found is not None and (found.state, found.answered_by) == ("used", "terminal")


@pytest.mark.parametrize(("call", "digest"), [("other", "digest"), ("call", "other")])
def test_a_yes_is_for_that_call_as_it_was_shown(store: Approvals, call: str, digest: str) -> None:
    store.answer(store.ask(asked()).approval_id, "granted", by="terminal")
    assert not store.take(call, digest)
    assert store.take("call", "digest")


def test_a_yes_runs_out(store: Approvals, clock: Clock) -> None:
    store.answer(store.ask(asked()).approval_id, "granted", by="terminal")
    clock.now += GRANTED_S + 1
    assert not store.take("call", "digest")


def test_a_yes_is_no_longer_good_when_the_clock_was_set_back(store: Approvals, clock: Clock) -> None:
    store.answer(store.ask(asked()).approval_id, "granted", by="terminal")
    clock.now -= OPEN_S
    assert not store.take("call", "digest")


def test_a_question_ends_when_the_clock_was_set_back(store: Approvals, clock: Clock) -> None:
    question = store.ask(asked())
    clock.now -= SKEW_S + 1
    assert store.waiting() == []
    assert not store.answer(question.approval_id, "granted", by="terminal")


def test_a_yes_is_taken_by_what_was_shown_or_by_its_id_and_never_by_the_call_alone(store: Approvals) -> None:
    question = store.ask(asked(digest=""))
    store.answer(question.approval_id, "granted", by="terminal")
    assert not store.take("call")
    assert not store.take("call", approval_id="another")
    assert store.take("call", approval_id=question.approval_id)


def test_a_question_runs_out(store: Approvals, clock: Clock) -> None:
    question = store.ask(asked())
    clock.now += OPEN_S + 1
    assert store.waiting() == []
    assert not store.answer(question.approval_id, "granted", by="terminal")


def test_the_first_answer_stands(store: Approvals) -> None:
    question = store.ask(asked())
    assert store.answer(question.approval_id, "refused", by="page")
    assert not store.answer(question.approval_id, "granted", by="terminal")
    assert not store.take("call", "digest")


def test_a_no_is_remembered_for_a_while(store: Approvals, clock: Clock) -> None:
    store.answer(store.ask(asked()).approval_id, "refused", by="page")
    assert store.find_refusal("call", "digest") is not None
    assert store.find_refusal("call", "other") is None
    clock.now += GRANTED_S + 1
    assert store.find_refusal("call", "digest") is None


def test_the_same_call_is_asked_about_once(store: Approvals) -> None:
    first = store.ask(asked())
    assert store.ask(asked()).approval_id == first.approval_id
    assert len(store.waiting()) == 1


def test_a_call_that_would_do_something_else_by_now_is_a_new_question(store: Approvals) -> None:
    first = store.ask(asked(digest="before"))
    second = store.ask(asked(digest="now"))
    assert [question.approval_id for question in store.waiting()] == [second.approval_id]
    assert not store.answer(first.approval_id, "granted", by="terminal")


def test_a_caller_that_asks_without_end_fills_nothing_and_pushes_nothing_out(
    store: Approvals, clock: Clock
) -> None:
    for number in range(MAX_OPEN + 20):
        clock.now += 1
        question = asked(call=str(number), shown="x" * (10 if number else MAX_SHOWN + 10))
        if number < MAX_OPEN:
            store.ask(question)
            continue
        with pytest.raises(NeedsApproval, match="wait for the user already"):
            store.ask(question)
    waiting = store.waiting()
    assert [one.asked.call for one in waiting] == [str(number) for number in range(MAX_OPEN)]
    assert store.ask(asked(call="7", digest="now")).state == "open", "what waits may be asked as it is by now"
    assert store.answer(waiting[0].approval_id, "refused", by="test")
    assert store.ask(asked(call="new")).state == "open"
    kept, _, told = waiting[0].asked.shown.partition("\n")
    assert (len(kept), told) == (MAX_SHOWN, "[10 more characters]")


def test_a_question_is_found_by_the_beginning_of_its_id(store: Approvals) -> None:
    question = store.ask(asked())
    assert [found.approval_id for found in store.starting_with(question.approval_id[:8])] == [
        question.approval_id
    ]
    assert store.starting_with("%") == store.starting_with("") == []


def test_only_the_owner_can_read_what_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "home" / "approvals.db"
    Approvals(path).ask(asked())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_another_program_is_about_to_fill_has_no_questions_yet(tmp_path: Path) -> None:
    path = tmp_path / "approvals.db"
    path.touch()
    assert Approvals(path).waiting() == []
    assert Approvals(path).get("id") is None


def test_of_many_programs_one_uses_a_yes(tmp_path: Path) -> None:
    path = tmp_path / "approvals.db"
    Approvals(path).answer(Approvals(path).ask(asked()).approval_id, "granted", by="terminal")

    def take(_: int) -> bool:
        return Approvals(path).take("call", "digest")

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(16))) == 1


def test_the_questions_of_one_server_push_out_none_of_another(store: Approvals) -> None:
    own = store.ask(replace(asked("mine"), server="gaia-gmail-mcp"))
    for number in range(MAX_OPEN):
        store.ask(asked(f"call{number}"))
    assert own.approval_id in {one.approval_id for one in store.waiting()}
    assert len(store.waiting()) == MAX_OPEN + 1


@pytest.mark.parametrize(
    ("content", "said", "step"),
    [
        (b"garbage " * 500, "file is not a database", "delete approvals.db"),
        (None, "the disk is full", "free some space"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_sentence_with_the_next_step(
    content: bytes | None, said: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "approvals.db"
    if content is None:
        monkeypatch.setattr("gaia_email_registry.small_database.make_private", _full)
    else:
        path.write_bytes(content)
    store = Approvals(path)
    calls: list[Callable[[], object]] = [
        lambda: store.ask(asked()),
        lambda: store.take("call", "digest"),
        lambda: store.find_refusal("call", "digest"),
        lambda: store.said_no("call"),
        lambda: store.answer("id", "granted", by="test"),
        lambda: store.get("id"),
        store.waiting,
        lambda: store.starting_with("id"),
    ]
    for call in calls:
        with pytest.raises(ProviderError, match=said) as error:
            call()
        assert step in (error.value.hint or "")


def _full(path: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", str(path))
