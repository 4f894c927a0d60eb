"""What an owner's actions teach: which count, how little, and that words, warnings and the switch outrank them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from gaia_email.triage.learn.owner_actions import infer_bucket, owner_actions_in
from gaia_email_registry.contract.wire import Summary
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.lessons import apply_lessons
from gaia_understanding.cascade.model.owner import NOTICED, OwnerLesson, Owners
from gaia_understanding.cascade.verdict import Bucket, Context, Verdict
from gaia_understanding.prepare.model import Prepared
from tests.cascade.conftest import OWNER, MakeMail, make_mail
from tests.cli.printed import Run, document, runner

ME = "me@home.example"
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
TIER = BuiltinTier()
AROUND = Context(owner=frozenset({OWNER}), first_contact=False)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


@pytest.fixture
def mail() -> MakeMail:
    return make_mail


def listed(
    name: str, *labels: str, sender: str = "ann@far.example", thread: str = "", hours: float = 48
) -> Summary:
    return {
        "id": name,
        "account": ME,
        "thread_id": thread or name,
        "message_id": f"<{name}@far.example>",
        "subject": "Turbine",
        "from": {"name": "", "address": sender},
        "to": [],
        "cc": [],
        "date": (NOW - timedelta(hours=hours)).isoformat(),
        "snippet": "",
        "labels": list(labels),
        "flags": [],
        "size": 1000,
        "has_attachments": False,
    }


def actions(*summaries: Summary) -> dict[str, str]:
    return {one.summary["id"]: one.action for one in owner_actions_in(summaries, {ME}, NOW.timestamp())}


def test_the_mailbox_shows_what_was_answered_at_once_starred_read_and_put_away_unread() -> None:
    assert actions(
        listed("asked", "INBOX", thread="t", hours=50),
        listed("mine", "SENT", sender=ME, thread="t", hours=48),
        listed("late", "INBOX", "UNREAD", thread="u", hours=90),
        listed("mine too", "SENT", sender=ME, thread="u", hours=48),
        listed("star", "INBOX", "UNREAD", "STARRED"),
        listed("away", "UNREAD"),
        listed("read", "INBOX"),
    ) == {"asked": "answered", "star": "starred", "away": "archived_unread", "read": "read"}


def test_mail_of_today_of_last_year_drafts_spam_and_bin_show_nothing() -> None:
    assert not actions(
        listed("today", "INBOX", hours=3),
        listed("old", "UNREAD", hours=24 * 60),
        listed("draft", "DRAFT"),
        listed("spam", "SPAM", "UNREAD"),
        listed("bin", "TRASH", "UNREAD"),
        listed("read and filed"),
    )


@pytest.mark.parametrize(
    ("action", "was", "bucket"),
    [
        ("answered", "informational", "actionable"),
        ("starred", "urgent", "urgent"),
        ("archived_unread", "informational", "low_priority"),
        ("archived_unread", "urgent", None),
        ("archived_unread", "low_priority", "low_priority"),
        ("read", "low_priority", "low_priority"),
        ("read", "actionable", "actionable"),
    ],
)
def test_no_deed_makes_mail_urgent_and_none_puts_urgent_mail_away(
    action: Any, was: Bucket, bucket: Bucket | None
) -> None:
    assert infer_bucket(action, was) == bucket


def report(make: MakeMail, number: int) -> Prepared:
    return make(
        f"For your information: the inspection of turbine hall {number} is over, the report is in the folder.",
        subject=f"Turbine inspection {number}",
        sender=f"p{number}@plant{number}.example",
    )


def judged(make: MakeMail, *lessons: OwnerLesson) -> Verdict:
    return apply_lessons(
        TIER.judge(report(make, 9), AROUND), Owners({"me": lessons}).of("me"), "p9@plant9.example"
    )


def lesson(make: MakeMail, number: int, bucket: Bucket, weight: float = NOTICED) -> OwnerLesson:
    seen = TIER.extract_owner_features(report(make, number), AROUND)
    return OwnerLesson(number=number, seen=seen, bucket=bucket, weight=weight)


def test_two_deeds_alike_move_a_message_and_the_reason_says_so_one_alone_does_not(mail: MakeMail) -> None:
    plain = judged(mail)
    assert judged(mail, lesson(mail, 1, "low_priority")) == plain
    moved = judged(mail, *(lesson(mail, number, "low_priority") for number in range(4)))
    assert moved.bucket == "low_priority" != plain.bucket
    assert moved.priority.reason.startswith("Because of what you did with four like it: ")
    assert "like_your_deeds" in {signal.name for signal in moved.priority.signals}


def test_a_word_outweighs_many_deeds(mail: MakeMail) -> None:
    done = [lesson(mail, number, "low_priority") for number in range(4)]
    said = [lesson(mail, number, "actionable", 1.0) for number in (20, 21)]
    assert judged(mail, *done, *said).bucket == "actionable"


def test_deeds_never_make_anything_urgent(mail: MakeMail) -> None:
    assert judged(mail, *(lesson(mail, number, "urgent") for number in range(8))).bucket != "urgent"


@pytest.fixture
def plant(tmp_path: Path) -> tuple[str, ...]:
    """Five reports of which four were put away unread, and a trap that was starred."""
    folder = tmp_path / "Plant"
    for name in ("cur", "new", "tmp", ".Archive/cur", ".Archive/new", ".Archive/tmp"):
        (folder / name).mkdir(parents=True)
    at = format_datetime(datetime.now(UTC) - timedelta(days=2))
    for number in range(5):
        text = (
            f"From: Kim {number} <k{number}@plant{number}.example>\r\nTo: {ME}\r\nSubject: Turbine inspection\r\n"
            f"Date: {at}\r\nMessage-ID: <t{number}@x.example>\r\n\r\n"
            f"For your information: the inspection of turbine hall {number} is over, the report is in the folder.\r\n"
        )
        place = folder / (".Archive/cur" if number else "cur")
        (place / f"{number}.m:2,").write_bytes(text.encode())
    trap = (
        f"From: PayPal Security <alert@paypa1-verify.example>\r\nTo: {ME}\r\nSubject: Your account is limited\r\n"
        f"Date: {at}\r\nMessage-ID: <trap@x.example>\r\n\r\n"
        "Dear customer, your PayPal account is suspended. Verify your password within 24 hours or it is closed:\r\n"
        "http://203.0.113.7/paypal/login\r\n"
    )
    (folder / "cur" / "trap.m:2,F").write_bytes(trap.encode())
    return ("--maildir", str(folder), "--user", ME)


def lessons_of(run: Run) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = document(run, "lessons", "lessons")["lessons"]
    return rows


def bucket_of(run: Run, place: tuple[str, ...], subject: str) -> str:
    found = document(run, "inbox", "inbox", "--all", *place)
    (bucket,) = (name for name, rows in found["buckets"].items() for row in rows if row["subject"] == subject)
    return str(bucket)


def test_what_was_put_away_unread_is_noticed_once_shown_and_can_be_taken_back_for_good(
    run: Run,
    plant: tuple[str, ...],
) -> None:
    before = bucket_of(run, plant, "Turbine inspection")
    assert "4 new lessons" in run("lessons", "notice", *plant).err
    assert {(row["was"], row["bucket"], row["deed"]) for row in lessons_of(run)} == {
        (before, "low_priority", "archived_unread")
    }, "and nothing is drawn from the trap that was starred"
    assert bucket_of(run, plant, "Turbine inspection") == "low_priority"
    assert "you put it away unread" in run("lessons").out
    assert "0 new lessons" in run("lessons", "notice", *plant).err
    run("lessons", "clear", "--yes")
    assert bucket_of(run, plant, "Turbine inspection") == before
    assert "0 new lessons" in run("lessons", "notice", *plant).err, "what was taken back is not learned again"


@pytest.fixture
def read(tmp_path: Path) -> tuple[str, ...]:
    """Eight reports in the inbox, the last three unread; two of one sender."""
    folder = tmp_path / "Read"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    at = format_datetime(datetime.now(UTC) - timedelta(days=2))
    for number in range(8):
        sender = "kim@plant.example" if number < 2 else f"k{number}@plant{number}.example"
        text = (
            f"From: Kim <{sender}>\r\nTo: {ME}\r\nSubject: Turbine inspection {number}\r\n"
            f"Date: {at}\r\nMessage-ID: <t{number}@x.example>\r\n\r\n"
            f"For your information: the inspection of turbine hall {number} is over, the report is in the folder.\r\n"
        )
        (folder / "cur" / f"{number}.m:2,{'S' if number < 5 else ''}").write_bytes(text.encode())
    return ("--maildir", str(folder), "--user", ME)


def ids(run: Run, place: tuple[str, ...]) -> dict[str, str]:
    """Subject → id of the inbox."""
    found = document(run, "inbox", "inbox", "--all", *place)["buckets"]
    return {row["subject"]: row["id"] for rows in found.values() for row in rows}


def test_a_correction_notices_what_was_read_and_left_alone(run: Run, read: tuple[str, ...]) -> None:
    known = ids(run, read)
    assert run("correct", known["Turbine inspection 7"], "--bucket", "actionable", *read).code == 0
    rows = lessons_of(run)
    assert sorted(row["deed"] or "said" for row in rows) == ["read"] * 5 + ["said"]
    assert all(row["was"] == row["bucket"] for row in rows if row["deed"])
    assert run("correct", known["Turbine inspection 6"], "--bucket", "actionable", *read).code == 0
    assert len(lessons_of(run)) == 7, "and each once"


def test_a_correction_reads_nothing_that_is_not_in_the_inbox(run: Run, plant: tuple[str, ...]) -> None:
    assert run("correct", ids(run, plant)["Turbine inspection"], "--bucket", "actionable", *plant).code == 0
    assert [row["deed"] for row in lessons_of(run)] == [None], "what was put away unread waits for a triage"


def test_the_answers_of_teach_notice_it_too(run: Run, read: tuple[str, ...], tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.write_text(f"{ids(run, read)['Turbine inspection 7']} actionable\n", encoding="utf-8")
    assert run("teach", "--answers", str(answers), "--json", *read).code == 0
    assert [row["deed"] for row in lessons_of(run)].count("read") == 5


def test_what_lessons_had_moved_and_was_then_left_alone_teaches_nothing(
    run: Run, read: tuple[str, ...]
) -> None:
    run("policy", "set", "--behaviour", "off")
    known = ids(run, read)
    for number in (6, 7):
        run("correct", known[f"Turbine inspection {number}"], "--bucket", "actionable", *read)
    moved = {
        row["subject"] for row in document(run, "inbox", "inbox", "--all", *read)["buckets"]["actionable"]
    }
    assert {f"Turbine inspection {number}" for number in range(5)} <= moved
    run("policy", "set", "--behaviour", "on")
    assert "0 new lessons" in run("lessons", "notice", *read).err


def test_switched_off_nothing_is_noticed_and_what_was_noticed_counts_no_more(
    run: Run,
    plant: tuple[str, ...],
) -> None:
    before = bucket_of(run, plant, "Turbine inspection")
    run("lessons", "notice", *plant)
    run("policy", "set", "--behaviour", "off")
    assert bucket_of(run, plant, "Turbine inspection") == before
    refused = run("lessons", "notice", *plant)
    assert refused.code == 2
    assert "policy set --behaviour on" in refused.err


def test_deeds_alone_have_nothing_gone_through_again_that_a_triage_has_handled(mail: MakeMail) -> None:
    done = [lesson(mail, number, "low_priority") for number in range(2)]
    said = lesson(mail, 3, "actionable", 1.0)
    assert Owners({"me": done}).version == Owners({}).version
    assert Owners({"me": [*done, said]}).version == Owners({"me": [said]}).version != ""


@pytest.mark.parametrize("label", ["DRAFT", "TRASH", "SPAM"])
def test_what_was_never_exchanged_is_no_answer_and_no_mail(label: str) -> None:
    asked = listed("one", "INBOX", thread="t")
    answer = listed("two", "SENT", label, sender=ME, thread="t", hours=47)
    assert actions(asked, answer) == actions(asked)
    assert actions(listed("three", "INBOX", "STARRED", label)) == {}
