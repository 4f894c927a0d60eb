"""Automations on a mailbox in memory, run to their end in this process. Entry: `AutomationBench`."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp.client import Client

from gaia_email.actions.account_session import AccountSession, Brakes, session_of
from gaia_email.actions.writing import on_session
from gaia_email.ledger import Ledger, NewLedgerEvent, Selection, open_ledger
from gaia_email.mailbox.known_tools import approve_tools, record_listing, to_approve
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.models.client import ModelQuestion, ModelReply
from gaia_email.policy.gate import Pass, consume
from gaia_email_automations.dispatching import AutomationFiring, DispatchedRun, dispatch
from gaia_email_automations.engine import ACTOR, AutomationEngine
from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.running import advance
from gaia_email_automations.saving import SavedBy, save
from gaia_email_automations.store import AutomationStore, StoredAutomation, StoredAutomationRun, StoredStep
from gaia_email_automations.triggers import answered_runs
from gaia_email_registry.approvals import Approval
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.capabilities import ToolForm, ToolListing
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.actions.account import ME, Switched
from tests.contract.memory import MemoryMailbox
from tests.mailbox_wrapper import MailboxWrapper
from tests.origins import PERSON

NOW = dt.datetime(2026, 3, 31, 12, tzinfo=dt.UTC)
PLACE = MailboxRef(kind="account", path="me")
MOST_TURNS = 100


class _KeptMailbox(MailboxWrapper):
    """The mailbox, which a server that stops does not close."""

    async def aclose(self) -> None:
        pass


Said = str | Mapping[str, Any]


class ScriptedTaskModel:
    """A model that says one thing after the other, objects as JSON; a function is given the question."""

    def __init__(self) -> None:
        self.says: list[Said | Callable[[ModelQuestion], Said]] = []
        self.asked: list[ModelQuestion] = []
        self.tokens = 10

    async def ask(self, question: ModelQuestion) -> ModelReply:
        self.asked.append(question)
        said = self.says.pop(0)
        said = said(question) if callable(said) else said
        text = said if isinstance(said, str) else json.dumps(said)
        return ModelReply(text=text, tokens_in=self.tokens, tokens_out=0, seconds=0.0, sent=0)


class AutomationBench:
    """One account in memory and its automations; `brakes` are switches, `waited` the pauses that were asked for."""

    def __init__(
        self,
        home: Path,
        renderer: TemplateRenderer,
        mailbox: MemoryMailbox | None = None,
        *,
        url: str = "",
    ) -> None:
        self.home = home
        self.now = NOW
        self.environ: Mapping[str, str] = {"GAIA_HOME": str(home), "GAIA_VAULT": "file"}
        self.box = mailbox or MemoryMailbox(ME, now=lambda: self.now)
        self.ledger: Ledger = open_ledger(
            clock=lambda: self.now.timestamp(), url=url or f"sqlite:///{home}/ledger.db", environ=self.environ
        )
        self.switches = Switched()
        self.waited: list[float] = []
        self.called: list[tuple[str, dict[str, object]]] = []
        self.server_answers: list[Mapping[str, Any] | Exception] = []
        self.model = ScriptedTaskModel()
        self.engine = AutomationEngine(
            ledger=self.ledger,
            environ=self.environ,
            renderer=renderer,
            open_account=self._opened,
            read_mail=self._read,
            call_server=self._called,
            model=self._model,
            brakes=self._brakes,
            chance=lambda: 0.5,
        )

    def save(self, definition: Mapping[str, Any], flows: Sequence[str] = ()) -> StoredAutomation:
        by = SavedBy(account_id=ME, place=PLACE, owner=(ME,), actor="cli")
        return save(self.ledger, definition, by, flows=flows)

    def fire(self, automation: StoredAutomation, **more: Any) -> DispatchedRun:
        return dispatch(self.ledger, automation.automation_id, AutomationFiring(**more))

    def finished(self, run: StoredAutomationRun) -> StoredAutomationRun:
        """The run after it was advanced until it is over or waits."""
        for _ in range(MOST_TURNS):
            told = advance(self.engine, run.run_id)
            self.now += dt.timedelta(seconds=told.seconds)
            if told.seconds:
                self.waited.append(told.seconds)
            if not told.goes_on:
                return self.run(run.run_id)
        raise AssertionError("the run has no end")

    def result(self, definition: Mapping[str, Any], **more: Any) -> StoredAutomationRun:
        """The end of a run, by hand, of a new automation."""
        flows = more.pop("flows", ())
        return self.finished(self.fire(self.save(definition, flows), **more).run)

    def run(self, run_id: str) -> StoredAutomationRun:
        with self.ledger.read() as tx:
            found = AutomationStore.of(self.ledger).run(tx, run_id)
        assert found is not None
        return found

    def runs(self) -> list[StoredAutomationRun]:
        with self.ledger.read() as tx:
            return AutomationStore.of(self.ledger).runs(tx)[::-1]

    def steps(self, run: StoredAutomationRun) -> dict[str, StoredStep]:
        with self.ledger.read() as tx:
            return {one.step_id: one for one in AutomationStore.of(self.ledger).steps(tx, run.run_id)}

    def questions(self) -> list[Approval]:
        with self.ledger.read() as tx:
            return self.ledger.approvals(tx).waiting()

    def answer(self, *, yes: bool) -> None:
        (question,) = self.questions()
        with self.ledger.write() as tx:
            id_, answers = question.approval_id, self.ledger.approvals(tx)
            assert answers.answer(id_, "granted" if yes else "refused", by="cli")

    def waiting(self) -> list[str]:
        return [run.run_id for run in answered_runs(self.ledger)]

    def approve_tool(self, server: str, tool: str, **more: Any) -> None:
        """A server lists a tool, and a person approves it as it is."""
        self.list_tool(server, tool, **more)
        approve_tools(self.ledger, server, to_approve(self.ledger, server, tool))

    def list_tool(self, server: str, tool: str, **more: Any) -> None:
        """A server lists one tool: `row`, a text, is all that it takes."""
        usual: dict[str, Any] = {
            "description": "Adds a row.",
            "input_schema": {"type": "object", "properties": {"row": {"type": "string"}}},
            "output_schema": None,
            "annotations": {"destructiveHint": False},
        }
        listing = ToolListing(forms={tool: ToolForm(**{**usual, **more})})
        record_listing(self.ledger, server, listing, now=self.now.timestamp())

    def event(self, kind: str = "message.triaged", account: str | None = ME, **more: Any) -> None:
        with self.ledger.write() as tx:
            self.ledger.events.append(tx, NewLedgerEvent(kind=kind, account_id=account, **more))

    def kinds(self) -> Counter[str]:
        with self.ledger.read() as tx:
            return Counter(event.kind for event in self.ledger.events.since(tx, limit=100_000))

    def states(self) -> Counter[str]:
        """The actions of the ledger by state."""
        with self.ledger.read() as tx:
            return Counter(one.state for one in self.ledger.actions.select(tx, Selection()))

    def put(
        self, subject: str, labels: Sequence[str] = ("INBOX", "UNREAD"), sender: str = "ann@acme.example"
    ) -> str:
        raw = (
            f"From: {sender}\r\nTo: {ME}\r\nSubject: {subject}\r\nDate: Mon, 30 Mar 2026 09:00:00 +0000\r\n"
            f"Message-ID: <{uuid.uuid4()}@acme.example>\r\n\r\nText.\r\n"
        )
        return self.box.put(raw.encode(), labels)

    def subjects(self, label: str) -> list[str]:
        messages = self.box._store.messages.values()  # pyright: ignore[reportPrivateUsage]
        return sorted(
            line.removeprefix("Subject: ")
            for message in messages
            if label in message.labels
            for line in message.raw.decode().split("\r\n")
            if line.startswith("Subject: ")
        )

    @asynccontextmanager
    async def _opened(self, place: MailboxRef) -> AsyncGenerator[AccountSession, None]:
        assert place.path == PLACE.path
        failures: list[Exception] = []
        server = create_server(_KeptMailbox(self.box), SurfaceSettings(approval=CALLER))
        async with Client(server._mcp_server, cache=None) as client:  # pyright: ignore[reportPrivateUsage]
            found = await on_session(client.session)
            try:  # so that it does not come out in a group
                yield session_of(found, self.ledger, actor=ACTOR, brakes=self.switches, origin=PERSON)
            except Exception as error:
                failures.append(error)
        if failures:
            raise failures[0]

    async def _read(self, place: MailboxRef, call: ToolCall) -> Mapping[str, Any]:
        from gaia_email.mailbox.tool_calls import call_tool, failure

        server = create_server(_KeptMailbox(self.box), SurfaceSettings(approval=CALLER))
        async with Client(server._mcp_server, cache=None) as client:  # pyright: ignore[reportPrivateUsage]
            answer = await call_tool(client.session, call.tool, call.arguments)
        if answer.is_error:
            raise failure(call.tool, answer)
        return answer.data or {}

    @asynccontextmanager
    async def _model(self, run: StoredAutomationRun) -> AsyncGenerator[ScriptedTaskModel, None]:
        yield self.model

    async def _called(self, given: Pass) -> Mapping[str, Any]:
        call = consume(given)
        self.called.append((call.tool, call.arguments))
        answer = self.server_answers.pop(0) if self.server_answers else {"done": True}
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _brakes(self, run: StoredAutomationRun) -> Brakes:
        return self.switches
