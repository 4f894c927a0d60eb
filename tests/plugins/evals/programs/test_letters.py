"""The count of somebody's own mail that is filed as advertising or a pastime: whose, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.letters import read_sources, table

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
USER = "robin@home.example"


def line(number: int, *, sender: str, subject: str, text: str, **labels: object) -> str:
    message = f"From: {sender}\nTo: {USER}\nSubject: {subject}\nMessage-ID: <{number}@a.example>\n\n{text}\n"
    return json.dumps({"file": f"{number}.eml", "user": USER, "message": message, **labels})


def plant(folder: Path, *lines: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "expected.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_only_what_a_person_wrote_and_nobody_calls_worthless_is_counted(tmp_path: Path) -> None:
    pam, shop = "Pam Lark <pam@friends.example>", "Shop <noreply@shop.example>"
    offer = {"subject": "20% off", "text": "Shop now and save up to 30 euros. Order now, free shipping!"}
    letter = {"subject": "Sunday", "text": "We are at the lake on Sunday, the boat is mended."}
    plant(
        tmp_path / "some",
        line(1, sender=pam, **letter, bucket="informational"),
        line(2, sender=pam, **offer, bucket="informational"),
        line(3, sender=pam, **offer, bucket="low_priority"),
        line(4, sender=shop, **letter, bucket="informational"),
        line(5, sender=pam, **letter, label="ham"),
        line(6, sender=pam, **letter),
        line(7, sender=pam, **letter, label="phishing"),
        line(8, sender=pam, subject="FW: FW: frogs", text="LOL!!", bucket="informational"),
    )
    (found,) = read_sources(tmp_path)
    assert (found.name, found.letters) == ("some", 4)
    assert (found.promotions, found.pastimes) == (("2.eml",), ("8.eml",))
    assert table([found, found]).splitlines()[-1] == "| all | 8 | 2 | 2 |"


@pytest.mark.skipif(not DATA.is_dir(), reason="the sets by other hands are not here")
def test_no_letter_by_other_hands_is_filed_as_advertising_or_a_pastime() -> None:
    """But for a collection that calls mailings ham, whatever they sell."""
    found = [*read_sources(DATA / "triage_foreign"), *read_sources(DATA)]
    letters = {one.name: one for one in found if one.name != "spamassassin"}
    assert sum(one.letters for one in letters.values()) > 300
    assert {name: one.promotions + one.pastimes for name, one in letters.items()} == dict.fromkeys(
        letters, ()
    )
