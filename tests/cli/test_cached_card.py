"""The card of the inbox is kept while nothing that decides it changes, and is the one that a fresh look would give."""

from __future__ import annotations

import ast
import json
import mailbox
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import time

import pytest

from gaia_email.app import App
from gaia_email.documents.card import Card, aged, card_of
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.services import inbox_card
from gaia_email.services.inbox_card import ROWS, read_card
from gaia_email.services.reading import read_inboxes
from gaia_email.services.rules import current_rules
from gaia_email.services.source import SourceSpec
from gaia_email.triage import inbox, verdict_cache
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
    """A Maildir that is connected, and how often its messages were listed."""

    folder: Path
    run: Run
    listed: int = 0
    written: int = 0

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

    def kept(self, *, since: float | None = None, again: bool = False, whole: bool = False) -> Card:
        rules = replace(current_rules(App())[0], again=again)
        return read_card(App(), [self.source], rules=rules, since=since, whole=whole)[0]

    def fresh(self, *, since: float | None = None, again: bool = False, whole: bool = False) -> Card:
        rules = replace(current_rules(App())[0], again=again)
        inbox = read_inboxes(App(), [self.source], rules=rules, since=since)[0]
        return card_of(inbox, most=None if whole else ROWS)

    def is_as_kept(self) -> bool:
        """Whether the card is had without listing the mailbox."""
        before = self.listed
        self.kept()
        return self.listed == before


@pytest.fixture
def mail(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mail:
    folder = tmp_path / "Mail"
    made = Mail(folder=folder, run=run)
    mailbox.Maildir(folder, create=True)
    for _ in range(12):
        made.add()
    assert run("connect", "--maildir", str(folder), "--user", "me@example.org").code == 0
    listing = MailCopy.inbox

    def counted(copy: MailCopy) -> list[Summary]:
        made.listed += 1
        return listing(copy)

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
    assert first.total == 12 and mail.listed
    assert mail.is_as_kept()
    assert same(mail.kept(), first) and same(first, mail.fresh())


def test_a_card_with_every_row_is_kept_beside_the_one_with_the_first(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox.Maildir(mail.folder).add(
        "From: Bob <bob@example.net>\nTo: me@example.org\nSubject: Old\nDate: Mon, 6 Jan 2025 10:00:00 +0000\n\nHi.\n"
    )
    mail.kept()
    first = mail.kept(whole=True)
    assert first.rows == 13 > mail.kept().rows
    before = mail.listed
    assert same(mail.kept(whole=True), first) and mail.listed == before
    assert same(first, mail.fresh(whole=True)) and same(mail.kept(), mail.fresh())
    mail.add()
    assert same(mail.kept(whole=True), mail.fresh(whole=True))
    monkeypatch.setattr(inbox_card, "MOST_ROWS", 13)
    mail.add()
    for _ in range(2):
        before = mail.listed
        assert mail.kept(whole=True).rows == 15
        assert mail.listed > before


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
def test_whatever_decides_the_card_makes_it_anew(mail: Mail, change: Callable[[Mail], None]) -> None:
    mail.kept()
    assert mail.is_as_kept()
    change(mail)
    assert not mail.is_as_kept()
    assert same(mail.kept(), mail.fresh())


@pytest.mark.parametrize("seed", range(3))
def test_after_any_days_work_the_kept_card_is_the_fresh_one(mail: Mail, seed: int) -> None:
    chance = random.Random(seed)
    for change in chance.choices([*CHANGES.values(), _told("resume")], k=8):
        change(mail)
        first = mail.kept()
        again = mail.kept()
        fresh = mail.fresh()
        assert same(first, fresh) and same(again, fresh), change


def test_it_is_made_anew_for_other_settings_of_the_program(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail.kept()
    monkeypatch.setenv("GAIA_AUTHSERV_IDS", "mx.example.org")
    assert not mail.is_as_kept()
    assert mail.is_as_kept()
    monkeypatch.setattr(inbox_card, "fingerprint", another_build)
    assert not mail.is_as_kept()


def test_what_was_taken_back_counts_again_where_that_is_asked(mail: Mail) -> None:
    _apply_and_undo(mail)
    for again in (False, True, False):
        assert same(mail.kept(again=again), mail.fresh(again=again))


def test_a_later_day_keeps_the_card_and_its_rows_grow_older(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = mail.kept()
    tomorrow = time() + 86_400
    monkeypatch.setattr(inbox_card, "time", lambda: tomorrow)
    assert mail.is_as_kept()
    assert same(mail.kept(), aged(card, 86_400))


def test_a_travel_that_ends_by_the_clock_makes_it_anew(mail: Mail, monkeypatch: pytest.MonkeyPatch) -> None:
    _told("travel-mode", "--until", "2099-01-01")(mail)
    mail.kept()
    monkeypatch.setattr(inbox_card, "time", lambda: 5e9)
    assert not mail.is_as_kept()


def test_no_card_is_kept_by_a_clock_that_mail_is_ahead_of(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_card, "time", lambda: 1_600_000_000.0)
    mail.kept()
    assert not mail.is_as_kept()


def test_a_clock_that_was_set_back_makes_it_anew(mail: Mail, monkeypatch: pytest.MonkeyPatch) -> None:
    mail.kept()
    earlier = time() - 86_400
    monkeypatch.setattr(inbox_card, "time", lambda: earlier)
    assert not mail.is_as_kept()


def test_mail_since_a_time_is_kept_while_the_time_passes_no_message(mail: Mail) -> None:
    march_10 = 1_773_100_800.0
    first = mail.kept(since=march_10)
    assert 0 < first.total < 12 and same(first, mail.fresh(since=march_10))
    before = mail.listed
    assert same(mail.kept(since=march_10 + 60), first) and mail.listed == before
    later = mail.kept(since=march_10 + 2 * 86_400)
    assert later.total < first.total and same(later, mail.fresh(since=march_10 + 2 * 86_400))
    assert mail.kept().total == 12


def test_of_two_mailboxes_a_change_in_either_counts(mail: Mail, tmp_path: Path, run: Run) -> None:
    other = Mail(folder=tmp_path / "Other", run=run)
    mailbox.Maildir(other.folder, create=True)
    other.add()
    assert run("connect", "--maildir", str(other.folder), "--user", "me@example.org").code == 0

    def both(sources: Sequence[SourceSpec]) -> tuple[Card, Card]:
        rules = current_rules(App())[0]
        card, whose = read_card(App(), sources, rules=rules)
        rows = [row for section in card.sections.values() for row in section.rows]
        assert {whose[row.account] for row in rows} == set(sources)
        return card, card_of(read_inboxes(App(), sources, rules=rules)[0], most=ROWS)

    sources = [mail.source, other.source]
    for change in (lambda: None, lambda: None, other.add, mail.add, lambda: None):
        change()
        card, fresh = both(sources)
        assert card.is_merged and same(card, fresh)
    before = mail.listed
    read_card(App(), sources, rules=current_rules(App())[0])
    assert mail.listed == before


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
    before = mail.listed
    indexed: list[MailIndex] = []
    real = MailIndex.refresh

    def refresh(self: MailIndex, tell: Teller | None = None) -> bool:
        indexed.append(self)
        return real(self, tell)

    monkeypatch.setattr(MailIndex, "refresh", refresh)
    shown = [json.loads(mail.run(view, first, "--json").out) for view in ("show", "why")]
    assert (mail.listed, indexed) == (before, [])
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
    assert "gaia_email.services.inbox_card" in light
    assert not (JUDGING | {"gaia_email.sample.mailbox", "mcp", "fastmcp", "httpx2"}) & light


JUDGING = {"gaia_email.triage.inbox", "gaia_email.cascade.judging", "gaia_email.prepare.pipeline"}


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
    monkeypatch.setattr(verdict_cache, "fingerprint", lambda: "another build".ljust(32))
    monkeypatch.setattr(inbox_card, "fingerprint", another_build)
    told = "10 older messages stand as another version sorted them; gaia email retriage sorts them again."
    assert told in mail.run("inbox").err
    assert told.replace("10", "8") in mail.run("triage").err
    mail.kept()
    assert not mail.is_as_kept()
    assert "all 13 messages in the inbox of" in mail.run("retriage").err
    assert "another version" not in mail.run("inbox").err
    mail.kept()
    assert mail.is_as_kept()
