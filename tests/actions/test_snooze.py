"""Snoozed messages leave the inbox with a label that says until when, and come back by it."""

from __future__ import annotations

import datetime as dt

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions
from gaia_email.actions.snooze import snooze, wake
from gaia_email.actions.undo import undo
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.snoozing import snooze_label, snoozed_until
from tests.actions.account import NOW, Bench
from tests.actions.test_undo import change

HOUR = 3600.0
LABEL = "gaia/snoozed-until-2026-03-31T13:00:00Z"


def nap(bench: Bench, *ids: str, hours: float = 1) -> AppliedActions:
    until = bench.now.timestamp() + hours * HOUR
    return bench.run(lambda session: snooze(session, ids, until))


def later(bench: Bench, hours: float) -> AppliedActions:
    bench.now = NOW + dt.timedelta(hours=hours)
    return bench.run(wake)


def test_a_snoozed_message_is_away_and_comes_back_unread_when_its_time_has_come(bench: Bench) -> None:
    id_ = bench.put("info one", ("INBOX",))
    (action,) = nap(bench, id_).done
    assert bench.labels()[id_] == {LABEL}
    assert (action.action_type, action.state, action.user_confirmed) == ("snooze", "applied", True)
    assert not later(bench, 0.9).done
    assert [done.action_type for done in later(bench, 1).done] == ["wake"]
    assert bench.labels()[id_] == {"INBOX", "UNREAD"}
    assert not later(bench, 2).done
    assert bench.verified()


def test_another_machine_wakes_it_by_its_label_alone(bench: Bench) -> None:
    id_ = bench.put("info one", (LABEL,))
    assert len(later(bench, 1).done) == 1
    assert bench.labels()[id_] == {"INBOX", "UNREAD"}


@pytest.mark.parametrize("place", ["TRASH", "SPAM", "INBOX"])
def test_what_was_moved_meanwhile_stays_where_it_is(bench: Bench, place: str) -> None:
    id_ = bench.put("info one", ("INBOX",))
    nap(bench, id_)
    change(bench, id_, add=[place])
    later(bench, 1)
    assert bench.labels()[id_] == {place}


def test_snoozing_again_replaces_the_time(bench: Bench) -> None:
    id_ = bench.put("info one")
    nap(bench, id_)
    nap(bench, id_, hours=5)
    assert bench.labels()[id_] == {"UNREAD", "gaia/snoozed-until-2026-03-31T17:00:00Z"}
    assert not later(bench, 4).done
    assert len(later(bench, 5).done) == 1


def test_a_snooze_can_be_undone_until_it_has_ended(bench: Bench) -> None:
    id_ = bench.put("info one")
    done = nap(bench, id_).done
    bench.run(lambda session: undo(session, done))
    assert bench.labels()[id_] == {"INBOX", "UNREAD"}
    done = nap(bench, id_).done
    later(bench, 1)

    async def scenario(session: AccountSession) -> str:
        return (await undo(session, done)).kept[0].reason

    assert "later action" in bench.run(scenario)


@pytest.mark.parametrize("hours", [0, -1, 24 * 366 * 11])
def test_a_time_that_is_past_or_far_away_is_refused(bench: Bench, hours: float) -> None:
    id_ = bench.put("info one")
    with pytest.raises(BadArgument):
        nap(bench, id_, hours=hours)
    assert bench.labels()[id_] == {"INBOX", "UNREAD"}


def test_a_message_that_is_not_there_is_named_and_nothing_is_done(bench: Bench) -> None:
    id_ = bench.put("info one")
    with pytest.raises(NotFound, match="nowhere"):
        nap(bench, id_, "nowhere")
    assert bench.labels()[id_] == {"INBOX", "UNREAD"}


def test_the_label_is_read_as_it_is_written_and_nothing_else_is_taken_for_one() -> None:
    instant = NOW.timestamp()
    assert snoozed_until(snooze_label(instant)) == instant
    for name in (
        "gaia/snoozed-until-soon",
        "gaia/snoozed-until-2026-13-40T00:00:00Z",
        "snoozed-until-2026-03-31T13:00:00Z",
        "gaia/processed",
    ):
        assert snoozed_until(name) is None
