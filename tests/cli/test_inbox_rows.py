"""The inbox by its rows is the one that sorting all mail gives, and what has not changed is not looked at again."""

from __future__ import annotations

import ast
import json
import mailbox
import os
import random
import subprocess
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from time import time

import pytest

from gaia_email.app import App
from gaia_email.app.documents.card import Card, card_of
from gaia_email.app.documents.listing import InboxListing, InboxPart
from gaia_email.app.services import inbox_rows
from gaia_email.app.services.inbox_rows import InboxRequest, list_inbox
from gaia_email.app.services.reading import read_inbox
from gaia_email.app.services.rules import current_rules
from gaia_email.app.services.source import SourceSpec
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.triage import inbox, verdict_rows
from gaia_email.triage.merging import merge_inboxes
from gaia_email_registry.contract.wire import Summary
from gaia_local_mcp.index import MailIndex
from gaia_mail_mcp.progress import Teller
from tests.cli.printed import Run

WORDS = (
    ("Roof", "Could you send me the plan by Friday?"),
    ("Your account", "Your password expires today. Verify your account at http://login.example.test now."),
    ("Weekly news", "Ten offers for you. Unsubscribe at any time."),
    ("Minutes", "Here are the minutes of the meeting."),
    ("URGENT server down", "The production database is down, please call me immediately."),
)


@pytest.fixture
def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_email.interfaces.cli.output.is_terminal", lambda: True)


@dataclass
class Mail:
    """A Maildir that is connected, and the threads that were looked at, each time."""

    folder: Path
    run: Run
    looks: list[Collection[str] | None] = field(default_factory=list[Collection[str] | None])
    written: int = 0
    clock: Callable[[], float] = time

    def add(self) -> None:
        number = self.written
        self.written += 1
        subject, text = WORDS[number % len(WORDS)]
        of_list = (
            "List-Unsubscribe: <https://news.example.com/off>\nPrecedence: bulk\n"
            if subject == "Weekly news"
            else ""
        )
        mailbox.Maildir(self.folder).add(
            f"From: Ann {number} <ann{number % 4}@example{number % 3}.com>\nTo: me@example.org\nSubject: {subject}\n"
            f"{of_list}Date: Mon, {2 + number % 20} Mar 2026 10:00:00 +0000\n"
            f"Message-ID: <{number}@example.com>\n\n{text}\n"
        )

    @property
    def source(self) -> SourceSpec:
        return SourceSpec(kind="maildir", path=str(self.folder), user=())

    @property
    def first(self) -> str:
        """The id of a message that the card shows."""
        return next(section.rows[0].message_id for section in self.fresh().sections.values() if section.rows)

    def listing(
        self, *, since: float | None = None, again: bool = False, older_stand: bool = False
    ) -> InboxListing:
        rules = replace(current_rules(App())[0], again=again)
        request = InboxRequest(
            rules=rules, now=self.clock(), since=since, older_stand=older_stand, only_recent=older_stand
        )
        return list_inbox(App(), [self.source], request)[0]

    def kept(self, *, since: float | None = None, again: bool = False, whole: bool = False) -> Card:
        listing = self.listing(since=since, again=again, older_stand=not whole)
        return card_of(listing, now=self.clock(), most=None if whole else 10)

    def made_anew(self, *, since: float | None = None, again: bool = False) -> InboxListing:
        rules, looks = replace(current_rules(App())[0], again=again), list(self.looks)
        inbox = read_inbox(App(), self.source, rules=rules, since=since, now=self.clock())
        self.looks[:] = looks
        return InboxListing.of([InboxPart.of(inbox)])

    def fresh(self, *, since: float | None = None, again: bool = False, whole: bool = False) -> Card:
        made = self.made_anew(since=since, again=again)
        return card_of(made, now=self.clock(), most=None if whole else 10)

    def is_right(self) -> bool:
        """Whether rows and a fresh look say the same, as a card and as a document."""
        kept, fresh, now = self.listing(), self.made_anew(), self.clock()
        return (
            same(card_of(kept, now=now, most=None), card_of(fresh, now=now, most=None))
            and kept.documents(now=now, with_plan=True) == fresh.documents(now=now, with_plan=True)
            and kept.documents(now=now, limit=2) == fresh.documents(now=now, limit=2)
        )

    def looked_at(self) -> int | None:
        """How many threads another look looks at; None where that is all of them."""
        self.looks.clear()
        self.kept()
        looks = list(self.looks)
        return 0 if not looks else None if looks[0] is None else len(looks[0])

    def is_as_kept(self) -> bool:
        """Whether the card is had without looking at any mail."""
        return self.looked_at() == 0


@pytest.fixture
def mail(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mail:
    folder = tmp_path / "Mail"
    made = Mail(folder=folder, run=run)
    mailbox.Maildir(folder, create=True)
    for _ in range(12):
        made.add()
    assert run("connect", "--maildir", str(folder), "--user", "me@example.org").code == 0
    inbox = MailCopy.inbox

    def counted(copy: MailCopy, threads: Collection[str] | None = None) -> list[Summary]:
        made.looks.append(threads)
        return inbox(copy, threads)

    monkeypatch.setattr(MailCopy, "inbox", counted)
    return made


def another_build(*, packages: tuple[str, ...]) -> str:
    return f"another build of {packages}"


def same(one: Card, other: Card) -> bool:
    """But for the seconds between them."""
    return _ageless(one) == _ageless(other) and all(
        abs((a.age_s or 0) - (b.age_s or 0)) < 60
        for name in one.sections
        for a, b in zip(one.sections[name].rows, other.sections[name].rows, strict=True)
    )


def _ageless(card: Card) -> Card:
    sections = {
        name: replace(section, rows=tuple(replace(row, age_s=None) for row in section.rows))
        for name, section in card.sections.items()
    }
    return replace(card, sections=sections)


def test_a_second_look_lists_nothing_and_says_the_same(mail: Mail) -> None:
    first = mail.kept()
    assert first.total == 12 and mail.looks
    assert mail.is_as_kept()
    assert same(mail.kept(), first) and same(first, mail.fresh())


def test_a_card_with_every_row_has_old_mail_too(mail: Mail) -> None:
    mailbox.Maildir(mail.folder).add(
        "From: Bob <bob@example.net>\nTo: me@example.org\nSubject: Old\nDate: Mon, 6 Jan 2025 10:00:00 +0000\n\nHi.\n"
    )
    first = mail.kept(whole=True)
    assert first.rows == 13 > mail.kept().rows
    assert mail.kept().threads == 13
    assert same(first, mail.fresh(whole=True)) and same(mail.kept(), mail.fresh())


def _correct(mail: Mail) -> None:
    assert mail.run("correct", mail.first, "--bucket", "low_priority").code == 0


def _told(*arguments: str) -> Callable[[Mail], None]:
    def tell(mail: Mail) -> None:
        told = mail.run(*arguments)
        assert told.code == 0, told.err

    return tell


def _file(number: int, mail: Mail) -> tuple[str, mailbox.MaildirMessage]:
    box = mailbox.Maildir(mail.folder)
    keys = sorted(box.keys())
    key = keys[number % len(keys)]
    return key, box[key]


def _delete(mail: Mail) -> None:
    key, _ = _file(3, mail)
    mailbox.Maildir(mail.folder).remove(key)


def _file_away(mail: Mail) -> None:
    box = mailbox.Maildir(mail.folder)
    key, message = _file(5, mail)
    other = mailbox.Maildir(mail.folder).add_folder("Trash")
    other.add(message)
    box.remove(key)


def _forget_correction(mail: Mail) -> None:
    identifier = mail.first
    assert mail.run("correct", identifier, "--bucket", "low_priority").code == 0
    mail.kept()
    assert mail.run("correct", identifier, "--retract").code == 0


def _apply(mail: Mail) -> None:
    assert mail.run("triage", "--apply", "--yes").code == 0


def _apply_and_undo(mail: Mail) -> None:
    _apply(mail)
    mail.kept()
    told = mail.run("undo")
    assert told.code == 0, told.err


CHANGES: dict[str, Callable[[Mail], None]] = {
    "new mail": Mail.add,
    "mail deleted": _delete,
    "mail filed elsewhere": _file_away,
    "a correction": _correct,
    "a correction taken back": _forget_correction,
    "a VIP": _told("vip", "add", "ann1@example1.com"),
    "a protected sender": _told("protect", "add", "--sender", "ann2@example2.com"),
    "a level": _told("policy", "set", "--cohort", "default", "--level", "0", "--yes"),
    "an alias": _told("accounts", "--alias", "other@example.org"),
    "quiet hours": _told("policy", "quiet-hours", "22:00", "07:00", "--zone", "Asia/Tokyo"),
    "stop": _told("stop"),
    "pause": _told("pause"),
    "travel": _told("travel-mode", "--until", "2099-01-01"),
    "a triage": _apply,
    "a triage taken back": _apply_and_undo,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_decides_what_is_listed_shows_at_once(mail: Mail, change: Callable[[Mail], None]) -> None:
    mail.kept()
    assert mail.is_as_kept()
    change(mail)
    assert mail.is_right()
    assert mail.is_as_kept()


@pytest.mark.parametrize("seed", range(3))
def test_after_any_days_work_the_rows_are_right(mail: Mail, seed: int) -> None:
    chance = random.Random(seed)
    for change in chance.choices([*CHANGES.values(), _told("resume")], k=8):
        change(mail)
        assert mail.is_right(), change
        assert mail.is_right(), change


def test_it_is_made_anew_for_other_settings_of_the_program(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail.kept()
    monkeypatch.setenv("GAIA_AUTHSERV_IDS", "mx.example.org")
    assert not mail.is_as_kept()
    assert mail.is_as_kept()
    monkeypatch.setattr(inbox_rows, "fingerprint", another_build)
    assert not mail.is_as_kept()


def test_what_was_taken_back_counts_again_where_that_is_asked(mail: Mail) -> None:
    _apply_and_undo(mail)
    for again in (False, True, False):
        assert same(mail.kept(again=again), mail.fresh(again=again))


def test_a_thread_moves_down_at_the_moment_it_has_waited_too_long(mail: Mail) -> None:
    """As the rows say it: each look after the first reads only what has come, and what time has moved."""

    def put(subject: str, text: str, date: str) -> None:
        mailbox.Maildir(mail.folder).add(
            f"From: Eve <eve@example.com>\nTo: me@example.org\nSubject: {subject}\nDate: {date}\n"
            f"Message-ID: <{subject}@example.com>\n\n{text}\n"
        )

    def needs_owner() -> list[tuple[str, bool]]:
        rows = mail.listing().documents(now=mail.clock(), with_plan=False)["actionable"]
        ours = [row for row in rows if row["from"]["address"] == "eve@example.com"]
        return [(row["subject"], "waited since" in row["reason"]) for row in ours]

    put("Key", "Could you please send me the key?", "Sun, 1 Mar 2026 09:00:00 +0000")
    put("Lamp", "Could you please send me the lamp?", "Mon, 2 Mar 2026 09:00:00 +0000")
    put("Door", "The door is shut.", "Sun, 15 Mar 2026 09:00:00 +0000")
    assert sorted(needs_owner()) == [("Key", False), ("Lamp", False)]
    put("Gate", "The gate is shut.", "Sun, 15 Mar 2026 09:00:01 +0000")
    assert needs_owner() == [("Lamp", False), ("Key", True)]
    assert mail.is_right()


def test_a_later_day_keeps_the_rows_which_grow_older(mail: Mail) -> None:
    card = mail.kept()
    tomorrow = time() + 86_400
    mail.clock = lambda: tomorrow
    assert mail.is_as_kept()
    ages = [[row.age_s or 0.0 for row in section.rows] for section in card.sections.values()]
    later = [[row.age_s or 0.0 for row in section.rows] for section in mail.kept().sections.values()]
    assert [[age + 86_400 for age in some] for some in ages] == [
        [pytest.approx(age, abs=60) for age in some] for some in later
    ]
    assert mail.is_right()


@pytest.mark.parametrize("at", [5e9, 1_600_000_000.0, 1_773_100_800.0])
def test_by_whatever_clock_the_rows_are_right(mail: Mail, at: float) -> None:
    _told("travel-mode", "--until", "2099-01-01")(mail)
    mail.kept()
    mail.clock = lambda: at
    assert mail.is_right()
    mail.clock = time
    assert mail.is_right()


@pytest.mark.parametrize("days", [0.5, 1.5, 8, 200])
def test_newer_mail_has_looked_at_what_time_takes_something_from(mail: Mail, days: float) -> None:
    mail.kept()
    at = datetime(2026, 3, 13, 10, tzinfo=UTC) + timedelta(days=days)
    mailbox.Maildir(mail.folder).add(
        f"From: Bob <bob@example.net>\nTo: me@example.org\nSubject: News\nDate: {format_datetime(at)}\n\nHi.\n"
    )
    assert mail.is_right()
    assert mail.is_as_kept()


def test_one_new_message_has_its_own_thread_looked_at(mail: Mail) -> None:
    mail.kept()
    mailbox.Maildir(mail.folder).add(
        "From: Bob <bob@example.net>\nTo: me@example.org\nSubject: News\nDate: Mon, 9 Mar 2026 09:00:00 +0000\n\nHi.\n"
    )
    assert mail.looked_at() == 1
    assert mail.is_as_kept()


def test_one_correction_has_its_own_thread_looked_at(mail: Mail) -> None:
    first = mail.first
    mail.kept()
    assert mail.run("correct", first, "--bucket", "low_priority").code == 0
    assert mail.looked_at() == 1
    assert mail.is_as_kept()


def test_mail_since_a_time_is_as_where_all_is_sorted(mail: Mail) -> None:
    mailbox.Maildir(mail.folder).add(
        "From: Ann <ann1@example1.com>\nTo: me@example.org\nSubject: Re: Roof\nIn-Reply-To: <0@example.com>\n"
        "References: <0@example.com>\nDate: Mon, 23 Mar 2026 10:00:00 +0000\nMessage-ID: <99@example.com>\n\nWell?\n"
    )
    march_10 = 1_773_100_800.0
    assert mail.kept().total == 13
    for since in (march_10, march_10 + 60, march_10 + 2 * 86_400, 0.0, 9e9):
        assert same(mail.kept(since=since), mail.fresh(since=since))
    assert 0 < mail.kept(since=march_10).total < 13


def test_a_message_in_two_mailboxes_is_one_row(mail: Mail, tmp_path: Path, run: Run) -> None:
    other = Mail(folder=tmp_path / "Other", run=run)
    mailbox.Maildir(other.folder, create=True)
    other.add()
    assert run("connect", "--maildir", str(other.folder), "--user", "me@example.org").code == 0
    sources = [mail.source, other.source]
    for change in (lambda: None, lambda: None, other.add, mail.add, lambda: None):
        change()
        now, rules = time(), current_rules(App())[0]
        listing, whose = list_inbox(App(), sources, InboxRequest(rules=rules, now=now))
        card = card_of(listing, now=now, most=None)
        rows = [row for section in card.sections.values() for row in section.rows]
        assert {whose[row.account] for row in rows} <= set(sources)
        together = merge_inboxes([read_inbox(App(), source, rules=rules, now=now) for source in sources])
        every = [item for items in together.buckets.values() for item in items]
        assert {(row.message_id, row.also_in) for row in rows} == {
            (item.summary["id"], item.also_in) for item in every
        }
        assert (card.total, card.threads, card.unsure, card.account) == (
            together.total,
            together.threads,
            together.unsure,
            together.account,
        )
        assert any(row.also_in for row in rows)
        assert any(one["also_in"] for some in listing.documents(now=now).values() for one in some)


def test_nothing_of_a_card_outlives_the_copy_of_the_mail(mail: Mail) -> None:
    mail.kept()
    assert mail.run("purge", "--mail", "--yes", "--really").code == 0
    assert not mail.is_as_kept()


def test_a_message_is_looked_up_without_listing_or_indexing_the_mailbox(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = mailbox.Maildir(mail.folder)
    answer.add(
        "From: Ann <ann1@example1.com>\nTo: me@example.org\nSubject: Re: Roof\nIn-Reply-To: <0@example.com>\n"
        "References: <0@example.com>\nDate: Mon, 23 Mar 2026 10:00:00 +0000\nMessage-ID: <99@example.com>\n\nWell?\n"
    )
    for path in (mail.folder / "new", mail.folder / "cur"):
        os.utime(path, (1_000_000, 1_000_000))
    mail.kept()
    first = mail.first
    mail.looks.clear()
    indexed: list[MailIndex] = []
    real = MailIndex.refresh

    def refresh(self: MailIndex, tell: Teller | None = None) -> bool:
        indexed.append(self)
        return real(self, tell)

    monkeypatch.setattr(MailIndex, "refresh", refresh)
    shown = [json.loads(mail.run(view, first, "--json").out) for view in ("show", "why")]
    assert (mail.looks, indexed) == ([], [])
    listed = json.loads(mail.run("inbox", "--json").out)["buckets"].values()
    (thread,) = {row["thread_id"] for rows in listed for row in rows if row["id"] == first}
    assert [one["thread_id"] for one in shown] == [thread, thread]


AT_A_TERMINAL = """
import sys
from gaia_email.interfaces.cli import main, output

output.is_terminal = lambda: True
sys.argv[1:] = ["email", "inbox"]
try:
    main()
finally:
    print(sorted(sys.modules), file=sys.stderr)
"""


def test_a_kept_card_is_printed_without_anything_that_judges_mail(mail: Mail) -> None:
    def imported() -> set[str]:
        ran = subprocess.run(
            [sys.executable, "-c", AT_A_TERMINAL], capture_output=True, text=True, check=True
        )
        return set(ast.literal_eval(ran.stderr.splitlines()[-1]))

    assert imported() >= JUDGING
    light = imported()
    assert "gaia_email.app.services.inbox_rows" in light
    assert not (JUDGING | {"gaia_email.app.sample.mailbox", "mcp", "fastmcp", "httpx2"}) & light


JUDGING = {
    "gaia_email.triage.inbox",
    "gaia_understanding.cascade.judging",
    "gaia_understanding.prepare.pipeline",
}


@pytest.mark.usefixtures("on_a_terminal")
def test_a_card_with_verdicts_of_another_version_says_so_until_all_is_sorted_again(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox.Maildir(mail.folder).add(
        "From: Ann <ann1@example1.com>\nTo: me@example.org\nSubject: Now\n"
        "Date: Mon, 22 Jun 2026 10:00:00 +0000\n\nHi.\n"
    )
    mail.run("inbox")
    monkeypatch.setattr(inbox, "CAUGHT_UP", 2)
    monkeypatch.setattr(verdict_rows, "fingerprint", lambda: "another build")
    monkeypatch.setattr(inbox_rows, "fingerprint", another_build)
    told = "10 older messages stand as another version sorted them; gaia email retriage sorts them again."
    assert told in mail.run("inbox").err
    assert told.replace("10", "8") in mail.run("triage").err
    mail.kept()
    assert not mail.is_as_kept()
    assert "all 13 messages in the inbox of" in mail.run("retriage").err
    assert "another version" not in mail.run("inbox").err
    mail.kept()
    assert mail.is_as_kept()
