"""Whatever another client does, in whatever order and with whatever links expired, the copy ends as the server is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument, ProviderError
from tests.contract.suite import Mirror, Seed, look, many, write_message
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import WELL_KNOWN, Account, Item
from tests.graph.emulator.answering import answer_json
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, connect, open_emulated

Scenario = Callable[[EmulatedMailbox], Awaitable[None]]
_LABELS = {
    "inbox": "INBOX",
    "sentitems": "SENT",
    "drafts": "DRAFT",
    "deleteditems": "TRASH",
    "junkemail": "SPAM",
}


def run(path: Path, scenario: Scenario, *, seeds: list[Seed] | None = None, stable_ids: bool = True) -> None:
    async def main() -> None:
        emulator = Emulator(Account(stable_ids=stable_ids))
        mailbox = await open_emulated(emulator, path, many(3) if seeds is None else seeds)
        try:
            await asyncio.wait_for(scenario(mailbox), 50)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def truth(account: Account) -> dict[str, frozenset[str]]:
    """Labels by id, straight from the account."""
    return {item.id: frozenset(_labels(account, item)) for item in account.items.values()}


def _labels(account: Account, item: Item) -> set[str]:
    folder = account.folders[item.folder]
    place = _LABELS.get(folder.well_known, "") if folder.well_known else f"folder:{folder.id}"
    marks = {
        "UNREAD": not item.read,
        "STARRED": item.flagged,
        "IMPORTANT": item.important,
        "DRAFT": item.draft,
    }
    return {label for label, on in marks.items() if on} | set(item.categories) | ({place} - {""})


def _something(chance: random.Random, account: Account, number: int) -> None:
    """One change by another client."""
    own = [folder for folder in account.folders.values() if not folder.well_known]
    items = list(account.items.values())
    kind = chance.choice(
        ("new", "new", "move", "move", "delete", "mark", "mark", "folder", "rename", "drop", "expire")
    )
    if kind == "new" or not items:
        account.put(write_message(100 + number))
    elif kind == "move":
        account.move(chance.choice(items), chance.choice(list(account.folders.values())))
    elif kind == "delete":
        account.remove(chance.choice(items))
    elif kind == "mark":
        account.touch(chance.choice(items), chance.choice((_read, _flag, _categorize)))
    elif kind == "folder":
        account.add_folder(f"Folder {number}", chance.choice(own).id if own else account.root)
    elif kind == "rename" and own:
        account.rename_folder(chance.choice(own), f"Renamed {number}")
    elif kind == "drop" and own:
        account.remove_folder(chance.choice(own))
    elif kind == "expire":
        account.tokens.clear()


def _read(item: Item) -> None:
    item.read = not item.read


def _flag(item: Item) -> None:
    item.flagged = not item.flagged


def _categorize(item: Item) -> None:
    item.categories = [] if item.categories else ["Blue", "Green"]


@pytest.mark.parametrize("stable_ids", [True, False], ids=["stable ids", "ids that change"])
@pytest.mark.parametrize("seed", range(12))
def test_the_copy_ends_as_the_server_is(tmp_path: Path, seed: int, stable_ids: bool) -> None:
    chance = random.Random(seed)

    async def scenario(mailbox: EmulatedMailbox) -> None:
        mirror = Mirror(limit=chance.choice((1, 3, 100)))
        for number in range(40):
            _something(chance, mailbox.emulator.account, number)
            if chance.random() < 0.4:
                await mirror.follow(mailbox)
        await mirror.follow(mailbox)
        expected = truth(mailbox.emulator.account)
        assert {id_: labels for id_, (labels, _) in mirror.state.items()} == expected
        assert mirror.state == await look(mailbox)
        assert not mirror.resets, "links that expire are this server's affair"

    run(tmp_path, scenario, stable_ids=stable_ids)


def test_a_move_by_another_client_is_one_change(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        mirror = Mirror()
        await mirror.follow(mailbox)
        folder = account.add_folder("Projects", account.root)
        item = next(iter(account.items.values()))
        account.move(item, folder)
        (page,) = await mirror.follow(mailbox)
        assert [changed["id"] for changed in page.changed] == [item.id]
        assert not page.added and not page.removed
        assert f"folder:{folder.id}" in page.changed[0]["labels"]
        assert "Projects" in [label["name"] for label in await mailbox.labels()]

    run(tmp_path, scenario)


def test_a_server_that_is_started_again_goes_on_where_it_was(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        cursor = await mailbox.cursor()
        again = connect(mailbox.emulator, tmp_path)
        mailbox.emulator.account.put(write_message(9))
        asked = len(mailbox.emulator.requests)
        page = await again.changes(cursor, limit=10)
        assert [one["message_id"] for one in page.added] == ["<9@seed.example>"]
        assert len(mailbox.emulator.requests) - asked == 1
        await again.aclose()

    run(tmp_path, scenario)


def test_two_servers_of_one_mailbox_tell_the_same_and_never_crowd_it(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        other = connect(mailbox.emulator, tmp_path)
        one_sees, other_sees = Mirror(limit=7), Mirror()
        for number in range(10, 20):
            mailbox.emulator.account.put(write_message(number))
            await asyncio.gather(one_sees.follow(mailbox), other_sees.follow(other))
        await asyncio.gather(one_sees.follow(mailbox), other_sees.follow(other))
        assert len(one_sees.state) == 13
        assert one_sees.state == other_sees.state
        await other.aclose()

    run(tmp_path, scenario)  # the emulator fails the test where more than four requests are under way


def test_ids_that_differ_only_by_case_are_two_messages(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        one, other = list(account.items.values())[:2]
        del account.items[one.id], account.items[other.id]
        one.id, other.id = "AAMkSameaB=", "AAMkSameAb="
        account.items |= {one.id: one, other.id: other}
        await mailbox.modify([one.id], add=["STARRED"], remove=[])
        stored = await mailbox.read([one.id, other.id], raw=True)
        assert [stored_one.raw for stored_one in stored] == [one.raw, other.raw]
        assert (one.flagged, other.flagged) == (True, False)

    run(tmp_path, scenario)


def test_a_category_that_another_client_just_set_is_kept(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.create_label("Ours", {})
        item = next(iter(account.items.values()))
        account.touch(item, _categorize)
        await mailbox.modify([item.id], add=["Ours"], remove=[])
        assert item.categories == ["Blue", "Green", "Ours"]

    run(tmp_path, scenario)


def test_a_category_set_while_ours_is_written_is_kept(tmp_path: Path) -> None:
    """Between our reading and our writing another client writes, three times over; a fourth time we are told."""

    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.create_label("Ours", {})
        item = next(iter(account.items.values()))
        between = [3]

        def fault(request: Request) -> Response | None:
            if request.method == "PATCH" and between[0]:
                between[0] -= 1
                account.touch(item, lambda one: one.categories.append(f"Theirs {between[0]}"))
            return None

        mailbox.emulator.fault = fault
        await mailbox.modify([item.id], add=["Ours", "STARRED"], remove=[])
        assert item.categories == ["Theirs 2", "Theirs 1", "Theirs 0", "Ours"] and item.flagged
        between[0] = 99
        with pytest.raises(BadArgument, match="Another program changed this"):
            await mailbox.modify([item.id], add=[], remove=["Ours"])
        mailbox.emulator.fault = lambda request: None
        await mailbox.modify([item.id], add=[], remove=["Ours"])
        assert "Ours" not in item.categories and "Theirs 2" in item.categories

    run(tmp_path, scenario)


def test_a_change_told_by_itself_takes_nothing_else_away(tmp_path: Path) -> None:
    """Read in Outlook, which tells the id, the folder and isRead; then a label of ours is added."""

    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.create_label("Ours", {})
        item = next(iter(account.items.values()))
        account.touch(item, _categorize)
        await mailbox.cursor()
        (before,) = await mailbox.read([item.id], raw=False)
        account.touch(item, _read)
        await mailbox.cursor()
        (after,) = await mailbox.read([item.id], raw=False)
        marks = {name: after.summary[name] for name in ("labels", "flags")}
        assert after.summary == {**before.summary, **marks} and before.summary["subject"]
        assert ("UNREAD" in before.summary["labels"]) != ("UNREAD" in after.summary["labels"])
        assert await mailbox.thread(before.summary["thread_id"])
        await mailbox.modify([item.id], add=["Ours"], remove=[])
        assert item.categories == ["Blue", "Green", "Ours"]

    run(tmp_path, scenario)


def test_what_is_told_as_null_is_cleared(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        item = next(iter(mailbox.emulator.account.items.values()))
        await mailbox.modify([item.id], add=["STARRED", "IMPORTANT"], remove=[])
        sparse = {"id": item.id, "flag": None, "importance": None, "bodyPreview": None}
        mailbox.emulator.fault = _telling(mailbox, item, sparse)
        await mailbox.cursor()
        (told,) = await mailbox.read([item.id], raw=False)
        assert told.summary["flags"] == [] or not {"STARRED", "IMPORTANT"} & set(told.summary["labels"])
        assert told.summary["snippet"] == "" and told.summary["subject"]

    run(tmp_path, scenario)


def test_messages_told_in_part_and_not_known_are_fetched_twenty_at_once(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        items = [account.put(write_message(number)) for number in range(20, 45)]
        sparse = [{"id": item.id, "isRead": False} for item in items]
        gone = {"id": "AAMkgone=", "isRead": False}
        mailbox.emulator.fault = _telling(mailbox, items[0], *sparse, gone)
        asked = len(mailbox.emulator.requests)
        await mailbox.cursor()
        assert len(mailbox.emulator.requests) - asked == 3, "the look, and twenty and six messages"
        told = await mailbox.read([item.id for item in items], raw=False)
        assert [one.summary["message_id"] for one in told] == [
            f"<{number}@seed.example>" for number in range(20, 45)
        ]

    run(tmp_path, scenario)


def test_a_draft_edited_elsewhere_is_read_anew(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        draft = await mailbox.create_draft(write_message(50), None)
        item = account.items[draft.message_id]
        raw = item.raw.replace(b"Subject: ", b"Subject: Changed ")

        def edited(one: Item) -> None:
            one.raw = raw

        account.touch(item, edited)
        await mailbox.cursor()
        (told,) = await mailbox.read([item.id], raw=False)
        assert told.summary["subject"].startswith("Changed ") and told.summary["from"]["address"]

    run(tmp_path, scenario)


def test_a_new_folder_of_which_a_part_is_told_is_asked_about(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        above = account.add_folder("Projects", account.root)
        folder = account.add_folder("House", above.id)
        account.move(next(iter(account.items.values())), folder)
        sparse = [{"id": one.id, "totalItemCount": 1} for one in (above, folder)]

        def fault(request: Request) -> Response | None:
            if not request.path.endswith("/mailFolders/delta"):
                return None
            link = f"{mailbox.emulator.root}/me/mailFolders/delta?$deltatoken=x"
            return answer_json({"value": sparse, "@odata.deltaLink": link})

        mailbox.emulator.fault = fault
        await mailbox.cursor()
        assert "Projects/House" in [label["name"] for label in await mailbox.labels()]

    run(tmp_path, scenario)


def test_a_copy_that_lost_subjects_before_is_made_anew_once(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.cursor()
        replica = mailbox.graph.replica
        item = next(iter(mailbox.emulator.account.items.values()))
        whole = replica.get(item.id)
        assert whole is not None
        with replica.writing():
            replica.put(replace(whole, facts={**whole.facts, "subject": ""}, conversation=item.id))
            replica.set_meta("form", "")
        await mailbox.cursor()
        assert replica.get(item.id) == whole
        asked = len(mailbox.emulator.requests)
        await mailbox.cursor()
        assert len(mailbox.emulator.requests) - asked == 1

    run(tmp_path, scenario)


def _telling(mailbox: EmulatedMailbox, item: Item, *told: object) -> Callable[[Request], Response | None]:
    """Has the next look at the folder of `item` tell this, once."""
    left = [True]

    def fault(request: Request) -> Response | None:
        if not left or not request.path.endswith(f"/{item.folder}/messages/delta"):
            return None
        left.clear()
        link = f"{mailbox.emulator.root}/me/mailFolders/{item.folder}/messages/delta?$deltatoken=x"
        return answer_json({"value": told, "@odata.deltaLink": link})

    return fault


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/v1.0/me/mailFolders/x/messages/delta?$skiptoken=1",
        "//evil.example/steal",
        "http://127.0.0.1:1/v1.0/me",
        None,
        {"not": "a link"},
    ],
)
def test_a_link_to_another_host_is_not_followed(tmp_path: Path, link: object) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        def elsewhere(request: Request) -> Response | None:
            if request.path.endswith("/messages/delta"):
                return answer_json({"value": [], "@odata.nextLink": link})
            return None

        mailbox.emulator.fault = elsewhere
        with pytest.raises(ProviderError, match="another server"):
            await mailbox.changes(None, limit=10)

    run(tmp_path, scenario)


def test_a_page_that_leads_to_itself_ends_with_an_error(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        root = mailbox.emulator.root

        def circle(request: Request) -> Response | None:
            if request.path.endswith("/messages/delta"):
                return answer_json(
                    {"value": [], "@odata.nextLink": f"{root}/me/mailFolders/x/messages/delta?a"}
                )
            return None

        mailbox.emulator.fault = circle
        with pytest.raises(ProviderError, match="circle"):
            await mailbox.changes(None, limit=10)

    run(tmp_path, scenario)


def test_a_first_listing_that_was_cut_short_does_not_begin_again(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        pages = 0

        def cut(request: Request) -> Response | None:
            nonlocal pages
            pages += request.path.endswith("/messages/delta") and "skiptoken" in request.target
            return Response(status=400, body=b"{}") if pages == 3 else None

        mailbox.emulator.fault = cut
        assert len((await mailbox.changes(None, limit=1000)).added) == 300
        assert any("Inbox" in error for error in (await mailbox.status()).errors)
        mailbox.emulator.fault = lambda request: None
        asked = len(mailbox.emulator.requests)
        assert len((await mailbox.changes(None, limit=1000)).added) == 450
        assert len(mailbox.emulator.requests) - asked <= 3

    run(tmp_path, scenario, seeds=many(450))


def test_a_first_listing_of_a_thousand_messages_takes_twelve_requests(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        assert len((await mailbox.changes(None, limit=1000)).added) == 1000
        assert len(mailbox.emulator.requests) <= 12

    run(tmp_path, scenario, seeds=many(1000))


def test_few_requests_are_enough(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        emulator = mailbox.emulator
        for number in range(30 - len(WELL_KNOWN)):
            emulator.account.add_folder(f"Folder {number}", emulator.account.root)

        async def asked(what: Awaitable[object]) -> int:
            before = len(emulator.requests)
            await what
            return len(emulator.requests) - before

        assert await asked(mailbox.changes(None, limit=1000)) <= 14
        cursor = await mailbox.cursor()
        assert await asked(mailbox.changes(cursor, limit=10)) <= 2
        ids = list(emulator.account.items)
        assert await asked(mailbox.read(ids[:1], raw=True)) <= 2
        assert await asked(mailbox.read(ids, raw=True)) <= 52
        assert await asked(mailbox.modify(ids[:100], add=[], remove=["INBOX"])) <= 6

    run(tmp_path, scenario, seeds=many(1000))
