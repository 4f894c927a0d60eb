"""Changes of many messages are one write each, and are taken back exactly: their labels are read before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings
from tests.gmail.serving import Json, Serve, Session

READS = {"history.list", "messages.get", "messages.list", "labels.list", "getProfile"}
CHANGE: Json = {"addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"]}


@pytest.fixture(autouse=True)
def plenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quota for all of it at once: how reading is paced is told in test_wire.py."""
    monkeypatch.setattr("gaia_gmail_mcp.units.BURST", 1e6)


def numbered(session: Session, count: int) -> list[str]:
    """Ids of the first messages, as somebody knows them who never listed them here."""
    return [session.emulator.account.outer(f"m{number}") for number in range(1, count + 1)]


async def by_hand(
    session: Session, numbers: Sequence[int], add: Sequence[str], remove: Sequence[str]
) -> None:
    """The user does something elsewhere."""
    account = session.emulator.account
    await account.modify([f"m{number}" for number in numbers], add, remove)
    await account.settle()


def labels(session: Session) -> dict[str, frozenset[str]]:
    """Of every message, as Gmail holds them."""
    return {message_id: kept.labels for message_id, kept in session.emulator.account.kept.items()}


async def change(session: Session, ids: Sequence[str], **arguments: object) -> Json:
    """Change labels; answers the call that takes it back, or no call."""
    session.emulator.forget_requests()
    done = await session.call("batch_modify_emails", messageIds=list(ids), **arguments)
    assert not done.failed, done.text
    assert (list(done.data["ids"]), done.data["failed"]) == (list(ids), [])
    back: Json = done.data.get("undo", {})
    return back


def written(session: Session) -> list[str]:
    """The writes that Gmail was asked for since `change` began."""
    return [name for name in session.emulator.calls.elements() if name not in READS]


def test_a_thousand_messages_never_seen_are_read_before_they_are_changed_and_taken_back_exactly(
    serve: Serve,
) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 1000)
        await by_hand(session, range(1, 301), ["STARRED"], [])
        await by_hand(session, range(201, 401), [], ["INBOX"])
        before = labels(session)
        await session.call("server_status")
        back = await change(session, ids, **CHANGE)
        assert written(session) == ["messages.batchModify"]
        assert len(session.emulator.requests) <= 16
        assert session.emulator.units <= 1000 * 5 + 50 + 12
        changed = labels(session)
        assert all({"STARRED"} <= changed[item] and "INBOX" not in changed[item] for item in ids)

        session.emulator.forget_requests()
        undone = await session.call(back["tool"], **back["arguments"])
        assert (undone.failed, len(undone.data["ids"]), undone.data["failed"]) == (False, 900, [])
        assert labels(session) == before
        assert written(session) == ["messages.batchModify"] * 3
        assert session.emulator.units <= 3 * 50 + 30

    serve(scenario, count=1000)


def test_a_change_of_more_messages_than_are_remembered_is_taken_back_exactly(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_gmail_mcp.summary_cache.MOST", 50)

    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await by_hand(session, range(1, 31), ["STARRED"], [])
        await by_hand(session, range(100, 111), ["SPAM"], ["INBOX"])
        before = labels(session)
        for wanted in (CHANGE, {"addLabelIds": ["TRASH"]}):
            back = await change(session, ids, **wanted)
            assert labels(session) != before
            undone = await session.call(back["tool"], **back["arguments"])
            assert not undone.failed and labels(session) == before

    serve(scenario, count=120)


def test_messages_that_were_listed_are_not_read_again_before_they_are_changed(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_gmail_mcp.cache_refresh.TRUSTED_S", -1.0)

    async def scenario(session: Session) -> None:
        await by_hand(session, range(1, 61), ["STARRED"], [])
        ids = await session.ids()
        await by_hand(session, range(61, 71), ["STARRED"], [])  # after the listing
        before = labels(session)
        back = await change(session, ids, **CHANGE)
        assert written(session) == ["messages.batchModify"]
        assert session.emulator.calls["messages.get"] == 0
        changed = labels(session)
        undone = await session.call(back["tool"], **back["arguments"])
        assert labels(session) == before
        again = undone.data["undo"]
        await session.call(again["tool"], **again["arguments"])
        assert labels(session) == changed

    serve(scenario, count=150)


def test_what_gmail_has_forgotten_of_its_history_does_not_matter(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await by_hand(session, range(1, 31), ["STARRED"], [])
        before = labels(session)
        back = await change(session, ids, **CHANGE)
        session.emulator.account.forget_history()
        undone = await session.call(back["tool"], **back["arguments"])
        assert not undone.failed and labels(session) == before

    serve(scenario, count=120)


def test_changes_one_after_the_other_are_taken_back_one_by_one(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await by_hand(session, range(1, 21), ["STARRED"], [])
        stages = [labels(session)]
        backs: list[Json] = []
        changes: list[Json] = [
            {"addLabelIds": ["STARRED"]},
            {"removeLabelIds": ["STARRED"]},
            {"addLabelIds": ["IMPORTANT"]},
            {"addLabelIds": ["STARRED"], "removeLabelIds": ["IMPORTANT"]},
        ]
        for wanted in changes:
            backs.append(await change(session, ids, **wanted))
            assert written(session) == ["messages.batchModify"]
            stages.append(labels(session))
        for back, stage in zip(reversed(backs), reversed(stages[:-1]), strict=True):
            await session.call(back["tool"], **back["arguments"])
            assert labels(session) == stage
        assert (await change(session, ids, removeLabelIds=["IMPORTANT"])) == {}

    serve(scenario, count=120)


def test_what_the_user_did_since_to_other_labels_stands_and_what_is_gone_is_named(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_gmail_mcp.cache_refresh.TRUSTED_S", -1.0)  # as after a while

    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        back = await change(session, ids, **CHANGE)
        await by_hand(session, [2], [], ["STARRED"])
        await by_hand(session, [3], ["IMPORTANT"], [])
        await session.emulator.account.mailbox.delete(["m4"])
        await session.emulator.account.settle()
        undone = await session.call(back["tool"], **back["arguments"])
        (gone,) = undone.data["failed"]
        assert gone["id"] == ids[3] and "no such message" in gone["error"]
        after = labels(session)
        assert after[ids[1]] == after[ids[9]] and after[ids[2]] == after[ids[9]] | {"IMPORTANT"}
        assert len(undone.data["ids"]) == 119

    serve(scenario, count=120)


def test_reading_and_starring_many_is_taken_back_exactly_too(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await by_hand(session, range(1, 31), ["STARRED"], ["UNREAD"])
        await session.call("server_status")
        calls: list[tuple[str, Json]] = [
            ("mark_read", {"read": True}),
            ("star_email", {"starred": True}),
            ("archive_email", {}),
        ]
        for tool, arguments in calls:
            before = labels(session)
            done = await session.call(tool, ids=ids, **arguments)
            assert labels(session) != before
            back = done.data["undo"]
            await session.call(back["tool"], **back["arguments"])
            assert labels(session) == before, tool

    serve(scenario, count=120)


def test_an_id_that_gmail_takes_for_none_is_named_and_a_label_that_is_none_is_refused(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        strange = ["no id", "not-one-of-gmails"]
        done = await session.call("batch_modify_emails", messageIds=[*ids, *strange], addLabelIds=["STARRED"])
        assert done.data["ids"] == ids
        assert [item["id"] for item in done.data["failed"]] == strange
        before = labels(session)
        wrong = await session.call("batch_modify_emails", messageIds=ids, addLabelIds=["Label_77"])
        assert wrong.failed and wrong.data["error"]["kind"] == "bad_argument"
        assert wrong.data["error"]["argument"] == "labels"
        assert labels(session) == before

    serve(scenario, count=120)


def test_what_was_agreed_to_is_one_change_as_well(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        asked = await session.call("batch_modify_emails", messageIds=ids, **CHANGE)
        assert (
            asked.failed and "Star and take out of the inbox: 120 messages?\n- Message number" in asked.text
        )
        back = await change(session, ids, **CHANGE, confirm=asked.data["confirm"])
        calls = [name for seen in session.emulator.requests for name in seen.calls]
        assert [name for name in calls if name not in READS] == ["messages.batchModify"]
        asked = await session.call(back["tool"], **back["arguments"])
        assert asked.failed and "120 messages?" in asked.text
        elsewhere = {**back["arguments"], "removeLabelIds": ["IMPORTANT"]}
        wrong = await session.call(back["tool"], **elsewhere, confirm=asked.data["confirm"])
        assert wrong.failed and "given for other arguments" in wrong.text

    serve(scenario, count=120, settings=SurfaceSettings(approval=ApprovalSettings(way="host")))


def test_after_a_change_of_many_a_search_of_a_hundred_is_three_requests(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 600)
        read = await session.call("search_emails", query="", maxResults=100)
        hits = [email["id"] for email in read.data["emails"]]
        await change(session, ids, **CHANGE)
        monkeypatch.setattr("gaia_gmail_mcp.cache_refresh.TRUSTED_S", -1.0)
        session.emulator.forget_requests()
        again = await session.call("search_emails", query="", maxResults=100)
        assert [email["id"] for email in again.data["emails"]] == hits
        assert all("STARRED" in email["labels"] for email in again.data["emails"])
        assert len(session.emulator.requests) <= 3
        session.emulator.forget_requests()
        await by_hand(session, [600], [], ["STARRED"])
        one = await session.call("read_emails", ids=ids[-1:], format="summary")
        assert "STARRED" not in one.data["emails"][0]["labels"]
        assert len(session.emulator.requests) <= 2

    serve(scenario, count=600)


def test_many_go_back_to_the_inbox_from_wherever_they_are_and_there_again(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await by_hand(session, range(1, 31), [], ["INBOX"])
        await by_hand(session, range(31, 41), ["TRASH"], ["INBOX"])
        await by_hand(session, range(41, 46), ["SPAM"], ["INBOX"])
        await session.call("trash_email", ids=ids[110:])
        await session.call("server_status")
        before = labels(session)
        back = await change(session, ids, addLabelIds=["INBOX"])
        assert all("INBOX" in found and not found & {"TRASH", "SPAM"} for found in labels(session).values())
        await session.call(back["tool"], **back["arguments"])
        assert labels(session) == before

    serve(scenario, count=120)


def test_a_snooze_that_a_change_of_many_ends_comes_back_with_its_undo(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await session.call("snooze_email", ids=ids[:2], until="2999-01-01T00:00:00+00:00")
        before = labels(session)
        back = await change(session, ids, removeLabelIds=["INBOX"])
        assert labels(session) != before
        undone = await session.call(back["tool"], **back["arguments"])
        assert not undone.failed and labels(session) == before

    serve(scenario, count=120)
