"""Answers a line that the grammar does not know, with a model, step by step: call, tool result, text. Entry: `Loop`.

The model chooses among the tools bound by the user's words (`binding`) and refers to messages by the names it was
shown. Code makes the calls, counts, and decides which of its sentences may be shown (`grounding`). The model cannot
change anything: when it calls for an archive, the user is asked, and their next line answers.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, cast

from gaia_email.app.documents.talk_events import (
    StatusEvent,
    TalkEvent,
    TokenEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from gaia_email.interfaces.chat.binding import bound_by
from gaia_email.interfaces.chat.grammar import render_of
from gaia_email.interfaces.chat.grounding import SentenceChecker
from gaia_email.interfaces.chat.model_calls import CALLS, ModelCall, ModelStep, read_step
from gaia_email.interfaces.chat.references import ShownMessage
from gaia_email.interfaces.chat.transcript import Transcript
from gaia_email.models.client import ModelClient, QuestionTooLarge, Unanswered
from gaia_email.models.one_question import asking
from gaia_email_registry.errors import BadArgument, NotFound

if TYPE_CHECKING:
    from gaia_email.app.documents.mail_types import SectionName
    from gaia_email.interfaces.chat.tools import ConversationTools

Json = dict[str, object]
MOST_STEPS, MOST_FAULTS, MOST_S = 8, 2, 120.0
_ANSWER = re.compile(r'\s*\{\s*"answer"\s*:\s*"')


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOutcome:
    """The outcome of one turn.

    Attributes:
        answer: The model's sentences that may be shown, with the ids they cite; empty if there are none.
        cites: These ids, in order.
        left_out: The number of unsupported sentences.
        last: The last tool result and its renderer; None if no tool was called.
        archive: Ids to ask the user about.
        suspects: Suspect messages that came up but were not shown to a model; the program reports them itself.
        problem: A description of the failure; empty if there was none.
    """

    answer: str = ""
    cites: tuple[str, ...] = ()
    left_out: int = 0
    last: tuple[str, Json] | None = None
    archive: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    problem: str = ""


@dataclass(slots=True)
class Loop:
    """One turn.

    Args:
        tools: The tools that can be called.
        emit: Receives every event.
        resolve: Returns the id for the owner's reference to a shown message; empty if none matches.
        environ: Environment that names the language model.
        clock: Clock in seconds, for the turn's deadline.
        most_steps: Maximum number of model calls in one turn, capped at `MOST_STEPS`.
    """

    tools: ConversationTools
    emit: Callable[[TalkEvent], None]
    resolve: Callable[[str], str]
    environ: Mapping[str, str]
    clock: Callable[[], float] = time.monotonic
    most_steps: int = MOST_STEPS
    refused: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    _last: tuple[str, Json] | None = None
    _streamed: str = ""
    _done: set[str] = field(default_factory=set[str])

    def run(self, line: str, *, listed: tuple[ShownMessage, ...], earlier: tuple[str, ...]) -> TurnOutcome:
        """Answer the line.

        Args:
            line: The owner's line.
            listed: The messages currently shown to them.
            earlier: Their earlier lines, oldest first.

        Raises:
            MailError: There is no model, or it may not be shown mail.
        """
        transcript = Transcript(line, earlier, self.tools.suspects)
        transcript.know(listed)
        return asyncio.run(self._turn(transcript))

    async def _turn(self, transcript: Transcript) -> TurnOutcome:
        bound = bound_by(transcript.line)

        def tell(said: str) -> None:
            self.emit(StatusEvent(message=said))

        async with asking(self.environ, why="a conversation with you", tell=tell) as client:
            tell(f"Asking {client.model}.")
            ends, faults = self.clock() + MOST_S, 0
            for _ in range(min(self.most_steps, MOST_STEPS)):
                checker = SentenceChecker(transcript)
                try:
                    step = await self._step(client, transcript, bound, checker)
                except (QuestionTooLarge, Unanswered) as error:
                    if self._last is None:
                        raise
                    return TurnOutcome(last=self._last, problem=error.message)
                if step.call is None and not step.fault:
                    return self._answered(transcript, checker, step.answer)
                if step.call is not None and (outcome := await self._called(transcript, step.call, bound)):
                    return outcome
                if step.fault:
                    faults += 1
                    transcript.fault(step.fault)
                if faults > MOST_FAULTS or self.refused > MOST_FAULTS or self.clock() > ends:
                    break
        return TurnOutcome(last=self._last, problem="The language model found no end.")

    async def _step(
        self, client: ModelClient, transcript: Transcript, bound: tuple[str, ...], checker: SentenceChecker
    ) -> ModelStep:
        self._streamed = ""

        def heard(text: str) -> None:
            said = _said_so_far(text)
            if said is not None and len(said) >= len(self._streamed):
                self._streamed = said
                self._show(checker, said, whole=False)

        while True:
            try:
                reply = await client.ask(transcript.question(bound), heard=heard)
            except QuestionTooLarge:
                if not transcript.shrink():
                    raise
                continue
            self.tokens_in += reply.tokens_in
            self.tokens_out += reply.tokens_out
            return read_step(reply.answer())

    def _show(self, checker: SentenceChecker, text: str, *, whole: bool) -> None:
        for sentence in checker.take(text, whole=whole):
            self.emit(TokenEvent(delta=f"{sentence.line}\n"))

    def _answered(self, transcript: Transcript, checker: SentenceChecker, answer: str) -> TurnOutcome:
        if answer:
            self._show(checker, answer, whole=True)
        lines = [one.line for one in checker.shown]
        cites = dict.fromkeys(key for one in checker.shown for key in one.ids)
        return TurnOutcome(
            answer="\n".join(lines),
            cites=tuple(cites),
            left_out=checker.left_out,
            last=self._last,
            suspects=transcript.suspects_found,
        )

    async def _called(
        self, transcript: Transcript, call: ModelCall, bound: tuple[str, ...]
    ) -> TurnOutcome | None:
        """Make a call; return an outcome if it ends the turn."""
        if call.tool not in bound:
            self.refused += 1
            self.tools.record_refusal(call.tool)
            self.emit(StatusEvent(message=f"Refused: your words do not ask for {call.tool}."))
            transcript.fault(f"the owner's words do not allow {call.tool}")
            return None
        arguments = {**call.arguments, **self._named(transcript, call)}
        text = json.dumps([call.tool, arguments])
        if text in self._done:
            self.refused += 1
            transcript.fault("that was called before; its answer stands above")
            return None
        self._done.add(text)
        try:
            self._require_known(call, arguments)
            if call.tool == "draft_reply":
                suspect: set[str] = await asyncio.to_thread(self.tools.suspects, [str(arguments["id"])])
                arguments |= {"say": ""} if suspect else {}
            if call.tool == "archive":
                return TurnOutcome(archive=tuple(cast("list[str]", arguments["ids"])), last=self._last)
            from_mail = transcript.only_in_mail(arguments)
            self.emit(ToolCallEvent(tool=call.tool, args=arguments, from_mail=from_mail))
            data = await asyncio.to_thread(self._work(call.tool, arguments))
        except (BadArgument, NotFound) as error:
            transcript.fault(error.message[:300])
            return None
        render = render_of(CALLS[call.tool].kind)
        self.emit(ToolResultEvent(tool=call.tool, render=render, data=data))
        self._last = (render, data)
        if call.tool == "draft_reply":
            return TurnOutcome(last=self._last)
        await asyncio.to_thread(transcript.add, call.tool, call.arguments, render, data)
        return None

    def _named(self, transcript: Transcript, call: ModelCall) -> Json:
        """Return the ids for the message names in a call."""

        def one(name: str) -> str:
            return transcript.id_of(name) or self.resolve(name)

        if call.messages:
            return {"ids": list(dict.fromkeys(one(name) for name in call.messages))}
        return {"id": one(call.texts["message"])} if "message" in call.texts else {}

    def _require_known(self, call: ModelCall, arguments: Json) -> None:
        """Refuse a call about a message that was never shown.

        Raises:
            NotFound: The call names such a message.
        """
        if arguments.get("id") == "" or "" in cast("list[str]", arguments.get("ids", [])):
            raise NotFound("no message of that name was shown; search first")

    def _work(self, tool: str, arguments: Json) -> Callable[[], Json]:
        tools, text = self.tools, {key: str(value) for key, value in arguments.items()}
        calls: dict[str, Callable[[], Json]] = {
            "triage_inbox": lambda: tools.triage_inbox(cast("SectionName", text["bucket"]), 0),
            "daily_summary": tools.daily_summary,
            "search_mail": lambda: tools.search_mail(text["query"], 0),
            "show_email": lambda: tools.show_email(text["id"]),
            "why": lambda: tools.why(text["id"]),
            "summarize_thread": lambda: tools.summarize_thread(text["id"]),
            "exchange": lambda: tools.exchange(text["name"]),
            "draft_reply": lambda: tools.draft_reply(text["id"], text["say"], own_words=False),
        }
        return calls.get(tool) or partial(tools.operation, tool)


def _said_so_far(text: str) -> str | None:
    """Return the answer text received so far; None if it may still turn out to be a call or thoughts."""
    text = text.rpartition("</think>")[2].lstrip()
    if (match := _ANSWER.match(text)) is not None:
        return _unquoted(text[match.end() :])
    return None if not text or text[0] in "<{[" else text


def _unquoted(part: str) -> str:
    """Return the text of an incomplete JSON string."""
    end = re.match(r'(?:[^"\\]|\\.)*', part, re.DOTALL)
    whole = re.sub(r"\\(?:u[0-9a-fA-F]{0,3})?$", "", end[0]) if end else ""
    try:
        read: object = json.loads(f'"{whole}"', strict=False)
    except ValueError:
        return ""
    return read if isinstance(read, str) else ""
