"""Mail whose day has passed: bucket, number and reason agree on the card, in JSON, and in `why`."""

from __future__ import annotations

import json
import time
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from gaia_email.interfaces.cli import output
from gaia_understanding.cascade.bands import BANDS, bucket_at
from tests.cli.printed import Run

OWNER = "robin@home.example"
MAILS = (
    ("Mon, 02 Mar 2026 09:00:00 +0000", "Lease", "Could you send me the signed lease by tonight?"),
    ("Wed, 04 Mar 2026 10:00:00 +0000", "Key", "Could you send me the key by tonight?"),
    ("Mon, 09 Feb 2026 09:00:00 +0000", "Cellar", "The cellar is flooding, please come right away!"),
    ("Mon, 07 Apr 2025 09:00:00 +0000", "Ladder", "Could you return the ladder? I need it by 11 April."),
    ("Wed, 04 Mar 2026 11:00:00 +0000", "Roof", "The roof is dry again."),
)


@pytest.fixture
def old(tmp_path: Path) -> tuple[str, str, str, str]:
    folder = tmp_path / "mail"
    folder.mkdir()
    for number, (date, subject, text) in enumerate(MAILS):
        made = EmailMessage()
        made["From"] = "Dana Reyes <dana@friends.example>"
        made["To"] = OWNER
        made["Date"] = date
        made["Subject"] = subject
        made["Message-ID"] = f"<{number}@friends.example>"
        made.set_content(text)
        (folder / f"{number}.eml").write_bytes(bytes(made))
    return ("--eml", str(folder), "--user", OWNER)


def letter(folder: str, name: str, days_ago: float, text: str) -> None:
    """Write a message of so many days before 20 March 2026, 9:00, to the user."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = f"Dana {name} <{name.lower()}@friends.example>", OWNER, name
    made["Date"] = formatdate(1_773_997_200 - days_ago * 86_400)
    made["Message-ID"] = f"<{name}@friends.example>"
    made.set_content(text)
    (Path(folder) / f"{name}.eml").write_bytes(bytes(made))


def rows(run: Run, source: tuple[str, ...]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("inbox", *source, "--jsonl").out.splitlines()]


def test_only_what_is_due_by_the_mailbox_s_clock_is_urgent(run: Run, old: tuple[str, ...]) -> None:
    found = {row["subject"]: (row["bucket"], row["reason"]) for row in rows(run, old)}
    assert found == {
        "Key": ("urgent", 'Dana asks "Could you send me the key by tonight".'),
        "Lease": (
            "actionable",
            'Dana asks "Could you send me the signed lease by tonight"; the date passed on 2 March.',
        ),
        "Cellar": (
            "actionable",
            'Dana asks "The cellar is flooding, please come right away"; it has waited since 9 February.',
        ),
        "Ladder": (
            "informational",
            'Dana asks "Could you return the ladder"; the date passed on 11 April 2025.',
        ),
        "Roof": ("informational", 'Dana writes "The roof is dry again".'),
    }


def test_numbers_and_buckets_give_the_same_order(run: Run, old: tuple[str, ...]) -> None:
    found = rows(run, old)
    assert [row["priority"] for row in found] == sorted((row["priority"] for row in found), reverse=True)
    for row in found:
        low, high = BANDS[row["bucket"]]
        assert low <= row["priority"] <= high
        assert bucket_at(row["priority"]) == row["bucket"]


def test_what_is_over_moves_below_everything_else_that_needs_the_user(run: Run, tmp_path: Path) -> None:
    letter(
        str(tmp_path), "Passed", 4, "Could you please send me the signed lease by tonight? It is important!!"
    )
    letter(str(tmp_path), "Waited", 15, "Could you please call me back? I really need your answer!")
    letter(str(tmp_path), "Recent", 13, "Could you lend me the ladder some time?")
    letter(str(tmp_path), "Ahead", 15, "Could you send me the plan by 30 April 2026?")
    letter(str(tmp_path), "Roof", 0, "The roof is dry again.")
    source = ("--eml", str(tmp_path), "--user", OWNER)
    found = [row for row in rows(run, source) if row["bucket"] == "actionable"]
    assert {row["subject"] for row in found[:2]} == {"Recent", "Ahead"}
    assert {row["subject"] for row in found[2:]} == {"Passed", "Waited"}
    said = {row["subject"]: row["reason"] for row in found}
    assert said["Passed"].endswith("; the date passed on 16 March.")
    assert said["Waited"].endswith("; it has waited since 5 March.")
    assert not any("passed" in said[name] or "waited" in said[name] for name in ("Recent", "Ahead"))


def test_why_says_what_the_inbox_says(run: Run, old: tuple[str, ...]) -> None:
    for row in rows(run, old):
        why = json.loads(run("why", row["id"], *old, "--json").out)
        assert (why["bucket"], why["priority"]["score"]) == (row["bucket"], row["priority"])
        assert why["priority"]["reason"] == row["reason"]
        assert why["confidence"] == row["confidence"] <= 0.99


@pytest.mark.usefixtures("plain_terminal")
def test_the_card_and_the_page_why_show_the_number_and_state_no_certainty(
    run: Run, old: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    card = run("inbox", *old, "--all").out
    for row in rows(run, old):
        badge = f"{round(100 * row['priority']):>3}  Dana Reyes · {row['subject']}"
        assert badge in card
        page = run("why", row["id"], *old).out
        assert "100 %" not in page
        assert "no reply expected" not in page
        assert (" % sure, decided by" in page) == (row["confidence"] >= 0.8)
        assert ("probably (" in page) == (row["confidence"] < 0.8)


def test_a_message_that_claims_to_be_from_the_future_makes_no_other_old(
    run: Run, old: tuple[str, str, str, str]
) -> None:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "x@odd.example", OWNER, "Later"
    made["Date"] = formatdate(time.time() + 3_650 * 86_400)
    made.set_content("Hello from later.")
    (Path(old[1]) / "later.eml").write_bytes(bytes(made))
    recent = EmailMessage()
    recent["From"], recent["To"], recent["Subject"] = "Dana Reyes <dana@friends.example>", OWNER, "Door"
    recent["Date"] = formatdate(time.time() - 3600)
    recent.set_content("The door is jammed and I am locked out, please come right away!")
    (Path(old[1]) / "recent.eml").write_bytes(bytes(recent))
    assert {row["subject"]: row["bucket"] for row in rows(run, old)}["Door"] == "urgent"
