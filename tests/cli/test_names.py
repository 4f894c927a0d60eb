"""One name for one mailbox, in everything that is kept, printed and asked for."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gaia_email.ledger import Selection, open_ledger
from gaia_email.mailbox.ref import HEADERS_INDEX, MailboxRef, mailbox_of
from gaia_email.triage.past_mail import past_mail
from gaia_email_registry.errors import NotFound
from gaia_email_registry.paths import account_directory
from tests.maildirs import link_mail

Run = Callable[..., Any]
KEPT = 12


@pytest.fixture
def mail(sample_maildir: Path, tmp_path: Path) -> Path:
    """A few messages of the sample."""
    folder = tmp_path / "one" / "Mail"
    shutil.copytree(sample_maildir, folder, copy_function=link_mail)
    for path in sorted((folder / "cur").iterdir())[KEPT:]:
        path.unlink()
    return folder


def answer(run: Run, *args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.code == 0, result.err
    found: dict[str, Any] = json.loads(result.out)
    return found


def test_every_command_and_every_table_calls_a_maildir_by_the_same_name(
    run: Run, mail: Path, tmp_path: Path
) -> None:
    name = f"maildir:{mail}"
    (tmp_path / "link").symlink_to(mail)
    assert answer(run, "triage", "--apply", "--yes", "--maildir", str(tmp_path / "link"))["account"] == name
    assert answer(run, "inbox", "--maildir", str(mail))["account"] == name
    assert answer(run, "search", "", "--account", name)["account"] == name
    items = answer(run, "pending")["items"]
    assert items
    assert {item["account"] for item in items} == {name}
    assert {done["account"] for done in answer(run, "actions", "--account", name)["actions"]} == {name}
    tables = json.loads(run("export", "--account", name).out)["tables"]
    for table in ("verdicts", "messages", "actions", "pending", "accounts", "events"):
        assert tables[table], table
        assert {row["account_id"] for row in tables[table]} == {name}, table
    assert answer(run, "purge", "--mail", "--yes", "--really", "--account", name)["gone"]["messages"] > 0
    assert not json.loads(run("export", "--what", "messages").out)["tables"]["messages"]


def test_a_purge_deletes_what_the_headers_of_mail_files_said(run: Run, mail: Path) -> None:
    assert run("connect", "--maildir", str(mail)).code == 0
    assert answer(run, "inbox")["total"] > 0
    index = account_directory(os.environ, f"maildir:{mail}") / HEADERS_INDEX
    assert index.exists()
    answer(run, "purge", "--mail", "--yes", "--really", "--account", f"maildir:{mail}")
    assert not index.exists()


def test_a_purge_of_an_account_that_is_not_here_leaves_the_event_log(run: Run, mail: Path) -> None:
    answer(run, "triage", "--apply", "--yes", "--maildir", str(mail))
    with open_ledger() as ledger, ledger.read() as tx:
        before = ledger.events.last(tx)
    gone = answer(run, "purge", "--everything", "--yes", "--really", "--account", "mistyped")["gone"]
    assert set(gone.values()) == {0}
    with open_ledger() as ledger, ledger.read() as tx:
        assert ledger.events.last(tx) == before


def test_a_back_test_over_a_maildir_knows_the_senders(run: Run, mail: Path) -> None:
    answer(run, "triage", "--apply", "--yes", "--maildir", str(mail))
    past = list(past_mail(os.environ))
    assert past
    assert all(facts.sender for facts, _ in past)
    sender = past[0][0].sender
    rule = ("--match", f"from:{sender}", "--level", "0")
    told = answer(run, "policy", "cohort", "add", "mine", *rule, "--yes")
    assert told["backtest"]["changed"] >= 1, told


def test_a_copied_maildir_is_another_mailbox(run: Run, mail: Path, tmp_path: Path) -> None:
    copied = tmp_path / "two" / "Mail"
    shutil.copytree(mail, copied)
    first = answer(run, "triage", "--apply", "--yes", "--maildir", str(mail))
    second = answer(run, "triage", "--apply", "--yes", "--maildir", str(copied))
    assert second["judged"] == first["judged"] > 0
    assert len(second["done"]) == len(first["done"])
    assert answer(run, "undo", "--run", second["run_id"])["account"] == f"maildir:{copied}"
    with open_ledger() as ledger, ledger.read() as tx:
        left = ledger.actions.select(tx, Selection(account_id=f"maildir:{mail}"))
    assert {action.state for action in left} == {"applied"}


def test_a_maildir_that_is_gone_is_said_to_be_and_found_where_it_is_named(
    run: Run, mail: Path, tmp_path: Path
) -> None:
    answer(run, "triage", "--apply", "--yes", "--maildir", str(mail))
    item = next(item for item in answer(run, "pending")["items"] if item["type"] != "notify")
    place = mailbox_of(f"maildir:{mail}", os.environ)
    assert place == MailboxRef(kind="maildir", path=str(mail))
    moved = tmp_path / "Moved"
    here = run("approve", item["id"], "--maildir", str(tmp_path / "else"))
    assert here.code != 0
    assert "this is about" in here.err
    mail.rename(moved)
    with pytest.raises(NotFound, match="no mailbox at"):
        mailbox_of(f"maildir:{mail}", os.environ)
    assert run("approve", item["id"], "--maildir", str(moved)).code == 0
