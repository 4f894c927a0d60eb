"""Two other clients and ours change a mailbox at random, at once: what we say ends up as what the server holds."""

from __future__ import annotations

import asyncio
import imaplib
import os
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gaia_email_registry.errors import MailError
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.sync import inbox_poll
from gaia_mail.files.maildir import keyword_of
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import Follower, Truth, expected, opened, persistently, settings, told
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

DovecotWith = Callable[[Options], Dovecot]

OWN = ("Projects", "Lists", "Lists/a", "Lists/b")
FOLDERS = ("INBOX", "Archive", "Trash", "INBOX", "Drafts", *OWN)
FLAGS = ("\\Seen", "\\Flagged", "urgent", keyword_of("Two words"), "$Forwarded", "\\Answered")
OURS = (
    "star",
    "unstar",
    "read",
    "archive",
    "inbox",
    "spam",
    "trash",
    "untrash",
    "delete",
    "label",
    "unlabel",
)
OUR_FOLDERS = ("draft", "redraft", "undraft", "make label", "rename label", "drop label")

EXAMPLES = int(os.environ.get("GAIA_TEST_EXAMPLES", "8"))
"""Of each kind of server; more when there is time."""

TheirVerb = Literal[
    "append", "flag", "unflag", "move", "copy", "expunge", "make", "rename", "drop", "replace"
]
Step = tuple[TheirVerb, int, int, int]
"""What to do, and numbers that choose a folder, a message in it, and a flag or a target."""

numbers = st.integers(0, 11)
their_steps = st.lists(
    st.tuples(
        st.sampled_from(
            (
                "append",
                "append",
                "flag",
                "unflag",
                "move",
                "copy",
                "expunge",
                "make",
                "rename",
                "drop",
                "replace",
            )
        ),
        numbers,
        numbers,
        numbers,
    ),
    min_size=1,
    max_size=10,
)
our_steps = st.lists(
    st.tuples(st.sampled_from(("look", "cut", "cut", *OURS, *OUR_FOLDERS)), numbers), min_size=1, max_size=8
)

fresh = count(1)
accounts = count(1)


class TheirWork(threading.Thread):
    """Another client's steps, one after the other, in a thread of its own."""

    def __init__(self, port: int, user: str, steps: list[Step]) -> None:
        super().__init__(daemon=True)
        self._port, self._user, self._steps = port, user, steps
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            take_all(self._port, self._user, self._steps)
        except BaseException as error:
            self.failure = error


def take_all(port: int, user: str, steps: list[Step]) -> None:
    """Do what can be done: somebody else may have been quicker, or have removed the folder under us."""
    left = list(steps)
    while left:
        with OtherClient(port, user) as client, suppress(imaplib.IMAP4.abort, OSError):
            while left:
                step = left.pop(0)
                try:
                    take(client, step)
                except imaplib.IMAP4.abort:
                    raise
                except imaplib.IMAP4.error:
                    continue


def take(client: OtherClient, step: Step) -> None:
    verb, where, which, what = step
    folder = FOLDERS[where % len(FOLDERS)]
    if verb == "append":
        flags = [FLAGS[what % 6]] if what % 2 else []
        client.append(write_message(next(fresh)), folder, flags)
        return
    if verb in ("make", "rename", "drop", "replace"):
        change_folders(client, verb, OWN[where % len(OWN)], OWN[(where + 1 + what) % len(OWN)])
        return
    uids = client.uids(folder)
    if not uids:
        return
    uid = uids[which % len(uids)]
    target = FOLDERS[(where + 1 + what % 3) % len(FOLDERS)]
    if verb == "move":
        client.move([uid], target, folder)
    elif verb == "copy":
        client.copy([uid], target, folder)
    elif verb == "expunge":
        client.expunge([uid], folder)
    else:
        client.flag([uid], FLAGS[what % 6], folder=folder, off=verb == "unflag")


def change_folders(client: OtherClient, verb: str, folder: str, other: str) -> None:
    """Folders come, go, change their names, and are made anew under the same name (another UIDVALIDITY)."""
    if verb == "make":
        client.create(folder)
    elif verb == "rename":
        client.rename(folder, other)
    else:
        client.delete_folder(folder)
        if verb == "replace":
            client.create(folder)
            client.append(write_message(next(fresh)), folder)


async def our_step(mailbox: ImapMailbox, verb: str, which: int) -> None:
    ids = await persistently(lambda: find(mailbox, "in:anywhere"))
    labels = await persistently(mailbox.labels)
    own = [label["id"] for label in labels if label["type"] == "user"]
    chosen = [ids[which % len(ids)]] if ids else []
    label = own[which % len(own)] if own else "INBOX"
    changes: dict[str, tuple[list[str], list[str]]] = {
        "star": (["STARRED"], []),
        "unstar": ([], ["STARRED"]),
        "read": ([], ["UNREAD"]),
        "archive": ([], ["INBOX"]),
        "inbox": (["INBOX"], []),
        "spam": (["SPAM"], []),
        "label": ([label], []),
        "unlabel": ([], [label]),
    }
    try:
        if verb in changes:
            add, remove = changes[verb]
            await mailbox.modify(chosen, add=add, remove=remove)
        elif verb in OUR_FOLDERS:
            await our_folder_step(mailbox, verb, which, label)
        elif verb != "look":
            await {"trash": mailbox.trash, "untrash": mailbox.untrash, "delete": mailbox.delete}[verb](chosen)
    except MailError as error:
        assert re.search(BEARABLE, error.message), error.message


BEARABLE = (
    "was lost|said goodbye|closed the connection|is closed|Internal error occurred|is gone|no longer|There is no |"
    "keeps changing|no such folder|reserved|label .* already|folder with that name|not be relabelled|was not removed|"
    "ALREADYEXISTS|case of labels|belongs to the system"
)
"""What may be said when somebody else was quicker, and nothing else."""


async def our_folder_step(mailbox: ImapMailbox, verb: str, which: int, label: str) -> None:
    drafts = await persistently(lambda: mailbox.drafts(limit=20))
    draft = drafts[which % len(drafts)].id if drafts else ""
    if verb == "draft":
        await mailbox.create_draft(write_message(next(fresh)), None)
    elif verb == "make label":
        await mailbox.create_label(("Later", "Lists/c", "x" * 60)[which % 3], {})
    elif verb == "rename label":
        await mailbox.update_label(label, f"Renamed {next(fresh)}", {})
    elif verb == "drop label":
        await mailbox.delete_label(label)
    elif draft and verb == "redraft":
        await mailbox.update_draft(draft, write_message(next(fresh)))
    elif draft:
        await mailbox.delete_draft(draft)


async def check(mailbox: ImapMailbox, follower: Follower, everything: Callable[[], Truth]) -> None:
    """What is told by following and by searching is what the server holds."""
    truth = everything()
    errors: tuple[str, ...] = ()
    for _ in range(3):  # Dovecot's list of folders may be behind by what happened within a second
        await persistently(lambda: follower.follow(mailbox))
        errors = (await mailbox.status()).errors
        if (follower.truth, errors) == (truth, ()):
            break
    assert (follower.truth, errors) == (truth, ())
    assert await persistently(lambda: told(mailbox)) == truth


SHAPES = [
    pytest.param(Options(), id="QRESYNC"),
    pytest.param(Options(capability="IMAP4rev1 CONDSTORE UIDPLUS MOVE"), id="CONDSTORE"),
    pytest.param(Options(capability="IMAP4rev1"), id="plain"),
    pytest.param(Options(storage="sdbox"), id="sdbox"),
]


@pytest.fixture(autouse=True)
def every_inbox_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it stays open between looks."""
    monkeypatch.setattr(inbox_poll, "LARGE", 1)


@pytest.mark.parametrize("options", SHAPES)
@hypothesis_settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # what threads do at once cannot be shrunk
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(before=their_steps, one=their_steps, two=their_steps, ours=our_steps, restart=st.booleans())
def test_whatever_is_done_at_once_we_end_at_what_the_server_holds(
    dovecot_with: DovecotWith,
    tmp_path: Path,
    options: Options,
    before: list[Step],
    one: list[Step],
    two: list[Step],
    ours: list[tuple[str, int]],
    restart: bool,
) -> None:
    server = dovecot_with(options)
    user = f"together{next(accounts)}"
    cache = tmp_path / f"{user}.sqlite"
    follower = Follower(limit=3)

    async def work(proxy: Proxy) -> None:
        async with opened(settings(proxy.port, user), cache=cache) as mailbox:
            await follower.follow(mailbox)
            others = [TheirWork(server.port, user, steps) for steps in (one, two)]
            for other in others:
                other.start()
            for verb, which in ours:
                if verb == "cut":  # in the middle of whatever comes next
                    proxy.cut_after(which * which * 100)
                else:
                    await our_step(mailbox, verb, which)
                await persistently(lambda: follower.follow(mailbox))
            for other in others:
                await asyncio.to_thread(other.join)
                if other.failure is not None:
                    raise other.failure
            if not restart:
                await check(mailbox, follower, everything)

    def everything() -> Truth:
        with OtherClient(server.port, user) as client:
            return expected(client.everything())

    async def again(proxy: Proxy) -> None:
        async with opened(settings(proxy.port, user), cache=cache) as mailbox:
            await check(mailbox, follower, everything)
        async with opened(settings(server.port, user)) as forgetful:
            assert await told(forgetful) == everything()

    with OtherClient(server.port, user) as client:
        client.create("Projects")
    take_all(server.port, user, before)
    with Proxy(server.port) as proxy:
        asyncio.run(work(proxy))
        asyncio.run(again(proxy))
    assert follower.resets == 0
