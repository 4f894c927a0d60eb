"""Another client and this one change a mailbox in any order while links expire: the copy ends as the server is."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from gaia_email_registry.errors import MailError
from tests.contract.suite import Mirror, look, many, write_message
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import Account, Folder, Item
from tests.graph.emulator.answering import Refused, answer_json, refusal, throttled
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, Waits, connect
from tests.graph.test_sync import truth

T = TypeVar("T")
WHICH = st.integers(min_value=0, max_value=50)
TROUBLE = {
    "expired": refusal(Refused(410, "SyncStateNotFound", "Gone.")),
    "throttled": throttled(2),
    "broken": refusal(Refused(500, "InternalServerError", "Sorry.")),
    "line": Response(hang_up=True),
}
REFUSALS = {
    "400": refusal(Refused(400, "ErrorInvalidOperation", "No change tracking here.")),
    "403": refusal(Refused(403, "ErrorAccessDenied", "No.")),
    "404": refusal(Refused(404, "ErrorItemNotFound", "No.")),
    "410": refusal(Refused(410, "SyncStateNotFound", "Gone.")),
    "501": refusal(Refused(501, "NotImplemented", "No.")),
    "no page": answer_json({}),
}


class DeltaMachine(RuleBasedStateMachine):
    """Two followers with pages of different sizes, one of them over a server that is started again now and then."""

    stable_ids = True
    sparse = True
    forgetful = False

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.emulator = Emulator(
            Account(stable_ids=self.stable_ids, sparse=self.sparse, forgetful=self.forgetful)
        )
        self.account = self.emulator.account
        for seed in many(3):
            self.account.put(seed.raw, seed.labels)
        self.run(self.emulator.start())
        self.directory = tempfile.TemporaryDirectory()
        self.mailbox = self.opened()
        self.mirrors = [Mirror(limit=1), Mirror(limit=100)]
        self.number = 10

    def teardown(self) -> None:
        self.emulator.fault = lambda request: None
        for mirror in self.mirrors:
            self.check(mirror)
        self.run(self.mailbox.aclose())
        self.loop.close()
        self.directory.cleanup()

    def opened(self) -> EmulatedMailbox:
        return EmulatedMailbox(connect(self.emulator, Path(self.directory.name), Waits()), self.emulator)

    def run(self, call: Coroutine[None, None, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(call, 20))

    def check(self, mirror: Mirror) -> None:
        self.run(mirror.follow(self.mailbox))
        assert {id_: labels for id_, (labels, _) in mirror.state.items()} == truth(self.account)
        assert mirror.state == self.run(look(self.mailbox))
        assert not mirror.resets, "links that expire are the server's affair"

    def item(self, which: int) -> Item | None:
        items = list(self.account.items.values())
        return items[which % len(items)] if items else None

    def folder(self, which: int, *, own: bool = False) -> Folder | None:
        folders = [one for one in self.account.folders.values() if not (own and one.well_known)]
        return folders[which % len(folders)] if folders else None

    @rule()
    def a_message_comes(self) -> None:
        self.number += 1
        self.account.put(write_message(self.number))

    @rule(which=WHICH, where=WHICH)
    def somebody_moves_one(self, which: int, where: int) -> None:
        item, folder = self.item(which), self.folder(where)
        if item is not None and folder is not None:
            self.account.move(item, folder)

    @rule(which=WHICH, over=st.lists(WHICH, min_size=1, max_size=2))
    def somebody_moves_one_away_and_back(self, which: int, over: list[int]) -> None:
        item = self.item(which)
        if item is not None:
            home = self.account.folders[item.folder]
            for where in over:
                item = self.account.move(item, self.folder(where) or home)
            self.account.move(item, home)

    @rule(which=WHICH)
    def somebody_deletes_one(self, which: int) -> None:
        item = self.item(which)
        if item is not None:
            self.account.remove(item)

    @rule(
        which=WHICH, categories=st.lists(st.sampled_from(["Blue", "Green"]), unique=True), read=st.booleans()
    )
    def somebody_marks_one(self, which: int, categories: list[str], read: bool) -> None:
        def marked(item: Item) -> None:
            item.categories, item.read = categories, read

        item = self.item(which)
        if item is not None:
            self.account.touch(item, marked)

    @rule(inside=WHICH)
    def somebody_makes_a_folder(self, inside: int) -> None:
        self.number += 1
        parent = self.folder(inside, own=True)
        self.account.add_folder(f"Folder {self.number}", parent.id if parent else self.account.root)

    @rule(which=WHICH)
    def somebody_renames_a_folder(self, which: int) -> None:
        self.number += 1
        folder = self.folder(which, own=True)
        if folder is not None:
            self.account.rename_folder(folder, f"Renamed {self.number}")

    @rule(which=WHICH)
    def somebody_deletes_a_folder(self, which: int) -> None:
        folder = self.folder(which, own=True)
        if folder is not None:
            self.account.remove_folder(folder)

    @rule(some=st.lists(WHICH, max_size=3), add=st.sampled_from(["STARRED", "TRASH", "INBOX", "SPAM"]))
    def we_change_some(self, some: list[int], add: str) -> None:
        ids = [item.id for item in map(self.item, some) if item is not None]
        self.run(self.mailbox.modify(ids, add=[add], remove=["UNREAD"]))

    @rule()
    def every_link_expires(self) -> None:
        self.account.tokens.clear()

    @rule(
        kind=st.sampled_from(sorted(TROUBLE)),
        at=st.integers(min_value=0, max_value=6),
        times=st.sampled_from([1, 2, 99]),
    )
    def the_next_look_goes_wrong_at_some_page(self, kind: str, at: int, times: int) -> None:
        seen = 0

        def fault(request: Request) -> Response | None:
            nonlocal seen
            if "/delta" not in request.path:
                return None
            seen += 1
            return TROUBLE[kind] if at < seen <= at + times else None

        self.emulator.fault = fault
        with suppress(MailError):  # what it saw by then it may keep
            self.run(self.mirrors[1].follow(self.mailbox))
        self.emulator.fault = lambda request: None

    @rule(which=WHICH, kind=st.sampled_from(sorted(REFUSALS)), first=st.booleans())
    def one_folder_is_refused(self, which: int, kind: str, first: bool) -> None:
        folder = self.folder(which)
        if folder is None:
            return

        def fault(request: Request) -> Response | None:
            wanted = f"/{folder.id}/messages/delta" in request.path.replace("%3D", "=")
            return REFUSALS[kind] if wanted and (first or "token" in request.target) else None

        self.emulator.fault = fault
        self.run(self.mailbox.cursor())
        self.emulator.fault = lambda request: None

    @rule(which=st.integers(min_value=0, max_value=1))
    def follow(self, which: int) -> None:
        self.check(self.mirrors[which])

    @rule()
    def follow_one_page(self) -> None:
        mirror = self.mirrors[0]
        mirror.apply(self.run(self.mailbox.changes(mirror.cursor, limit=1)))

    @rule()
    def the_server_is_started_again(self) -> None:
        self.run(self.mailbox.graph.aclose())
        self.mailbox = self.opened()


class ChangingIdsMachine(DeltaMachine):
    """The same where a message gets another id when it is moved."""

    stable_ids = False


class ForgetfulMachine(DeltaMachine):
    """The same where a message that came back is reported as removed from its folder, and no more."""

    forgetful = True


class WholeItemsMachine(DeltaMachine):
    """The same where delta tells whole messages, whatever changed."""

    sparse = False


FEW = settings(max_examples=12, stateful_step_count=25, deadline=None)
TestStableIds = DeltaMachine.TestCase
TestStableIds.settings = FEW
TestChangingIds = ChangingIdsMachine.TestCase
TestChangingIds.settings = FEW
TestForgetful = ForgetfulMachine.TestCase
TestForgetful.settings = FEW
TestWholeItems = WholeItemsMachine.TestCase
TestWholeItems.settings = FEW
