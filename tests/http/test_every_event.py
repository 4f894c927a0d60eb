"""Whatever happens to a run, and at whichever of its events, it ends once, and the session goes on."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

from gaia_email.app import App
from gaia_email.app.services.agent_inbox import server_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.conversations import CANCELLED, DIED, RespondInput
from gaia_email_registry.errors import StateConflict
from tests.chat.test_conversations import CONVERSATIONS
from tests.http.test_conversations import Json, Talk, query, talking, types

Deed = Literal["cancel", "leave", "kill", "respond", "confirm"]
CASES: tuple[tuple[str, Deed], ...] = (
    ("urgent_goes_on", "cancel"),
    ("two_of_one_sender", "cancel"),
    ("two_of_one_sender", "respond"),
    ("show_and_why", "kill"),
    ("archive_and_undo", "cancel"),
    ("archive_and_undo", "kill"),
    ("archive_and_undo", "confirm"),
    ("memory", "leave"),
)
"""Each deed in the conversations in which it may go wrong: a question, a change, or neither."""


@dataclass
class Happening:
    """A conversation in which something is done at one event of one line.

    `answers` are what the questions of lines are answered with.
    """

    talk: Talk
    answers: dict[str, str]
    seen: list[Json] = field(default_factory=list[Json])

    async def line(self, line: str, at: int = -1, deed: Deed | None = None) -> None:
        """The events of a line, with the deed at that number of them; persons say yes to what they are asked."""
        self.seen = []
        asked = query(line, session_id="s", can_answer_questions=True)
        async with aclosing(self.talk.begin(asked)) as stream:
            async for event in stream:
                self.seen.append(event)
                here = deed if len(self.seen) - 1 == at else None
                if here == "leave":
                    return
                if here is not None:
                    self.do(here, asked.run_id, event)
                if here in ("cancel", "kill"):
                    continue
                if event["type"] == "needs_input":
                    self.answer(asked.run_id, event["request_id"], self.answers[line])
                elif event["type"] == "needs_confirmation" and here != "confirm":
                    self.agree()

    def answer(self, run_id: str, request_id: str, value: str) -> None:
        """As soon as the run waits for it."""
        given = RespondInput(request_id=request_id, value=value)
        asyncio.get_running_loop().call_soon(self.talk.conversations.respond, run_id, given)

    def agree(self) -> None:
        inbox = server_inbox(self.talk.app, "tests")
        (one,) = inbox.waiting()
        assert inbox.approve(one.approval_id).counts

    def do(self, deed: Deed, run_id: str, event: Json) -> None:
        conversations = self.talk.conversations
        if deed == "cancel":
            assert conversations.cancel(run_id) == (event["type"] not in ("final", "error"))
        elif deed == "kill":
            worker = self.session.worker
            assert worker is not None
            os.killpg(worker.process.pid, signal.SIGKILL)
        elif deed == "respond":
            with pytest.raises(StateConflict):
                conversations.respond(run_id, RespondInput(request_id="another", value="1"))
        else:
            waiting = conversations.confirming(run_id)
            assert bool(waiting) == (event["type"] == "needs_confirmation")
            if waiting:
                assert waiting["summary"] == event["summary"]
                self.agree()

    @property
    def session(self) -> Any:
        return self.talk.conversations._sessions["s"]  # pyright: ignore[reportPrivateUsage]

    async def as_left(self, conversation: Json | None) -> None:
        """The session as it was left then, in a new process; the one before has ended."""
        conversations = self.talk.conversations
        conversations._release(self.session)  # pyright: ignore[reportPrivateUsage]
        await asyncio.gather(*conversations._ending)  # pyright: ignore[reportPrivateUsage]
        self.session.conversation = conversation

    def check_ended(self, at: int, deed: Deed, whole: list[str]) -> None:
        """It ended as it should after the deed at that event; `whole` is what comes of the line without it."""
        assert not self.talk.conversations._runs  # pyright: ignore[reportPrivateUsage]
        assert not server_inbox(self.talk.app, "tests").waiting(), "a question that nobody waits with"
        seen = types(self.seen)
        if deed == "leave":
            assert seen == whole[: at + 1]
            return
        assert [one for one in seen if one in ("final", "error")] == seen[-1:]
        if deed in ("respond", "confirm") or at == len(whole) - 1:
            assert seen == whole
        elif deed == "cancel":
            assert (seen[:-1], self.seen[-1]) == (whole[: at + 1], CANCELLED.to_json())
        else:  # what the process had written before it died still comes
            assert seen == whole or self.seen[-1] == DIED.to_json()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("name", "deed"), CASES)
def test_at_every_event_of_a_conversation(
    name: str, deed: Deed, demo: tuple[App, SourceSpec], tmp_path: Path
) -> None:
    script = [line for line, _, _ in CONVERSATIONS[name]]
    answers = {line: then for line, then in pairwise(script) if then.isdigit()}
    place = Path(demo[1].path).parent

    def keep(name: str) -> None:
        shutil.copytree(place, tmp_path / name)

    def put_back(name: str) -> None:
        shutil.rmtree(place)
        shutil.copytree(tmp_path / name, place)

    async def scenario(talk: Talk) -> None:
        happening, before = Happening(talk, answers), None
        keep("0")
        for number, line in enumerate(one for one in script if one not in answers.values()):
            await happening.line(line)
            whole, after = types(happening.seen), happening.session.conversation
            assert whole[-1] in ("final", "error")
            keep(str(number + 1))
            for at in range(len(whole)):
                await happening.as_left(before)
                put_back(str(number))
                await happening.line(line, at, deed)
                happening.check_ended(at, deed, whole)
            await happening.as_left(after)
            put_back(str(number + 1))
            before = after

    talking(demo, scenario)
