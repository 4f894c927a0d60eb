"""Spam measured as the program finds it, on mail that the model did not see."""

from __future__ import annotations

from evals.datasets import Row
from evals.spam import Scored, scored, table
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.pipeline import prepare

MAILS = 96
FINDINGS = BuiltinTier().findings(
    prepare(
        decode(b"From: Ann <ann@shop.example>\nTo: me@home.example\nSubject: Hello\n\nThe hall is open.\n")
    ),
    Context(),
)


def rows(*, one_sender: bool) -> list[Row]:
    """Mails whose kind one word tells; all spam comes from one sender, or from as many as there are."""
    made: list[Row] = []
    for number in range(MAILS):
        spam = number % 2 == 0
        made.append(
            Row(
                name=f"m{number:02}",
                source="spam-1" if spam else "easy-ham-1",
                group="the one" if spam and one_sender else f"g{number:02}",
                part="train",
                features={
                    "facts": (b"spam:1", *(b"sign%d %d" % (sign, spam) for sign in range(4))),
                    "sender": (),
                    "subject": (),
                    "body": (),
                },
                answers={"spam": "yes" if spam else "no"},
            )
        )
    return made


def found_in(mails: list[Scored]) -> float:
    return sum(one.score >= 0.5 for one in mails if one.kind == "spam") / (MAILS / 2)


def test_a_mail_is_judged_by_others_and_never_by_copies_of_its_sender() -> None:
    found = {f"m{number:02}": FINDINGS for number in range(MAILS)}
    apart = list(scored(rows(one_sender=False), found, by_sender=True))
    together = list(scored(rows(one_sender=True), found, by_sender=True))
    by_message = list(scored(rows(one_sender=True), found, by_sender=False))
    assert len(apart) == len(together) == len(by_message) == MAILS
    assert found_in(apart) == found_in(by_message) == 1
    assert found_in(together) < 1


def test_the_table_counts_found_and_accused_apart() -> None:
    mails = [
        *(Scored(kind="spam", score=score) for score in (0.9, 0.8, 0.3)),
        *(Scored(kind="easy", score=score) for score in (0.1, 0.2)),
        *(Scored(kind="hard", score=score) for score in (0.6, 0.1)),
    ]
    text = table(mails)
    assert "spam found 2 of 3" in text
    assert "easy ham accused 0 of 2" in text
    assert "hard ham 1 of 2" in text
    assert "all ham 1 of 4" in text
    assert text.endswith("0.667")
