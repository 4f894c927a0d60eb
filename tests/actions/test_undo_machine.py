"""Random actions, changes by others and undos: the mailbox is always as a small model of it says."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule
from mcp.client import Client

from gaia_email.actions.account_session import AccountSession, session_of
from gaia_email.actions.applying import carry_out, record, write_down
from gaia_email.actions.change import LabelIdChange
from gaia_email.actions.kinds import NOT_UNDONE, SEND, UNSUBSCRIBE
from gaia_email.actions.planning import label_action
from gaia_email.actions.snooze import snooze, wake
from gaia_email.actions.undo import NO_WAY_BACK_BY_KIND, UndoOutcome, chosen_actions, undo
from gaia_email.actions.writing import on_session
from gaia_email.ledger import ActionOutcome, LoggedAction, NewAction, Selection, open_ledger
from gaia_mail.snoozing import snooze_label, snoozed_until
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox
from tests.origins import PERSON

T = TypeVar("T")

SNOOZED = "gaia/snoozed-until-"
PLACES = frozenset({"INBOX", "SPAM", "TRASH"})
OTHERS = ("UNREAD", "STARRED", "Label_1", "Label_2")
CHANGES = st.tuples(
    st.sampled_from([None, "INBOX", "", "TRASH", "SPAM"]),
    st.frozensets(st.sampled_from(OTHERS), max_size=2),
    st.frozensets(st.sampled_from(OTHERS), max_size=2),
)
"""Where to (None: nowhere else, empty: the archive), what to add, what to remove."""
SESSIONS = st.sampled_from(["s1", "s2"])


def memory() -> str | None:
    """A file system in memory, where there is one: a ledger syncs after every write."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@cache
def empty_ledger() -> bytes:
    """A ledger that was just made."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        open_ledger(url=f"sqlite:///{path}").close()
        return path.read_bytes()


@dataclass
class Did:
    """What one action did to one message, in the model."""

    id: str
    added: frozenset[str]
    removed: frozenset[str]
    place: frozenset[str]
    """Where it left the message."""
    final: bool = False
    """Nothing takes it back: mail that went out, a list that was left."""


@dataclass
class Model:
    labels: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    done: dict[str, Did] = field(default_factory=dict[str, Did])
    """Actions that were applied and not taken back, by id, oldest first."""

    def change(self, id_: str, add: frozenset[str], remove: frozenset[str]) -> Did:
        before = self.labels[id_]
        after = before - remove | add
        self.labels[id_] = after
        return Did(id=id_, added=after - before, removed=before - after, place=after & PLACES)

    def take_back(self, action_ids: list[str]) -> set[str]:
        """The ids of the actions that stood and were taken back, newest first."""
        taken: set[str] = set()
        for key in [key for key in reversed(self.done) if key in action_ids]:
            did = self.done[key]
            now = self.labels.get(did.id)
            if now is None or did.final:
                continue
            touched = did.added or did.removed
            if touched and not (did.added <= now and not did.removed & now and did.place == now & PLACES):
                continue
            self.labels[did.id] = now - did.added | did.removed
            del self.done[key]
            taken.add(key)
        return taken


def full_change(
    now: frozenset[str], place: str | None, add: frozenset[str], remove: frozenset[str]
) -> LabelIdChange:
    """A change that says all it does: moving somewhere takes the message out of where it was."""
    if place is None:
        return LabelIdChange.of(add, remove)
    there = frozenset({place} if place else ())
    return LabelIdChange.of(add | there, remove | (now & PLACES) - there)


class UndoMachine(RuleBasedStateMachine):
    ids = Bundle[str]("ids")
    runs = Bundle[str]("runs")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.now = dt.datetime(2026, 3, 31, tzinfo=dt.UTC)
        self.box = MemoryMailbox("me@example.org", now=lambda: self.now)
        self.model = Model()
        self.folder = tempfile.TemporaryDirectory(dir=memory())
        path = Path(self.folder.name) / "ledger.db"
        path.write_bytes(empty_ledger())
        self.ledger = open_ledger(clock=lambda: self.now.timestamp(), url=f"sqlite:///{path}")
        self.count = 0
        self.on_account = self.do(self.opened())

    async def opened(self) -> AccountSession:
        for name in ("one", "two"):
            await self.box.create_label(name, {})
        self.over = asyncio.Event()
        ready = asyncio.get_running_loop().create_future()
        self.serving = asyncio.create_task(self.serve(ready))
        return await ready

    async def serve(self, ready: asyncio.Future[AccountSession]) -> None:
        """Opens and closes the connection in one task, as it has to be."""
        server = create_server(self.box, SurfaceSettings(approval=CALLER))
        async with Client(server._mcp_server, cache=None) as client:  # pyright: ignore[reportPrivateUsage]
            ready.set_result(session_of(await on_session(client.session), self.ledger, origin=PERSON))
            await self.over.wait()

    def teardown(self) -> None:
        self.do(self.closed())
        self.ledger.close()
        self.runner.close()
        self.folder.cleanup()

    async def closed(self) -> None:
        self.over.set()
        await self.serving

    def do(self, call: Coroutine[None, None, T]) -> T:
        return self.runner.run(call)

    @rule(target=ids, labels=st.sampled_from([("INBOX", "UNREAD"), ("INBOX",), (), ("SPAM",)]))
    def arrives(self, labels: tuple[str, ...]) -> str:
        self.count += 1
        raw = f"From: a@b.example\r\nMessage-ID: <{self.count}@b.example>\r\n\r\nx\r\n"
        id_ = self.box.put(raw.encode(), labels)
        self.model.labels[id_] = frozenset(labels)
        return id_

    @rule(id_=ids, kind=st.sampled_from([SEND, UNSUBSCRIBE]), session=SESSIONS)
    def does_what_cannot_be_undone(self, id_: str, kind: str, session: str) -> None:
        self.now += dt.timedelta(seconds=1)
        new = NewAction(
            account_id="me@example.org", message_id=id_, action_type=kind, payload={}, session_id=session
        )
        (planned,) = record(self.on_account, [new])
        write_down(self.on_account, [ActionOutcome(action_id=planned.action_id)])
        nothing = frozenset[str]()
        self.model.done[planned.action_id] = Did(
            id=id_, added=nothing, removed=nothing, place=nothing, final=True
        )

    @rule(id_=ids, hours=st.integers(min_value=1, max_value=3), session=SESSIONS)
    def snoozes(self, id_: str, hours: int, session: str) -> None:
        if id_ not in self.model.labels:
            return
        self.now += dt.timedelta(seconds=1)
        until = self.now.timestamp() + hours * 3600
        done = self.do(snooze(self.on_account, [id_], until, session_id=session)).done
        others = {key for name, key in self.named().items() if name.startswith(SNOOZED)}
        added = frozenset({self.named()[snooze_label(until)]})
        self.did(done, id_, added, frozenset({"INBOX", *others}) - added)

    @rule(hours=st.integers(min_value=0, max_value=4))
    def wakes(self, hours: int) -> None:
        self.now += dt.timedelta(hours=hours)
        due = {
            key: until
            for name, key in self.named().items()
            if (until := snoozed_until(name)) is not None and until <= self.now.timestamp()
        }
        for action in self.do(wake(self.on_account)).done:
            (label,) = due.keys() & set(LabelIdChange.read(action.action_payload).remove)
            there = PLACES & self.model.labels[action.message_id]
            back = frozenset[str]() if there else frozenset({"INBOX", "UNREAD"})
            self.did([action], action.message_id, back, frozenset({label}))
        assert not any(due.keys() & labels for labels in self.model.labels.values())

    def named(self) -> dict[str, str]:
        return {label["name"]: label["id"] for label in self.do(self.box.labels())}

    def did(self, done: list[LoggedAction], id_: str, added: frozenset[str], removed: frozenset[str]) -> None:
        """Take one action into the model; none where there was nothing to do."""
        before = self.model.labels[id_]
        did = self.model.change(id_, added, removed)
        assert bool(done) == (self.model.labels[id_] != before)
        for action in done:
            self.model.done[action.action_id] = did

    @rule(
        target=runs, some=st.lists(ids, min_size=1, max_size=4, unique=True), wanted=CHANGES, session=SESSIONS
    )
    def acts(
        self, some: list[str], wanted: tuple[str | None, frozenset[str], frozenset[str]], session: str
    ) -> str:
        self.count += 1
        run_id = f"r{self.count}"
        self.now += dt.timedelta(seconds=1)
        summaries = self.do(self.on_account.mail.read_emails(some, format="summary"))["emails"]
        new = [
            label_action(
                summary,
                full_change(self.model.labels[summary["id"]], *wanted),
                kind="label_add",
                run_id=run_id,
                session_id=session,
                user_confirmed=True,
            )
            for summary in summaries
        ]
        planned = record(self.on_account, [action for action in new if action is not None])
        assert len(self.do(carry_out(self.on_account, planned)).done) == len(planned)
        for action in planned:
            change = LabelIdChange.read(action.action_payload)
            did = self.model.change(action.message_id, frozenset(change.add), frozenset(change.remove))
            self.model.done[action.action_id] = did
        return run_id

    @rule(id_=ids, wanted=CHANGES)
    def somebody_changes(self, id_: str, wanted: tuple[str | None, frozenset[str], frozenset[str]]) -> None:
        if id_ in self.model.labels:
            change = full_change(self.model.labels[id_], *wanted)
            self.do(self.box.modify([id_], add=change.add, remove=change.remove))
            self.model.labels[id_] = self.seen(id_)

    @rule(id_=ids)
    def somebody_deletes(self, id_: str) -> None:
        self.do(self.box.delete([id_]))
        self.model.labels.pop(id_, None)

    @rule(run_id=runs)
    def undo_a_run(self, run_id: str) -> None:
        self.takes_back(lambda: chosen_actions(self.on_account, Selection(run_id=run_id)))

    @rule(session=SESSIONS)
    def undo_a_session(self, session: str) -> None:
        self.takes_back(lambda: chosen_actions(self.on_account, Selection(session_id=session)))

    @rule(seconds=st.integers(min_value=0, max_value=5))
    def undo_since(self, seconds: int) -> None:
        since = self.now.timestamp() - seconds
        self.takes_back(lambda: chosen_actions(self.on_account, Selection(since=since)))

    @rule(which=st.integers(min_value=0, max_value=50))
    def undo_one(self, which: int) -> None:
        if self.model.done:
            key = list(self.model.done)[which % len(self.model.done)]
            self.takes_back(lambda: self.chosen(key))

    def chosen(self, key: str) -> list[LoggedAction]:
        with self.ledger.read() as tx:
            return self.ledger.actions.get(tx, [key])

    def takes_back(self, choose: Callable[[], list[LoggedAction]]) -> None:
        actions = choose()
        expected = self.model.take_back([action.action_id for action in actions])
        result: UndoOutcome = self.do(undo(self.on_account, actions))
        assert {action.action_id for action in result.taken_back} == expected
        kept = {item.action.action_id for item in result.kept}
        assert kept == {action.action_id for action in actions} - expected
        for item in result.kept:
            named = NO_WAY_BACK_BY_KIND.get(item.action.action_type)
            assert item.reason == named if named else item.reason

    def seen(self, id_: str) -> frozenset[str]:
        return self.box._store.messages[id_].labels  # pyright: ignore[reportPrivateUsage]

    @invariant()
    def the_mailbox_is_as_the_model_says(self) -> None:
        messages = self.box._store.messages  # pyright: ignore[reportPrivateUsage]
        assert {id_: message.labels for id_, message in messages.items()} == self.model.labels

    @invariant()
    def the_ledger_knows_what_stands(self) -> None:
        with self.ledger.read() as tx:
            applied = self.ledger.actions.select(tx, Selection(states=("applied",)))
            assert self.ledger.events.verify(tx) is None
        assert {
            action.action_id for action in applied if action.action_type not in NOT_UNDONE
        } == self.model.done.keys()


UndoMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestUndoMachine = UndoMachine.TestCase
