"""Questions of the gate: answered in any interface, once, only as shown, and only while they are good."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import text

from gaia_email.actions.account_session import AccountBusy, AccountSession
from gaia_email.actions.account_session import LedgerApprovals as LedgerConfirmations
from gaia_email.actions.call_facts import ask_gate
from gaia_email.actions.pending.calls import LATER, OpenQuestions
from gaia_email.actions.pending.questions import AnsweredQuestion
from gaia_email.actions.unsubscribe import LeftList, newest_of, unsubscribe
from gaia_email.policy.gate import CallRefused, CallWaiting, Consent, Gate, Pass, PromptAnswer
from gaia_email.policy.question import CallQuestion
from gaia_email_registry.approvals import Approval
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import BadArgument, NeedsApproval
from tests.actions.account import ME, Bench
from tests.gate.every_call import facts_for
from tests.origins import PERSON

T = TypeVar("T")
SENDER = "news@list.example"


@pytest.fixture
def left(bench: Bench) -> list[str]:
    """The lists that were left."""
    found: list[str] = []
    bench.box._on_unsubscribe = found.append  # pyright: ignore[reportPrivateUsage]
    return found


def questions(bench: Bench, use: Callable[[OpenQuestions], Awaitable[T]], *, busy: bool = False) -> T:
    async def scenario(session: AccountSession) -> T:
        @asynccontextmanager
        async def opened(account: str) -> AsyncGenerator[AccountSession, None]:
            assert account == ME
            if busy:
                raise AccountBusy("busy")
            yield session

        async def at_once(seconds: float) -> None:
            assert seconds

        return await use(OpenQuestions(bench.ledger, opened, by="web", brakes=bench.brakes, sleep=at_once))

    return bench.run(scenario)


def approve(bench: Bench, id_: str, *, busy: bool = False) -> AnsweredQuestion:
    return questions(bench, lambda found: found.approve(id_), busy=busy)


def waiting(bench: Bench) -> list[Approval]:
    async def use(found: OpenQuestions) -> list[Approval]:
        return found.waiting()

    return questions(bench, use)


def ask_to_leave(bench: Bench) -> Approval:
    """A program that asks, gets no answer, and ends."""
    bench.put("low news", sender=SENDER)
    bench.person.answer = "later"

    async def scenario(session: AccountSession) -> LeftList:
        found = await newest_of(session, SENDER)
        return await unsubscribe(session, found, Consent(by="user", why="You asked for it."))

    with pytest.raises(NeedsApproval, match="waits for your agreement") as error:
        bench.run(scenario)
    (one,) = waiting(bench)
    assert one.approval_id[:8] not in (error.value.hint or "")
    return one


def test_what_a_program_asked_is_done_when_another_face_agrees_and_only_once(
    bench: Bench, left: list[str]
) -> None:
    one = ask_to_leave(bench)
    assert (one.asked.fields["messages"], one.asked.fields["senders"]) == (["low news"], [SENDER])
    answered = approve(bench, one.approval_id[:8])
    assert (answered.result, answered.approval.state) == ("approved", "used")
    assert left == ["https://news.example/off"]
    (action,) = bench.actions("unsubscribe")
    assert (action.state, action.user_confirmed) == ("applied", True)
    assert waiting(bench) == []
    again = approve(bench, one.approval_id)
    assert (again.result, again.reason) == (
        "taken",
        "This was agreed to in web and done already; it is not done again.",
    )
    assert len(left) == 1
    assert bench.verified()


def test_a_no_anywhere_stands_everywhere(bench: Bench, left: list[str]) -> None:
    one = ask_to_leave(bench)

    async def reject(found: OpenQuestions) -> AnsweredQuestion:
        return found.reject(one.approval_id)

    assert questions(bench, reject).result == "rejected"
    late = approve(bench, one.approval_id)
    assert (late.result, late.reason) == ("taken", "This was refused already in web; that answer stands.")
    assert questions(bench, reject).result == "taken"
    assert not left
    assert not waiting(bench)


def test_a_question_that_has_run_out_does_nothing_even_if_the_clock_goes_back(
    bench: Bench, left: list[str]
) -> None:
    one = ask_to_leave(bench)
    start = bench.now
    bench.now = start + dt.timedelta(seconds=601)
    assert not waiting(bench), "closed for good by whoever looked"
    bench.now = start
    assert not waiting(bench)
    assert approve(bench, one.approval_id).reason == "This has expired, so nothing was done."
    assert not left


def test_a_clock_that_was_set_back_makes_no_question_last_longer(bench: Bench, left: list[str]) -> None:
    one = ask_to_leave(bench)
    bench.now -= dt.timedelta(hours=1)
    assert not waiting(bench)
    assert approve(bench, one.approval_id).reason == "This has expired, so nothing was done."
    assert not left


def test_agreeing_and_coming_too_late_to_do_it_does_nothing(bench: Bench, left: list[str]) -> None:
    one = ask_to_leave(bench)
    assert approve(bench, one.approval_id, busy=True).reason == LATER
    bench.now += dt.timedelta(seconds=601)
    assert approve(bench, one.approval_id).result == "taken"
    assert not left


def test_who_agreed_while_the_account_was_busy_can_agree_again(bench: Bench, left: list[str]) -> None:
    one = ask_to_leave(bench)
    assert approve(bench, one.approval_id, busy=True).result == "later"
    assert not waiting(bench), "it is answered"
    assert approve(bench, one.approval_id).result == "approved"
    assert len(left) == 1


def test_a_stopped_agent_takes_no_agreement(bench: Bench, left: list[str]) -> None:
    one = ask_to_leave(bench)
    bench.brakes.stop = "The agent is stopped."
    assert approve(bench, one.approval_id).reason == "The agent is stopped."
    assert not left


def test_a_call_that_was_changed_in_the_ledger_is_not_made(bench: Bench, left: list[str]) -> None:
    one = ask_to_leave(bench)
    other = bench.put("low other", sender="other@list.example")
    with bench.ledger.write() as tx:
        tx.execute(text("update confirmations set arguments = :new"), {"new": f'{{"message_id":"{other}"}}'})
    with pytest.raises(BadArgument, match="not as it was kept"):
        approve(bench, one.approval_id)
    assert not left


def swap(bench: Bench, id_: str, raw: bytes) -> None:
    """As another program would: the message is another one now, under the same id."""
    store = bench.box._store  # pyright: ignore[reportPrivateUsage]
    other = bench.box.put(raw, ["INBOX"])
    store.messages[id_] = replace(store.messages[other], id=id_)


def test_a_message_that_was_swapped_while_its_question_waited_is_left_alone(
    bench: Bench, left: list[str]
) -> None:
    one = ask_to_leave(bench)
    swap(
        bench,
        str(one.asked.arguments["message_id"]),
        b"From: eve@evil.example\r\nSubject: other\r\n\r\nx\r\n",
    )
    with pytest.raises(
        NeedsApproval, match="It changed while you were asked, so nothing was done: the messages"
    ):
        approve(bench, one.approval_id)
    assert not left
    assert approve(bench, one.approval_id).result == "taken", "it is void"
    assert not bench.actions()


def test_a_message_that_was_swapped_before_the_yes_is_left_alone(bench: Bench, left: list[str]) -> None:
    id_ = bench.put("low news", sender=SENDER)

    class Swapping:
        async def ask(self, asked: CallQuestion) -> PromptAnswer:
            swap(bench, id_, b"From: eve@evil.example\r\nSubject: other\r\n\r\nx\r\n")
            return "yes"

    async def scenario(session: AccountSession) -> LeftList:
        session.gate._prompt = Swapping()  # pyright: ignore[reportPrivateUsage]
        return await unsubscribe(
            session, await newest_of(session, SENDER), Consent(by="user", why="You asked.")
        )

    with pytest.raises(NeedsApproval, match="It changed while you were asked"):
        bench.run(scenario)
    assert not left


def test_a_draft_that_may_change_unseen_is_not_sent_from_elsewhere(bench: Bench) -> None:
    bench.person.answer = "later"
    call = ToolCall.of(ME, "send_draft", {"draft_id": "r1"})
    bench.run(lambda session: session.gate.ask(call, Consent(by="user"), facts_for(call)))
    with pytest.raises(BadArgument, match="may have been changed"):
        approve(bench, waiting(bench)[0].approval_id)


def test_any_other_call_is_made_and_written_down_as_itself(bench: Bench) -> None:
    id_ = bench.put("low one")
    bench.person.answer = "later"
    call = ToolCall.of(ME, "delete_email", {"messageId": id_})
    bench.run(lambda session: ask_gate(session, call, Consent(by="user")))
    assert approve(bench, waiting(bench)[0].approval_id).result == "approved"
    assert "TRASH" in bench.labels()[id_]
    (action,) = bench.actions()
    assert (action.action_type, action.message_id, action.state) == ("delete_email", id_, "applied")


DELETE = ToolCall.of(ME, "delete_email", {"messageId": "m1"})


class Silent:
    """A person who never answers here, but somebody else does after a while."""

    def __init__(self, elsewhere: Callable[[CallQuestion], object]) -> None:
        self.elsewhere = elsewhere
        self.interrupted = False

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        self.elsewhere(asked)
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            self.interrupted = True
            raise
        return "no"


@pytest.mark.parametrize(("answer", "kind"), [("approve", Pass), ("reject", CallRefused)])
def test_who_asks_and_waits_goes_on_with_the_answer_given_elsewhere(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, answer: str, kind: type
) -> None:
    monkeypatch.setattr("gaia_email.policy.gate.LOOKED_S", 0.001)
    kept = LedgerConfirmations(bench.ledger, origin=PERSON)
    other = Gate(kept, clock=bench.ledger.clock)
    person = Silent(lambda asked: getattr(other, answer)(asked.confirmation_id, by="web"))
    gate = Gate(kept, prompt=person, clock=bench.ledger.clock)
    given = asyncio.run(gate.ask(DELETE, Consent(by="user"), facts_for(DELETE)))
    assert type(given) is kind
    assert person.interrupted
    assert not waiting(bench)


def test_a_question_that_runs_out_while_it_is_asked_is_answered_no(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email.policy.gate.LOOKED_S", 0.001)

    def later(asked: CallQuestion) -> None:
        bench.now += dt.timedelta(seconds=601)

    gate = Gate(
        LedgerConfirmations(bench.ledger, origin=PERSON), prompt=Silent(later), clock=bench.ledger.clock
    )
    given = asyncio.run(gate.ask(DELETE, Consent(by="user"), facts_for(DELETE)))
    assert isinstance(given, CallRefused)


def test_an_interrupted_question_is_withdrawn(bench: Bench) -> None:
    class Interrupted:
        async def ask(self, asked: CallQuestion) -> PromptAnswer:
            raise KeyboardInterrupt

    gate = Gate(
        LedgerConfirmations(bench.ledger, origin=PERSON), prompt=Interrupted(), clock=bench.ledger.clock
    )
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(gate.ask(DELETE, Consent(by="user"), facts_for(DELETE)))
    assert not waiting(bench)


RACE = """
import os, sys, time
from gaia_email.actions.account_session import gate_of
from gaia_email.ledger import open_ledger
from gaia_email_registry.calls import ToolCall
from gaia_email.policy.gate import Pass
from gaia_email_registry.origin import UNKNOWN
url, key, barrier, number = sys.argv[1:]
with open_ledger(url=url, clock=lambda: 1774958400.0) as ledger:
    gate = gate_of(ledger, origin=UNKNOWN, actor=f"face {number}")
    open(f"{barrier}/{number}", "w").close()
    while len(os.listdir(barrier)) < 4:
        time.sleep(0.001)
    won = gate.approve(key, by=f"face {number}")
    given = gate.redeem(key, ToolCall.of("me@example.org", "delete_email", {"messageId": "m1"}))
print("granted" if won else "-", "pass" if isinstance(given, Pass) else "-")
"""


def test_of_four_programs_that_agree_at_once_one_grants_and_one_gets_the_pass(
    bench: Bench, tmp_path: Path
) -> None:
    bench.person.answer = "later"
    given = bench.run(lambda session: session.gate.ask(DELETE, Consent(by="user"), facts_for(DELETE)))
    assert isinstance(given, CallWaiting)
    barrier = tmp_path / "barrier"
    barrier.mkdir()
    url = f"sqlite:///{bench.home}/ledger.db"
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, url, given.asked.confirmation_id, str(barrier), str(number)],
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ),
        )
        for number in range(4)
    ]
    said = [program.communicate(timeout=60)[0].split() for program in programs]
    assert sorted(one[0] for one in said) == ["-", "-", "-", "granted"]
    assert sorted(one[1] for one in said) == ["-", "-", "-", "pass"]
    assert bench.kinds()["approval.granted"] == 1
