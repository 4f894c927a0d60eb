"""Mail about which people differ goes where its owner set it, below warnings and below what they said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.lessons import apply_lessons
from gaia_understanding.cascade.model.conventions import kinds_of
from gaia_understanding.cascade.model.owner import OwnerLesson, OwnersModel
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Context, Convention, Conventions, Verdict
from gaia_understanding.prepare.model import Prepared
from tests.cascade.conftest import OWNER, MakeMail

TIER = BuiltinTier()
AROUND = Context(owner=frozenset({OWNER}), first_contact=False, received_before=4)
INVITATION = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1@plant.example\r\n"
    "DTSTART:20260310T090000Z\r\nDTEND:20260310T100000Z\r\nSUMMARY:Plant tour\r\n"
    "ORGANIZER:mailto:kim@plant.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def bill(make: MakeMail) -> Prepared:
    return make(
        "Hello, please find the invoice for your stay attached. The amount due is 310.00 EUR.",
        subject="Invoice 2026-114",
        sender="kim@inn.example",
    )


def note(make: MakeMail) -> Prepared:
    return make(
        "The garden looks lovely now, the tulips came up and the cat sleeps among them.",
        subject="Spring",
        sender="ann.lee@gmail.com",
        name="Ann Lee",
    )


def business(make: MakeMail) -> Prepared:
    return make(
        "Could you send us the revised terms for the pump contract and say whether the warranty covers the valves?",
        subject="Pump contract",
        sender="kim@plant.example",
    )


def copy(make: MakeMail) -> Prepared:
    return make(
        "Bo, here is the draft of the report on the valves.",
        subject="Report",
        sender="kim@plant.example",
        to=("bo@plant.example",),
        cc=(OWNER,),
    )


def alarm(make: MakeMail) -> Prepared:
    return make(
        "The mail server had an outage this night; it is back and nothing was lost. There was a security breach "
        "at the supplier of the badges, ours are not affected.",
        subject="Outage and security breach",
        sender="kim@plant.example",
    )


def invitation(make: MakeMail) -> Prepared:
    return make(
        "Plant tour", subject="Invitation: Plant tour", sender="kim@plant.example", calendars=(INVITATION,)
    )


def judge(mail: Prepared, *buckets: tuple[Convention, Bucket], **more: object) -> Verdict:
    conventions = Conventions(buckets=buckets)
    return TIER.judge(mail, replace(AROUND, conventions=conventions, **more))  # type: ignore[arg-type]


KINDS: dict[Convention, Callable[[MakeMail], Prepared]] = {
    "bills": bill,
    "private-notes": note,
    "undated-business": business,
    "copies": copy,
    "alarming-fyi": alarm,
    "calendar": invitation,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bucket", BUCKETS)
def test_mail_of_each_kind_goes_where_its_owner_set_it_and_the_reason_says_so(
    mail: MakeMail, kind: Convention, bucket: Bucket
) -> None:
    made = KINDS[kind](mail)
    assert kind in kinds_of(TIER.findings(made, AROUND))
    usual, moved = TIER.judge(made, AROUND), judge(made, (kind, bucket))
    assert moved.bucket == bucket
    assert moved.priority.reason.startswith("As you set for ") == (bucket != usual.bucket)


def test_a_convention_moves_no_other_kind(mail: MakeMail) -> None:
    for kind, make in KINDS.items():
        others: list[tuple[Convention, Bucket]] = [
            (other, "low_priority")
            for other in KINDS
            if other not in kinds_of(TIER.findings(make(mail), AROUND))
        ]
        assert judge(make(mail), *others) == TIER.judge(make(mail), AROUND), kind


def test_a_bill_that_may_be_a_trap_is_never_made_urgent_and_keeps_its_warning(mail: MakeMail) -> None:
    trap = mail(
        "Dear customer, your invoice is overdue and your account is suspended. Verify your password within 24 hours: "
        "http://203.0.113.7/paypal/login",
        subject="Invoice overdue",
        sender="alert@paypa1-verify.example",
        name="PayPal Security",
        links=(("http://203.0.113.7/paypal/login", "http://203.0.113.7/paypal/login"),),
    )
    usual = TIER.judge(trap, AROUND)
    assert usual.flags.phishing.score >= 0.5
    assert judge(trap, ("bills", "urgent")) == usual


def test_what_its_owner_said_of_mails_like_it_outweighs_what_they_set_for_the_kind(mail: MakeMail) -> None:
    seen = TIER.extract_owner_features(
        bill(mail), replace(AROUND, conventions=Conventions(buckets=(("bills", "low_priority"),)))
    )
    assert seen.bucket == "low_priority"
    model = OwnersModel(OwnerLesson(number=number, seen=seen, bucket="informational") for number in range(3))
    moved = apply_lessons(judge(bill(mail), ("bills", "low_priority")), model, "")
    assert moved.bucket == "informational"
    assert moved.priority.reason.startswith("Because you corrected three like it: ")


def test_the_graver_it_is_to_miss_something_urgent_the_more_is_urgent(mail: MakeMail) -> None:
    texts = [
        f"Could you look at the {thing} {when}? {more}"
        for thing in ("leak in hall two", "contract", "offer", "payroll run", "plan")
        for when in ("today", "as soon as you can", "by tomorrow", "by tonight if you can", "urgently")
        for more in ("It is important.", "Thanks!", "The client waits.")
    ]

    def urgent(conventions: Conventions) -> int:
        around = replace(AROUND, conventions=conventions)
        found = [
            TIER.judge(mail(text, subject="Please look", sender="kim@plant.example"), around)
            for text in texts
        ]
        return sum(one.bucket == "urgent" for one in found)

    light, usual, grave = (urgent(Conventions(missing=weight)) for weight in ("light", "usual", "grave"))
    assert light <= usual <= grave
    assert light < grave
