"""Changes of many messages are one request each, and are taken back exactly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings
from tests.gmail.serving import Json, Serve, Session

CHANGE: Json = {"addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"]}


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


def one_request(session: Session) -> bool:
    """Whether the change was all that Gmail was asked for since `change` began."""
    return [seen.calls for seen in session.emulator.requests] == [("messages.batchModify",)]


def test_a_thousand_messages_never_seen_are_changed_by_one_request_and_taken_back_exactly(
    serve: Serve,
) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 1000)
        await by_hand(session, range(1, 301), ["STARRED"], [])
        await by_hand(session, range(201, 401), [], ["INBOX"])
        before = labels(session)
        await session.call("server_status")
        back = await change(session, ids, **CHANGE)
        assert one_request(session) and session.emulator.units == 50
        changed = labels(session)
        assert all({"STARRED"} <= changed[item] and "INBOX" not in changed[item] for item in ids)
        assert back["tool"] == "batch_modify_emails" and back["arguments"]["messageIds"] == ids

        session.emulator.forget_requests()
        undone = await session.call(back["tool"], **back["arguments"])
        assert (undone.failed, len(undone.data["ids"]), undone.data["failed"]) == (False, 1000, [])
        assert labels(session) == before
        assert dict(session.emulator.calls) == {"history.list": 3, "messages.batchModify": 3}

    serve(scenario, count=1000)


def test_a_thousand_messages_listed_a_while_ago_are_changed_by_one_request(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("reading", "bulk_modify"):
        monkeypatch.setattr(f"gaia_gmail_mcp.{room}.TRUSTED_S", -1.0)

    async def scenario(session: Session) -> None:
        await by_hand(session, range(1, 61), ["STARRED"], [])
        ids = await session.ids()
        before = labels(session)
        back = await change(session, ids, **CHANGE)
        assert one_request(session)
        changed = labels(session)
        undone = await session.call(back["tool"], **back["arguments"])
        assert labels(session) == before
        again = undone.data["undo"]
        await session.call(again["tool"], **again["arguments"])
        assert labels(session) == changed

    serve(scenario, count=150)


def test_what_was_just_read_is_taken_back_without_gmails_history(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("reading", "bulk_modify"):
        monkeypatch.setattr(f"gaia_gmail_mcp.{room}.TRUSTED_S", 1000.0)

    async def scenario(session: Session) -> None:
        ids = await session.ids()
        before = labels(session)
        back = await change(session, ids, **CHANGE)
        assert one_request(session) and "since" not in back["arguments"]
        session.emulator.account.forget_history()
        await session.call(back["tool"], **back["arguments"])
        assert labels(session) == before

    serve(scenario, count=110)


def test_changes_one_after_the_other_are_one_request_each_and_taken_back_one_by_one(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await by_hand(session, range(1, 21), ["STARRED"], [])
        await session.call("server_status")
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
            assert one_request(session)
            stages.append(labels(session))
        for back, stage in zip(reversed(backs), reversed(stages[:-1]), strict=True):
            await session.call(back["tool"], **back["arguments"])
            assert labels(session) == stage
        assert (await change(session, ids, removeLabelIds=["IMPORTANT"])) == {}

    serve(scenario, count=120)


def test_where_the_place_in_the_history_is_not_recent_or_ours_gmail_is_asked_first(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await session.call("server_status")
        first = await change(session, ids[10:], addLabelIds=["STARRED"])
        await by_hand(session, range(1, 6), ["STARRED"], [])
        between = labels(session)
        second = await change(session, ids, addLabelIds=["STARRED"])
        assert list(session.emulator.calls) == ["getProfile", "messages.batchModify"]
        await session.call(second["tool"], **second["arguments"])
        assert labels(session) == between
        await session.call(first["tool"], **first["arguments"])

        monkeypatch.setattr("gaia_gmail_mcp.history_checkpoint.RECENT_S", -1.0)
        await by_hand(session, range(50, 60), ["IMPORTANT"], [])
        before = labels(session)
        back = await change(session, ids, addLabelIds=["IMPORTANT"])
        assert list(session.emulator.calls) == ["getProfile", "messages.batchModify"]
        await session.call(back["tool"], **back["arguments"])
        assert labels(session) == before

    serve(scenario, count=120)


def test_what_the_history_has_forgotten_is_named_and_nothing_is_changed(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await session.call("server_status")
        back = await change(session, ids, **CHANGE)
        changed = labels(session)
        session.emulator.account.forget_history()
        refused = await session.call(back["tool"], **back["arguments"])
        assert refused.failed and refused.data["error"]["argument"] == "since"
        assert "which had INBOX and which had no STARRED then. Nothing was changed." in refused.text
        assert "without since gives INBOX to all and takes STARRED off all" in refused.text
        assert labels(session) == changed
        all_of_them = {name: given for name, given in back["arguments"].items() if name != "since"}
        assert not (await session.call(back["tool"], **all_of_them)).failed
        assert all("INBOX" in found and "STARRED" not in found for found in labels(session).values())

    serve(scenario, count=120)


def test_what_the_user_did_since_stands(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await session.call("server_status")
        back = await change(session, ids, **CHANGE)
        await by_hand(session, [1], ["TRASH"], [])
        await by_hand(session, [2], [], ["STARRED"])
        await by_hand(session, [3], ["IMPORTANT"], [])
        await session.emulator.account.mailbox.delete(["m4"])
        await session.emulator.account.settle()
        undone = await session.call(back["tool"], **back["arguments"])
        reasons = {item["id"]: item["error"] for item in undone.data["failed"]}
        assert set(reasons) == {ids[0], ids[3]}
        assert "went to Trash" in reasons[ids[0]] and "no such message" in reasons[ids[3]]
        after = labels(session)
        assert "TRASH" in after[ids[0]] and "STARRED" in after[ids[0]]
        assert after[ids[1]] == after[ids[9]] and "IMPORTANT" in after[ids[2]]
        assert len(undone.data["ids"]) == 118

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


@pytest.mark.parametrize("since", ["1234", "g1.00000000.1234", "soon", "g1.00000000.1\r\nX: y"])
def test_a_mark_that_is_none_of_this_account_changes_nothing(serve: Serve, since: str) -> None:
    async def scenario(session: Session) -> None:
        before = labels(session)
        ids = numbered(session, 2)
        refused = await session.call("batch_modify_emails", messageIds=ids, since=since, **CHANGE)
        assert refused.failed and refused.data["error"]["argument"] == "since"
        own: Json = {"perMessage": {ids[0]: {"add": ["STARRED"]}}, "since": since}
        assert (await session.call("batch_modify_emails", messageIds=ids, **own)).failed
        assert labels(session) == before

    serve(scenario)


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
        assert asked.failed and "Add STARRED and remove INBOX: 120 messages?\n- Message number" in asked.text
        back = await change(session, ids, **CHANGE, confirm=asked.data["confirm"])
        calls = [name for seen in session.emulator.requests for name in seen.calls]
        # What was shown is looked at once more after the yes; the change itself is one request.
        assert [name for name in calls if name != "messages.get"] == ["labels.list", "messages.batchModify"]
        asked = await session.call(back["tool"], **back["arguments"])
        assert "each only where that was changed since" in asked.text
        elsewhere = {**back["arguments"], "since": back["arguments"]["since"] + "1"}
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
        monkeypatch.setattr("gaia_gmail_mcp.reading.TRUSTED_S", -1.0)
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


def test_many_go_back_to_the_inbox_by_one_request_from_wherever_they_are(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = numbered(session, 120)
        await by_hand(session, range(1, 31), [], ["INBOX"])
        await by_hand(session, range(31, 41), ["TRASH"], ["INBOX"])
        await by_hand(session, range(41, 46), ["SPAM"], ["INBOX"])
        await session.call("trash_email", ids=ids[110:])
        await session.call("server_status")
        before = labels(session)
        back = await change(session, ids, addLabelIds=["INBOX"])
        assert one_request(session)
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
