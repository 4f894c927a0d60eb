"""`gaia email prep` on the sample mailbox."""

from __future__ import annotations

from tests.cli.printed import Run, document


def test_the_sample_mailbox_has_a_meeting_with_what_is_open(run: Run) -> None:
    found = document(run, "prep", "prep", "--demo", "--hours", "48")
    meeting = next(one for one in found["meetings"] if one["title"] == "Press check, spring posters")
    assert [one["name"] for one in meeting["who"]] == ["Ruben Falk"]
    assert [row["subject"] for row in meeting["owed"]] == ["Reprint of the summer booklet"]
