"""The screen from its keys to the mailbox, through prompt_toolkit's own pipe for keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output import DummyOutput

from gaia_email.interfaces.cli.tui.screen import Screen
from gaia_email.interfaces.cli.tui.state import ThreadLine
from gaia_email_registry.errors import ProviderError
from gaia_understanding.cascade.verdict import Bucket
from tests.cli_tui.test_state import ROWS


class Recorded:
    """A mailbox that notes what is asked of it."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.rows = list(ROWS)
        self.broken = False

    def load(self) -> list[ThreadLine]:
        if self.broken:
            raise ProviderError("The server is away.", hint="try again later")
        return list(self.rows)

    def waiting(self) -> int:
        return 1

    def text(self, message_id: str, view: Literal["show", "why"], width: int) -> list[str]:
        return [f"{view} {message_id}"]

    def brief(self, width: int) -> list[str]:
        return ["Morning brief"]

    def archive(self, message_id: str) -> str:
        self.calls.append(("archive", message_id))
        return "archived; u takes it back"

    def snooze(self, message_id: str, until: str) -> str:
        self.calls.append(("snooze", message_id, until))
        return "snoozed"

    def undo(self) -> str:
        self.calls.append(("undo",))
        return "taken back: 1"

    def correct(self, message_id: str, bucket: Bucket) -> str:
        self.calls.append(("correct", message_id, bucket))
        return "recorded"

    def templates(self) -> Sequence[str]:
        return ["thanks", "later"]

    def build_arguments(self, message_id: str) -> list[str]:
        return [message_id, "--maildir", "Mail"]


def on_screen(
    work: Recorded,
    scenario: Callable[[Screen, PipeInput], Awaitable[None]],
    ran: list[list[str]] | None = None,
) -> None:
    async def main() -> None:
        with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
            screen = Screen(work, "Mail", (ran if ran is not None else []).append)
            running = asyncio.ensure_future(screen.run())
            await until(lambda: bool(screen.state.rows) or bool(screen.state.status_text))
            await scenario(screen, keys)
            if not running.done():
                keys.send_text("q")
            await running

    asyncio.run(asyncio.wait_for(main(), 20))


async def until(reached: Callable[[], bool]) -> None:
    while not reached():
        await asyncio.sleep(0.005)


def test_a_thread_is_archived_and_taken_back_by_one_key_each() -> None:
    work = Recorded()

    async def scenario(screen: Screen, keys: PipeInput) -> None:
        keys.send_text("je")
        await until(lambda: "archived" in screen.state.status_text)
        assert [row.id for row in screen.state.rows] == ["m1", "m3", "m4", "m5"]
        keys.send_text("u")
        await until(lambda: "taken back" in screen.state.status_text)
        assert [row.id for row in screen.state.rows] == [row.id for row in ROWS]

    on_screen(work, scenario)
    assert work.calls == [("archive", "m2"), ("undo",)]


def test_what_a_key_asks_is_answered_in_a_line_and_escape_does_nothing() -> None:
    work = Recorded()

    async def scenario(screen: Screen, keys: PipeInput) -> None:
        keys.send_text("s3d\r")
        await until(lambda: screen.state.status_text == "snoozed")
        keys.send_text("cw\r")
        await until(lambda: screen.state.status_text == "recorded")
        keys.send_text("cx\r")
        await until(lambda: "nothing was recorded" in screen.state.status_text)
        keys.send_text("s9d\x1b")
        keys.send_text("G")
        await until(lambda: screen.state.current == ROWS[-1])

    on_screen(work, scenario)
    assert work.calls == [("snooze", "m1", "3d"), ("correct", "m2", "informational")]


def test_reading_and_why_are_shown_over_the_list() -> None:
    async def scenario(screen: Screen, keys: PipeInput) -> None:
        keys.send_text("\r")
        await until(lambda: screen.state.lines == ("show m1",))
        keys.send_text("\x1b")
        await until(lambda: screen.state.pane == "list")
        keys.send_text("jw")
        await until(lambda: screen.state.lines == ("why m2",))
        keys.send_text("b")
        await until(lambda: screen.state.lines == ("Morning brief",))
        keys.send_text("?")
        await until(lambda: screen.state.pane == "help")

    on_screen(Recorded(), scenario)


def test_what_fails_is_a_sentence_and_the_list_stays() -> None:
    work = Recorded()

    async def scenario(screen: Screen, keys: PipeInput) -> None:
        work.broken = True
        keys.send_text("r")
        await until(lambda: "The server is away. (try again later)" in screen.state.status_text)
        assert len(screen.state.rows) == len(ROWS)
        keys.send_text("/plan 3\r")
        await until(lambda: screen.state.words == "plan 3")
        assert [row.id for row in screen.state.visible] == ["m3"]

    on_screen(work, scenario)


def test_an_answer_runs_the_command_that_shows_it_and_asks() -> None:
    ran: list[list[str]] = []

    async def scenario(screen: Screen, keys: PipeInput) -> None:
        keys.send_text("a")
        await until(lambda: screen.asks)
        keys.send_text("la\r")
        await until(lambda: bool(ran))
        keys.send_text("p")
        await until(lambda: len(ran) == 2)

    on_screen(Recorded(), scenario, ran)
    assert ran == [["answer", "m1", "--maildir", "Mail", "--template", "later"], ["review"]]
