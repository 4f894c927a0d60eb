"""What is asked, how often, and what becomes of answers: batches, budgets, what does not hold, and a second run."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.app import App
from gaia_email.app.services.status import overall_status
from gaia_email.models.answer_store import AnswerStore, LedgerAnswers, MemoryAnswers
from gaia_email.models.asking import Budget
from gaia_understanding.cascade.answers import CollectedAnswers, UncertainMessage
from tests.models import model_server
from tests.models.model_server import Answer, Chat, ModelServer, serving, streamed
from tests.models.stand_ins import asker, constant, doubtful, mails_in, pass_of, sorting

ACCOUNT = "ann@example.com"


def run(
    messages: list[UncertainMessage],
    chat: Chat,
    folder: Path,
    *,
    store: AnswerStore | None = None,
    budget: Budget | None = None,
    first: str = "",
    pages: dict[str, Any] | None = None,
    model: str = "qwen3-4b",
    told: list[str] | None = None,
) -> tuple[CollectedAnswers, ModelServer]:
    async def work() -> tuple[CollectedAnswers, ModelServer]:
        async with serving(ModelServer(pages=pages or model_server.llama_cpp(), chat=chat)) as server:
            one = asker(server, folder, store=store, budget=budget, first=first, model=model, told=told)
            return await one.ask(ACCOUNT, messages), server

    return asyncio.run(work())


def test_mails_are_asked_about_eight_at_a_time_and_scored_one_by_one_where_the_model_differs(
    tmp_path: Path,
) -> None:
    messages = [doubtful(number) for number in range(20)]
    asked, server = run(
        messages,
        sorting(lambda subject, _: "urgent" if subject.endswith(" 7") else "informational"),
        tmp_path,
    )
    passes = [pass_of(body) for body in server.chats]
    assert passes == ["T2a", "T2a", "T2a", "T2b"]
    assert [len(mails_in(body)) for body in server.chats] == [8, 8, 4, 1]
    assert asked.cost.calls == {"T2a": 3, "T2b": 1}
    assert len(asked.answers) == 20
    assert [answer.made_in for answer in asked.answers["k7"]] == ["T2a", "T2b"]
    assert asked.cost.sent == sum(len(one.body) for one in server.asked if one.path.endswith("completions"))


def test_a_model_of_its_own_for_t1_drops_what_is_not_worth_a_look(tmp_path: Path) -> None:
    pages = model_server.ollama({"small": model_server.LOCAL_TAG, "large": model_server.LOCAL_TAG})
    asked, server = run(
        [doubtful(number) for number in range(20)],
        sorting(lambda subject, text: "urgent", keep=False),
        tmp_path,
        first="small",
        model="large",
        pages=pages,
    )
    assert [(pass_of(body), body["model"]) for body in server.chats] == [("T1", "small"), ("T1", "small")]
    assert all(answer.keep is False for (answer,) in asked.answers.values())


def test_the_least_sure_are_asked_about_first(tmp_path: Path) -> None:
    messages = [doubtful(number, confidence=0.69 - number / 100) for number in range(20)]
    _, server = run(messages, constant("informational"), tmp_path)
    assert [subject for _, subject, _ in mails_in(server.chats[0])] == [
        f"Contract {number}" for number in range(19, 11, -1)
    ]


def test_what_was_answered_is_not_asked_again_nor_is_what_did_not_hold(tmp_path: Path) -> None:
    store = MemoryAnswers()
    messages = [doubtful(number) for number in range(9)]

    def chat(body: Any) -> Answer:
        return streamed("nonsense") if len(mails_in(body)) == 1 else constant("informational")(body)

    first, _ = run(messages, chat, tmp_path, store=store)
    assert (first.cost.invalid, len(first.answers)) == (1, 8)
    again, server = run(messages, chat, tmp_path, store=store)
    assert not server.asked
    assert again.answers == first.answers
    assert again.cost.recalled == 9


def test_answers_are_kept_in_the_ledger_and_what_left_is_written_down(tmp_path: Path) -> None:
    import os

    from gaia_email.ledger import open_ledger

    messages = [doubtful(number) for number in range(3)]
    first, _ = run(messages, constant("urgent"), tmp_path, store=LedgerAnswers(os.environ))
    again, server = run(messages, constant("urgent"), tmp_path, store=LedgerAnswers(os.environ))
    assert again.answers == first.answers
    assert len(first.answers["k0"]) == 2
    assert not server.asked
    with open_ledger() as ledger, ledger.read() as tx:
        (event,) = ledger.events.since(tx, kind="model.asked")
        assert event.account_id == ACCOUNT
        assert event.payload["bytes"] == first.cost.sent
        assert event.payload["place"] == first.cost.place
        assert "Contract" not in json.dumps(event.payload)
    with open_ledger() as ledger:
        ledger.purge("mail", ACCOUNT)
        with ledger.read() as tx:
            assert not ledger.answers.get(tx, ACCOUNT, ["k0"], "1")


def test_a_killed_run_has_lost_no_answer(tmp_path: Path) -> None:
    store = MemoryAnswers()
    messages = [doubtful(number) for number in range(24)]

    async def killed() -> int:
        answered = 0

        def chat(body: Any) -> Answer:
            nonlocal answered
            answered += 1
            return constant("informational")(body) if answered <= 2 else Answer(hangs=True)

        async with serving(ModelServer(pages=model_server.llama_cpp(), chat=chat)) as server:
            task = asyncio.create_task(asker(server, tmp_path, store=store).ask(ACCOUNT, messages))
            while answered < 3:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return answered

    assert asyncio.run(killed()) == 3
    _, server = run(messages, constant("informational"), tmp_path, store=store)
    assert len(server.chats) == 1
    assert len(mails_in(server.chats[0])) == 8


@pytest.mark.parametrize(
    ("budget", "calls", "said"),
    [
        (Budget(calls={"T1": 1, "T2a": 2, "T2b": 3}), {"T2a": 2, "T2b": 3}, "3 calls of T2b"),
        (Budget(tokens=20), {"T2a": 2}, "20 tokens"),
        (Budget(seconds=0.0), {}, "0 s is spent"),
    ],
)
def test_a_run_that_meets_its_budget_ends_and_says_so(
    budget: Budget, calls: dict[str, int], said: str, tmp_path: Path
) -> None:
    messages = [doubtful(number) for number in range(30)]
    asked, server = run(messages, constant("urgent"), tmp_path, budget=budget)
    assert asked.cost.calls == calls
    assert said in asked.cost.said and "rules' verdicts stand" in asked.cost.said
    assert len(server.chats) == sum(calls.values())


def test_a_question_beyond_the_context_is_halved(tmp_path: Path) -> None:
    error = {"type": "exceed_context_size_error", "message": "exceeds the context size", "n_ctx": 512}

    def chat(body: Any) -> Answer:
        mails = mails_in(body)
        too_large = len(mails) > 2 or any(subject == "Contract 3" for _, subject, _ in mails)
        return Answer(status=400, json={"error": error}) if too_large else constant("informational")(body)

    asked, _ = run([doubtful(number) for number in range(8)], chat, tmp_path)
    assert set(asked.answers) == {f"k{number}" for number in range(8)} - {"k3"}
    assert asked.cost.invalid == 1


FAILING: list[Chat] = [
    lambda _: Answer(status=500, json={}),
    lambda _: Answer(raw=b'data: {"choices"', breaks=True),
    lambda _: Answer(status=401, json={}),
]


@pytest.mark.parametrize("chat", FAILING)
def test_a_server_that_fails_is_left_after_two_calls(chat: Chat, tmp_path: Path) -> None:
    asked, server = run([doubtful(number) for number in range(40)], chat, tmp_path)
    assert asked.cost.calls == {"T2a": 2}
    assert asked.answers == {}
    assert "rules' verdicts stand" in asked.cost.said
    assert len(server.chats) <= 4


@pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "not-there"])
def test_a_model_that_is_elsewhere_or_missing_is_told_of_and_shown_nothing(
    model: str, tmp_path: Path
) -> None:
    pages = model_server.ollama({"gpt-oss:120b-cloud": model_server.CLOUD_TAG})
    messages = [doubtful(1, text="words that nobody else may read")]
    asked, server = run(messages, constant("urgent"), tmp_path, pages=pages, model=model)
    assert asked.answers == {} and asked.cost.asked == 0
    assert model in asked.cost.said
    assert not server.holds("words that nobody else may read")


def test_without_a_server_the_rules_stand_and_it_is_said(tmp_path: Path) -> None:
    async def work() -> CollectedAnswers:
        async with serving(ModelServer()) as server:
            one = asker(server, tmp_path)
        return await one.ask(ACCOUNT, [doubtful(1)])

    asked = asyncio.run(work())
    assert asked.answers == {}
    assert "No model server answered" in asked.cost.said


def test_who_waits_is_told_which_model_is_asked(tmp_path: Path) -> None:
    told: list[str] = []
    run([doubtful(1)], constant("urgent"), tmp_path, told=told)
    run([doubtful(2)], constant("urgent"), tmp_path, told=told)
    assert len(told) == 2
    assert all(re.fullmatch(r"Asking qwen3-4b at http://127\.0\.0\.1:\d+\.", said) for said in told)


def test_how_a_server_takes_a_schema_is_remembered_for_its_version(tmp_path: Path) -> None:
    def chat(body: Any) -> Answer:
        if body["response_format"]["type"] == "json_schema":
            return Answer(status=400, json={"error": "no json_schema here"})
        (mail,) = mails_in(body)
        sorted_in = {
            "n": mail[0],
            "bucket": "urgent",
            "act": "request",
            "category": "primary",
            "reply": True,
            "sure": 1,
        }
        return streamed(json.dumps({"mails": [{**sorted_in, "because": mail[2][:40]}]}))

    async def work() -> list[str]:
        async with serving(ModelServer(pages=model_server.llama_cpp(), chat=chat)) as server:
            for number in (1, 2):
                await asker(server, tmp_path, budget=Budget(calls={"T1": 0, "T2a": 1, "T2b": 0})).ask(
                    ACCOUNT, [doubtful(number)]
                )
            return [body["response_format"]["type"] for body in server.chats]

    assert asyncio.run(work()) == ["json_schema", "json_object", "json_object"]


def test_what_the_guard_refused_is_written_down_whoever_sorts(tmp_path: Path) -> None:
    environ = {"GAIA_HOME": str(tmp_path / "home")}
    cloud = model_server.ollama({"big": model_server.CLOUD_TAG})
    asked, server = run(
        [doubtful(1)], constant("urgent"), tmp_path, store=LedgerAnswers(environ), pages=cloud, model="big"
    )
    assert not server.chats and "is not shown mail" in asked.cost.said
    (problem,) = overall_status(App(environ=environ)).problems
    assert problem in asked.cost.said
