"""A large inbox stays open between looks; whatever happens in it is told all the same."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pytest

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.sync import inbox_poll
from tests.contract.suite import Mirror, look, write_message
from tests.imap.test_sync import reader, run
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

Change = Callable[[OtherClient, list[int]], object]

CHANGES: dict[str, Change] = {
    "a new message": lambda other, _: other.append(write_message(9)),
    "a flag": lambda other, uids: other.flag(uids[:1], r"\Flagged"),
    "a keyword": lambda other, uids: other.flag(uids[:1], "todo"),
    "a flag taken off": lambda other, uids: other.flag(uids[1:2], r"\Seen", off=True),
    "a message gone": lambda other, uids: other.expunge(uids[:1]),
    "a message moved away": lambda other, uids: other.move(uids[:1], "Archive"),
    "a message elsewhere": lambda other, _: other.append(write_message(8), folder="Archive"),
}


@pytest.fixture(autouse=True)
def every_inbox_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_poll, "LARGE", 1)


async def _look_until_open(mirror: Mirror, mailbox: ImapMailbox, proxy: Proxy) -> None:
    for _ in range(3):
        await mirror.follow(mailbox)
    before = len(proxy.commands)
    await mirror.follow(mailbox)
    assert [command.split()[0] for command in proxy.commands[before:]] == ["LIST", "NOOP"]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_happens_in_an_inbox_kept_open_is_told_at_once(
    dovecot: Dovecot, proxy: Proxy, user: str, change: Change
) -> None:
    with OtherClient(dovecot.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            uids = [other.append(write_message(number)) for number in (1, 2, 3)]
            other.flag(uids[1:2], r"\Seen")
            mirror = Mirror()
            await _look_until_open(mirror, mailbox, proxy)
            change(other, uids)
            pages = await mirror.follow(mailbox)
            assert any(page.added or page.changed or page.removed for page in pages)
            assert mirror.state == await look(mailbox)
            await _look_until_open(mirror, mailbox, proxy)

        run(reader(proxy.port, user), scenario)


def test_news_that_other_work_has_swallowed_is_told_too(dovecot: Dovecot, proxy: Proxy, user: str) -> None:
    with OtherClient(dovecot.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            uids = [other.append(write_message(number)) for number in (1, 2)]
            mirror = Mirror()
            await _look_until_open(mirror, mailbox, proxy)
            other.flag(uids[:1], r"\Flagged")
            await mailbox.read(sorted(mirror.state), raw=True)  # its FETCH may bring the flag along
            await mirror.follow(mailbox)
            assert mirror.state == await look(mailbox)

        run(reader(proxy.port, user), scenario)


def test_after_a_while_the_status_is_asked_for_again(
    dovecot: Dovecot, proxy: Proxy, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OtherClient(dovecot.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            other.append(write_message(1))
            mirror = Mirror()
            await _look_until_open(mirror, mailbox, proxy)
            now = monotonic() + inbox_poll.TRUSTED_S + 1
            monkeypatch.setattr(inbox_poll, "monotonic", lambda: now)
            before = len(proxy.commands)
            await mirror.follow(mailbox)
            assert proxy.commands[before].split()[0] == "UNSELECT"

        run(reader(proxy.port, user), scenario)
