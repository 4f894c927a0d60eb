"""Where the user said that mail belongs: exact for the message and its sender, and no way around a warning."""

from __future__ import annotations

from dataclasses import replace

from gaia_email.policy.owner_says import SIGNAL, OneCorrection, OwnerSays
from gaia_understanding.cascade.bands import BANDS
from gaia_understanding.cascade.verdict import Suspicion
from tests.actions.account import some_verdict

ME, SHOP = "me@example.org", "news@shop.example"


def said(
    message: str, was: str = "informational", now: str = "low_priority", sender: str = SHOP
) -> OneCorrection:
    return OneCorrection(account=ME, message_id=message, sender=sender, was=was, now=now)


def test_a_corrected_message_is_where_the_user_put_it() -> None:
    says = OwnerSays.of([said("m1", "actionable", "urgent")])
    verdict = says.judge(ME, "m1", SHOP, replace(some_verdict(), bucket="actionable"))
    low, high = BANDS["urgent"]
    assert verdict.bucket == "urgent" and low <= verdict.priority.score <= high
    assert verdict.priority.reason.startswith(
        "You moved this to Urgent; the rules would have it in Needs you. "
    )
    assert verdict.priority.signals[0].name == SIGNAL
    other = replace(some_verdict(), bucket="actionable")
    assert says.judge("other@example.org", "m1", "x@y.example", other) is other


def test_other_mail_of_the_sender_follows_where_the_rules_say_the_same_again() -> None:
    says = OwnerSays.of([said("m1"), said("m2")])
    verdict = says.judge(ME, "m3", SHOP.upper(), replace(some_verdict(), bucket="informational"))
    assert verdict.bucket == "low_priority"
    assert verdict.priority.reason.startswith(
        f"You moved 2 messages from {SHOP} to Low priority; the rules would have this one in Worth knowing. "
    )
    urgent = replace(some_verdict(), bucket="urgent")
    assert says.judge(ME, "m4", SHOP, urgent) is urgent, "what the rules take for something else stays"
    stranger = replace(some_verdict(), bucket="informational")
    assert says.judge(ME, "m5", "ann@example.com", stranger) is stranger


def test_one_correction_moves_its_own_message_and_a_second_that_agrees_the_sender() -> None:
    other = replace(some_verdict(), bucket="informational")
    once = OwnerSays.of([said("m1"), said("m1")])
    assert once.judge(ME, "m1", SHOP, other).bucket == "low_priority"
    assert once.judge(ME, "m3", SHOP, other) is other
    assert not once.covers(ME, "m3", SHOP, "informational")
    twice = OwnerSays.of([said("m1"), said("m2")])
    assert twice.judge(ME, "m3", SHOP, other).bucket == "low_priority"


def test_mail_of_the_sender_that_was_read_and_left_alone_holds_the_others_in_place() -> None:
    other = replace(some_verdict(), bucket="informational")
    left = [replace(said(name, now="informational"), left_alone=True) for name in ("r1", "r2")]
    assert OwnerSays.of([said("m1"), said("m2"), *left]).judge(ME, "m4", SHOP, other) is other
    three = [said("m1"), *left, said("m2"), said("m3")]
    assert OwnerSays.of(three).judge(ME, "m4", SHOP, other).bucket == "low_priority"
    elsewhere = [replace(one, was="urgent", now="urgent") for one in left]
    assert (
        OwnerSays.of([said("m1"), said("m2"), *elsewhere]).judge(ME, "m4", SHOP, other).bucket
        == "low_priority"
    )
    assert OwnerSays.of(left).judge(ME, "r1", SHOP, other) is other, "it is no word about its message"


def test_what_was_left_alone_and_then_corrected_counts_as_corrected() -> None:
    other = replace(some_verdict(), bucket="informational")
    left = replace(said("m1", now="informational"), left_alone=True)
    for says in ([left, said("m1"), said("m2")], [said("m1"), said("m2"), left]):
        assert OwnerSays.of(says).judge(ME, "m3", SHOP, other).bucket == "low_priority"


def test_what_was_said_both_ways_moves_nothing_else() -> None:
    says = OwnerSays.of([said("m1"), said("m2", now="actionable")])
    verdict = replace(some_verdict(), bucket="informational")
    assert says.judge(ME, "m3", SHOP, verdict) is verdict
    assert says.judge(ME, "m2", SHOP, verdict).bucket == "actionable"


def test_of_a_message_the_last_word_counts() -> None:
    says = OwnerSays.of([said("m1"), said("m1", now="urgent"), said("m2", now="urgent")])
    assert says.judge(ME, "m1", SHOP, replace(some_verdict(), bucket="informational")).bucket == "urgent"
    assert says.judge(ME, "m3", SHOP, replace(some_verdict(), bucket="informational")).bucket == "urgent"


def test_a_suspicion_is_never_weakened() -> None:
    says = OwnerSays.of([said("m1", "low_priority", "urgent")])
    plain = replace(some_verdict(), bucket="low_priority")
    doubt = Suspicion(score=0.9, reasons=("it imitates",))
    for flags in (replace(plain.flags, phishing=doubt), replace(plain.flags, injection=doubt)):
        suspected = replace(plain, flags=flags)
        assert says.judge(ME, "m1", SHOP, suspected) is suspected
        assert says.judge(ME, "m2", SHOP, suspected) is suspected


def test_names_of_no_bucket_count_for_nothing() -> None:
    assert OwnerSays.of([said("m1", now="someday"), said("m2", was="")]).senders == {}
