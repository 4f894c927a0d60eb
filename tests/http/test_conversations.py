"""The conversations of a server: their events, questions, cancels, and processes that die."""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

import pytest

from gaia_email.actions.pending.questions import asked_by_servers
from gaia_email.app import App
from gaia_email.app.operations.operation import OperationInput
from gaia_email.app.services.agent_inbox import server_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http import conversations as module
from gaia_email.interfaces.http.conversations import Conversations, QueryInput, RespondInput
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.refusal import TooManyRuns
from gaia_email_registry.errors import StateConflict

Json = dict[str, Any]
AMBIGUOUS = "did the answer"
"""A name that several people in the sample mailbox have."""

PROGRAM = Principal(kind="token", name="token")
BROWSER = Principal(kind="person", name="session 1", decides=True)

Scenario = Callable[["Talk"], Coroutine[Any, Any, None]]


class Talk:
    """A server's conversations on the sample mailbox."""

    def __init__(self, app: App, source: SourceSpec) -> None:
        self.app = app
        self.source = source
        self.conversations = Conversations(app, app.environ)

    def query(self, line: str, **more: object) -> QueryInput:
        return query(line, **more)

    def begin(self, asked: QueryInput, *, by_person: bool = False) -> AsyncGenerator[Json, None]:
        self.conversations.begin(asked, self.source, BROWSER if by_person else PROGRAM)
        return self.conversations.events(asked, self.source)

    async def ask(self, line: str, *, by_person: bool = False, **more: object) -> list[Json]:
        """Every event of a query."""
        return [event async for event in self.begin(query(line, **more), by_person=by_person)]


def query(line: str, **more: object) -> QueryInput:
    import msgspec

    return msgspec.convert({"query": line, "run_id": str(uuid.uuid4()), **more}, QueryInput)


def talking(demo: tuple[App, SourceSpec], scenario: Scenario) -> None:
    """Run a scenario, and see that no process is left."""

    async def main() -> None:
        talk = Talk(*demo)
        try:
            await scenario(talk)
        finally:
            await talk.conversations.close()

    asyncio.run(main())


def types(events: list[Json]) -> list[str]:
    return [event["type"] for event in events]


def test_a_query_streams_its_tools_and_ends_with_one_answer(demo: tuple[App, SourceSpec]) -> None:
    async def scenario(talk: Talk) -> None:
        events = await talk.ask("what is urgent")
        assert types(events) == ["tool_call", "tool_result", "final"]
        assert events[1]["generic"]["render"] == "table"
        assert events[-1]["cites"]
        assert isinstance(events[-1]["usage"], dict)

    talking(demo, scenario)


def test_a_session_knows_what_it_showed_also_after_its_process_was_killed(
    demo: tuple[App, SourceSpec],
) -> None:
    async def scenario(talk: Talk) -> None:
        first = await talk.ask("what is urgent", session_id="s")
        shown = first[1]["data"]["rows"][0]["id"]
        again = await talk.ask("why 1", session_id="s")
        assert again[0]["args"] == {"id": shown}
        stream = talk.begin(query("what needs me", session_id="s"))
        await anext(stream)
        await stream.aclose()
        resumed = await talk.ask("why 1", session_id="s")
        assert resumed[0]["args"] == {"id": shown}
        other = await talk.ask("why 1", session_id="t")
        assert types(other) == ["final"]

    talking(demo, scenario)


def test_a_run_id_is_good_once_and_a_session_answers_one_line_at_a_time(
    demo: tuple[App, SourceSpec],
) -> None:
    async def scenario(talk: Talk) -> None:
        asked = query("help", session_id="s")
        stream = talk.begin(asked)
        with pytest.raises(StateConflict, match="last line"):
            talk.begin(query("help", session_id="s"))
        assert types([event async for event in stream]) == ["final"]
        with pytest.raises(StateConflict, match="used before"):
            talk.begin(asked)
        assert types(await talk.ask("help", session_id="s")) == ["final"]

    talking(demo, scenario)


def test_a_cancel_ends_a_run_before_its_first_event_and_before_its_query(
    demo: tuple[App, SourceSpec],
) -> None:
    async def scenario(talk: Talk) -> None:
        asked = query("what is urgent")
        assert talk.conversations.cancel(asked.run_id) is False
        events = [event async for event in talk.begin(asked)]
        assert (types(events), events[0]["status"]) == (["error"], 130)
        late = query("what is urgent")
        stream = talk.begin(late)
        assert talk.conversations.cancel(late.run_id.upper()) is True
        assert types([event async for event in stream]) == ["error"]
        assert types(await talk.ask("help")) == ["final"]

    talking(demo, scenario)


def test_a_killed_process_is_told_as_an_error_and_the_session_goes_on(demo: tuple[App, SourceSpec]) -> None:
    async def scenario(talk: Talk) -> None:
        stream = talk.begin(query("what is urgent", session_id="s"))
        seen = [await anext(stream)]
        (session,) = talk.conversations._sessions.values()  # pyright: ignore[reportPrivateUsage]
        assert session.worker is not None
        os.killpg(session.worker.process.pid, signal.SIGKILL)
        seen += [event async for event in stream]
        assert types(seen)[-1] == "error" or types(seen) == ["tool_call", "tool_result", "final"]
        assert len({"error", "final"} & set(types(seen))) == 1
        assert types(await talk.ask("help", session_id="s")) == ["final"]

    talking(demo, scenario)


def test_a_question_is_answered_in_the_run_that_asked_it(demo: tuple[App, SourceSpec]) -> None:
    async def scenario(talk: Talk) -> None:
        asked = query(AMBIGUOUS, can_answer_questions=True)
        events: list[Json] = []
        async for event in talk.begin(asked):
            events.append(event)
            if event["type"] == "needs_input":
                assert event["respond_url"] == f"/v1/email/query/{asked.run_id}/respond"
                assert event["run_id"] == asked.run_id
                with pytest.raises(StateConflict):
                    answer(talk, asked.run_id, "another", "1")
                asyncio.get_running_loop().call_soon(answer, talk, asked.run_id, event["request_id"], "1")
        assert "needs_input" in types(events)
        assert events[-1]["type"] == "final"
        with pytest.raises(StateConflict, match="over"):
            answer(talk, asked.run_id, "x", "1")

    talking(demo, scenario)


def answer(talk: Talk, run_id: str, request_id: str, value: str) -> None:
    talk.conversations.respond(run_id, RespondInput(request_id=request_id, value=value))


def test_who_cannot_answer_gets_the_question_as_a_sentence(demo: tuple[App, SourceSpec]) -> None:
    async def scenario(talk: Talk) -> None:
        events = await talk.ask(AMBIGUOUS)
        assert events[-1]["type"] == "final"
        assert "Which one" in events[-1]["answer"]
        assert "needs_input" not in types(events)

    talking(demo, scenario)


def test_a_question_that_nobody_answers_ends_the_run(
    demo: tuple[App, SourceSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 0.05)

    async def scenario(talk: Talk) -> None:
        events = await talk.ask(AMBIGUOUS, can_answer_questions=True)
        assert types(events)[-2:] == ["needs_input", "error"]

    talking(demo, scenario)


@pytest.mark.parametrize("agreed", [True, False])
def test_what_changes_mail_waits_for_a_person_and_does_exactly_what_was_shown(
    demo: tuple[App, SourceSpec], agreed: bool
) -> None:
    async def scenario(talk: Talk) -> None:
        await talk.ask("what is urgent", session_id="s")
        events: list[Json] = []
        asked = query("archive 1", session_id="s")
        async for event in talk.begin(asked):
            events.append(event)
            if event["type"] == "needs_confirmation":
                assert event["confirm_url"] == f"/v1/email/query/{asked.run_id}/confirm"
                assert "out of the inbox" in event["summary"]
                (item,) = asked_by_servers(environ=talk.app.environ)
                inbox = server_inbox(talk.app, "tests")
                (inbox.approve if agreed else inbox.reject)(item.approval_id)
        if agreed:
            assert types(events) == ["needs_confirmation", "tool_call", "tool_result", "final"]
            assert len(events[2]["data"]["done"]) == 1
        else:
            assert types(events) == ["needs_confirmation", "error"]
            assert "said no" in events[-1]["detail"]

    talking(demo, scenario)


def test_a_persons_own_line_needs_no_second_yes(demo: tuple[App, SourceSpec]) -> None:
    async def scenario(talk: Talk) -> None:
        await talk.ask("what is urgent", session_id="s", by_person=True)
        events = await talk.ask("archive 1", session_id="s", by_person=True)
        assert types(events) == ["tool_call", "tool_result", "final"]
        # The same session under the word of a program starts anew and asks.
        assert types(await talk.ask("archive 2", session_id="s")) == ["final"]

    talking(demo, scenario)


def test_the_host_pushes_what_was_said_before(demo: tuple[App, SourceSpec]) -> None:
    async def scenario(talk: Talk) -> None:
        context = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
        assert types(await talk.ask("help", context=context)) == ["final"]

    talking(demo, scenario)


def test_as_many_runs_as_there_may_be_are_answered_and_one_more_is_refused(
    demo: tuple[App, SourceSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_RUNS", 1)

    async def scenario(talk: Talk) -> None:
        stream = talk.begin(query("help"))
        with pytest.raises(TooManyRuns):
            talk.begin(query("help"))
        assert types([event async for event in stream]) == ["final"]
        assert types(await talk.ask("help")) == ["final"]

    talking(demo, scenario)


def test_a_run_whose_caller_never_reads_is_over(
    demo: tuple[App, SourceSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BEGINS_S", 0.01)

    async def scenario(talk: Talk) -> None:
        talk.begin(query("help", session_id="s"))
        while talk.conversations._runs:  # pyright: ignore[reportPrivateUsage]
            await asyncio.sleep(0)
        assert types(await talk.ask("help", session_id="s")) == ["final"]

    talking(demo, scenario)


def test_inputs_are_public_formats() -> None:
    assert issubclass(QueryInput, OperationInput)
    assert query("a").context == ()
