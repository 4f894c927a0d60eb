"""A conversation as the peer's stream of events. Entry: `PeerConversing`.

As in the peer's program, a step that needs a person's yes ends the stream; nothing then waits for the answer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from gaia_email.interfaces.http.conversations import (
    ContextItem,
    Conversations,
    QueryInput,
    RespondInput,
    check_model,
)
from gaia_email.interfaces.http.credentials import Principal
from gaia_email_gaia.answers import CancelAnswer, RespondAnswer
from gaia_email_gaia.inputs import PeerQueryInput, PeerRespondInput
from gaia_email_gaia.mailboxes import PeerMailboxes
from gaia_email_registry.errors import NotFound

Json = dict[str, Any]

LOCAL = "lemonade"
"""The only provider of language models in the peer's contract: one on this machine."""

MOST_STEPS = 8

EVENT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "status": ("message",),
    "token": ("delta",),
    "tool_call": ("tool", "args"),
    "tool_result": ("tool", "render", "data"),
    "needs_confirmation": ("run_id", "action", "summary"),
    "needs_input": (
        "run_id",
        "request_id",
        "question",
        "options",
        "allow_free_text",
        "respond_url",
        "timeout_seconds",
    ),
    "final": ("answer", "usage"),
    "error": ("detail", "status"),
}
"""Fields of each event in the peer's contract."""

CANCELLED, FAILED = 499, 500
"""Status of an `error`: the caller ended the run, or it could not be finished."""

REFUSED = (
    "This takes the yes of a person, and this stream waits for none, so nothing was done. "
    "POST /v1/email/confirm asks them, or they do it themselves."
)


class PeerConversing:
    """The endpoints of `query`.

    Args:
        conversations: The server's conversations.
        mailboxes: Finds the mailbox.
        models: Environment that names the language model.
        prefix: The prefix of the contract's paths.
    """

    def __init__(
        self, conversations: Conversations, mailboxes: PeerMailboxes, models: Mapping[str, str], prefix: str
    ) -> None:
        self._conversations = conversations
        self._mailboxes = mailboxes
        self._models = models
        self._prefix = prefix
        self._options: OrderedDict[str, list[str]] = OrderedDict()

    def query(self, asked: PeerQueryInput, principal: Principal) -> AsyncGenerator[Json, None]:
        """Start a run and return its events, ending with `final` or `error`.

        Raises:
            NotFound: The query names a remote model, or one that the user did not choose.
            MailError: The run cannot start.
        """
        if asked.provider not in (None, LOCAL):
            raise NotFound(f"Language models run on this machine only: {LOCAL} is the only provider.")
        line = QueryInput(
            query=asked.query,
            run_id=asked.run_id,
            context=tuple(
                ContextItem(role="user", content=one.content) for one in asked.context if one.role == "user"
            ),
            model=asked.model,
            max_steps=None if asked.max_steps is None else min(asked.max_steps, MOST_STEPS),
            can_answer_questions=asked.can_answer_questions,
            session_id=None if asked.session_id is None else f"gaia {asked.session_id}"[:100],
        )
        check_model(line, self._models)
        source = self._mailboxes.one(None)
        self._conversations.begin(line, source, principal)
        return self._events(self._conversations.events(line, source), asked.run_id)

    async def _events(self, events: AsyncGenerator[Json, None], run_id: str) -> AsyncGenerator[Json, None]:
        async with aclosing(events):
            async for event in events:
                if event["type"] == "needs_input":
                    self._options[run_id.lower()] = [str(one) for one in event["options"]]
                    while len(self._options) > 100:
                        self._options.popitem(last=False)
                yield self._event(event, run_id)
                if event["type"] == "needs_confirmation":
                    yield {"type": "final", "answer": REFUSED, "usage": {}}
                    return

    def _event(self, event: Json, run_id: str) -> Json:
        """Return an event with the fields of the peer's contract."""
        kind = str(event["type"])
        fields = {name: event[name] for name in EVENT_FIELDS.get(kind, ()) if name in event}
        if kind == "needs_input":
            options = [
                {"value": str(number), "label": str(one)} for number, one in enumerate(event["options"], 1)
            ]
            fields |= {"options": options, "respond_url": f"{self._prefix}/v1/email/query/{run_id}/respond"}
        if kind == "error":
            fields["status"] = CANCELLED if event["status"] == 130 else FAILED
        return {"type": kind, **fields}

    def cancel(self, run_id: str) -> CancelAnswer:
        """End a run; a query that arrives with this id within a minute ends at once.

        Raises:
            NotFound: No run with this id is active.
        """
        if not self._conversations.cancel(run_id):
            raise NotFound("No run of that id is under way.")
        return {"status": "ok", "run_id": run_id, "cancelled": True}

    def respond(self, run_id: str, given: PeerRespondInput) -> RespondAnswer:
        """Answer the question of a run.

        Raises:
            NotFound: No run with this id is active.
            StateConflict: The run does not ask this question, or no longer does.
        """
        if not self._conversations.is_under_way(run_id):
            raise NotFound("No run of that id is under way.")
        labels = self._options.get(run_id.lower(), [])
        value = str(labels.index(given.value) + 1) if given.value in labels else given.value
        self._conversations.respond(run_id, RespondInput(request_id=given.request_id, value=value))
        return {"status": "ok", "run_id": run_id, "request_id": given.request_id, "accepted": True}
