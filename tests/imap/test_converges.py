"""Two other clients and ours change a mailbox at random, at once: what we say ends up as what the server holds."""

from __future__ import annotations

import asyncio
import imaplib
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gaia_email_registry.errors import MailError
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_mail_mcp.testing.look import find
from gaia_mail_mcp.testing.seed import write_message
from tests.imap.truth import Follower, expected, opened, settings, told
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient

DovecotWith = Callable[[Options], Dovecot]

FOLDERS = ("INBOX", "Archive", "Trash", "Projects")
FLAGS = ("\\Seen", "\\Flagged", "urgent")
OURS = ("star", "unstar", "read", "archive", "inbox", "trash", "untrash", "delete")

TheirVerb = Literal["append", "flag", "unflag", "move", "copy", "expunge"]
Step = tuple[TheirVerb, int, int, int]
"""What to do, and numbers that choose a folder, a message in it, and a flag or a target."""

numbers = st.integers(0, 11)
their_steps = st.lists(
    st.tuples(
        st.sampled_from(("append", "append", "flag", "unflag", "move", "copy", "expunge")),
        numbers,
        numbers,
        numbers,
    ),
    min_size=1,
    max_size=8,
)
our_steps = st.lists(st.tuples(st.sampled_from(("look", "look", *OURS)), numbers), min_size=1, max_size=6)

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
            with OtherClient(self._port, self._user) as client:
                for step in self._steps:
                    try:
                        take(client, step)
                    except imaplib.IMAP4.error:
                        continue  # somebody else was quicker: the message is gone
        except BaseException as error:
            self.failure = error


def take(client: OtherClient, step: Step) -> None:
    verb, where, which, what = step
    folder = FOLDERS[where % len(FOLDERS)]
    if verb == "append":
        flags = [FLAGS[what % 3]] if what % 2 else []
        client.append(write_message(next(fresh)), folder, flags)
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
        client.flag([uid], FLAGS[what % 3], folder=folder, off=verb == "unflag")


async def our_step(mailbox: ImapMailbox, verb: str, which: int) -> None:
    ids = await find(mailbox, "in:anywhere")
    if not ids or verb == "look":
        return
    chosen = [ids[which % len(ids)]]
    changes: dict[str, tuple[list[str], list[str]]] = {
        "star": (["STARRED"], []),
        "unstar": ([], ["STARRED"]),
        "read": ([], ["UNREAD"]),
        "archive": ([], ["INBOX"]),
        "inbox": (["INBOX"], []),
    }
    try:
        if verb in changes:
            add, remove = changes[verb]
            await mailbox.modify(chosen, add=add, remove=remove)
        else:
            await {"trash": mailbox.trash, "untrash": mailbox.untrash, "delete": mailbox.delete}[verb](chosen)
    except MailError as error:
        assert "gone" in error.message or "no longer" in error.message, error.message


SHAPES = [
    pytest.param(Options(), id="QRESYNC"),
    pytest.param(Options(capability="IMAP4rev1 CONDSTORE UIDPLUS MOVE"), id="CONDSTORE"),
    pytest.param(Options(capability="IMAP4rev1"), id="plain"),
    pytest.param(Options(storage="sdbox"), id="sdbox"),
]


@pytest.mark.parametrize("options", SHAPES)
@hypothesis_settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
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

    async def work() -> None:
        async with opened(settings(server.port, user), cache=cache) as mailbox:
            await follower.follow(mailbox)
            others = [TheirWork(server.port, user, steps) for steps in (one, two)]
            for other in others:
                other.start()
            for verb, which in ours:
                await our_step(mailbox, verb, which)
                await follower.follow(mailbox)
            for other in others:
                await asyncio.to_thread(other.join)
                if other.failure is not None:
                    raise other.failure
            if not restart:
                await check(mailbox)

    async def check(mailbox: ImapMailbox) -> None:
        await follower.follow(mailbox)
        truth = expected(client.everything())
        assert await told(mailbox) == truth
        assert follower.truth == truth

    async def again() -> None:
        async with opened(settings(server.port, user), cache=cache) as mailbox:
            await check(mailbox)
        async with opened(settings(server.port, user)) as forgetful:
            assert await told(forgetful) == expected(client.everything())

    with OtherClient(server.port, user) as client:
        client.create("Projects")
        for step in before:
            take(client, step)
        asyncio.run(work())
        asyncio.run(again())
    assert follower.resets == 0
