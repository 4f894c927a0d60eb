"""Simulated owners: actions that tell are learned from, and what is scored was not acted upon."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evals.behaviour import drawn_action, gain, lessons_of
from evals.learning import DATA, mailboxes, mails
from gaia_email_evals.labelled import read_labelled
from tests.plugins.evals.programs.test_learning import mailbox


def test_an_owner_who_answers_what_is_shown_for_information_gains(tmp_path: Path) -> None:
    assert gain(mails(read_labelled(mailbox(tmp_path / "plant", bucket="actionable"))), 0.0, rounds=2) > 0


def test_a_deed_follows_the_label_unless_it_means_nothing(tmp_path: Path) -> None:
    (mail, *_) = mails(read_labelled(mailbox(tmp_path / "plant", bucket="low_priority")))
    dice = random.Random(1)
    assert {drawn_action(mail, dice, 0.0) for _ in range(50)} == {"archived_unread", None}
    assert {drawn_action(mail, dice, 1.0) for _ in range(50)} == {"archived_unread", "answered", "read"}
    assert lessons_of(mail, 1, None) == []
    assert [lesson.bucket for lesson in lessons_of(mail, 1, "archived_unread")] == ["low_priority"]


@pytest.mark.skipif(not DATA.is_dir(), reason="the sets by other hands are not here")
def test_deeds_lose_little_on_any_source_by_other_hands() -> None:
    for name, found in mailboxes(DATA).items():
        assert gain(found, 0.2, rounds=6) >= -2.0, name
