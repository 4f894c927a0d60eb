"""Snoozed messages of an IMAP account: away in a folder, back when somebody of ours looks at or after their time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.settings import ImapSettings
from tests.contract.suite import find, look, write_message
from tests.contract.suite.look import Mirror, labels_of, only
from tests.imap.sleeping import MARK, START, UNTIL, Clock, lying
from tests.imap.truth import settings
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient

HOUR = 3600.0
Scenario = Callable[[ImapMailbox, Clock], Awaitable[None]]


def run(of: ImapSettings, scenario: Scenario, *, wakes: bool = True, at: float = START) -> None:
    """On a mailbox with a clock of its own."""
    clock = Clock(at)

    async def main() -> None:
        mailbox = ImapMailbox(of, clock=clock, wakes=wakes)
        try:
            await asyncio.wait_for(asyncio.ensure_future(scenario(mailbox, clock)), 30)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def snoozed(of: ImapSettings) -> None:
    """Snooze the one message of the inbox, and forget all about it."""

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        applied = await mailbox.snooze([await only(mailbox)], UNTIL)
        assert not applied.failed

    run(of, scenario)


def awake(of: ImapSettings) -> None:
    """Look once, when it is late."""

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        await mailbox.labels()
        assert (await mailbox.status()).errors == ()

    run(of, scenario, at=START + 2 * HOUR)


def test_it_lies_in_a_folder_with_its_time_and_the_next_sync_after_that_brings_it_back_unread(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1), flags=["\\Seen", "\\Flagged", "Trip"])

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        mirror = Mirror()
        await mirror.follow(mailbox)
        id_ = await only(mailbox)
        await mailbox.snooze([id_], UNTIL)
        assert lying(other) == {("Snoozed", frozenset({"\\Seen", "\\Flagged", "Trip", MARK}))}
        (stored,) = await mailbox.read([id_], raw=False)
        assert stored.snoozed_until == UNTIL
        await mirror.follow(mailbox)
        clock.now += HOUR - 1
        await mirror.follow(mailbox)
        assert await find(mailbox, "is:snoozed") == [id_]
        clock.now += 1
        pages = await mirror.follow(mailbox)
        assert [(changed["id"], set(changed["labels"])) for page in pages for changed in page.changed] == [
            (id_, {"INBOX", "UNREAD", "STARRED", "Trip"})
        ]
        assert not [page for page in pages if page.added or page.removed]
        assert lying(other) == {("INBOX", frozenset({"\\Flagged", "Trip"}))}
        assert await find(mailbox, "is:snoozed") == []
        (stored,) = await mailbox.read([id_], raw=False)
        assert stored.snoozed_until is None

    run(settings(dovecot.port, user), scenario)


def test_another_machine_brings_it_back_by_what_the_server_holds(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))
    snoozed(settings(dovecot.port, user))
    awake(settings(dovecot.port, user))
    assert lying(other) == {("INBOX", frozenset())}


def test_it_is_brought_back_once_and_may_be_archived_then(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))
    snoozed(settings(dovecot.port, user))

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        (id_,) = await find(mailbox, "in:inbox is:unread")
        await mailbox.modify([id_], add=[], remove=["INBOX", "UNREAD"])
        clock.now += HOUR
        assert await labels_of(mailbox, id_) == set()
        assert await find(mailbox, "in:inbox") == []

    run(settings(dovecot.port, user), scenario, at=START + HOUR)
    assert lying(other) == {("Archive", frozenset({"\\Seen"}))}


def test_who_waits_is_told_when_it_comes_back(dovecot: Dovecot, user: str, other: OtherClient) -> None:
    other.append(write_message(1))

    async def main() -> None:
        begun = time.monotonic()

        def hurried() -> float:
            """An hour passes in a fifth of a second."""
            return START + (time.monotonic() - begun) * 5 * HOUR

        mailbox = ImapMailbox(settings(dovecot.port, user), clock=hurried)
        try:
            id_ = await only(mailbox)
            await mailbox.snooze([id_], "2999-01-01T00:00:00+00:00")
            cursor = await mailbox.cursor()
            assert not await mailbox.wait(cursor, timeout_s=0.1)
            soon = time.gmtime(hurried() + 2 * HOUR)
            await mailbox.snooze([id_], time.strftime("%Y-%m-%dT%H:%M:%S+00:00", soon))
            cursor = await mailbox.cursor()
            assert await mailbox.wait(cursor, timeout_s=20)
            assert await find(mailbox, "in:inbox") == [id_]
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def test_a_server_that_only_reads_tells_of_it_and_never_wakes_it(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))
    snoozed(settings(dovecot.port, user))
    before = lying(other)

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        id_ = await only(mailbox)
        cursor = (await mailbox.changes(None, limit=10)).cursor
        assert not await mailbox.wait(cursor, timeout_s=0.05)
        (stored,) = await mailbox.read([id_], raw=True)
        assert stored.snoozed_until == UNTIL

    run(settings(dovecot.port, user), scenario, wakes=False, at=START + 2 * HOUR)
    assert lying(other) == before


@pytest.mark.parametrize("place", ["INBOX", "Archive", "Work", None])
def test_what_another_program_moved_or_deleted_meanwhile_is_left_alone(
    dovecot: Dovecot, user: str, other: OtherClient, place: str | None
) -> None:
    other.append(write_message(1), flags=["\\Seen"])
    snoozed(settings(dovecot.port, user))
    other.create("Work")
    if place is None:
        other.expunge(other.uids("Snoozed"), "Snoozed")
    else:
        other.move(other.uids("Snoozed"), place, "Snoozed")
    before = lying(other)
    awake(settings(dovecot.port, user))
    assert lying(other) == before


def test_of_what_somebody_moved_the_machine_that_snoozed_it_takes_off_its_own_label_only(
    dovecot: Dovecot, user: str, other: OtherClient, tmp_path: Path
) -> None:
    other.append(write_message(1), flags=["\\Seen", "Trip"])
    of = replace(settings(dovecot.port, user), cache=tmp_path / "index.sqlite")
    snoozed(of)
    other.move(other.uids("Snoozed"), "Archive", "Snoozed")
    awake(of)
    assert lying(other) == {("Archive", frozenset({"\\Seen", "Trip"}))}


def test_what_another_program_moves_at_that_very_moment_is_left_where_it_puts_it(
    dovecot: Dovecot, user: str, other: OtherClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    other.append(write_message(1))
    other.create("Work")
    snoozed(settings(dovecot.port, user))
    from gaia_imap_mcp.change.plan_executor import Mover

    carry_out = Mover.carry_out

    def late(self: Mover, plan: object) -> object:
        if uids := other.uids("Snoozed"):
            other.move(uids, "Work", "Snoozed")
        return carry_out(self, plan)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Mover, "carry_out", late)
    awake(settings(dovecot.port, user))
    assert {folder for folder, _ in lying(other)} == {"Work"}


def test_in_trash_it_sleeps_on_and_taken_out_it_comes_back_when_it_is_due(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        id_ = await only(mailbox)
        await mailbox.snooze([id_], UNTIL)
        await mailbox.trash([id_])
        clock.now += 2 * HOUR
        assert await find(mailbox, "in:trash") == [id_]
        (stored,) = await mailbox.read([id_], raw=False)
        assert stored.snoozed_until == UNTIL
        await mailbox.untrash([id_])
        assert await find(mailbox, "in:inbox is:unread") == [id_]

    run(settings(dovecot.port, user), scenario)
    assert lying(other) == {("INBOX", frozenset())}


def test_what_is_snoozed_in_trash_stays_there_until_it_is_taken_out(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1), "Trash")

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        id_ = await only(mailbox)
        assert (await mailbox.snooze([id_], UNTIL)).ids == (id_,)
        assert await find(mailbox, "in:trash") == [id_]
        await mailbox.untrash([id_])
        assert await find(mailbox, "is:snoozed") == [id_]
        clock.now += 2 * HOUR
        assert await find(mailbox, "in:inbox") == [id_]

    run(settings(dovecot.port, user), scenario)


def test_taking_its_label_off_calls_it_off_and_a_later_snooze_replaces_the_time(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))
    snoozed(settings(dovecot.port, user))
    other.flag(other.uids("Snoozed"), MARK, folder="Snoozed", off=True)
    awake(settings(dovecot.port, user))
    assert lying(other) == {("Snoozed", frozenset())}

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        id_ = await only(mailbox)
        later = "2030-01-01T12:00:00+02:00"
        await mailbox.snooze([id_], UNTIL)
        await mailbox.snooze([id_], later)
        (stored,) = await mailbox.read([id_], raw=False)
        assert stored.snoozed_until == "2030-01-01T10:00:00+00:00"
        clock.now += 1.5 * HOUR
        assert await find(mailbox, "in:inbox") == []
        clock.now += HOUR
        assert await find(mailbox, "in:inbox") == [id_]

    run(settings(dovecot.port, user), scenario)


def test_the_folder_numbered_anew_meanwhile_does_not_matter(own_dovecot: Dovecot, tmp_path: Path) -> None:
    of = settings(own_dovecot.port, "ann")

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        id_ = await only(mailbox)
        clock.now += 2 * HOUR
        assert await find(mailbox, "in:inbox") == [id_]

    with OtherClient(own_dovecot.port, "ann") as other:
        other.append(write_message(1))
    kept = replace(of, cache=tmp_path / "index.sqlite")
    snoozed(kept)
    own_dovecot.renumber("ann", "Snoozed")
    run(kept, scenario)
    with OtherClient(own_dovecot.port, "ann") as other:
        assert lying(other) == {("INBOX", frozenset())}


def test_below_a_prefix_the_folder_is_the_users_own(
    dovecot_with: Callable[[Options], Dovecot], user: str
) -> None:
    server = dovecot_with(Options(separator=".", prefix="INBOX."))
    with OtherClient(server.port, user) as other:
        other.append(write_message(1))
        snoozed(settings(server.port, user))
        assert lying(other) == {("INBOX.Snoozed", frozenset({MARK}))}
        awake(settings(server.port, user))
        assert lying(other) == {("INBOX", frozenset())}


def test_what_the_user_keeps_in_a_folder_of_that_name_stays_there(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.create("Snoozed")
    other.append(write_message(2), "Snoozed", ["\\Seen"])
    other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        await mailbox.snooze(await find(mailbox, "in:inbox"), UNTIL)
        clock.now += 2 * HOUR
        assert len(await find(mailbox, "in:inbox")) == 1

    run(settings(dovecot.port, user), scenario)
    assert lying(other) == {("Snoozed", frozenset({"\\Seen"})), ("INBOX", frozenset())}


def test_where_the_user_has_a_label_of_that_name_the_folder_has_another(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(2), "Archive", ["Snoozed", "\\Seen"])
    other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        await mailbox.snooze(await find(mailbox, "in:inbox"), UNTIL)
        assert ("Snoozed by gaia", frozenset({MARK})) in lying(other)
        clock.now += 2 * HOUR
        assert len(await find(mailbox, "in:inbox")) == 1

    run(settings(dovecot.port, user), scenario)
    assert lying(other) == {("Archive", frozenset({"Snoozed", "\\Seen"})), ("INBOX", frozenset())}


def test_copies_in_other_folders_and_keywords_stay_as_they_were(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.create("Work")
    other.create("Plans")
    other.append(write_message(1), flags=["\\Seen", "Plans"])
    other.append(write_message(1), "Work", flags=["\\Seen"])

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        id_ = await only(mailbox)
        before = await look(mailbox)
        await mailbox.snooze([id_], UNTIL)
        assert {folder for folder, _ in lying(other)} == {"Snoozed", "Work"}
        clock.now += HOUR
        assert {
            id_: (labels - {"UNREAD"}, flags | {"\\Seen"})
            for id_, (labels, flags) in (await look(mailbox)).items()
        } == before

    run(settings(dovecot.port, user), scenario)
    assert {folder for folder, _ in lying(other)} == {"INBOX", "Work"}


def test_a_draft_is_refused_in_a_sentence_and_the_others_sleep(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))
    other.append(write_message(2), "Drafts", ["\\Draft"])

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        applied = await mailbox.snooze(await find(mailbox, ""), UNTIL)
        assert len(applied.ids) == 1
        assert [failure["error"] for failure in applied.failed] == ["a draft cannot be snoozed"]

    run(settings(dovecot.port, user), scenario)
    assert {folder for folder, _ in lying(other)} == {"Snoozed", "Drafts"}


def test_what_cannot_be_brought_back_is_said_and_holds_up_nothing_else(
    dovecot_with: Callable[[Options], Dovecot], user: str
) -> None:
    server = dovecot_with(Options(acl=True))
    with OtherClient(server.port, user) as other:
        other.append(write_message(1))
        snoozed(settings(server.port, user))
        server.forbid_changes(user, "Snoozed")

        async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
            (id_,) = await find(mailbox, "is:snoozed")
            (error,) = (await mailbox.status()).errors
            assert "could not be brought back" in error and "read-only" in error
            (server.folder(user, "Snoozed") / "dovecot-acl").unlink()
            server.kill_sessions()  # they remember what they may do
            clock.now += 29
            assert await find(mailbox, "in:inbox") == []
            clock.now += 1
            assert await find(mailbox, "in:inbox") == [id_]
            assert (await mailbox.status()).errors == ()

        run(settings(server.port, user), scenario, at=START + 2 * HOUR)


def test_a_time_that_is_no_time_to_come_is_refused_before_anything_is_made(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox, clock: Clock) -> None:
        for until in ("2030-01-01T08:00:00+00:00", "9999-12-31T23:59:59.9+00:00", "soon"):
            with pytest.raises(BadArgument, match="time to come"):
                await mailbox.snooze([await only(mailbox)], until)
        assert (await mailbox.snooze(["nothing"], UNTIL)).failed

    run(settings(dovecot.port, user), scenario)
    assert "Snoozed" not in other.folders()
