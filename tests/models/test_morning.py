"""A morning of 500 messages: how much is asked of a model, how long that takes, and a run that is killed anywhere."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.models.answer_store import LedgerAnswers
from gaia_email.triage.tiers import default_tier
from gaia_email.triage.uncertain import UncertainMessages
from gaia_email_evals.reading import read_cases
from gaia_understanding.cascade.agree import is_open
from gaia_understanding.cascade.answers import CollectedAnswers, ModelAnswer, ModelPass, UncertainMessage
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import BUCKETS, Bucket
from tests.models import model_server
from tests.models.model_server import Answer, Chat, ModelServer, serving
from tests.models.stand_ins import asker, constant, doubtful, in_batches, mails_in, pass_of, sorting

ROOT = Path(__file__).resolve().parents[2]
ACCOUNT = "ann@example.com"
MORNING = 500
COLD_S, CALL_S = 5.0, 0.8
"""The slow ends of what spec/triage.md gives for a model of the second tier."""


class Slow:
    """A model with the latencies of the specification, on a clock of its own."""

    def __init__(self, chat: Chat) -> None:
        self.now, self._chat, self._cold = 0.0, chat, True

    def __call__(self, body: Any) -> Answer:
        self.now += CALL_S + COLD_S * self._cold
        self._cold = False
        return self._chat(body)

    def clock(self) -> float:
        return self.now


def differs(subject: str, text: str) -> Bucket:
    """Another bucket for a third of them."""
    return BUCKETS[len(subject + text) % 3]


def test_a_morning_of_500_messages_stays_within_its_calls_and_a_minute(tmp_path: Path) -> None:
    slow = Slow(sorting(differs))
    cases = read_cases([ROOT / "evals" / "fixtures"], "all")[:MORNING]
    assert len(cases) == MORNING
    tier = default_tier(summaries=False, environ=os.environ)

    async def work() -> tuple[UncertainMessages, int, list[str]]:
        async with serving(ModelServer(pages=model_server.llama_cpp(), chat=slow)) as server:
            uncertain, held = UncertainMessages(asker=asker(server, tmp_path, clock=slow.clock)), 0
            for number, case in enumerate(cases):
                understood = understand(decode(case.raw), case.context, tier)
                held += is_open(understood.verdict)
                uncertain.note(str(number), understood)
            await uncertain.settle(ACCOUNT)
            return uncertain, held, [pass_of(body) for body in server.chats]

    uncertain, held, passes = asyncio.run(work())
    assert 5 <= held < MORNING
    calls = in_batches(passes)
    assert 1 <= calls["T2a"] <= 16
    assert 1 <= calls["T2b"] <= 45
    assert set(calls) == {"T2a", "T2b"}
    assert uncertain.asked.cost.seconds < 60
    assert uncertain.asked.cost.slowest_s == pytest.approx(COLD_S + CALL_S)


def test_a_morning_of_which_the_rules_know_nothing_ends_at_its_budget_and_says_so(tmp_path: Path) -> None:
    slow = Slow(constant("urgent"))

    async def work() -> tuple[CollectedAnswers, list[str]]:
        async with serving(ModelServer(pages=model_server.llama_cpp(), chat=slow)) as server:
            one = asker(server, tmp_path, clock=slow.clock)
            asked = await one.ask(ACCOUNT, [doubtful(number) for number in range(MORNING)])
            return asked, [pass_of(body) for body in server.chats]

    asked, passes = asyncio.run(work())
    assert in_batches(passes) == {"T2a": 16, "T2b": 45}
    assert asked.cost.seconds == pytest.approx(COLD_S + 61 * CALL_S)
    assert asked.cost.seconds < 60
    assert "budget of 45 calls of T2b is spent" in asked.cost.said
    assert len(asked.answers) == 128


class Killed(BaseException):
    """The program ends here."""


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("instant", range(6))
def test_killed_at_any_answer_the_next_run_asks_for_nothing_that_was_kept(
    instant: int, before: bool, tmp_path: Path
) -> None:
    """The program dies just before or just after its nth answer is kept."""
    environ = {"GAIA_HOME": str(tmp_path / "home"), "HOME": os.environ["HOME"]}
    messages = [doubtful(number) for number in range(20)]
    whole = sorting(lambda subject, _: "urgent" if subject.endswith(("7", "9")) else "informational")

    class Dying(LedgerAnswers):
        kept = 0

        def keep(
            self, account: str, made_in: ModelPass, model: str, answers: Mapping[str, ModelAnswer | None]
        ) -> None:
            dies = self.kept == instant
            if dies and before:
                raise Killed
            super().keep(account, made_in, model, answers)
            self.kept += 1
            if dies:
                raise Killed

    async def work() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        async with serving(ModelServer(pages=model_server.llama_cpp(), chat=whole)) as server:
            with suppress(Killed):
                await asker(server, tmp_path, store=Dying(environ)).ask(ACCOUNT, messages)
            first = shown(server, 0)
            calls = len(server.chats)
            await asker(server, tmp_path, store=LedgerAnswers(environ)).ask(ACCOUNT, messages)
            return first, shown(server, calls)

    first, second = asyncio.run(work())
    lost = 0 if not before else BATCHES[instant]
    assert len(set(first) & set(second)) == lost
    assert len(set(first) | set(second)) == 20 + 4
    assert len(second) == 24 - len(first) + lost


BATCHES = (8, 8, 4, 1, 1, 1)
"""How many messages each of the first calls shows: an answer that was not kept when the program died is asked again."""


def shown(server: ModelServer, after: int) -> list[tuple[str, str]]:
    """Which message was shown in which pass."""
    return [(pass_of(body), subject) for body in server.chats[after:] for _, subject, _ in mails_in(body)]


def test_messages_are_held_in_the_order_of_doubt_and_no_more_than_a_run_can_use() -> None:
    held: list[UncertainMessage] = []

    class Noting:
        async def ask(self, account: str, messages: Any) -> CollectedAnswers:
            held.extend(messages)
            return CollectedAnswers()

        def recall(self, account: str, messages: Any) -> CollectedAnswers:
            return CollectedAnswers()

    case = read_cases([ROOT / "evals" / "fixtures" / "blind_people_1.toml"], "all")[0]
    understood = understand(decode(case.raw), case.context, default_tier(summaries=False, environ=os.environ))
    uncertain = UncertainMessages(asker=Noting())
    for number in range(700):
        verdict = doubtful(number, confidence=(number * 37 % 700) / 1000).verdict
        uncertain.note(f"{number:05}", replace(understood, verdict=verdict))
    asyncio.run(uncertain.settle(ACCOUNT))
    assert [one.verdict.confidence for one in held] == [number / 1000 for number in range(400)]
