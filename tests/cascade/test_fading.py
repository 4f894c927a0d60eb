"""What time takes from a message by its mailbox's clock; `make_mail` sends on Wednesday, 4 March 2026, at 9:30."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_understanding.cascade.bands import BANDS, OVER, bucket_at, lower_score, within
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Context, Verdict
from gaia_understanding.prepare.model import Prepared
from tests.cascade.conftest import OWNER, MakeMail

DAY = 86_400.0
CALENDAR = (
    "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1@friends.example\nSUMMARY:Kiln\n"
    "DTSTART:20260305T090000Z\nDTEND:20260305T100000Z\n{rule}END:VEVENT\nEND:VCALENDAR\n"
)


def aged(prepared: Prepared, days: float) -> Verdict:
    context = Context(owner=frozenset({OWNER}), age_s=days * DAY)
    return BuiltinTier(model=False).judge(prepared, context)


def waiting(prepared: Prepared, days: float, usual_days: float | None = None) -> bool:
    """Tell whether it is said to have waited, and stands with what is over."""
    usual = None if usual_days is None else usual_days * DAY
    context = Context(owner=frozenset({OWNER}), age_s=days * DAY, usual_wait_s=usual)
    verdict = BuiltinTier(model=False).judge(prepared, context)
    assert verdict.bucket == "actionable"
    said = verdict.priority.reason.endswith("; it has waited since 4 March.")
    sunk = verdict.priority.score <= BANDS["actionable"][0] + OVER
    assert said == sunk == verdict.is_over
    return said


def seen(verdict: Verdict) -> tuple[Bucket, str]:
    return verdict.bucket, verdict.priority.reason


def test_a_deadline_that_has_passed_makes_nothing_urgent_and_is_said(mail: MakeMail) -> None:
    made = mail("Could you send me the signed lease by tonight?", subject="Lease")
    ask = 'Dana asks "Could you send me the signed lease by tonight"'
    assert seen(aged(made, 0)) == ("urgent", f"{ask}.")
    assert seen(aged(made, 0.5)) == ("urgent", f"{ask}.")
    assert seen(aged(made, 1)) == ("actionable", f"{ask}; the date passed on 4 March.")


def test_a_sender_s_word_for_a_day_holds_on_that_day_only(mail: MakeMail) -> None:
    made = mail("Could you send me the key? I need it by Friday.", subject="Key")
    ask = 'Dana asks "Could you send me the key"'
    assert aged(made, 0).priority.reason == f"{ask}; due Friday."
    assert aged(made, 1).priority.reason == f"{ask}; due 6 March."
    assert aged(made, 3).priority.reason == f"{ask}; the date passed on 6 March."


def test_the_year_is_said_when_it_is_another(mail: MakeMail) -> None:
    made = mail("Could you send me the key? I need it by Friday.", subject="Key")
    assert aged(made, 340).priority.reason.endswith("; the date passed on 6 March 2026.")


@pytest.mark.parametrize(
    ("made", "before", "after"),
    [
        (
            {"text": "Could you call me? It has to be today.", "subject": "Roof"},
            "wanted today.",
            "; the date passed on 4 March.",
        ),
        (
            {"text": "Your security code is 482913.", "subject": "Your security code", "name": "Bank"},
            "; use it if you just asked for it.",
            "; the date passed on 4 March.",
        ),
        (
            {"text": "Come and see it.", "subject": "Kiln", "calendars": [CALENDAR.format(rule="")]},
            " on Thursday, 5 March at 10:00.",
            "; the date passed on 5 March.",
        ),
    ],
    ids=["today", "a code", "an invitation"],
)
def test_a_day_that_is_over_is_said_to_be(
    mail: MakeMail, made: dict[str, Any], before: str, after: str
) -> None:
    sender = "noreply@bank.example" if made.get("name") else "dana@friends.example"
    prepared = mail(**made, sender=sender)
    now, then = aged(prepared, 0), aged(prepared, 2)
    assert now.priority.reason.endswith(before)
    assert then.priority.reason.endswith(after)
    assert then.bucket == "actionable"
    assert then.priority.score < now.priority.score


def test_an_appointment_that_comes_again_is_not_over(mail: MakeMail) -> None:
    calendar = CALENDAR.format(rule="RRULE:FREQ=WEEKLY\n")
    verdict = aged(mail("Come and see it.", subject="Kiln", calendars=[calendar]), 9)
    assert verdict.priority.reason == 'Dana invites you to "Kiln" on Thursday, 5 March at 10:00, every week.'


def test_an_alarm_without_a_day_is_urgent_for_a_week_and_then_says_when_it_was(mail: MakeMail) -> None:
    made = mail("The cellar is flooding, please come right away!", subject="Cellar")
    assert aged(made, 6.9).bucket == "urgent"
    assert aged(made, 7.1).bucket == "actionable"
    assert aged(made, 7.1).priority.reason.endswith("; it has waited since 4 March.")
    assert aged(made, 181).bucket == "informational"
    assert aged(made, 181).priority.reason.endswith("; it has waited since 4 March.")


def test_what_names_no_day_has_waited_too_long_after_two_weeks(mail: MakeMail) -> None:
    made = mail("Could you please send me the key?", subject="Key")
    assert not waiting(made, 0)
    assert not waiting(made, 13.9)
    assert waiting(made, 14.1)


@pytest.mark.parametrize(
    ("usual_days", "from_days"),
    [(0.1, 3), (2, 6), (100, 28)],
    ids=["within hours", "two days", "hardly ever"],
)
def test_how_long_mail_may_wait_follows_how_soon_its_sender_is_answered(
    mail: MakeMail, usual_days: float, from_days: float
) -> None:
    made = mail("Could you please send me the key?", subject="Key")
    assert not waiting(made, from_days - 0.1, usual_days)
    assert waiting(made, from_days + 0.1, usual_days)


def test_what_names_a_day_ahead_has_not_waited_too_long(mail: MakeMail) -> None:
    made = mail("Could you please send me the key by 10 April 2026?", subject="Key")
    assert not waiting(made, 30)
    over = aged(made, 38)
    assert over.priority.reason.endswith("; the date passed on 10 April.")
    assert over.is_over


def test_a_verdict_holds_until_the_moment_at_which_it_has_waited_too_long(mail: MakeMail) -> None:
    made = mail("Could you please send me the key?", subject="Key")
    assert aged(made, 8).steady[1] == 14 * DAY
    assert aged(made, 20).steady[0] == 14 * DAY


def test_all_that_is_over_stands_below_all_that_needs_its_owner_and_is_not() -> None:
    highest_over = max(lower_score(BANDS[was][1], was, "actionable") for was in ("urgent", "actionable"))
    assert round(100 * highest_over) < round(100 * within("actionable", -1.0))


def test_what_was_overdue_when_it_was_written_is_said_to_have_been_due(mail: MakeMail) -> None:
    text = "Could you return the ladder? It was due on 27 February 2026."
    assert aged(mail(text, subject="Ladder"), 0).priority.reason == (
        'Dana asks "Could you return the ladder"; was due 27 February.'
    )


def test_what_is_over_stands_below_what_is_not(mail: MakeMail) -> None:
    over = aged(mail("The cellar is flooding, please come today, it is urgent!!", subject="URGENT CELLAR"), 2)
    open_still = aged(mail("Could you please send me the signed lease by Friday?", subject="Lease"), 0)
    assert over.bucket == open_still.bucket == "actionable"
    assert over.priority.score < open_still.priority.score


@pytest.mark.parametrize("days", [0, 2, 400])
def test_mail_that_asks_for_nothing_stays_as_it_is(mail: MakeMail, days: float) -> None:
    made = mail("The roof is dry again.", subject="Roof")
    assert seen(aged(made, days)) == ("informational", 'Dana writes "The roof is dry again".')


def test_bands_do_not_touch_and_no_badge_has_three_digits() -> None:
    edges = [edge for bucket in reversed(BUCKETS) for edge in BANDS[bucket]]
    assert edges == sorted(set(edges))
    assert round(100 * edges[-1]) == 99
    badges = [{round(100 * low), round(100 * high)} for low, high in BANDS.values()]
    assert all(not one & other for one in badges for other in badges if one is not other)


@pytest.mark.parametrize("bucket", BUCKETS)
def test_every_score_tells_its_bucket(bucket: Bucket) -> None:
    for raw in (-1.0, 0.0, 0.3, 0.5, 0.745, 0.8, 2.0):
        assert bucket_at(within(bucket, raw)) == bucket
        assert bucket_at(round(within(bucket, raw), 2)) == bucket
    low, high = BANDS["urgent"]
    scores = [lower_score(score, "urgent", bucket) for score in (low, (low + high) / 2, high)]
    assert scores == sorted(scores)
    assert {bucket_at(score) for score in scores} == {bucket}
