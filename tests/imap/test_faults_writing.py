"""Whatever happens to server and network while mail is written: nothing lost, nothing doubled, the right sentence."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest

from gaia_email_registry.errors import MailError, ProviderError
from gaia_email_registry.providers import Endpoint
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_imap_mcp.smtp.settings import SmtpSettings
from tests.contract.suite.look import only
from tests.contract.suite.seed import write_message
from tests.imap.truth import Follower, expected, message_id, opened, persistently, settings, told
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.smtp_sink import SmtpSink

DovecotWith = Callable[[Options], Dovecot]
Write = Callable[[ImapMailbox], "asyncio.Future[object]"]

ONE = "<1@seed.example>"


def copies(other: OtherClient) -> Counter[tuple[str, str]]:
    """(folder, Message-ID) → how many copies that are not marked for deletion."""
    return Counter(
        (folder, message_id(held.raw))
        for folder, messages in other.everything().items()
        for held in messages.values()
        if "\\Deleted" not in held.flags
    )


async def agrees(mailbox: ImapMailbox, other: OtherClient) -> None:
    follower = Follower()
    await follower.follow(mailbox)
    assert follower.truth == await told(mailbox) == expected(other.everything())


MOVES = [
    pytest.param(None, "command", rb"UID MOVE", id="before MOVE"),
    pytest.param(None, "answer", rb"COPYUID", id="MOVE done, answer lost"),
    pytest.param("IMAP4rev1", "command", rb"UID COPY", id="before COPY"),
    pytest.param("IMAP4rev1", "answer", rb"Copy completed", id="COPY done, answer lost"),
    pytest.param("IMAP4rev1", "command", rb"UID STORE", id="between COPY and STORE"),
    pytest.param("IMAP4rev1", "answer", rb"Store completed", id="STORE done, answer lost"),
    pytest.param("IMAP4rev1", "command", rb"EXPUNGE", id="before EXPUNGE"),
    pytest.param("IMAP4rev1 UIDPLUS", "answer", rb"COPYUID", id="UIDPLUS: COPY done, answer lost"),
    pytest.param("IMAP4rev1 UIDPLUS", "command", rb"UID EXPUNGE", id="UIDPLUS: before EXPUNGE"),
]


@pytest.mark.parametrize(("capability", "side", "pattern"), MOVES)
@pytest.mark.parametrize("again", [False, True], ids=["told once", "asked again"])
def test_a_message_cut_off_in_a_move_is_in_one_place(
    dovecot_with: DovecotWith, user: str, capability: str | None, side: str, pattern: bytes, again: bool
) -> None:
    server = dovecot_with(Options(capability=capability))

    async def scenario(proxy: Proxy, other: OtherClient) -> None:
        other.append(write_message(1))
        other.append(write_message(2))
        async with opened(settings(proxy.port, user)) as mailbox:
            target = await only(mailbox, "rfc822msgid:1@seed.example")
            fault = proxy.cut_on_command(pattern) if side == "command" else proxy.cut_on_answer(pattern)
            moved = False
            try:
                moved = bool((await mailbox.trash([target])).ids)
            except MailError as error:
                assert "lost" in error.message or "clos" in error.message
            assert fault.done.is_set()
            if again:
                await persistently(lambda: mailbox.trash([target]))
            await mailbox.cursor()  # a look is enough to finish or to undo what was left half done
            await agrees(mailbox, other)
        found = copies(other)
        assert sum(count for (_, name), count in found.items() if name == ONE) == 1
        if moved or again:
            assert found["Trash", ONE] == 1
        assert found["INBOX", "<2@seed.example>"] == 1

    with Proxy(server.port) as proxy, OtherClient(server.port, user) as other:
        asyncio.run(scenario(proxy, other))


APPENDS = [
    pytest.param("command", rb"APPEND", id="before APPEND"),
    pytest.param("answer", rb"APPENDUID", id="APPEND done, answer lost"),
]


@pytest.mark.parametrize(("side", "pattern"), APPENDS)
def test_a_draft_cut_off_in_append_is_there_once(
    proxy: Proxy, other: OtherClient, user: str, side: str, pattern: bytes
) -> None:
    async def scenario() -> None:
        async with opened(settings(proxy.port, user)) as mailbox:
            await mailbox.cursor()
            fault = proxy.cut_on_command(pattern) if side == "command" else proxy.cut_on_answer(pattern)
            await persistently(lambda: mailbox.create_draft(write_message(1), None))
            assert fault.done.is_set()
            assert len(await mailbox.drafts(limit=10)) == 1
            await agrees(mailbox, other)
        assert copies(other) == {("Drafts", ONE): 1}

    asyncio.run(scenario())


@pytest.mark.parametrize("pattern", [rb"APPEND", rb"UID MOVE", rb"UID STORE"])
def test_a_server_killed_in_a_write_loses_and_doubles_nothing(own_dovecot: Dovecot, pattern: bytes) -> None:
    def restart() -> None:
        own_dovecot.kill()
        own_dovecot.start()

    async def scenario(proxy: Proxy) -> None:
        async with opened(settings(proxy.port, "ann")) as mailbox:
            target = await only(mailbox)
            fault = proxy.call_on_command(pattern, restart)
            await persistently(lambda: mailbox.modify([target], add=["STARRED"], remove=["UNREAD"]))
            await persistently(lambda: mailbox.trash([target]))
            await persistently(lambda: mailbox.create_draft(write_message(2), None))
            assert fault.done.is_set()
            with OtherClient(own_dovecot.port, "ann") as after:
                await agrees(mailbox, after)
                assert copies(after) == {("Trash", ONE): 1, ("Drafts", "<2@seed.example>"): 1}
                (held,) = after.held("Trash").values()
                assert {"\\Seen", "\\Flagged"} <= held.flags

    with OtherClient(own_dovecot.port, "ann") as other:
        other.append(write_message(1))
    with Proxy(own_dovecot.port) as proxy:
        asyncio.run(scenario(proxy))


@pytest.mark.parametrize(("side", "pattern"), APPENDS)
def test_a_sent_message_has_one_copy_and_leaves_once(
    proxy: Proxy, other: OtherClient, smtp: SmtpSink, user: str, side: str, pattern: bytes
) -> None:
    sender = SmtpSender(
        SmtpSettings(
            endpoint=Endpoint("127.0.0.1", smtp.port, "none"), user="me@example.org", secret=lambda: PASSWORD
        )
    )

    async def scenario() -> None:
        mailbox = ImapMailbox(settings(proxy.port, user), sender)
        try:
            await mailbox.cursor()
            fault = proxy.cut_on_command(pattern) if side == "command" else proxy.cut_on_answer(pattern)
            raw = write_message(1, sender="me@example.org", to="bo@example.net")
            sent = await mailbox.send(raw, None)
            assert fault.done.is_set()
            assert sent
            await agrees(mailbox, other)
        finally:
            await mailbox.aclose()
        assert len(smtp.received) == 1
        assert copies(other) == {("Sent", ONE): 1}

    asyncio.run(scenario())


def test_a_full_mailbox_is_named_and_nothing_is_half_done(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(quota_kb=30))

    async def scenario(other: OtherClient) -> None:
        other.append(write_message(1, body="x" * 20_000))
        async with opened(settings(server.port, user)) as mailbox:
            with pytest.raises(ProviderError, match="full"):
                await mailbox.create_draft(write_message(2, body="x" * 20_000), None)
            assert await mailbox.drafts(limit=10) == []
            await agrees(mailbox, other)
            assert (await mailbox.status()).connected
            await mailbox.modify([await only(mailbox)], add=["STARRED"], remove=[])
            await agrees(mailbox, other)
        assert copies(other) == {("INBOX", ONE): 1}

    with OtherClient(server.port, user) as other:
        asyncio.run(scenario(other))


def test_a_read_only_folder_is_named_and_its_messages_stay(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(acl=True))
    with OtherClient(server.port, user) as other:
        other.append(write_message(1), "Archive")
        other.append(write_message(2))
    server.forbid_changes(user, "Archive")

    async def scenario(other: OtherClient) -> None:
        before = expected(other.everything())
        async with opened(settings(server.port, user)) as mailbox:
            locked = await only(mailbox, "rfc822msgid:1@seed.example")
            free = await only(mailbox, "rfc822msgid:2@seed.example")
            for write in (
                lambda: mailbox.modify([locked], add=["STARRED"], remove=[]),
                lambda: mailbox.trash([locked]),
                lambda: mailbox.delete([locked]),
            ):
                try:
                    applied = await write()
                except ProviderError as error:
                    assert "read-only" in error.message
                else:
                    assert applied.ids == ()
                    assert "read-only" in applied.failed[0]["error"]
                assert await told(mailbox) == expected(other.everything()) == before
            both = await mailbox.modify([locked, free], add=["STARRED"], remove=[])
            assert both.ids == (free,)
            await agrees(mailbox, other)

    with OtherClient(server.port, user) as other:
        asyncio.run(scenario(other))
