"""What was kept under a Maildir's folder name is kept under its path since version 0003, and still found."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from gaia_email.ledger import Selection, ledger_file, open_ledger
from gaia_email.ledger.exporting import ExportSelection, export_rows
from gaia_email.ledger.keeping import FORMERLY_DOCUMENT
from gaia_email.pending.proposal import PendingProposal, ProposalTarget
from tests.ledger.conftest import Clock

OLD = Path(__file__).parent / "versions" / "0002.sql"
FOLDER, CONNECTED = "ann@example.com", "bo@example.com"


@pytest.fixture
def name(tmp_path: Path) -> str:
    """What a Maildir is called now, in whose place document the way goes over a link."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    return f"maildir:{tmp_path / 'disk' / FOLDER}"


@pytest.fixture(autouse=True)
def old_ledger(name: str, tmp_path: Path) -> None:
    """Of version 0002: verdicts, actions and the like under a folder's name, a proposal, and where the folder is."""
    path = ledger_file(os.environ)
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as old, old:
        old.executescript(OLD.read_text(encoding="utf-8"))
        place = {"kind": "maildir", "path": str(tmp_path / "link" / FOLDER), "server": "local"}
        for account in (FOLDER, CONNECTED):
            old.execute(
                "INSERT INTO documents VALUES (?, 1, ?, 0.0)", (f"place:{account}", json.dumps(place))
            )
        old.execute("INSERT INTO sync_state VALUES (?, 'c', 1, 1, NULL, NULL, NULL, NULL)", (CONNECTED,))
        old.execute("UPDATE pending SET proposal = ?", (json.dumps(proposed().to_json(FOLDER)),))


def proposed() -> PendingProposal:
    target = ProposalTarget(
        message_id="m1", labels=("INBOX",), seal="s", name="Bo", address="bo@x.example", subject="é", date=""
    )
    return PendingProposal(
        doing="archive", bucket="low_priority", names=("gaia/low_priority",), targets=(target,)
    )


def test_everything_of_a_maildir_is_found_under_its_one_name(name: str) -> None:
    with open_ledger(clock=Clock()) as ledger, ledger.read() as tx:
        assert set(ledger.verdicts.get(tx, name, ["m0"])) == {"m0"}
        assert len(ledger.actions.select(tx, Selection(account_id=name))) == 2
        assert [said.account_id for said in ledger.corrections.since(tx)] == [name]
        assert [one.sender for one in ledger.senders.overridden(tx, name, "vip")] == ["bo@example.org"]
        assert not ledger.actions.select(tx, Selection(account_id=FOLDER))
        assert [one for one in ledger.documents.names(tx) if one.startswith("place:")] == []


def test_what_waited_can_be_approved_and_a_question_of_ten_minutes_is_void(name: str) -> None:
    with open_ledger(clock=Clock()) as ledger, ledger.read() as tx:
        (item,) = ledger.pending.select(tx)
        assert item.account_id == name
        assert PendingProposal.of(item) == proposed()
        question = ledger.confirmations.get(tx, "c0")
        assert question is not None
        assert question.state == "expired"


def test_a_name_that_is_also_a_connected_account_s_is_left_alone() -> None:
    with open_ledger(clock=Clock()) as ledger, ledger.read() as tx:
        found = [one for one in ledger.documents.names(tx) if one.startswith(FORMERLY_DOCUMENT)]
        assert [one.endswith(FOLDER) for one in found] == [True]
        assert ledger.cache.state(tx, CONNECTED).generation == 1


def test_the_event_log_is_as_it_was_sealed_and_exported_with_the_account(name: str) -> None:
    with open_ledger(clock=Clock()) as ledger, ledger.read() as tx:
        assert ledger.events.verify(tx) is None
        events: list[Mapping[str, object]] = list(export_rows(tx, "events", ExportSelection(account_id=name)))
        assert [event["account_id"] for event in events] == [FOLDER, FOLDER]


def test_a_purge_forgets_the_former_name_too(name: str) -> None:
    with open_ledger(clock=Clock()) as ledger:
        ledger.purge("everything", name)
        with ledger.read() as tx:
            assert FORMERLY_DOCUMENT + name not in ledger.documents.names(tx)
