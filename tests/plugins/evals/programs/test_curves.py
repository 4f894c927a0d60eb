"""Curves of owners who correct mistakes only: what is read is not scored, none loses much, what differs is learned."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from evals.curves import (
    DATA,
    HELD_OUT,
    TUNING,
    WAYS,
    Owner,
    curve,
    is_right,
    parts,
    read_folder,
    scored,
    table,
)
from evals.learning import Mail, mails, real_mailboxes
from evals.real_mail import SENT, RealMail
from gaia_email_evals.labelled import read_labelled
from gaia_understanding.cascade.model.learned import Learned, load_shipped_model
from gaia_understanding.cascade.model.owner import NOTICED
from tests.plugins.evals.programs.test_learning import mailbox

WORST = -3.0
"""Points that no draw may lose."""


def mixed(folder: Path) -> list[Mail]:
    """Reports that their owner wants to answer, and as many of another kind that stand where they belong."""
    rows: list[dict[str, object]] = []
    for number in range(60):
        wanted = number % 2
        text = (
            f"For your information: the inspection of turbine hall {number} is over, the report is in the folder."
            if wanted
            else f"Our newsletter, issue {number}: three articles on gardens and one on bees. Read them online."
        )
        rows.append(
            {
                "file": f"{number}.eml",
                "message": f"From: Kim <k{number}@plant{number}.example>\nTo: me@home.example\n"
                f"Subject: {'Turbine inspection' if wanted else 'Garden newsletter'} {number}\n\n{text}\n",
                "bucket": ["actionable"] if wanted else ["informational", "low_priority"],
                "user": "me@home.example",
            }
        )
    folder.mkdir()
    listing = folder / "expected.jsonl"
    listing.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return mails(read_labelled(listing))


def test_who_corrects_mistakes_only_gains_and_no_draw_loses(tmp_path: Path) -> None:
    points = {point.way: point for point in curve("plant", mixed(tmp_path / "plant"), draws=4)}
    assert list(points) == ["reads 20", "reads 40", "teach 20"]
    assert all(point.worst >= WORST for point in points.values())
    assert points["reads 40"].gain > 10


def test_what_was_read_is_corrected_where_it_is_wrong_and_else_only_left_alone(
    tmp_path: Path,
) -> None:
    dealt = WAYS["reads 20"][1](mixed(tmp_path / "plant"), random.Random(1))
    lessons = Owner(dealt).lessons
    assert len(lessons) == len(dealt.seen) == 20
    for lesson, mail in zip(lessons, dealt.seen, strict=True):
        assert lesson.agrees == is_right(mail)
        assert lesson.weight == (NOTICED if is_right(mail) else 1.0)
    assert {mail.case.name for mail in dealt.left}.isdisjoint(mail.case.name for mail in dealt.seen)


def test_what_shares_a_conversation_with_mail_that_was_read_is_not_scored(tmp_path: Path) -> None:
    found = mails(read_labelled(mailbox(tmp_path / "plant", bucket="actionable")))
    dealt = WAYS["reads 20"][1](found + found, random.Random(1))
    assert {mail.case.name for mail in dealt.left}.isdisjoint(mail.case.name for mail in dealt.seen)


def test_who_is_taught_nothing_changes_nothing(tmp_path: Path) -> None:
    found = [mail for mail in mixed(tmp_path / "plant") if is_right(mail)]
    dealt = WAYS["reads 20"][1](found, random.Random(1))
    draw = scored(Owner(dealt), dealt.left)
    assert (draw.before, draw.after, draw.gain) == (draw.scored, draw.scored, 0.0)


def test_a_set_that_nobody_here_knows_is_held_out_and_the_same_seed_gives_the_same_page(
    tmp_path: Path,
) -> None:
    mixed(tmp_path / "plant")
    sources = dict(read_folder(tmp_path))
    page = table(sources, draws=2, seed=3)
    assert "| plant (held out) | reads 40 |" in page
    assert page == table(sources, draws=2, seed=3) != table(sources, draws=2, seed=4)
    assert list(parts({"plant": sources["plant"], TUNING[0]: sources["plant"]})) == [
        "all for tuning",
        "all held out",
        "all",
    ]
    assert not set(TUNING) & set(HELD_OUT)


@pytest.mark.skipif(
    not all(folder.is_dir() for folder in DATA), reason="the sets by other hands are not here"
)
def test_no_mailbox_by_other_hands_loses_much_by_any_way_of_teaching() -> None:
    sources = {name: found for folder in DATA for name, found in read_folder(folder)}
    assert set(sources) == {*TUNING, *HELD_OUT}
    for name, found in parts(sources).items():
        for point in curve(name, found, draws=6):
            assert point.worst >= WORST, (name, point.way)
            assert point.gain >= 0, (name, point.way)


def test_owners_of_real_mail_that_have_enough_of_it_are_judged_by_models_that_saw_none_of_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = list(read_labelled(mailbox(tmp_path / "plant", bucket="actionable")))
    by_owner = {
        name: [
            RealMail(source=name, conversation=case.name, answers=("actionable",), case=case) for case in some
        ]
        for name, some in (("kim", cases), ("few", cases[:5]), (SENT, cases))
    }
    left_out = list[object]()

    class Trainer:
        def __init__(self, corpora: Path) -> None:
            assert corpora == tmp_path

        def without(self, sources: object) -> Learned:
            left_out.append(sources)
            shipped = load_shipped_model()
            assert shipped is not None
            return shipped

    monkeypatch.setattr("evals.learning.Trainer", Trainer)
    monkeypatch.setattr("evals.learning.sources", lambda corpora: by_owner)  # pyright: ignore[reportUnknownLambdaType,reportUnknownArgumentType]
    found = dict(real_mailboxes(tmp_path))
    assert left_out == [["kim"]]
    assert {name: len(some) for name, some in found.items()} == {"kim": len(cases)}
    assert [point.way for point in curve("kim", found["kim"], draws=1)] == ["reads 20", "teach 20"]
