"""Broken mail and marked quotes are counted as the pages of figures say, on mail made here."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.broken import BREAKAGES, found_by_breakage
from evals.quoting import score, shipped

MULTIPART = """From: Kim <kim@example.com>
To: robin@home.example
Subject: boiler
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="cut"

--cut
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: 7bit

The boiler stopped working yesterday evening, tenants complain about freezing bathrooms.
--cut--
"""
QUOTING = "Kim wrote:\n> The pump is old.\n> Shall we?\nYes, on Tuesday.\n| no quote |\n"


def corpus(folder: Path, mail: str) -> Path:
    messages = folder / "mime" / "messages"
    messages.mkdir(parents=True)
    (messages / "legacy_000.eml").write_text(mail, encoding="utf-8")
    return folder


def test_the_text_of_a_mail_is_found_however_it_is_broken(tmp_path: Path) -> None:
    found = found_by_breakage(corpus(tmp_path, MULTIPART))
    assert {name for name, one in found.items() if not all(one)} == set()
    assert len(found) > len(BREAKAGES) / 2


def test_text_that_is_lost_is_counted_as_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BREAKAGES, "cut off", lambda raw: raw.partition(b"\n\n")[0])
    assert found_by_breakage(corpus(tmp_path, MULTIPART))["cut off"] == [False]


def test_marked_lines_should_go_and_others_stay() -> None:
    right = score(iter([(QUOTING, "Re: pump")]), shipped)
    assert (right.marked, right.marked_removed, right.own, right.own_kept) == (2, 2, 2, 2)
    nothing = score(iter([(QUOTING, "Re: pump")]), lambda text, _: text)
    assert (nothing.marked_removed, nothing.own_kept) == (0, 2)
