"""One conversation in its own process, so that it can be ended at any time. Entry: `main`.

The process reads and writes lines of JSON. The first line on standard input names the mailbox; each later one is a line
of the user. Standard output receives the events of the conversation and, after each line, the conversation to remember.
The process ends when its standard input does, whatever it is doing; pending actions are settled as after any kill.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import uuid
from collections.abc import Mapping
from dataclasses import asdict
from queue import SimpleQueue
from typing import Any, TextIO

import msgspec

from gaia_email.app import App
from gaia_email.app.documents.fields import texts_of
from gaia_email.app.documents.short import plain
from gaia_email.app.documents.talk_events import NeedsConfirmation, TalkEvent
from gaia_email.app.operations.acting import ArchiveInput, UndoInput
from gaia_email.app.operations.operation import Operation, OperationCall, OperationInput
from gaia_email.app.operations.questions import archive_question, template_question, undo_question
from gaia_email.app.operations.replies import ReplyByTemplateInput
from gaia_email.app.services.conversations import Conversation
from gaia_email.app.services.forwarding import take_login
from gaia_email.app.services.opening import account_of
from gaia_email.app.services.person_answers import call_request, wait_for_answer
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.chat.session import Session
from gaia_email.policy.gate import PromptAnswer
from gaia_email.policy.question import CallQuestion
from gaia_email_registry.errors import NeedsApproval
from gaia_email_registry.origin import RequestOrigin
from gaia_email_registry.private_file import keep_files_private

Json = dict[str, Any]
PROGRAM = "gaia email serve"
TURN = "turn"
"""Type of the output line that ends the answer to a user's line."""


class WaitingPrompt:
    """A prompt that asks nobody here: the question waits in the Agent Inbox, and the gate notices its answer there."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Wait until the gate receives the answer from elsewhere, or the question expires."""
        await asyncio.Event().wait()
        return "no"


class ConversationWorker:
    """The session of one process, with its input and output."""

    def __init__(self, app: App, hello: Mapping[str, Any], out: TextIO) -> None:
        self._app = app
        self._out = out
        self._source = msgspec.convert(hello["source"], SourceSpec)
        take_login(app, hello.get("login"))
        self._by_person = bool(hello["by_person"])
        self._origin = msgspec.convert(hello["origin"], RequestOrigin)
        resumed = hello.get("resumed")
        self._conversation: Json = {}
        self._session = Session(
            app,
            self._source,
            self._emit,
            WaitingPrompt(),
            hello["models"],
            msgspec.convert(resumed, Conversation) if resumed else None,
            self._need_person,
            self._remember,
            origin=self._origin,
        )

    def answer(self, said: Mapping[str, Any]) -> None:
        """Answer a line: write its events, then the line that ends them."""
        take_login(self._app, said.get("login"))
        if earlier := texts_of(said, "context"):
            self._session.recall(earlier)
        self._session.say(str(said["say"]), most_steps=said.get("max_steps"), turn_id=said.get("turn"))
        self._write({"type": TURN, "conversation": self._conversation})

    def _emit(self, event: TalkEvent) -> None:
        if isinstance(event, NeedsConfirmation) and event.question_id:
            self._write({**event.to_json(), "confirmation": event.question_id})
        else:
            self._write(event.to_json())

    def _remember(self, conversation: Conversation) -> int:
        self._conversation = asdict(conversation)
        return 0

    def _need_person(self, tool: str, arguments: Mapping[str, object]) -> None:
        """Wait for the user's consent to exactly this call, unless they wrote the line.

        Raises:
            NeedsApproval: They said no, or did not answer in time.
        """
        if self._by_person:
            return
        shown = self._question(tool, arguments)
        account, once = account_of(self._app, self._source), str(uuid.uuid4())
        asked = call_request(PROGRAM, account, tool, arguments, shown, origin=self._origin, once=once)
        event = NeedsConfirmation(run_id="", action=tool, summary=shown)
        answer = wait_for_answer(
            self._app,
            asked,
            lambda approval_id: self._write({**event.to_json(), "approval": approval_id, "call": asked.call}),
        )
        if answer is None:
            raise NeedsApproval("Nobody agreed in time; nothing was done.")
        if not answer:
            raise NeedsApproval("The user said no; nothing was done.")

    def _question(self, tool: str, arguments: Mapping[str, object]) -> str:
        """Return the question for the user, built from the proposed action."""
        match tool:
            case "archive":
                ids = texts_of(arguments, "ids") or [str(arguments["id"])]
                return self._asked(archive_question, ArchiveInput(message_ids=ids))
            case "undo":
                return self._asked(undo_question, UndoInput(id=str(arguments["id"])))
            case "remember":
                return f"Remember this sentence?\n  {plain(str(arguments['text']), 500)}"
            case "forget":
                return f"Delete sentence {arguments['number']} of what is remembered?"
            case _:
                message, template = str(arguments["id"]), str(arguments["template"])
                return self._asked(
                    template_question, ReplyByTemplateInput(message_id=message, template=template)
                )

    def _asked(self, operation: Operation[Any], asked: OperationInput) -> str:
        call: OperationCall[Any] = OperationCall(asked=asked, origin=self._origin, sources=[self._source])
        return str(operation.run(self._app, call)["question"])

    def _write(self, line: Mapping[str, object]) -> None:
        self._out.write(json.dumps(line, ensure_ascii=True, separators=(",", ":")) + "\n")
        self._out.flush()


def main() -> None:
    """Answer lines until standard input ends."""
    keep_files_private()
    # The protocol has its own stream, since output printed by a library must not end up in it.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    lines: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    worker = ConversationWorker(App(), json.loads(lines.get()), out)
    while True:
        worker.answer(json.loads(lines.get()))


def _read(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
