"""One message that our own rules stumble over never stops the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.app.services.classify import classify
from gaia_email.triage.tiers import default_tier
from gaia_mail.files.model import RawMail
from gaia_mail.files.read import open_source
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared


class Stumbling:
    name = "T0"

    def judge(self, prepared: Prepared, context: Context) -> Verdict:
        if "banana" in prepared.normalized:
            raise ZeroDivisionError
        return default_tier(environ=os.environ).judge(prepared, context)


@pytest.mark.parametrize("owner", [[], ["me@home.example"]])
def test_a_stumble_is_a_line_with_a_defect(owner: list[str], tmp_path: Path) -> None:
    for number, word in enumerate(("apple", "banana", "cherry")):
        text = f"From: a@b.example\nTo: me@home.example\nSubject: {word}\n\nHave a {word}.\n"
        (tmp_path / f"{number}.eml").write_text(text)
    rows = list(classify([open_source(str(tmp_path))], Stumbling(), owner))
    assert [bool(row["defects"]) for row in rows] == [False, True, False]
    assert "ZeroDivisionError" in str(rows[1]["defects"])


class Shuffled:
    """A source whose messages come in another order the second time, and one of which came in between."""

    path = "shuffled"
    once = False

    def __init__(self) -> None:
        self.mails = [
            RawMail(
                path="shuffled", index=n, key=f"k{n}", raw=f"Subject: {n}\n\ntext {n}\n".encode(), size=20
            )
            for n in range(5)
        ]

    def headers(self) -> Iterator[RawMail]:
        return iter(self.mails[:4])

    def messages(self) -> Iterator[RawMail]:
        return iter([self.mails[2], self.mails[0], self.mails[4], self.mails[1], self.mails[3]])


def test_messages_are_recognised_in_any_order_and_a_new_one_is_told() -> None:
    rows = list(classify([Shuffled()], default_tier(environ=os.environ), ["me@home.example"]))
    assert [row["subject"] for row in rows] == ["2", "0", "", "1", "3"]
    assert "appeared while the files were being read" in str(rows[2]["defects"])
    assert len({row["thread_id"] for row in rows if row["subject"]}) == 4
