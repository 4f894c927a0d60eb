"""Gmail's IMAP (X-GM-EXT-1) and servers with OBJECTID, scripted: ids, conversations and labels are the server's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import Follower, opened, settings, told
from tests.one_click.support import LINK, POST, RECEIVED, RESULTS, SIGNATURE, Server
from tools.mail_servers.scripted_gmail import ALL, CAPABILITIES, DRAFTS, SPAM, TRASH, GmailStore
from tools.mail_servers.scripted_imap import Script, ScriptedImap
from tools.mail_servers.scripted_store import Kept, Store

Scenario = Callable[[ImapMailbox, GmailStore, ScriptedImap], Awaitable[None]]


def gmail(scenario: Scenario, *, without: str = "") -> ScriptedImap:
    """Run on a mailbox of Gmail's, maybe of one that lacks an extension; answers the server as it was left."""
    capabilities = [name for name in CAPABILITIES if name != without]
    store = GmailStore()

    async def run() -> ScriptedImap:
        with ScriptedImap(Script(capabilities=capabilities), store=store) as server:
            async with opened(settings(server.port, "bob")) as mailbox:
                await scenario(mailbox, store, server)
            return server

    return asyncio.run(asyncio.wait_for(run(), 20))


async def labels(mailbox: ImapMailbox, id_: str) -> set[str]:
    (stored,) = await mailbox.read([id_], raw=False)
    return set(stored.summary["labels"])


def held(store: Store, folder: str) -> list[Kept]:
    return list(store.boxes[folder].messages.values())


both = pytest.mark.parametrize("without", ["", "CONDSTORE"])


@both
def test_gmails_labels_are_read_and_followed(without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "gaia_imap_mcp.sync.syncer.SWEEP_MESSAGES_A_S", float("inf")
    )  # flags are listed at every look

    async def scenario(mailbox: ImapMailbox, store: GmailStore, server: ScriptedImap) -> None:
        store.put(write_message(1, subject="one"))
        store.put(write_message(2, subject="two"), "Caf&AOk-/in", ["\\Seen"])
        store.put(write_message(3, subject="bad"), SPAM)
        follower = Follower()
        await follower.follow(mailbox)
        (one,), (two,), (bad,) = [
            await find(mailbox, f"in:anywhere subject:{word}") for word in ("one", "two", "bad")
        ]
        assert await labels(mailbox, one) == {"INBOX", "UNREAD"}
        assert await labels(mailbox, two) == {"Café/in"}
        assert await labels(mailbox, bad) == {"SPAM", "UNREAD"}
        (kept,) = [kept for kept in held(store, ALL) if "\\Inbox" in kept.labels]
        kept.labels = {"\\Important", "\\Starred", 'A "b" \\c'}
        kept.flags.add("\\Flagged")
        store.note(kept)
        await follower.follow(mailbox)
        assert await labels(mailbox, one) == {"UNREAD", "STARRED", "IMPORTANT", 'A "b" \\c'}
        assert follower.truth == await told(mailbox)
        assert max(follower.added.values()) == 1

    gmail(scenario, without=without)


@both
def test_gmails_labels_are_changed_where_the_message_is(without: str) -> None:
    async def scenario(mailbox: ImapMailbox, store: GmailStore, server: ScriptedImap) -> None:
        store.put(write_message(1, subject="one"))
        (one,) = await find(mailbox, "subject:one")
        await mailbox.create_label("Größe/neu", {})
        applied = await mailbox.modify(
            [one], add=["Größe/neu", "STARRED", "IMPORTANT"], remove=["INBOX", "UNREAD"]
        )
        assert applied.ids == (one,)
        assert await labels(mailbox, one) == {"Größe/neu", "STARRED", "IMPORTANT"}
        (kept,) = held(store, ALL)
        assert kept.labels == {"Gr&APYA3w-e/neu", "\\Important"}
        assert kept.flags == {"\\Seen", "\\Flagged"}
        assert not held(store, "INBOX")
        await mailbox.modify([one], add=["INBOX", "UNREAD"], remove=["Größe/neu", "STARRED", "IMPORTANT"])
        assert (kept.labels, kept.flags) == ({"\\Inbox"}, set())
        assert await labels(mailbox, one) == {"INBOX", "UNREAD"}

    server = gmail(scenario, without=without)
    assert not [command for command in server.script.commands if command.startswith(("UID COPY", "UID MOVE"))]


def test_on_gmail_trash_is_a_place_and_deleting_goes_by_way_of_it() -> None:
    async def scenario(mailbox: ImapMailbox, store: GmailStore, server: ScriptedImap) -> None:
        store.put(write_message(1, subject="one"))
        store.put(write_message(2, subject="two"), "Work")
        (one,), (two,) = await find(mailbox, "subject:one"), await find(mailbox, "subject:two")
        await mailbox.trash([one, two])
        assert (len(held(store, TRASH)), held(store, ALL)) == (2, [])
        assert await labels(mailbox, one) == {"TRASH", "UNREAD"}
        await mailbox.untrash([one])
        assert await labels(mailbox, one) == {"INBOX", "UNREAD"}
        assert len(held(store, ALL)) == 1
        assert (await mailbox.delete([one, two])).ids == (one, two)
        assert not held(store, ALL) and not held(store, TRASH)
        assert await find(mailbox, "in:anywhere") == []

    gmail(scenario)


def test_gmails_ids_and_conversations_are_the_servers() -> None:
    async def scenario(mailbox: ImapMailbox, store: GmailStore, server: ScriptedImap) -> None:
        raw = write_message(1, subject="topic one")
        store.put(raw)
        store.put(raw)  # the same bytes, and for Gmail another message
        store.put(write_message(2, subject="topic two, of no common parent"))
        store.put(write_message(3, subject="other"))
        found = await find(mailbox, "subject:topic")
        assert len(set(found)) == 3
        threads = {stored.summary["thread_id"] for stored in await mailbox.read(found, raw=False)}
        assert len(threads) == 1
        assert set(await mailbox.thread(threads.pop())) == set(found)

    gmail(scenario)


def test_gmails_drafts_lie_in_its_own_folder_and_leave_nothing_behind() -> None:
    async def scenario(mailbox: ImapMailbox, store: GmailStore, server: ScriptedImap) -> None:
        draft = await mailbox.create_draft(write_message(1, subject="first"), None)
        assert await labels(mailbox, draft.message_id) == {"DRAFT"}
        changed = await mailbox.update_draft(draft.id, write_message(2, subject="second"))
        assert changed.id == draft.id
        assert [kept.raw.count(b"second") > 0 for kept in held(store, DRAFTS)] == [True]
        assert [item.id for item in await mailbox.drafts(limit=9)] == [draft.id]
        await mailbox.delete_draft(draft.id)
        assert not held(store, ALL) and not held(store, TRASH)
        assert await mailbox.drafts(limit=9) == []

    gmail(scenario)


def test_gmails_labels_are_listed_renamed_and_removed_and_no_message_goes() -> None:
    async def scenario(mailbox: ImapMailbox, store: GmailStore, server: ScriptedImap) -> None:
        store.put(write_message(1, subject="one"), "Work")
        store.create("Empty")

        async def own() -> list[str]:
            return [label["id"] for label in await mailbox.labels() if label["type"] == "user"]

        (one,) = await find(mailbox, "subject:one")
        assert await own() == ["Empty", "Work"]
        await mailbox.update_label("Work", "Job", {})
        assert await own() == ["Empty", "Job"]
        assert await labels(mailbox, one) == {"Job", "UNREAD"}
        await mailbox.delete_label("Job")
        await mailbox.delete_label("Empty")
        assert await own() == []
        assert await labels(mailbox, one) == {"UNREAD"}
        assert len(held(store, ALL)) == 1

    gmail(scenario)


def test_on_gmail_googles_word_counts_for_leaving_a_list() -> None:
    raw = (
        RECEIVED
        + RESULTS
        + SIGNATURE
        + LINK
        + POST
        + "Message-ID: <1@list.example>\nSubject: news\n\nHello\n"
    )
    web = Server()

    async def scenario(mailbox: ImapMailbox, store: GmailStore, server: ScriptedImap) -> None:
        store.put(write_message(1, subject="nothing to leave"))
        store.put(raw.replace("\n", "\r\n").encode())
        (plain,), (news,) = await find(mailbox, "subject:nothing"), await find(mailbox, "subject:news")
        with pytest.raises(Exception, match="offers no one-click"):
            await mailbox.unsubscribe(plain)
        async with web.listening():
            assert mailbox.one_click is not None
            mailbox.one_click.resolve, mailbox.one_click.connect = web.resolve, web.connect
            assert (await mailbox.unsubscribe(news)).status == 200

    gmail(scenario)
    assert len(web.asked) == 1


def test_objectid_gives_ids_and_conversations() -> None:
    async def run() -> None:
        with ScriptedImap(Script(capabilities=("IMAP4rev1", "OBJECTID", "MOVE", "UIDPLUS"))) as server:
            store = server.store
            store.put(write_message(1, subject="topic one"))
            store.put(write_message(1, subject="topic one"))
            store.put(write_message(2, subject="topic two, of no common parent"))
            async with opened(settings(server.port, "bob")) as mailbox:
                found = await find(mailbox, "in:inbox")
                assert len(set(found)) == 3
                threads = {item.summary["thread_id"] for item in await mailbox.read(found, raw=False)}
                assert len(threads) == 1
                draft = await mailbox.create_draft(write_message(3, subject="topic three"), None)
                assert draft.thread_id in threads

    asyncio.run(run())
