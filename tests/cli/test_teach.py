"""`gaia email teach`: questions, answers from a file or one key each, what they change, and what is never asked."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gaia_email.ledger import open_ledger
from gaia_email.ledger.policy_store import load_policy
from tests.cli.printed import Run, document

ME = "me@home.example"
TAKE = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.interfaces.cli import main; main()"


@pytest.fixture
def plant(tmp_path: Path) -> tuple[str, ...]:
    """Reports that the shipped product takes for information, and one trap."""
    folder = tmp_path / "Plant"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number in range(12):
        text = (
            f"From: Kim {number} <k{number}@plant{number}.example>\r\nTo: {ME}\r\nSubject: Turbine inspection\r\n"
            f"Date: Mon, 30 Mar 2026 09:{number:02}:00 +0000\r\nMessage-ID: <t{number}@x.example>\r\n\r\n"
            f"For your information: the inspection of turbine hall {number} is over, the report is in the folder.\r\n"
        )
        (folder / "cur" / f"{number}.m:2,").write_bytes(text.encode())
    trap = (
        f"From: PayPal Security <alert@paypa1-verify.example>\r\nTo: {ME}\r\nSubject: Your account is limited\r\n"
        "Date: Mon, 30 Mar 2026 10:00:00 +0000\r\nMessage-ID: <trap@x.example>\r\n\r\n"
        "Dear customer, your PayPal account is suspended. Verify your password within 24 hours or it is closed:\r\n"
        "http://203.0.113.7/paypal/login\r\n"
    )
    (folder / "cur" / "trap.m:2,").write_bytes(trap.encode())
    return ("--maildir", str(folder), "--user", ME)


def questions(run: Run, place: tuple[str, ...], *more: str) -> list[dict[str, Any]]:
    return document(run, "teach", "teach", "--list", *more, *place)["questions"]


def answers(folder: Path, rows: list[dict[str, Any]], bucket: str) -> str:
    file = folder / "answers"
    file.write_text("".join(f"{row['id']} {bucket}\n" for row in rows), encoding="utf-8")
    return str(file)


def test_answers_move_other_mail_and_agreement_is_measured_on_those_held_back(
    run: Run, plant: tuple[str, ...], tmp_path: Path
) -> None:
    asked = questions(run, plant, "--count", "5")
    assert len(asked) == 5
    told = document(run, "teach", "teach", "--answers", answers(tmp_path, asked, "actionable"), *plant)
    assert (told["answered"], told["skipped"], told["left"]) == (5, 0, 0)
    assert told["agreement"] == {"held_back": 1, "before": 0, "after": 1}
    moved = {one["id"] for one in told["changed"]}
    assert moved and not moved & {row["id"] for row in asked}
    assert {(one["was"], one["bucket"]) for one in told["changed"]} == {("informational", "actionable")}
    again = {row["id"] for row in questions(run, plant)}
    assert again and not again & {row["id"] for row in asked}, "the next time asks about other mail"


def test_a_kind_of_mail_answered_the_same_each_time_is_offered_as_a_rule(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "Bills"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number, what in enumerate(("room", "pump hire", "cleaning", "garden work")):
        (folder / "cur" / f"{number}.m:2,").write_text(
            f"From: Kim <kim@firm{number}.example>\nTo: {ME}\nSubject: Invoice for {what}\n"
            f"Date: Mon, 30 Mar 2026 09:0{number}:00 +0000\nMessage-ID: <b{number}@x.example>\n\n"
            f"Hello, please find the invoice for the {what} attached. The amount due is {number + 3}10.00 EUR.\n"
        )
    place = ("--maildir", str(folder), "--user", ME)
    asked = questions(run, place)
    told = document(run, "teach", "teach", "--answers", answers(tmp_path, asked[:3], "low_priority"), *place)
    assert {"kind": "bills", "bucket": "low_priority", "answers": 3} in told["habits"]
    mixed = answers(tmp_path, asked[:1], "urgent")
    assert document(run, "teach", "teach", "--answers", mixed, *place)["habits"] == []


def test_a_skipped_question_teaches_nothing_and_is_asked_again(
    run: Run, plant: tuple[str, ...], tmp_path: Path
) -> None:
    asked = questions(run, plant, "--count", "3")
    told = document(run, "teach", "teach", "--answers", answers(tmp_path, asked, "skip"), *plant)
    assert (told["answered"], told["skipped"], told["changed"]) == (0, 3, [])
    assert questions(run, plant, "--count", "3") == asked


def test_an_answer_that_confirms_takes_no_earned_level_back(
    run: Run, plant: tuple[str, ...], tmp_path: Path
) -> None:
    asked = questions(run, plant, "--count", "1")
    file = answers(tmp_path, asked, asked[0]["bucket"])
    told = document(run, "teach", "teach", "--answers", file, *plant)
    owners = load_policy(environ=os.environ).owners
    assert owners is not None
    taught = owners.of(told["account"])
    assert taught is not None and len(taught.lessons) == 1
    assert kinds_of_events() == ["correction.confirmed"]
    document(run, "teach", "teach", "--answers", answers(tmp_path, asked, "urgent"), *plant)
    assert kinds_of_events()[:2] == ["correction.confirmed", "correction.recorded"]


def kinds_of_events() -> list[str]:
    with open_ledger() as ledger, ledger.read() as tx:
        return [event.kind for event in ledger.events.since(tx)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("abc nowhere\n", "Line 1 of the answers is not an id and a bucket"),
        ("\n# nothing\n", "There are no answers"),
        ("nosuch urgent\n", "No message here has the id"),
    ],
)
def test_bad_answers_are_told_and_nothing_is_kept(
    run: Run, plant: tuple[str, ...], tmp_path: Path, text: str, sentence: str
) -> None:
    file = tmp_path / "answers"
    file.write_text(text, encoding="utf-8")
    result = run("teach", "--answers", str(file), *plant)
    assert result.code in (1, 2)
    assert sentence in result.err
    assert load_policy(environ=os.environ).owners is None


def test_suspicious_mail_is_never_asked_about_and_no_lesson_is_drawn_from_it(
    run: Run, plant: tuple[str, ...], tmp_path: Path
) -> None:
    listed = document(run, "inbox", "inbox", *plant)["buckets"]
    traps = [item for items in listed.values() for item in items if "limited" in item["subject"]]
    assert len(traps) == 1
    asked = {row["id"] for row in questions(run, plant)}
    assert len(asked) == 12 and traps[0]["id"] not in asked
    result = run("teach", "--answers", answers(tmp_path, traps, "urgent"), *plant)
    assert "no lesson is drawn from it" in result.err
    assert load_policy(environ=os.environ).owners is None


def test_lessons_are_listed_and_taken_back_one_by_one_or_all(
    run: Run, plant: tuple[str, ...], tmp_path: Path
) -> None:
    assert document(run, "lessons", "lessons")["lessons"] == []
    asked = questions(run, plant, "--count", "4")
    moved = document(run, "teach", "teach", "--answers", answers(tmp_path, asked, "actionable"), *plant)
    assert moved["changed"]
    listed = document(run, "lessons", "lessons")["lessons"]
    assert {one["id"] for one in listed} == {row["id"] for row in asked}
    assert run("lessons", "forget", str(listed[0]["number"])).code == 0
    assert document(run, "lessons", "lessons")["lessons"] == listed[1:]
    assert "There is no lesson" in run("lessons", "forget", str(listed[0]["number"])).err
    assert run("lessons", "clear", "--yes").code == 0
    assert document(run, "lessons", "lessons")["lessons"] == []
    buckets = document(run, "inbox", "inbox", *plant)["buckets"]
    assert not buckets["actionable"], "nothing is left of what they moved"


def test_without_a_terminal_it_says_how_to_answer(run: Run, plant: tuple[str, ...]) -> None:
    result = run("teach", *plant)
    assert result.code == 2
    assert "--answers FILE" in result.err


def test_at_a_terminal_one_key_answers_and_leaving_keeps_what_was_said(
    plant: tuple[str, ...], tmp_path: Path
) -> None:
    shown = at_terminal(tmp_path / "home", "2s2q", "teach", "--count", "6", *plant)
    assert "1/6" in shown and "4/6" in shown and "5/6" not in shown
    assert "2 answered · 1 skipped · 3 left" in shown


def at_terminal(home: Path, keys: str, *arguments: str) -> str:
    """What a command shows at a pseudo-terminal; each key is pressed when a question waits for it."""
    main, side = pty.openpty()
    environment = {
        **os.environ,
        "GAIA_HOME": str(home),
        "TERM": "xterm",
        "NO_COLOR": "1",
        "GAIA_VAULT": "file",
    }
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n{MAIN}",
            "email",
            *arguments,
        ],
        start_new_session=True,
        stdin=side,
        stdout=side,
        stderr=side,
        env=environment,
    )
    os.close(side)
    shown, pressed = b"", 0
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        if select.select([main], [], [], 0.05)[0]:
            try:
                shown += os.read(main, 65_536)
            except OSError:
                break
            if pressed < len(keys) and shown.count(b"    now: ") > pressed:
                os.write(main, keys[pressed].encode())
                pressed += 1
        elif process.poll() is not None:
            break
    code = process.wait(20)
    os.close(main)
    text = shown.decode("utf-8", "replace")
    assert code == 0, text
    return text
