"""What one correction costs: it runs the rules once, and has no other message judged again."""

from __future__ import annotations

import mailbox
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from gaia_understanding.cascade import judging
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.model import Prepared
from tests.cli.printed import Run, document

BODIES = (
    "Could you send me the plan by Friday?",
    "Here are the minutes of the meeting.",
    "The canteen opens at noon again.",
    "For your information: the report of the inspection is in the folder.",
)


@pytest.fixture(name="mail")
def connected(run: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "Mail"
    made = mailbox.Maildir(folder, create=True)
    for number in range(12):
        made.add(
            f"From: Ann {number} <ann{number}@example{number % 3}.com>\nTo: me@example.org\nSubject: Plan {number}\n"
            f"Date: Mon, {2 + number} Mar 2026 10:00:00 +0000\nMessage-ID: <{number}@example.com>\n\n"
            f"{BODIES[number % len(BODIES)]}\n"
        )
    assert run("connect", "--maildir", str(folder), "--user", "me@example.org").code == 0
    return folder


@pytest.fixture(name="found")
def count_findings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subjects of the messages that the rules run over, as that happens."""
    subjects: list[str] = []
    real = judging.finding

    def finding(
        prepared: Prepared, context: Context, trusted: frozenset[str], left_out: tuple[str, ...] = ()
    ) -> Any:
        subjects.append(prepared.message.subject)
        return real(prepared, context, trusted, left_out)

    monkeypatch.setattr(judging, "finding", finding)
    return subjects


def rows(run: Run) -> dict[str, dict[str, Any]]:
    buckets = document(run, "inbox", "inbox")["buckets"]
    return {
        row["id"]: {
            "bucket": name,
            "subject": row["subject"],
            "reason": row["reason"],
            "confidence": row["confidence"],
            "score": row["priority"],
        }
        for name, some in buckets.items()
        for row in some
    }


@pytest.mark.usefixtures("mail")
def test_a_correction_runs_the_rules_once_and_no_other_message_is_judged_again(
    run: Run, found: list[str]
) -> None:
    before = rows(run)
    assert sorted(found) == sorted(row["subject"] for row in before.values())
    chosen = next(key for key, row in before.items() if row["bucket"] != "urgent")
    found.clear()
    assert run("correct", chosen, "--bucket", "urgent").code == 0
    assert found == [before[chosen]["subject"]]
    found.clear()
    after = rows(run)
    assert run("inbox").code == 0
    assert found == []
    assert after[chosen]["bucket"] == "urgent"
    assert run("correct", chosen, "--retract").code == 0
    assert rows(run) == before
    assert found == []


def test_what_was_read_and_left_alone_is_noticed_without_judging_it_again(
    run: Run, tmp_path: Path, found: list[str]
) -> None:
    folder = tmp_path / "Read"
    made = mailbox.Maildir(folder, create=True)
    at = format_datetime(datetime.now(UTC) - timedelta(days=2))
    for number in range(6):
        message = mailbox.MaildirMessage(
            f"From: Ann {number} <ann{number}@example.com>\nTo: me@example.org\nSubject: Plan {number}\n"
            f"Date: {at}\nMessage-ID: <{number}@example.com>\n\n{BODIES[number % len(BODIES)]}\n"
        )
        message.set_subdir("cur")
        message.set_flags("S")
        made.add(message)
    assert run("connect", "--maildir", str(folder), "--user", "me@example.org").code == 0
    chosen = next(iter(rows(run)))
    found.clear()
    assert run("correct", chosen, "--bucket", "urgent").code == 0
    assert len(found) == 1
    actions = [row["deed"] for row in document(run, "lessons", "lessons")["lessons"]]
    assert sorted(action or "" for action in actions) == ["", *["read"] * 5]


@pytest.mark.usefixtures("mail")
def test_lessons_on_kept_verdicts_say_what_they_say_where_all_mail_is_judged(
    run: Run, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(run)
    for key in [key for key, row in before.items() if "folder" in row["reason"]][:2]:
        assert run("correct", key, "--bucket", "actionable").code == 0
    found.clear()
    kept = rows(run)
    assert found == []

    def another(*, packages: tuple[str, ...] = ()) -> str:
        return "another build, which judges all"

    for who in ("triage.verdict_rows", "app.services.inbox_rows"):
        monkeypatch.setattr(f"gaia_email.{who}.fingerprint", another)
    assert rows(run) == kept
    assert len(found) == len(kept)
    moved = [row for key, row in kept.items() if row["bucket"] != before[key]["bucket"]]
    assert any(row["reason"].startswith("Because you corrected") for row in moved)


def test_seeing_a_message_for_lessons_runs_the_rules_once(found: list[str]) -> None:
    from gaia_understanding.cascade.understand import decode
    from gaia_understanding.prepare.pipeline import prepare

    raw = b"From: a@example.com\nTo: me@example.org\nSubject: Plan\n\nCould you send me the plan by Friday?\n"
    BuiltinTier().extract_owner_features(prepare(decode(raw)), Context())
    assert found == ["Plan"]
