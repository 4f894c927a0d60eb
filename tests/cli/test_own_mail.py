"""Mail from one's own address in the inbox: forms, scanners and notes are shown, copies of sent mail are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.printed import Run

ASK = "Could you send me an offer for 20 chairs by Friday?"


def inbox(run: Run, tmp_path: Path, head: str, text: str = ASK) -> list[dict[str, Any]]:
    path = tmp_path / "box.mbox"
    path.write_text(
        f"From a@x.example Mon Mar  2 09:00:00 2026\n{head}\nSubject: Chairs\n"
        f"Date: Mon, 02 Mar 2026 09:01:00 +0000\nMessage-ID: <f1@firm.example>\n\n{text}\n\n"
    )
    document = json.loads(
        run("inbox", "--mbox", str(path), "--user", "me@firm.example", "--json", "--all").out
    )
    return [{**row, "bucket": name} for name, some in document["buckets"].items() for row in some]


OWN = "From: Me <me@firm.example>\n"


@pytest.mark.parametrize(
    "head",
    [
        OWN + "To: me@firm.example",
        "From: Scanner <ME@firm.example>",
        OWN + "To: me@firm.example\nReply-To: Jana <jana@client.example>",
        OWN + "To: sales@firm.example\nReply-To: Jana <jana@client.example>",
    ],
)
def test_what_lies_in_the_inbox_is_shown_though_it_is_from_the_own_address(
    run: Run, tmp_path: Path, head: str
) -> None:
    assert len(inbox(run, tmp_path, head)) == 1


@pytest.mark.parametrize(
    "head",
    [
        OWN + "To: Ann <ann@client.example>",
        OWN + "To: Ann <ann@client.example>\nCc: me@firm.example",
        OWN + "To: talk@lists.example\nReply-To: talk@lists.example\nList-Post: <mailto:talk@lists.example>",
    ],
)
def test_a_copy_of_what_was_sent_to_others_needs_nobody(run: Run, tmp_path: Path, head: str) -> None:
    assert inbox(run, tmp_path, head) == []


def test_what_a_form_asks_is_asked_and_a_note_to_oneself_waits_for_no_answer(
    run: Run, tmp_path: Path
) -> None:
    (form,) = inbox(run, tmp_path, OWN + "To: me@firm.example\nReply-To: Jana <jana@client.example>")
    assert (form["bucket"], form["needs_reply"]) == ("actionable", True)
    (note,) = inbox(run, tmp_path, OWN + "To: me@firm.example")
    assert not note["needs_reply"]


def test_a_forged_own_address_is_shown_with_its_warning(run: Run, tmp_path: Path) -> None:
    text = "I need you to buy 5 gift cards for a client today and send me the codes. Keep it confidential."
    (row,) = inbox(run, tmp_path, OWN + "To: me@firm.example\nReply-To: Bo <bo.office@gmail.com>", text)
    assert row["warnings"] == ["phishing"]
