"""`export`, `purge` and `ledger verify`: what leaves, what is asked, what is told."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gaia_email.ledger import Ledger, NewAction, NewItem, NewLedgerEvent, open_ledger
from gaia_email.ledger.cache import CachedMessage
from gaia_email_registry.paths import discovery_file
from gaia_email_registry.private_file import write_private
from gaia_mail.printable import UNSEEN
from tests.cli.printed import Run, fits
from tests.origins import PERSON

ACCOUNT = "ann@example.com"


def message(subject: str) -> CachedMessage:
    return CachedMessage(
        account_id=ACCOUNT,
        message_id="m1",
        thread_id="t1",
        header_message_id="<1@example.org>",
        date=1_790_000_000.0,
        size=100,
        has_attachments=False,
        labels=("INBOX",),
        flags=(),
        sender="bo@example.org",
        sender_name="Bo",
        subject=subject,
        to="ann@example.com",
        text="the body",
    )


@pytest.fixture
def path() -> Path:
    with open_ledger() as ledger, ledger.write() as tx:
        event = NewLedgerEvent(
            kind="message.triaged", account_id=ACCOUNT, sender="bo@example.org", subject="Very private"
        )
        ledger.events.append(tx, event)
        action = NewAction(
            account_id=ACCOUNT,
            message_id="m1",
            action_type="draft_create",
            payload={"draft": {"subject": "Re", "body": "my draft text"}},
        )
        ledger.actions.plan(tx, [action])
        ledger.pending.add(
            tx,
            [NewItem(type="review", account_id=ACCOUNT, proposal={"html": ["secret html"]}, origin=PERSON)],
        )
        ledger.cache.put(tx, [message("=HYPERLINK(1)")])
        file = ledger.file
    assert file is not None
    return file


def held() -> Ledger:
    return open_ledger()


@pytest.mark.usefixtures("path")
def test_an_export_has_no_bodies_and_no_people_in_the_log_unless_asked(run: Run) -> None:
    result = run("export")
    assert result.code == 0
    document = json.loads(result.out)
    fits(document, "export")
    assert document["tables"]["events"][0]["kind"] == "message.triaged"
    for private in ("Very private", "my draft text", "secret html", "the body"):
        assert private not in result.out
    full = run("export", "--bodies", "--people").out
    for private in ("Very private", "my draft text", "secret html", "the body"):
        assert private in full


@pytest.mark.usefixtures("path")
def test_a_table_as_csv_runs_no_formula(run: Run) -> None:
    result = run("export", "--what", "messages", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(result.out))
    assert row["subject"] == "'=HYPERLINK(1)"
    assert row["to"] == ACCOUNT
    assert row["labels"] == '["INBOX"]'


@pytest.mark.usefixtures("path")
def test_an_export_holds_nothing_that_acts_on_a_terminal(run: Run) -> None:
    subject = "a\x1b[2J\u202eb\u200b\x9b\U000e0041"
    with held() as ledger, ledger.write() as tx:
        ledger.cache.put(tx, [message(subject)])
    exported = run("export", "--what", "messages").out
    assert not re.search(f"[\x1b{UNSEEN}]", exported)
    assert json.loads(exported)["tables"]["messages"][0]["subject"] == subject
    table = run("export", "--what", "messages", "--format", "csv").out
    assert not re.search(f"[\x1b{UNSEEN}]", table)
    assert "a␛[2J<U+202E>b<U+200B><U+009B><U+E0041>" in table


@pytest.mark.usefixtures("path")
def test_several_tables_as_csv_go_into_a_folder_that_only_the_owner_may_read(
    run: Run, tmp_path: Path
) -> None:
    assert run("export", "--format", "csv").code == 2
    folder = tmp_path / "out"
    assert run("export", "--format", "csv", "--output", str(folder)).code == 0
    files = {file.name: file for file in folder.iterdir()}
    assert {"events.csv", "actions.csv", "messages.csv"} <= set(files)
    assert {oct(file.stat().st_mode & 0o777) for file in files.values()} == {"0o600"}


@pytest.mark.usefixtures("path")
def test_only_one_account_and_only_from_a_day_on(run: Run) -> None:
    other = json.loads(run("export", "--account", "nobody@example.com", "--what", "actions").out)
    assert other["tables"] == {"actions": []}
    later = json.loads(run("export", "--since", "2999-01-01", "--what", "events").out)
    assert later["tables"] == {"events": []}


def test_an_output_that_cannot_be_written_is_a_sentence(run: Run, path: Path) -> None:
    result = run("export", "--output", str(path / "below-a-file"))
    assert result.code == 1
    assert "cannot be written" in result.err


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("answers", [(), ("--yes",), ("--really",)])
def test_a_purge_needs_two_answers(run: Run, answers: tuple[str, ...]) -> None:
    result = run("purge", "--everything", *answers)
    assert result.code == 5
    assert "1 copied messages" in result.err
    assert "nothing was deleted" in result.err
    with held() as ledger, ledger.read() as tx:
        assert ledger.cache.count(tx) == 1


@pytest.mark.usefixtures("path")
def test_a_purge_with_both_answers_says_what_is_gone(run: Run) -> None:
    assert run("purge").code == 2
    found = discovery_file(os.environ)
    write_private(found, b"{}")
    result = run("purge", "--everything", "--yes", "--really", "--json")
    assert result.code == 0
    assert not found.exists()
    document = json.loads(result.out)
    fits(document, "purge")
    assert document["gone"]["messages"] == 1
    with held() as ledger, ledger.read() as tx:
        assert ledger.cache.count(tx) == 0
        assert ledger.events.verify(tx) is None


def test_verify_says_what_is_broken_and_fails(run: Run, path: Path) -> None:
    good = run("ledger", "verify", "--json")
    assert good.code == 0
    document = json.loads(good.out)
    fits(document, "ledger")
    assert document["intact"] is True
    assert "is whole: 2 events" in run("ledger", "verify").out
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE events SET subject = 'another' WHERE seq = 1")
        database.commit()
    bad = run("ledger", "verify", "--json")
    assert bad.code == 1
    assert json.loads(bad.out)["broken"] == {"seq": 1, "reason": "it is not as it was written"}
    assert "Event 1 is broken" in bad.err
