"""The conversations of a server, each in its own process. Entry: `Conversations`.

A run is one query and its consequences: the events of its conversation, questions to the caller, and the wait for a
person's consent. The caller chooses its id, so that it can be cancelled before its first event.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from gaia_email.app import App
from gaia_email.app.documents.cards.generic import generic_card
from gaia_email.app.documents.talk_events import ErrorEvent, FinalEvent
from gaia_email.app.operations.operation import OperationInput
from gaia_email.app.services.forwarding import lent_login
from gaia_email.app.services.person_answers import withdraw
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.conversation_worker import TURN
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.refusal import TooManyRuns
from gaia_email.interfaces.http.worker_process import WorkerProcess
from gaia_email_registry.errors import NotFound, StateConflict
from gaia_email_registry.origin import RequestOrigin

Json = dict[str, Any]

MOST_RUNS = 8
"""Maximum concurrent runs of programs; each has a process of some 100 MB."""

MOST_OF_PERSON = 4
"""Maximum concurrent runs of the person, separate from those of programs."""

MOST_SESSIONS = 200
"""Maximum remembered sessions; the least recently used are dropped."""

IDLE_S = 300.0
"""Seconds that a session's process waits for the next line."""

ANSWER_S = 600.0
"""Seconds that a run waits for the answer to its question."""

BEGINS_S = 30.0
"""Seconds within which reading a run's events must begin, or the run ends."""

CANCELLED_S = 60.0
"""Seconds that a cancellation waits for its query."""

MOST_KNOWN = 20_000
"""Maximum remembered run ids, which cannot be reused; the newest are kept."""

CANCELLED = ErrorEvent(detail="Cancelled; nothing more is done.", status=130)
DIED = ErrorEvent(
    detail="The process of this conversation ended. What was done is in the list of actions; ask again.",
    status=1,
)
UNANSWERED = ErrorEvent(detail="The question was not answered in time; ask again.", status=1)

RUN_ID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"

RunId = Annotated[
    str,
    Meta(
        pattern=RUN_ID,
        description="A UUID that the caller makes; each query has its own.",
    ),
]


class ContextItem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that was said before, as the host has it."""

    role: Annotated[Literal["user", "assistant", "system"], Meta(description="Speaker.")]
    content: Annotated[str, Meta(max_length=20_000)]


class QueryInput(OperationInput, frozen=True, kw_only=True):
    """A line of the user, and how it may be answered."""

    query: Annotated[str, Meta(min_length=1, max_length=4_000, description="A line of the user.")]
    run_id: RunId
    context: Annotated[
        tuple[ContextItem, ...],
        Meta(max_length=200, description="Earlier lines; only the user's own are used."),
    ] = ()
    model: (
        Annotated[
            str, Meta(max_length=200, description="Refused unless it is the model that the user chose.")
        ]
        | None
    ) = None
    provider: (
        Annotated[
            str, Meta(max_length=200, description="The account that is meant, where there are several.")
        ]
        | None
    ) = None
    max_steps: Annotated[int, Meta(ge=1, le=8, description="Questions to a language model.")] | None = None
    can_answer_questions: Annotated[
        bool,
        Meta(
            description="True if `needs_input` is answered through /respond; otherwise the run ends with it."
        ),
    ] = False
    session_id: (
        Annotated[
            str, Meta(max_length=100, description="The conversation it goes on with; a new one without.")
        ]
        | None
    ) = None


class RespondInput(OperationInput, frozen=True, kw_only=True):
    """The answer to a question of a run."""

    request_id: Annotated[str, Meta(min_length=1, max_length=100)]
    value: Annotated[str, Meta(min_length=1, max_length=4_000)]


TalkKey: TypeAlias = "tuple[str, bool, RequestOrigin]"
"""Mailbox of a session, whether its lines are a person's, and their origin."""


@dataclass(slots=True)
class _TalkSession:
    """A session's state between lines, and its process while that is running."""

    key: TalkKey
    conversation: Json | None = None
    worker: WorkerProcess | None = None
    run: str = ""
    idle: asyncio.TimerHandle | None = None


@dataclass(slots=True)
class _QueryRun:
    """An active run."""

    session: _TalkSession
    is_person: bool
    read: bool = False
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    question: str = ""
    answer: asyncio.Future[str] | None = None
    confirming: Json = field(default_factory=dict[str, Any])


class Conversations:
    """All conversations of one server.

    Args:
        app: The running program.
        models: Environment that names the language model, since a demo's own data directory has none.
    """

    def __init__(self, app: App, models: Mapping[str, str]) -> None:
        self._app = app
        self._models = dict(models)
        self._runs: dict[str, _QueryRun] = {}
        self._known: OrderedDict[str, None] = OrderedDict()
        self._early: dict[str, asyncio.TimerHandle] = {}
        self._sessions: OrderedDict[str, _TalkSession] = OrderedDict()
        self._ending: set[asyncio.Task[None]] = set()
        self._spare: asyncio.Task[WorkerProcess] | None = None

    async def close(self) -> None:
        """End every run and process."""
        for run in self._runs.values():
            run.cancelled.set()
        for session in self._sessions.values():
            self._release(session)
        if self._spare is not None:
            await (await self._spare).end()
            self._spare = None
        await asyncio.gather(*self._ending)

    def begin(self, asked: QueryInput, source: SourceSpec, principal: Principal) -> None:
        """Accept a query; its `events` must then be read.

        Raises:
            StateConflict: The run id was used before, or the session is still answering another line.
            TooManyRuns: The maximum number of runs is active.
        """
        run_id = asked.run_id.lower()
        if run_id in self._known:
            raise StateConflict("This run_id was used before; each query has its own.", argument="/run_id")
        session_id = asked.session_id or str(uuid.uuid4())
        known = self._sessions.get(session_id)
        if known is not None and known.run:
            raise StateConflict(
                "This session is still answering its last line; ask again after it, or cancel that.",
                argument="/session_id",
            )
        is_person = principal.kind == "person"
        most = MOST_OF_PERSON if is_person else MOST_RUNS
        if sum(one.is_person == is_person for one in self._runs.values()) >= most:
            raise TooManyRuns(f"{most} queries are being answered; ask again after one of them.")
        self._known[run_id] = None
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        session = self._session(session_id, (source.path, principal.decides, principal.origin))
        session.run = run_id
        run = self._runs[run_id] = _QueryRun(session=session, is_person=is_person)
        if (early := self._early.pop(run_id, None)) is not None:
            early.cancel()
            run.cancelled.set()
        # A caller that disconnects before its stream begins reads no event, and nothing else would end the run.
        asyncio.get_running_loop().call_later(BEGINS_S, self._forget_unread, run_id)

    def _forget_unread(self, run_id: str) -> None:
        run = self._runs.get(run_id)
        if run is not None and not run.read:
            self._over(run_id, run, whole=False)

    def cancel(self, run_id: str) -> bool:
        """End a run, or one whose query has not arrived yet; return True if it is active."""
        run_id = run_id.lower()
        if (run := self._runs.get(run_id)) is not None:
            run.cancelled.set()
            return True
        if run_id not in self._known and run_id not in self._early and len(self._early) < MOST_KNOWN:
            loop = asyncio.get_running_loop()
            self._early[run_id] = loop.call_later(CANCELLED_S, self._early.pop, run_id, None)
        return False

    def end_of(self, account_id: str) -> None:
        """End every run and process that uses an account."""
        for session in self._sessions.values():
            if session.key[0] != account_id:
                continue
            if session.run:
                self._runs[session.run].cancelled.set()
            else:
                self._release(session)

    def respond(self, run_id: str, given: RespondInput) -> None:
        """Answer the question of a run.

        Raises:
            StateConflict: The run does not ask this question, or no longer does.
        """
        run = self._runs.get(run_id.lower())
        if run is None or run.answer is None or run.question != given.request_id or run.answer.done():
            raise StateConflict("That question is over.", argument="/request_id")
        run.answer.set_result(given.value)

    def is_under_way(self, run_id: str) -> bool:
        """Return True if a run with this id is active."""
        return run_id.lower() in self._runs

    def confirming(self, run_id: str) -> Json:
        """Return the question to a person that a run is waiting for; empty if there is none."""
        run = self._runs.get(run_id.lower())
        return {} if run is None else run.confirming

    async def events(self, asked: QueryInput, source: SourceSpec) -> AsyncGenerator[Json, None]:
        """Yield the events of a started run, ending with `final` or `error`. Closing the generator ends the run.

        The last event is yielded only after the process has reported the conversation's state, so a client that
        disconnects at that point leaves nothing unfinished for the next line.
        """
        run_id = asked.run_id.lower()
        run = self._runs[run_id]
        run.read, whole = True, False
        last: Json = {}
        line: str | None = asked.query
        context = [one.content for one in asked.context if one.role == "user"]
        try:
            while line is not None:
                worker = await self._worker(run.session, source)
                said = {"say": line, "context": context, "max_steps": asked.max_steps, "turn": run_id}
                await worker.tell({**said, "login": lent_login(self._app, source)})
                line, context = None, []
                async for event in self._turn(run, worker):
                    if last:  # later events of the process matter only to the session
                        continue
                    if event["type"] in ("final", "error"):
                        last = _with_urls(event, run_id)
                    elif event["type"] != "needs_input":
                        yield _with_urls(event, run_id)
                    elif not asked.can_answer_questions:
                        last = _as_sentence(event)
                    else:
                        yield _with_urls(event, run_id)
                        answered = await self._answered(run, worker, str(event["request_id"]))
                        if isinstance(answered, ErrorEvent):
                            yield answered.to_json()
                            return
                        line = answered
            whole = not run.cancelled.is_set()
            self._over(run_id, run, whole=whole)
            if last:
                yield last
        finally:
            if self._runs.get(run_id) is run:
                self._over(run_id, run, whole=False)

    def _over(self, run_id: str, run: _QueryRun, *, whole: bool) -> None:
        """Handle the end of a run; the session's process stays only if its last line was fully answered."""
        self._runs.pop(run_id, None)
        run.session.run = ""
        if call := run.confirming.get("call"):  # the answer would have no effect any more
            withdraw(self._app, str(call))
        if whole:
            loop = asyncio.get_running_loop()
            run.session.idle = loop.call_later(IDLE_S, self._release, run.session)
        else:
            self._release(run.session)

    async def _turn(self, run: _QueryRun, worker: WorkerProcess) -> AsyncGenerator[Json, None]:
        """Yield the events of one line, until it ends, is cancelled, or the process ends."""
        while True:
            event = await _first(worker.heard(), run.cancelled)
            if run.cancelled.is_set():
                yield CANCELLED.to_json()
                return
            if event is None:
                run.cancelled.set()
                yield DIED.to_json()
                return
            if event["type"] == TURN:
                run.session.conversation = event["conversation"]
                return
            run.confirming = event if event["type"] == "needs_confirmation" else {}
            yield event

    async def _answered(self, run: _QueryRun, worker: WorkerProcess, request_id: str) -> str | ErrorEvent:
        """Return the answer to a question, or the reason for which the run ends without one."""
        run.question, run.answer = request_id, asyncio.get_running_loop().create_future()
        ended = asyncio.ensure_future(worker.process.wait())
        try:
            async with asyncio.timeout(ANSWER_S):
                first = asyncio.wait((run.answer, ended), return_when=asyncio.FIRST_COMPLETED)
                await _first(first, run.cancelled)
            if run.cancelled.is_set():
                return CANCELLED
            return run.answer.result() if run.answer.done() else DIED
        except TimeoutError:
            return UNANSWERED
        finally:
            ended.cancel()
            run.question, run.answer = "", None

    def _session(self, session_id: str, key: TalkKey) -> _TalkSession:
        session = self._sessions.setdefault(session_id, _TalkSession(key=key))
        self._sessions.move_to_end(session_id)
        if session.key != key:  # another mailbox or caller: nothing of the process is reused
            self._release(session)
            session.key, session.conversation = key, None
        while len(self._sessions) > MOST_SESSIONS:
            oldest = next(name for name, one in self._sessions.items() if not one.run)
            self._release(self._sessions.pop(oldest))
        return session

    async def _worker(self, session: _TalkSession, source: SourceSpec) -> WorkerProcess:
        if session.idle is not None:
            session.idle.cancel()
            session.idle = None
        if session.worker is None or not session.worker.is_alive:
            spare, self._spare = self._spare, None
            session.worker = await (spare or WorkerProcess.start(self._app.environ))
        if not session.worker.greeted:
            session.worker.greeted = True
            hello = {
                "source": asdict(source),
                "by_person": session.key[1],
                "origin": asdict(session.key[2]),
                "resumed": session.conversation,
                "login": lent_login(self._app, source),
                "models": self._models,
            }
            await session.worker.tell(hello)
        if self._spare is None:
            self._spare = asyncio.create_task(WorkerProcess.start(self._app.environ))
        return session.worker

    def _release(self, session: _TalkSession) -> None:
        if session.idle is not None:
            session.idle.cancel()
            session.idle = None
        if session.worker is not None:
            ending = asyncio.create_task(session.worker.end())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            session.worker = None


async def _first(work: Any, cancelled: asyncio.Event) -> Any:
    """Return the result of `work`; None as soon as the run is cancelled."""
    working = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(cancelled.wait())
    try:
        await asyncio.wait((working, waiting), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        waiting.cancel()
        working.cancel()


_INSIDE = ("approval", "confirmation", "call")
"""Fields with the ids of questions; they go from the asking process to the answer and never to the caller."""


def _with_urls(event: Json, run_id: str) -> Json:
    """Return an event for the caller: with the run's own id, the URL for the answer, and a card for any host."""
    match event["type"]:
        case "needs_input":
            url = f"/v1/email/query/{run_id}/respond"
            return {**event, "run_id": run_id, "respond_url": url, "timeout_seconds": ANSWER_S}
        case "needs_confirmation":
            shown = {name: value for name, value in event.items() if name not in _INSIDE}
            return {**shown, "run_id": run_id, "confirm_url": f"/v1/email/query/{run_id}/confirm"}
        case "tool_result":
            return {**event, "generic": generic_card(event["data"])}
        case _:
            return event


def _as_sentence(event: Json) -> Json:
    """Return a question as the final event, for a caller that cannot answer it."""
    options = "".join(f"\n  {one}" for one in event["options"])
    return FinalEvent(answer=f"{event['question']}{options}\nAsk again with what you mean.").to_json()


def check_model(asked: QueryInput, models: Mapping[str, str]) -> None:
    """Refuse a model that the user has not chosen.

    Raises:
        NotFound: The model is a different one.
    """
    from gaia_email.models.choice import read_choice

    if asked.model is None:
        return
    if asked.model not in read_choice(models).tiers.values():
        raise NotFound(
            "This is not a language model that the user chose.",
            argument="/model",
            hint="gaia email models use chooses one; without `model` that one is asked.",
        )
