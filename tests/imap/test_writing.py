"""Changing a mailbox while connections break, folders are read-only, quotas are full: nothing lost or twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument, MailError, ProviderError
from gaia_email_registry.providers import Endpoint
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.settings import ImapSettings, LoginSecret
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_imap_mcp.smtp.settings import SmtpSettings
from tests.contract.suite.look import find, labels_of, look
from tests.contract.suite.seed import write_message
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.smtp_sink import SmtpSink

ME = "me@example.org"
DovecotWith = Callable[[Options], Dovecot]


def mailbox_at(
    port: int, user: str, *, sink: SmtpSink | None = None, files_sent: bool = False, cache: Path | None = None
) -> ImapMailbox:
    settings = ImapSettings(
        host="127.0.0.1",
        port=port,
        security="none",
        user=user,
        account=ME,
        secret=lambda _: LoginSecret(value=PASSWORD),
        cache=cache,
        command_timeout_s=5,
    )
    sender = None
    if sink is not None:
        endpoint = Endpoint("127.0.0.1", sink.port, "none")
        sender = SmtpSender(SmtpSettings(endpoint=endpoint, user=user, secret=lambda: PASSWORD))
    return ImapMailbox(settings, sender, files_sent=files_sent)


def run(mailbox: ImapMailbox, scenario: Callable[[ImapMailbox], Awaitable[None]]) -> None:
    async def main() -> None:
        try:
            await asyncio.wait_for(asyncio.ensure_future(scenario(mailbox)), 30)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def fill(other: OtherClient, count: int = 4) -> None:
    for number in range(1, count + 1):
        other.append(write_message(number))


def sizes(other: OtherClient) -> dict[str, int]:
    return {folder: len(held) for folder in other.folders() if (held := other.held(folder))}


def breaks(verb: bytes, answer: bytes) -> list[Callable[[Proxy], object]]:
    """The connection goes before the command arrives, while it is done, and when its result is told."""
    return [
        lambda proxy: proxy.cut_on_command(verb, forward=False),
        lambda proxy: proxy.cut_on_command(verb, forward=True),
        lambda proxy: proxy.cut_on_answer(answer),
    ]


MOMENTS = ["before", "during", "after"]


@pytest.mark.parametrize("cut", breaks(rb"UID MOVE", rb"COPYUID"), ids=MOMENTS)
def test_a_connection_lost_in_move_leaves_every_message_in_one_place(
    proxy: Proxy, other: OtherClient, user: str, cut: Callable[[Proxy], object]
) -> None:
    fill(other)

    async def scenario(mailbox: ImapMailbox) -> None:
        ids = await find(mailbox, "")
        cut(proxy)
        applied = await mailbox.modify(ids, add=[], remove=["INBOX"])
        assert set(applied.ids) == set(ids)
        assert set(await find(mailbox, "in:archive")) == set(ids)

    run(mailbox_at(proxy.port, user), scenario)
    assert sizes(other) == {"Archive": 4}
    assert proxy.accepted == 2


@pytest.mark.parametrize(
    "cut",
    [*breaks(rb"UID COPY", rb"COPYUID"), *breaks(rb"UID EXPUNGE", rb"EXPUNGE\r\n")],
    ids=[f"{verb} {instant}" for verb in ("copy", "expunge") for instant in MOMENTS],
)
def test_without_move_a_lost_connection_makes_no_second_copy(
    dovecot_with: DovecotWith, user: str, cut: Callable[[Proxy], object]
) -> None:
    server = dovecot_with(Options(capability="IMAP4rev1 UIDPLUS LIST-EXTENDED LIST-STATUS"))
    with OtherClient(server.port, user) as other, Proxy(server.port) as proxy:
        fill(other)

        async def scenario(mailbox: ImapMailbox) -> None:
            ids = await find(mailbox, "")
            cut(proxy)
            applied = await mailbox.trash(ids)
            assert (set(applied.ids), applied.failed) == (set(ids), ())
            assert set(await find(mailbox, "in:trash")) == set(ids)

        run(mailbox_at(proxy.port, user), scenario)
        assert sizes(other) == {"Trash": 4}
        assert "UID MOVE" not in " ".join(proxy.commands)
        assert proxy.accepted == 2


@pytest.mark.parametrize("cut", breaks(rb"UID STORE", rb"OK.*(?i:store)"), ids=MOMENTS)
def test_a_connection_lost_while_flags_are_set_sets_them_all(
    proxy: Proxy, other: OtherClient, user: str, cut: Callable[[Proxy], object]
) -> None:
    fill(other)

    async def scenario(mailbox: ImapMailbox) -> None:
        ids = await find(mailbox, "")
        cut(proxy)
        assert set((await mailbox.modify(ids, add=["STARRED"], remove=["UNREAD"])).ids) == set(ids)

    run(mailbox_at(proxy.port, user), scenario)
    assert all({"\\Seen", "\\Flagged"} <= held.flags for held in other.held().values())


@pytest.mark.parametrize("cut", breaks(rb"APPEND", rb"APPENDUID"), ids=MOMENTS)
def test_a_connection_lost_in_append_stores_one_draft(
    proxy: Proxy, other: OtherClient, user: str, cut: Callable[[Proxy], object]
) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        first = await mailbox.create_draft(write_message(1), None)
        cut(proxy)
        draft = await mailbox.create_draft(write_message(2), None)
        assert await mailbox.drafts(limit=9) == [draft, first]
        cut(proxy)
        changed = await mailbox.update_draft(draft.id, write_message(3))
        assert await mailbox.drafts(limit=9) == [changed, first]

    run(mailbox_at(proxy.port, user), scenario)
    assert sizes(other) == {"Drafts": 2}


@pytest.mark.parametrize("cut", breaks(rb"APPEND", rb"APPENDUID"), ids=MOMENTS)
def test_a_connection_lost_while_the_copy_is_filed_sends_once_and_files_once(
    proxy: Proxy, other: OtherClient, user: str, smtp: SmtpSink, cut: Callable[[Proxy], object]
) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        await mailbox.labels()
        cut(proxy)
        sent = await mailbox.send(write_message(1, to="ann@example.com", sender=ME), None)
        assert await find(mailbox, "in:sent") == [sent]

    run(mailbox_at(proxy.port, user, sink=smtp), scenario)
    assert len(smtp.received) == 1
    assert sizes(other) == {"Sent": 1}


def test_what_was_sent_while_the_server_went_away_is_filed_when_it_is_back(
    own_dovecot: Dovecot, user: str, smtp: SmtpSink, tmp_path: Path
) -> None:
    raw = write_message(1, to="ann@example.com", sender=ME)
    smtp.deliver = lambda recipients, content: own_dovecot.kill() if len(smtp.received) == 2 else None

    async def away(mailbox: ImapMailbox) -> None:
        await mailbox.send(write_message(2, to="ann@example.com", sender=ME), None)
        draft = await mailbox.create_draft(raw, None)
        with pytest.raises(ProviderError, match="was sent") as caught:
            await mailbox.send_draft(draft.id)
        assert "do not send it again" in caught.value.message

    run(mailbox_at(own_dovecot.port, user, sink=smtp, cache=tmp_path / "index"), away)
    own_dovecot.restart()

    async def back(mailbox: ImapMailbox) -> None:
        for _ in range(2):
            assert await mailbox.drafts(limit=9) == []
            assert len(await find(mailbox, "in:sent")) == 2

    run(mailbox_at(own_dovecot.port, user, cache=tmp_path / "index"), back)
    assert len(smtp.received) == 2


def test_a_server_that_files_what_it_sends_gets_no_second_copy(
    dovecot: Dovecot, other: OtherClient, user: str, smtp: SmtpSink
) -> None:
    smtp.deliver = lambda recipients, content: other.append(content, "Sent", ["\\Seen"])
    raw = write_message(1, to="ann@example.com", sender=ME)

    async def scenario(mailbox: ImapMailbox) -> None:
        await mailbox.labels()
        draft = await mailbox.create_draft(raw, None)
        sent = await mailbox.send_draft(draft.id)
        assert await find(mailbox, "in:sent") == [sent]
        assert await mailbox.drafts(limit=9) == []

    run(mailbox_at(dovecot.port, user, sink=smtp, files_sent=True), scenario)
    assert sizes(other) == {"Sent": 1}


def test_a_message_nobody_takes_stays_a_draft_and_is_not_in_sent(
    dovecot: Dovecot, other: OtherClient, user: str, smtp: SmtpSink
) -> None:
    smtp.refuse = {"ann@example.com": "550 5.1.1 nobody here"}

    async def scenario(mailbox: ImapMailbox) -> None:
        draft = await mailbox.create_draft(write_message(1, to="ann@example.com", sender=ME), None)
        with pytest.raises(BadArgument, match="nobody here"):
            await mailbox.send_draft(draft.id)
        assert await mailbox.drafts(limit=9) == [draft]

    run(mailbox_at(dovecot.port, user, sink=smtp), scenario)
    assert sizes(other) == {"Drafts": 1}


def test_a_full_mailbox_is_said_and_nothing_is_lost(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(quota_kb=20))
    with OtherClient(server.port, user) as other:
        fill(other, 2)

        async def scenario(mailbox: ImapMailbox) -> None:
            before = await look(mailbox)
            with pytest.raises(MailError, match="mailbox is full"):
                await mailbox.create_draft(write_message(9, body="x" * 76 + "\n" * 40_000), None)
            assert await look(mailbox) == before
            applied = await mailbox.trash(list(before))
            assert not applied.failed

        run(mailbox_at(server.port, user), scenario)
        assert sizes(other) == {"Trash": 2}


def test_a_read_only_folder_is_said_and_other_folders_are_changed(
    dovecot_with: DovecotWith, user: str
) -> None:
    server = dovecot_with(Options(acl=True))
    with OtherClient(server.port, user) as other:
        other.append(write_message(1))
        other.append(write_message(2), "Archive")
        server.forbid_changes(user, "Archive")

        async def scenario(mailbox: ImapMailbox) -> None:
            (free,), (fixed,) = await find(mailbox, "in:inbox"), await find(mailbox, "in:archive")
            applied = await mailbox.modify([fixed, free], add=["STARRED"], remove=[])
            assert applied.ids == (free,)
            assert [failure["id"] for failure in applied.failed] == [fixed]
            assert "read-only" in applied.failed[0]["error"]
            assert "STARRED" not in await labels_of(mailbox, fixed)
            assert [failure["id"] for failure in (await mailbox.delete([fixed])).failed] == [fixed]

        run(mailbox_at(server.port, user), scenario)
        assert len(other.held("Archive")) == 1


def test_what_others_marked_as_deleted_is_not_expunged_for_them(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(capability="IMAP4rev1"))
    with OtherClient(server.port, user) as other:
        fill(other, 3)
        other.flag(other.uids()[:1], "\\Deleted")

        async def scenario(mailbox: ImapMailbox) -> None:
            newest, oldest = await find(mailbox, "")
            assert (await mailbox.delete([newest])).ids == (newest,)
            assert await find(mailbox, "in:anywhere") == [oldest]

        run(mailbox_at(server.port, user), scenario)
        assert [sorted(held.flags) for held in other.held().values()] == [["\\Deleted"], [], ["\\Deleted"]]


def test_copies_in_several_folders_are_changed_together(
    dovecot: Dovecot, other: OtherClient, user: str
) -> None:
    other.append(write_message(1))
    other.create("Work")
    other.copy(other.uids(), "Work")

    async def scenario(mailbox: ImapMailbox) -> None:
        (message,) = await find(mailbox, "in:anywhere")
        before = await look(mailbox)
        assert await labels_of(mailbox, message) == {"INBOX", "UNREAD", "Work"}
        await mailbox.modify([message], add=[], remove=["UNREAD"])
        assert all(
            "\\Seen" in held.flags for folder in ("INBOX", "Work") for held in other.held(folder).values()
        )
        await mailbox.trash([message])
        assert sizes(other) == {"Trash": 2}
        await mailbox.untrash([message])
        await mailbox.modify([message], add=["UNREAD"], remove=[])
        assert await look(mailbox) == before
        assert sizes(other) == {"INBOX": 1, "Work": 1}
        await mailbox.modify([message], add=[], remove=["INBOX"])
        assert await labels_of(mailbox, message) == {"UNREAD", "Work"}
        assert sizes(other) == {"Work": 1}

    run(mailbox_at(dovecot.port, user), scenario)


def test_two_equal_messages_are_moved_together_and_neither_is_lost(
    dovecot: Dovecot, other: OtherClient, user: str
) -> None:
    for _ in range(2):
        other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox) -> None:
        (message,) = await find(mailbox, "in:anywhere")
        await mailbox.trash([message])
        assert sizes(other) == {"Trash": 2}
        await mailbox.untrash([message])
        assert sizes(other) == {"INBOX": 2}
        await mailbox.modify([message], add=[], remove=["INBOX"])
        assert sizes(other) == {"Archive": 2}
        await mailbox.delete([message])

    run(mailbox_at(dovecot.port, user), scenario)
    assert sizes(other) == {}


def test_another_process_knows_where_trashed_mail_was_and_which_draft_is_which(
    dovecot: Dovecot, other: OtherClient, user: str, tmp_path: Path
) -> None:
    other.create("Work")
    other.append(write_message(1), "Work")
    drafts: list[str] = []

    async def one(mailbox: ImapMailbox) -> None:
        await mailbox.trash(await find(mailbox, "label:work"))
        drafts.append((await mailbox.create_draft(write_message(5), None)).id)
        await mailbox.update_draft(drafts[0], write_message(6))
        await mailbox.create_label("Garden", {"labelListVisibility": "labelHide"})

    async def two(mailbox: ImapMailbox) -> None:
        await mailbox.untrash(await find(mailbox, "in:trash"))
        assert [draft.id for draft in await mailbox.drafts(limit=9)] == drafts
        made = [label for label in await mailbox.labels() if label["id"] == "Garden"]
        assert [label.get("labelListVisibility") for label in made] == ["labelHide"]

    for scenario in (one, two):
        run(mailbox_at(dovecot.port, user, cache=tmp_path / "index"), scenario)
    assert sizes(other) == {"Work": 1, "Drafts": 1}


def test_a_label_too_long_for_a_keyword_is_a_folder(dovecot: Dovecot, other: OtherClient, user: str) -> None:
    name = "Gärten und Häuser/" + "x" * 60
    other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox) -> None:
        made = await mailbox.create_label(name, {})
        assert made["id"] == name
        ids = await find(mailbox, "")
        await mailbox.modify(ids, add=[name], remove=["INBOX"])
        assert await labels_of(mailbox, ids[0]) == {name, "UNREAD"}
        renamed = await mailbox.update_label(name, "Haus", {})
        assert await labels_of(mailbox, ids[0]) == {renamed["id"], "UNREAD"} == {"Haus", "UNREAD"}
        await mailbox.delete_label("Haus")
        assert await labels_of(mailbox, ids[0]) == {"UNREAD"}

    run(mailbox_at(dovecot.port, user), scenario)
    assert sizes(other) == {"Archive": 1}
    assert "Haus" not in other.folders()


def test_folders_are_labels_without_what_the_server_puts_before_their_names(
    dovecot_with: DovecotWith, user: str
) -> None:
    server = dovecot_with(Options(separator=".", prefix="INBOX."))
    name = "Work/" + "x" * 60
    with OtherClient(server.port, user) as other:
        other.append(write_message(1))

        async def scenario(mailbox: ImapMailbox) -> None:
            made = await mailbox.create_label(name, {})
            assert made["id"] == name
            ids = await find(mailbox, "")
            await mailbox.modify(ids, add=[name], remove=["INBOX"])
            assert await labels_of(mailbox, ids[0]) == {name, "UNREAD"}
            with pytest.raises(BadArgument, match="between folders"):
                await mailbox.create_label("v1." + "x" * 60, {})
            assert (await mailbox.update_label(name, "Work/Garden", {}))["id"] == "Work/Garden"
            assert await labels_of(mailbox, ids[0]) == {"Work/Garden", "UNREAD"}

        run(mailbox_at(server.port, user), scenario)
        assert "INBOX.Work.Garden" in other.folders()


def test_a_label_in_use_cannot_change_only_its_case(dovecot: Dovecot, other: OtherClient, user: str) -> None:
    other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox) -> None:
        await mailbox.create_label("Garden", {})
        await mailbox.modify(await find(mailbox, ""), add=["Garden"], remove=[])
        with pytest.raises(BadArgument, match="tell the case"):
            await mailbox.update_label("Garden", "GARDEN", {})
        assert await find(mailbox, "label:garden") == await find(mailbox, "")

    run(mailbox_at(dovecot.port, user), scenario)


EVIL = ('x"\r\nA1 DELETE "Archive', "x\nA1 LOGOUT", "x\rA1 LOGOUT", "x\0y", "x {3}\r\nabc", "{5+}\r\n")


@pytest.mark.parametrize("evil", EVIL)
def test_no_argument_becomes_a_command(
    proxy: Proxy, other: OtherClient, user: str, smtp: SmtpSink, evil: str
) -> None:
    other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox) -> None:
        before = await look(mailbox)
        (message,) = before
        await mailbox.create_label("Fine", {})
        for call in (
            mailbox.create_label(evil, {}),
            mailbox.update_label("Fine", evil, {}),
            mailbox.update_label(evil, "Other", {}),
            mailbox.delete_label(evil),
            mailbox.modify([message], add=[evil], remove=[]),
            mailbox.modify([message], add=[], remove=[evil]),
            mailbox.update_draft(evil, write_message(2)),
            mailbox.delete_draft(evil),
            mailbox.send_draft(evil),
            mailbox.thread(evil),
            mailbox.attachment(message, evil),
            mailbox.attachment(evil, "1"),
            mailbox.create_draft(write_message(2), evil),
            mailbox.send(write_message(2, to="ann@example.com"), evil),
        ):
            with pytest.raises(MailError):
                await call
        for applied in (
            await mailbox.trash([evil]),
            await mailbox.untrash([evil]),
            await mailbox.delete([evil]),
            await mailbox.modify([evil], add=["STARRED"], remove=[]),
        ):
            assert [failure["id"] for failure in applied.failed] == [evil]
        assert await mailbox.read([evil], raw=True) == []
        await mailbox.changes(evil, limit=5)
        assert await look(mailbox) == before

    run(mailbox_at(proxy.port, user, sink=smtp), scenario)
    assert smtp.received == []
    assert proxy.accepted == 1
    assert not [line for line in proxy.commands if "DELETE" in line.upper() and "DELETED" not in line.upper()]


def test_a_message_may_hold_anything(proxy: Proxy, other: OtherClient, user: str) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        text = "a1 LOGOUT\n{10}\n)\n* BYE\n.\n"
        draft = await mailbox.create_draft(write_message(1, body=text), None)
        (stored,) = await mailbox.read([draft.message_id], raw=True)
        assert stored.raw == write_message(1, body=text)

    run(mailbox_at(proxy.port, user), scenario)
    assert proxy.accepted == 1
