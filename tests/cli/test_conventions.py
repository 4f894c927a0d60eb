"""`gaia email policy convention`: what is set, shown, used by the inbox, and what cannot be set."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.printed import Run, document

ME = "me@home.example"


@pytest.fixture
def bills(tmp_path: Path) -> tuple[str, ...]:
    folder = tmp_path / "Mail"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    (folder / "cur" / "1.m:2,").write_text(
        f"From: Kim <kim@inn.example>\nTo: {ME}\nSubject: Invoice 2026-114\n"
        "Date: Mon, 30 Mar 2026 09:00:00 +0000\nMessage-ID: <b1@inn.example>\n\n"
        "Hello, please find the invoice for your stay attached. The amount due is 310.00 EUR.\n"
    )
    return ("--maildir", str(folder), "--user", ME)


def bucket_in(run: Run, place: tuple[str, ...]) -> str:
    buckets = document(run, "inbox", "inbox", "--all", *place)["buckets"]
    (name,) = (name for name, rows in buckets.items() if rows)
    return str(name)


@pytest.mark.parametrize("bucket", ["urgent", "actionable", "informational", "low_priority"])
def test_the_inbox_follows_what_was_set_and_what_was_set_back(
    run: Run, bills: tuple[str, ...], bucket: str
) -> None:
    before = bucket_in(run, bills)
    saved = document(run, "policy-change", "policy", "convention", "bills", bucket)
    assert (saved["change"]["name"], saved["change"]["to"]) == ("bills", bucket)
    assert bucket_in(run, bills) == bucket
    run("policy", "convention", "bills", "as-judged")
    assert bucket_in(run, bills) == before


def test_all_conventions_are_listed_with_what_they_are_about_and_what_they_are_set_to(run: Run) -> None:
    run("policy", "convention", "missed-urgent", "grave")
    run("policy", "convention", "copies", "low-priority")
    rows = document(run, "policy-conventions", "policy", "convention")["conventions"]
    assert all(row["about"] for row in rows)
    assert {row["name"]: row["set_to"] for row in rows} == {
        "undated-business": "as-judged",
        "private-notes": "as-judged",
        "alarming-fyi": "as-judged",
        "bills": "as-judged",
        "calendar": "as-judged",
        "copies": "low_priority",
        "missed-urgent": "grave",
        "worthless-shown": "usual",
    }
    assert document(run, "policy", "policy", "list")["conventions"] == rows


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("bill", "urgent"), "there are undated-business, private-notes"),
        (("bills", "later"), "urgent, actionable, informational, low_priority, as-judged"),
        (("missed-urgent", "urgent"), "light, usual, grave"),
        (("bills",), "bills actionable"),
    ],
)
def test_what_cannot_be_set_is_said_with_what_can(run: Run, given: tuple[str, ...], said: str) -> None:
    refused = run("policy", "convention", *given)
    assert refused.code == 2
    assert said in refused.err
    rows = document(run, "policy-conventions", "policy", "convention")["conventions"]
    assert {row["set_to"] for row in rows} == {"as-judged", "usual"}
