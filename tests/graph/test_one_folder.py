"""One folder, one message or one name that Microsoft does not give is named; everything else is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError
from gaia_graph_mcp.rows import SELECTED, row_of
from tests.contract.suite import Seed, find, look, many, write_message
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import Account, Folder, Item
from tests.graph.emulator.answering import Refused, answer_json, refusal, throttled
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, connect, open_emulated
from tests.graph.test_sync import Scenario, run, truth
from tests.tables import failing

REFUSALS = {
    "400": refusal(
        Refused(400, "ErrorInvalidOperation", "Change tracking is not supported for this folder.")
    ),
    "400 id": refusal(Refused(400, "ErrorInvalidIdMalformed", "Id is malformed.")),
    "403": refusal(Refused(403, "ErrorAccessDenied", "Access is denied.")),
    "404": refusal(Refused(404, "ErrorItemNotFound", "Not found.")),
    "409": refusal(Refused(409, "ErrorIrresolvableConflict", "Conflict.")),
    "410": refusal(Refused(410, "SyncStateNotFound", "Gone.")),
    "412": refusal(Refused(412, "ErrorIrresolvableConflict", "Changed.")),
    "429": throttled(7),
    "500": refusal(Refused(500, "ErrorInternalServerError", "Sorry.")),
    "501": refusal(Refused(501, "NotImplemented", "Never.")),
    "503": throttled(7, 503),
    "507": refusal(Refused(507, "ErrorQuota", "Full.")),
    "no JSON": Response(status=200, body=b"<html>Sorry"),
    "no page": answer_json({}),
    "no list": answer_json({"value": {"a": 1}, "@odata.deltaLink": "x"}),
    "no link": answer_json({"value": []}),
    "another host": answer_json({"value": [], "@odata.nextLink": "https://evil.example/v1.0/me"}),
}


def _refusing(folder: Folder, answer: Response) -> Callable[[Request], Response | None]:
    return lambda request: answer if f"/{folder.id}/messages/delta" in request.path else None


def _none(request: Request) -> Response | None:
    return None


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_folder_that_is_refused_is_named_and_the_others_are_read(tmp_path: Path, kind: str) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        odd = account.add_folder("Odd", account.root)
        inside = account.move(next(iter(account.items.values())), odd)
        mailbox.emulator.fault = _refusing(odd, REFUSALS[kind])
        assert (await look(mailbox)).keys() == truth(account).keys() - {inside.id}
        status = await mailbox.status()
        assert status.connected and [error.partition(":")[0] for error in status.errors] == ["Odd"]
        mailbox.emulator.fault = _none
        assert (await look(mailbox)).keys() == truth(account).keys()
        assert (await mailbox.status()).errors == ()

    run(tmp_path, scenario)


@pytest.mark.parametrize("kind", REFUSALS)
def test_what_was_known_of_a_folder_that_is_refused_is_kept(tmp_path: Path, kind: str) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        odd = account.add_folder("Odd", account.root)
        inside = account.move(next(iter(account.items.values())), odd)
        await mailbox.cursor()
        mailbox.emulator.fault = _refusing(odd, REFUSALS[kind])
        came = account.put(write_message(30))
        unseen = account.add(write_message(31), odd.id)
        for _ in range(3):
            assert {inside.id, came.id} <= (await look(mailbox)).keys()
            assert len((await mailbox.status()).errors) == 1
        mailbox.emulator.fault = _none
        account.remove(inside)
        assert (await look(mailbox)).keys() == truth(account).keys() >= {came.id, unseen.id}

    run(tmp_path, scenario)


def test_a_later_page_that_is_refused_keeps_what_the_folder_had(tmp_path: Path) -> None:
    """Every link has expired, so that all is listed anew, and the second page of one folder fails."""

    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        account.add_folder("Empty", account.root)
        account.tokens.clear()
        mailbox.emulator.fault = lambda request: REFUSALS["501"] if "skiptoken" in request.target else None
        assert len(await look(mailbox)) == 250
        mailbox.emulator.fault = _none
        account.remove(next(iter(account.items.values())))
        assert (await look(mailbox)).keys() == truth(account).keys()

    run(tmp_path, scenario, seeds=many(250))


def test_a_link_that_stays_refused_is_given_up_for_a_new_listing(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        account.put(write_message(30))
        mailbox.emulator.fault = lambda request: REFUSALS["400"] if "token" in request.target else None
        with pytest.raises(MailError, match="refused"):
            await mailbox.cursor()
        inbox = account.folder("inbox")
        assert inbox is not None
        mailbox.emulator.fault = lambda request: (
            REFUSALS["400"] if inbox.id in request.path and "token" in request.target else None
        )
        await mailbox.cursor()
        assert (await look(mailbox)).keys() == truth(account).keys()
        assert (await mailbox.status()).errors == ()

    run(tmp_path, scenario)


def test_a_mailbox_of_which_nothing_can_be_read_is_an_error(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mailbox.emulator.fault = lambda request: REFUSALS["501"] if "messages/delta" in request.path else None
        with pytest.raises(ProviderError, match="501"):
            await mailbox.cursor()
        assert not (await mailbox.status()).connected

    run(tmp_path, scenario)


def test_a_login_that_is_refused_by_one_folder_asks_to_connect(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        odd = account.add_folder("Odd", account.root)
        mailbox.emulator.fault = _refusing(odd, refusal(Refused(401, "InvalidAuthenticationToken", "No.")))
        with pytest.raises(NeedsAuth):
            await mailbox.cursor()

    run(tmp_path, scenario)


@pytest.mark.parametrize("kind", ["403", "500", "no JSON"])
def test_a_list_of_folders_that_is_refused_leaves_those_that_are_known(tmp_path: Path, kind: str) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        account.put(write_message(30))
        mailbox.emulator.fault = lambda request: (
            REFUSALS[kind] if request.path.endswith("mailFolders/delta") else None
        )
        new = account.add_folder("New", account.root)
        assert len(await look(mailbox)) == 4
        (error,) = (await mailbox.status()).errors
        assert error.startswith("The list of folders: ")
        mailbox.emulator.fault = _none
        account.move(next(iter(account.items.values())), new)
        assert (await look(mailbox)).keys() == truth(account).keys()
        assert f"folder:{new.id}" in [label["id"] for label in await mailbox.labels()]

    run(tmp_path, scenario)


@pytest.mark.parametrize("name", ["archive", "sentitems", "deleteditems", "junkemail", "drafts"])
def test_a_well_known_folder_that_is_not_resolved_goes_by_its_name(tmp_path: Path, name: str) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        folder = account.folder(name)
        assert folder is not None
        account.move(next(iter(account.items.values())), folder)
        mailbox.emulator.fault = lambda request: (
            REFUSALS["403"] if request.path.endswith(f"/mailFolders/{name}") else None
        )
        expected = truth(account)
        assert {id_: labels for id_, (labels, _) in (await look(mailbox)).items()} == expected
        assert len((await mailbox.status()).errors) == 1
        account.rename_folder(folder, "Something else")
        mailbox.emulator.fault = _none
        assert {id_: labels for id_, (labels, _) in (await look(mailbox)).items()} == expected
        assert (await mailbox.status()).errors == ()

    run(tmp_path, scenario)


def test_a_message_that_is_refused_leaves_the_others_and_is_asked_for_again(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        item, other = account.put(write_message(30)), account.put(write_message(31))
        link = f"{mailbox.emulator.root}/me/mailFolders/{item.folder}/messages/delta?$deltatoken=x"
        told = [{"id": one.id, "isRead": False} for one in (item, other)]

        def fault(request: Request) -> Response | None:
            if f"/{item.folder}/messages/delta" in request.path:
                return answer_json({"value": told, "@odata.deltaLink": link})
            return REFUSALS["403"] if request.path.endswith(f"/messages/{item.id}") else None

        mailbox.emulator.fault = fault
        assert item.id not in await look(mailbox) and other.id in await look(mailbox)
        assert [error.partition(":")[0] for error in (await mailbox.status()).errors] == ["Inbox"]
        mailbox.emulator.fault = _none
        assert (await look(mailbox)).keys() == truth(account).keys()

    run(tmp_path, scenario)


ODD: list[object] = [
    None,
    True,
    7,
    "",
    "\ud83d",
    "x" * 2000,
    [],
    [7],
    [None, {"a": 1}],
    {},
    {"emailAddress": 7},
]
PROPERTIES = sorted({*SELECTED["$select"].split(","), "singleValueExtendedProperties"})


def test_a_message_of_any_shape_becomes_a_row() -> None:
    def becomes_row(name: str, value: object) -> None:
        headers = [{"name": "From", "value": value}, {"name": value, "value": "x"}]
        for resource in ({name: value}, {name: value, "internetMessageHeaders": headers}):
            assert row_of({"id": "A", **resource}).id == "A"

    assert not failing(product(PROPERTIES, ODD), becomes_row)


def _forgetful(path: Path, scenario: Scenario, seeds: list[Seed]) -> None:
    async def main() -> None:
        mailbox = await open_emulated(Emulator(Account(forgetful=True)), path, seeds)
        try:
            await asyncio.wait_for(scenario(mailbox), 50)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("over", [["archive"], ["archive", "deleteditems"], ["junkemail", "archive"]])
def test_a_message_that_was_moved_away_and_back_is_still_there(
    tmp_path: Path, over: list[str], new: bool
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        item = account.put(write_message(9)) if new else next(iter(account.items.values()))
        home = account.folders[item.folder]
        for name in [*over, home.id]:
            folder = account.folder(name)
            assert folder is not None
            account.move(item, folder)
        assert item.id in await find(mailbox, "in:inbox")
        assert (await look(mailbox)).keys() == truth(account).keys()

    _forgetful(tmp_path, scenario, many(3))


def test_a_message_that_came_back_from_where_we_put_it_is_found_though_that_folder_says_nothing(
    tmp_path: Path,
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        item, archive = next(iter(account.items.values())), account.folder("archive")
        assert archive is not None
        home = account.folders[item.folder]
        await mailbox.modify([item.id], add=[], remove=["INBOX"])
        assert item.folder == archive.id
        account.move(item, home)
        link = f"{mailbox.emulator.root}/me/mailFolders/{archive.id}/messages/delta?$deltatoken=x"
        mailbox.emulator.fault = _refusing(archive, answer_json({"value": [], "@odata.deltaLink": link}))
        assert item.id in await find(mailbox, "in:inbox")

    _forgetful(tmp_path, scenario, many(3))


@pytest.mark.parametrize("kind", ["404", "400"])
def test_what_came_and_went_unseen_is_asked_for_once(tmp_path: Path, kind: str) -> None:
    """The 400 stands for what is no message, such as a contact in Deleted Items."""

    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        item = account.put(write_message(9))
        account.remove(item)
        asked: list[str] = []

        def fault(request: Request) -> Response | None:
            if not request.path.endswith(f"/messages/{item.id}"):
                return None
            asked.append(request.path)
            return REFUSALS[kind]

        mailbox.emulator.fault = fault
        for _ in range(3):
            await mailbox.cursor()
        assert len(asked) == 1
        assert not (await mailbox.status()).errors
        assert (await look(mailbox)).keys() == truth(account).keys()

    run(tmp_path, scenario)


def test_a_message_whose_new_folder_says_nothing_is_found_there(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        cursor = await mailbox.cursor()
        item, archive = next(iter(account.items.values())), account.folder("archive")
        assert archive is not None
        account.move(item, archive)
        link = f"{mailbox.emulator.root}/me/mailFolders/{archive.id}/messages/delta?$deltatoken=x"
        mailbox.emulator.fault = _refusing(archive, answer_json({"value": [], "@odata.deltaLink": link}))
        changes = await mailbox.changes(cursor, limit=10)
        assert not changes.removed and [one["id"] for one in changes.changed] == [item.id]
        assert item.id in await find(mailbox, "in:archive")

    run(tmp_path, scenario)


def test_a_removed_message_that_cannot_be_asked_for_is_kept_until_it_can(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        item = next(iter(account.items.values()))
        account.remove(item)
        mailbox.emulator.fault = lambda request: (
            REFUSALS["403"] if request.path.endswith(f"/messages/{item.id}") else None
        )
        assert item.id in await look(mailbox)
        assert len((await mailbox.status()).errors) == 1
        mailbox.emulator.fault = _none
        assert (await look(mailbox)).keys() == truth(account).keys()

    run(tmp_path, scenario)


def test_a_purged_message_that_microsoft_still_keeps_is_not_shown(tmp_path: Path) -> None:
    """Exchange gives such a message by its id, from a folder that it lists nowhere."""

    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        item: Item = next(iter(account.items.values()))
        account.remove(item)
        kept = answer_json(
            {"id": item.id, "parentFolderId": "recoverable", "subject": "Purged", "isDraft": True}
        )
        mailbox.emulator.fault = lambda request: (
            kept if request.path.endswith(f"/messages/{item.id}") else None
        )
        assert item.id not in await look(mailbox)

    run(tmp_path, scenario)


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("back", [False, True])
def test_an_emptied_folder_is_counted_instead_of_asking_for_every_message(
    tmp_path: Path, back: bool, new: bool
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        if new:
            await mailbox.cursor()
        for seed in many(301):
            account.put(seed.raw, seed.labels)
        if not new:
            await mailbox.cursor()
        items = list(account.items.values())
        archive = account.folder("archive")
        assert archive is not None
        for item in items[1:]:
            account.remove(item)
        if back:
            home = account.folders[items[0].folder]
            account.move(account.move(items[0], archive), home)
        asked = len(mailbox.emulator.requests)
        await mailbox.cursor()
        asked = len(mailbox.emulator.requests) - asked
        assert (await look(mailbox)).keys() == truth(account).keys() == {items[0].id}
        assert asked > 10 if back else asked <= 6, "six pages in all, and one count of the folders"

    _forgetful(tmp_path, scenario, [])


@pytest.mark.parametrize("new", [False, True])
def test_a_pass_that_was_cut_off_asks_again_for_what_came_back(tmp_path: Path, new: bool) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account
        await mailbox.cursor()
        item = account.put(write_message(9)) if new else next(iter(account.items.values()))
        archive = account.folder("archive")
        assert archive is not None
        home = account.folders[item.folder]
        account.move(account.move(item, archive), home)
        mailbox.emulator.fault = lambda request: (
            Response(hang_up=True) if request.path.endswith(f"/messages/{item.id}") else None
        )
        await mailbox.cursor()
        mailbox.emulator.fault = _none
        other = connect(mailbox.emulator, tmp_path)
        assert (await look(other)).keys() == truth(account).keys()
        await other.aclose()

    _forgetful(tmp_path, scenario, many(3))
