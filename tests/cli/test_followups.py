"""`gaia email followups` on the sample mailbox."""

from __future__ import annotations

import pytest

from tests.cli.printed import Run, document


def test_the_sample_mailbox_shows_both_sides_and_what_shows_it(run: Run) -> None:
    found = document(run, "followups", "followups", "--demo")
    assert found["owe"] + found["owed"] == found["total"] == len(found["followups"])
    assert found["owe"] and found["owed"]
    assert all(row["why"] and row["evidence"] for row in found["followups"])
    dues = [row["due"] for row in found["followups"]]
    assert dues == sorted(dues, reverse=True)


def test_one_side_is_shown_alone_and_a_cut_is_told(run: Run) -> None:
    found = run("followups", "--demo", "--owe", "--limit", "2", "--fields", "owes")
    assert found.out.split() == ["owes", "you", "you"]
    assert "showing 2 of" in found.err


@pytest.mark.parametrize(
    "wrong",
    [
        ("--owe", "--owed"),
        ("--dismiss", "a", "--owe"),
        ("--wait", "a"),
        ("--until", "3d"),
        ("--correct", "a"),
        ("--dismiss", "a", "--correct", "b", "--as", "owe"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, wrong: tuple[str, ...]) -> None:
    assert run("followups", "--demo", *wrong).code == 2
