"""The screen: keys in, states out, drawn by prompt_toolkit. Entry: `Screen`.

Slow work runs in a thread, so that moving never waits; one task at a time, in the order of the keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style

from gaia_email.interfaces.cli.tui.render import frame
from gaia_email.interfaces.cli.tui.state import ScreenState
from gaia_email.interfaces.cli.tui.work import ScreenWork
from gaia_email.interfaces.keys import terminal_keys
from gaia_email_registry.errors import MailError
from gaia_understanding.cascade.verdict import Bucket

Result = TypeVar("Result")

LOOK_S = 60.0
"""Seconds between two checks for new mail."""

BUCKETS: dict[str, Bucket] = {
    "u": "urgent",
    "n": "actionable",
    "w": "informational",
    "l": "low_priority",
}
"""Letters for the question of a thread's bucket."""

COLOURS = Style.from_dict(
    {
        "title": "bold",
        "heading": "bold underline",
        "cursor": "reverse",
        "reason": "italic",
        "waiting": "bold",
        "key": "bold",
        "told": "bold",
    }
)
"""Styles without colours, only weight, so that they are readable on light and dark."""


class Screen:
    """The screen of one inbox.

    Args:
        work: The actions of the keys.
        title: The name of the mailbox.
        run_command: Runs a `gaia email` command on the bare terminal, for commands that ask questions.
        input: The source of keys; the terminal by default.
        output: The output; the terminal by default.
    """

    def __init__(
        self,
        work: ScreenWork,
        title: str,
        run_command: Callable[[list[str]], None],
        *,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._work, self._run_command = work, run_command
        self.state = ScreenState(title=title, busy="reading")
        self._asked: Callable[[str], Awaitable[None]] | None = None
        self._prompt = ""
        self._line = Buffer(multiline=False, accept_handler=self._accepted)
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self.application: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._bindings(),
            style=COLOURS,
            full_screen=True,
            input=input,
            output=output,
            mouse_support=False,
        )

    @property
    def asks(self) -> bool:
        """True while a line is being typed."""
        return self._asked is not None

    async def run(self) -> None:
        """Run until the user leaves."""
        self._start(self._load())
        looking = asyncio.ensure_future(self._look())
        try:
            await self.application.run_async()
        finally:
            looking.cancel()
            for task in (*self._tasks, looking):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    def _layout(self) -> Layout:
        self._body = Window(FormattedTextControl(self._drawn, focusable=True, show_cursor=False))
        asking = Condition(lambda: self._asked is not None)
        line = Window(
            BufferControl(self._line, input_processors=[BeforeInput(lambda: self._prompt)]), height=1
        )
        return Layout(HSplit([self._body, ConditionalContainer(line, asking)]), focused_element=self._body)

    def _drawn(self) -> StyleAndTextTuples:
        size = self.application.output.get_size()
        lines = frame(self.state, size.columns, size.rows - (1 if self._asked else 0))
        pieces: StyleAndTextTuples = []
        for number, line in enumerate(lines):
            pieces += [("", "\n"), *line] if number else line
        return pieces

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        listening = Condition(lambda: self._asked is None)
        for key in terminal_keys():
            for name in key.terminal:
                bindings.add(name, filter=listening, eager=name == "escape")(self._on(key.command))
        bindings.add("escape", filter=~listening, eager=True)(self._no_more)
        bindings.add("c-c", filter=~listening)(self._no_more)
        return bindings

    def _on(self, command: str) -> Callable[[object], None]:
        def press_key(_: object) -> None:
            self.press(command)

        return press_key

    def press(self, command: str) -> None:
        """Perform the command of a key."""
        state, here = self.state, self.state.current
        page = max(1, self.application.output.get_size().rows - 4)
        moves: dict[str, Callable[[], ScreenState]] = {
            "down": lambda: state.move(1),
            "up": lambda: state.move(-1),
            "top": lambda: state.jump(end=False),
            "bottom": lambda: state.jump(end=True),
            "next_section": lambda: state.move(page) if state.pane != "list" else state.in_next_section(),
            "close": state.close,
            "help": lambda: replace(state, pane="help", lines=(), top=0),
        }
        if command in moves:
            self.state = moves[command]()
        elif command == "quit":
            self.application.exit()
        elif command == "refresh":
            self._start(self._load())
        elif command == "undo":
            self._start(self._done("taking back", self._work.undo, then_load=True))
        elif command == "search":
            self._ask("show threads with: ", self._search)
        elif command == "brief":
            self._start(self._brief())
        elif command == "waiting":
            self._start(self._outside(["review"]))
        elif here is not None:
            self._press_on(command, here.id)

    def _press_on(self, command: str, message_id: str) -> None:
        """Perform a key's command on the thread at the cursor."""
        if command in ("open", "why"):
            self._start(self._show(message_id, "show" if command == "open" else "why"))
        elif command == "archive":
            self._start(self._gone(message_id, "archiving", lambda: self._work.archive(message_id)))
        elif command == "snooze":
            self._ask(
                "snooze until (4h, 3d, tomorrow, friday 14:00): ",
                lambda words: self._snooze(message_id, words),
            )
        elif command == "correct":
            self._ask(
                "belongs in: u urgent, n needs you, w worth knowing, l low: ",
                lambda words: self._correct(message_id, words),
            )
        elif command == "answer":
            self._start(self._choose_template(message_id))

    def _ask(self, prompt: str, then: Callable[[str], Awaitable[None]]) -> None:
        self._prompt, self._asked = prompt, then
        self._line.reset()
        self.application.layout.focus(self._line)

    def _accepted(self, buffer: Buffer) -> bool:
        then, words = self._asked, buffer.text.strip()
        self._asked_no_more()
        if then is not None:
            self._start(then(words))
        return False

    def _no_more(self, _: object) -> None:
        self._asked_no_more()

    def _asked_no_more(self) -> None:
        self._asked = None
        self.application.layout.focus(self._body)

    def _start(self, work: Awaitable[None]) -> None:
        async def report_errors() -> None:
            async with self._turn:
                try:
                    await work
                except MailError as error:
                    hint = f" ({error.hint})" if error.hint else ""
                    self.state = replace(self.state, busy="", status_text=f"{error.message}{hint}")
                self.application.invalidate()

        task = asyncio.ensure_future(report_errors())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _wait(self, busy: str, work: Callable[[], Result]) -> Result:
        self.state = replace(self.state, busy=busy)
        self.application.invalidate()
        try:
            return await asyncio.to_thread(work)
        finally:
            self.state = replace(self.state, busy="")

    async def _load(self) -> None:
        rows = await self._wait("reading", self._work.load)
        self.state = self.state.refresh(rows, waiting=await asyncio.to_thread(self._work.waiting))

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            if self.state.pane == "list" and self._asked is None and not self._turn.locked():
                self._start(self._load())

    async def _show(self, message_id: str, view: str) -> None:
        width = self.application.output.get_size().columns
        lines = await self._wait(
            "reading", lambda: self._work.text(message_id, "why" if view == "why" else "show", width)
        )
        self.state = self.state.with_text(lines)

    async def _brief(self) -> None:
        width = self.application.output.get_size().columns
        self.state = self.state.with_text(await self._wait("reading", lambda: self._work.brief(width)))

    async def _done(self, busy: str, work: Callable[[], str], *, then_load: bool = False) -> None:
        status_text = await self._wait(busy, work)
        if then_load:
            await self._load()
        self.state = replace(self.state, status_text=status_text)

    async def _gone(self, message_id: str, busy: str, work: Callable[[], str]) -> None:
        status_text = await self._wait(busy, work)
        self.state = replace(self.state.without(message_id), status_text=status_text)

    async def _search(self, words: str) -> None:
        self.state = self.state.filter_by(words)

    async def _snooze(self, message_id: str, words: str) -> None:
        if words:
            await self._gone(message_id, "snoozing", lambda: self._work.snooze(message_id, words))

    async def _correct(self, message_id: str, words: str) -> None:
        bucket = BUCKETS.get(words[:1].lower())
        if bucket is None:
            self.state = replace(
                self.state, status_text="nothing was recorded: u, n, w or l" if words else ""
            )
            return
        await self._done("recording", lambda: self._work.correct(message_id, bucket))

    async def _choose_template(self, message_id: str) -> None:
        names = await asyncio.to_thread(self._work.templates)
        if not names:
            self.state = replace(
                self.state, status_text="there is no template yet: gaia email policy templates says how"
            )
            return

        async def answer_with(words: str) -> None:
            name = next((name for name in names if words and name.startswith(words)), "")
            if name:
                await self._outside(["answer", *self._work.build_arguments(message_id), "--template", name])

        self._ask(f"answer with ({', '.join(names)}): ", answer_with)

    async def _outside(self, arguments: list[str]) -> None:
        """Run a command that asks questions on the bare terminal, then reload the list."""
        await run_in_terminal(lambda: self._run_command(arguments), in_executor=True)
        await self._load()
