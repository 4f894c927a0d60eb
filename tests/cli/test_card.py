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
        (
            'Ann asks "Can you sign it"; the date passed on 3 May.',
            'The date passed on 3 May. Ann asks "Can you sign it".',
        ),
        (
            'Ann asks "Can you sign it"; no answer for 5 weeks.',
            'No answer for 5 weeks. Ann asks "Can you sign it".',
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
        (
            'Due tonight. Bistro says "Table for four".',
            "Re: Table for four",
            'Due tonight. Bistro says "Table for four".',
        ),
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


def as_kind(maildir: Path, kind: str, folder: Path) -> Path:
    """The messages of a Maildir as an mbox or as `.eml` files."""
    if kind == "maildir":
        return maildir
    messages = [bytes(one) for one in mailbox.Maildir(maildir)]
    target = folder / kind
    if kind == "mbox":
        box = mailbox.mbox(target, create=True)
        for message in messages:
            box.add(message)
        box.close()
        return target
    target.mkdir()
    for number, message in enumerate(messages):
        (target / f"{number}.eml").write_bytes(message)
    return target


@pytest.mark.usefixtures("on_a_terminal", "plain_terminal")
@pytest.mark.parametrize("command", ["why", "show", "summarise", "draft", "correct", "archive", "mark"])
@pytest.mark.parametrize("kind", ["maildir", "mbox", "eml"])
def test_a_row_is_named_with_the_options_of_its_card_too(
    command: str, kind: str, run: Run, tmp_path: Path
) -> None:
    named = (f"--{kind}", str(as_kind(filled(tmp_path / "Mail", [0, 1, 2]), kind, tmp_path)))
    assert run("inbox", *named).code == 0
    more = {"correct": ("--bucket", "urgent"), "mark": ("--as", "starred")}.get(command, ())
    with_number, plain = run(command, "2", *more, *named), run(command, "2", *more)
    assert (with_number.code, with_number.err) == (plain.code, plain.err)
    assert "No message here has the id" not in with_number.err


@pytest.mark.usefixtures("on_a_terminal", "plain_terminal")
def test_a_row_of_another_mailboxes_card_is_refused(run: Run, tmp_path: Path) -> None:
    assert run("inbox", "--maildir", str(filled(tmp_path / "Mail", [0, 1, 2]))).code == 0
    other = str(filled(tmp_path / "Other", [0]))
    told = run("why", "2", "--maildir", other)
    assert told.code == 2 and "another mailbox" in told.err and f"inbox --maildir {other}" in told.err


@pytest.mark.usefixtures("on_a_terminal", "plain_terminal")
def test_a_row_of_the_sample_is_shown_on_the_samples_day(run: Run) -> None:
    run("demo")
    plain, named = run("why", "1", "--json"), run("why", "1", "--demo", "--json")
    assert plain.code == 0 and plain.out == named.out


def test_without_a_card_a_number_is_an_id_like_any_other(run: Run, tmp_path: Path) -> None:
    maildir = str(filled(tmp_path / "Mail", [0]))
    assert "No message here has the id '1'" in run("why", "1", "--maildir", maildir).err
    assert run("why", "1").code != 0


@pytest.mark.usefixtures("on_a_terminal")
def test_the_card_names_the_command_that_archives_all_that_is_over(run: Run, tmp_path: Path) -> None:
    folder = filled(tmp_path / "Mail", [0, 3, 20, 30, 40])
    assert run("connect", "--maildir", str(folder), "--user", "me@example.org").code == 0
    assert "to archive them together" not in run("inbox").out
    assert run("triage", "--apply").code == 0
    (offer,) = [
        item
        for item in json.loads(run("pending", "--json").out)["items"]
        if item["proposal"]["text"] == "archive 3 messages"
    ]
    line = (
        f"3 messages that needed you are over; to archive them together: gaia email approve {offer['id'][:8]}"
    )
    assert line in run("inbox").out
