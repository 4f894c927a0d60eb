"""The inbox card: what stands first in a line, what is folded, and what stands apart."""

from __future__ import annotations

import json
import mailbox
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from gaia_email.app.documents.cards.wording import beside_subject, deadline_first
from tests.cli.printed import Run


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ('Ann asks "Can you sign it"; due Friday.', 'Due Friday. Ann asks "Can you sign it".'),
        ('Ann asks "Can you sign it"; wanted at 3:30.', 'Wanted at 3:30. Ann asks "Can you sign it".'),
        (
            'Ann asks "Can you sign it"; wanted "bis 15 Uhr".',
            'Wanted "bis 15 Uhr". Ann asks "Can you sign it".',
        ),
        ('The shop says "Pay now"; it needs you today.', 'Needs you today. The shop says "Pay now".'),
        ('The shop says "Pay"; it needs you.', 'The shop says "Pay"; it needs you.'),
        (
            'Ann asks "Can you sign it"; due Friday, and you know each other well.',
            'Due Friday. Ann asks "Can you sign it", and you know each other well.',
        ),
        ('Ann asks "Can you sign it".', 'Ann asks "Can you sign it".'),
        ('Ann writes "it is urgent; due Friday".', 'Ann writes "it is urgent; due Friday".'),
    ],
)
def test_a_deadline_stands_first(reason: str, shown: str) -> None:
    assert deadline_first(reason) == shown


@pytest.fixture
def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_email.interfaces.cli.output.is_terminal", lambda: True)


def filled(folder: Path, ages_days: list[int]) -> Path:
    """A Maildir with one request of so many days' age each."""
    box = mailbox.Maildir(folder, create=True)
    now = datetime.now(UTC)
    for number, age in enumerate(ages_days):
        date = format_datetime(now - timedelta(days=age))
        box.add(
            f"From: Ann Lee <ann{number}@example.com>\nTo: me@example.org\nSubject: Plan {number}\nDate: {date}\n"
            f"Message-ID: <{number}@example.com>\n\nHi,\n\ncould you send me the plan for house {number}?\n\nAnn\n"
        )
    return folder


@pytest.mark.parametrize(
    ("reason", "subject", "shown"),
    [
        ('Due tonight. Bistro says "Table for four".', "Re: Table for four", "Due tonight."),
        ('Bank says "New device"; check whether that was you.', "New device", "Check whether that was you."),
        ('Newsletter from Weaver: "Five sheds".', "Five Sheds", "Newsletter from Weaver."),
        ('Bank says "Statement".', "Statement", 'Bank says "Statement".'),
        ('Ann asks "Can you come?".', "Can you come?", 'Ann asks "Can you come?".'),
        ('Bank says "Call us"; needs you.', "Your account", 'Bank says "Call us"; needs you.'),
        ('Bank says "A"; it says "B".', "A", 'Bank says "A"; it says "B".'),
        ("Ann promises a draft.", "", "Ann promises a draft."),
    ],
)
def test_a_reason_does_not_say_the_subject_again(reason: str, subject: str, shown: str) -> None:
    assert beside_subject(reason, subject) == shown


@pytest.mark.usefixtures("on_a_terminal", "plain_terminal")
def test_a_first_look_folds_what_is_older_than_two_weeks(run: Run, tmp_path: Path) -> None:
    maildir = str(filled(tmp_path / "Mail", [0, 1, 20, 40, 60]))
    told = run("inbox", "--maildir", maildir).out
    assert "Plan 1" in told and "Plan 3" not in told
    assert "3 older than two weeks; --all shows them" in told
    assert "Plan 3" in run("inbox", "--maildir", maildir, "--all").out


@pytest.mark.usefixtures("on_a_terminal", "plain_terminal")
def test_what_would_be_left_alone_is_counted_once(run: Run, tmp_path: Path) -> None:
    maildir = str(filled(tmp_path / "Mail", [0, 1, 2]))
    told = run("triage", "--maildir", maildir).out
    assert "would leave it alone" not in told
    assert "would be left alone" in told


@pytest.mark.usefixtures("on_a_terminal", "plain_terminal")
def test_the_number_of_a_row_names_its_message_and_mailbox(run: Run, tmp_path: Path) -> None:
    maildir = str(filled(tmp_path / "Mail", [0, 1, 2]))
    card = run("inbox", "--maildir", maildir).out
    second = next(line for line in card.splitlines() if line.startswith("  2 "))
    subject = second.partition(" · ")[2].split("  ")[0]
    assert run("show", "2").out.splitlines()[0] == subject
    assert json.loads(run("why", "2", "--json").out)["subject"] == subject
    told = run("why", "9")
    assert told.code == 2 and "The last list had 3 numbered rows" in told.err


def test_without_a_card_a_number_is_an_id_like_any_other(run: Run, tmp_path: Path) -> None:
    maildir = str(filled(tmp_path / "Mail", [0]))
    assert "No message here has the id '1'" in run("why", "1", "--maildir", maildir).err
    assert run("why", "1").code != 0
