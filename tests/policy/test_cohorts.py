"""Which cohort a message comes into, and what a sender who cannot be relied upon changes."""

from __future__ import annotations

import pytest

from gaia_email.policy.cohorts import assign
from gaia_email.policy.document import BUILT_IN, Policy, own_cohort
from gaia_email.policy.model import PolicyVerdict
from gaia_email.policy.rules import parse_rule
from gaia_email_registry.errors import BadArgument
from gaia_mail.mime.read import parse_message
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.pipeline import prepare
from tests.policy.made import message

FORGED = "it fails DMARC, so anybody may have written it"


def with_own(*lines: str, before: str = "newsletters") -> Policy:
    return Policy().with_cohort(own_cohort("mine", 3, lines), before=before)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_cohort_holds_where_the_verdict_says_so(name: str) -> None:
    found = assign(Policy(), message(), PolicyVerdict(bucket="informational", cohort=name))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert found.cohort.name == name
    assert found.why.startswith(f"It is in {name}, since ")


def test_a_cohort_of_ones_own_is_asked_after_vip_and_before_the_others() -> None:
    policy = with_own("domain:other.example")
    assert [cohort.name for cohort in policy.cohorts[:3]] == ["vip", "mine", "newsletters"]
    news = PolicyVerdict(bucket="low_priority", cohort="newsletters")
    assert assign(policy, message(), news).cohort.name == "mine"
    assert assign(policy.with_vip("lee@other.example"), message(), news).cohort.name == "vip"
    first = with_own("domain:other.example", before="vip").with_vip("lee@other.example")
    assert assign(first, message(), news).cohort.name == "mine"


def test_all_conditions_of_a_line_have_to_hold_and_one_line_of_several() -> None:
    policy = with_own("domain:other.example subject:sale", "list:dev.example")
    judged = PolicyVerdict(bucket="informational")
    assert assign(policy, message(subject="Sale!"), judged).cohort.name == "mine"
    assert assign(policy, message(subject="Lunch"), judged).cohort.name == "default"
    assert assign(policy, message("a@b.example", subject="Sale!"), judged).cohort.name == "default"
    assert assign(policy, message("a@b.example", list_id="dev.example"), judged).cohort.name == "mine"


@pytest.mark.parametrize(
    ("line", "facts", "holds"),
    [
        ("from:Lee@Other.example", {}, True),
        ("from:ee@other.example", {}, False),
        ("domain:other.example", {"sender": "x@mail.other.example"}, True),
        ("domain:other.example", {"sender": "x@another.example"}, False),
        ("domain:other.example", {"sender": "x@notother.example"}, False),
        ("subject:sale", {"subject": "wholesale prices"}, False),
        ("subject:sale", {"subject": "The SALE, today"}, True),
        ('subject:"final invoice"', {"subject": "Final   invoice 7"}, True),
        ("label:Work", {"labels": frozenset({"work"})}, True),
        ("header:X-Kind", {"headers": {"x-kind": ""}}, True),
        ("header:X-Kind=bill", {"headers": {"x-kind": "a Bill"}}, True),
        ("header:X-Kind=bill", {"headers": {}}, False),
        ("to:me@home.example", {"recipients": ("me@home.example",)}, True),
        ("category:primary", {}, True),
        ("category:receipts", {}, False),
    ],
)
def test_conditions_compare_whole_values(line: str, facts: dict[str, object], holds: bool) -> None:
    facts = {"sender": "lee@other.example", **facts}
    assert parse_rule(line).holds(message(**facts), "primary") is holds  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "lee@other.example",
        "from:lee",
        "domain:example",
        "subject:",
        "colour:red",
        "category:nice",
        'subject:"x',
    ],
)
def test_a_line_that_is_no_rule_is_refused_with_a_sentence(line: str) -> None:
    with pytest.raises(BadArgument) as refused:
        parse_rule(line)
    assert refused.value.message.endswith(".")


def test_a_rule_on_the_sender_does_not_fire_for_a_forged_one_and_says_so() -> None:
    policy = with_own("from:lee@other.example").with_vip("lee@other.example")
    found = assign(policy, message(), PolicyVerdict(bucket="informational", forged=FORGED))
    assert found.cohort.name == "default"
    assert [text.split(",")[0] for text in found.withheld] == [
        "It would be in vip",
        "It would be in mine",
    ]
    assert all(FORGED in text for text in found.withheld)


def test_a_rule_on_something_else_fires_whoever_wrote_it() -> None:
    policy = with_own("subject:invoice")
    found = assign(policy, message(subject="Invoice"), PolicyVerdict(bucket="informational", forged=FORGED))
    assert found.cohort.name == "mine"


@pytest.mark.parametrize(
    ("judged", "cohort"),
    [
        (PolicyVerdict(bucket="low_priority", cohort="social", forged=FORGED), "default"),
        (PolicyVerdict(bucket="low_priority", cohort="newsletters", forged=FORGED), "default"),
        (
            PolicyVerdict(bucket="low_priority", cohort="newsletters", listed=True, forged=FORGED),
            "newsletters",
        ),
        (PolicyVerdict(bucket="urgent", cohort="default", withheld=("vip",), forged=FORGED), "default"),
    ],
)
def test_built_in_cohorts_that_stand_on_the_sender_do_not_hold_for_a_forged_one(
    judged: PolicyVerdict, cohort: str
) -> None:
    found = assign(Policy(), message(), judged)
    assert found.cohort.name == cohort
    assert bool(found.withheld) == (cohort == "default")


@pytest.mark.parametrize(
    ("sender", "dmarc", "forged"),
    [
        ("lee@other.example", "pass", ""),
        ("lee@other.example", "fail", FORGED),
        ("service@paypa1.com", "pass", "its domain looks like paypal.com"),
    ],
)
def test_a_verdict_says_whether_the_sender_can_be_relied_upon(sender: str, dmarc: str, forged: str) -> None:
    raw = (
        "Received: from x by mx.home.example; Mon, 2 Nov 2026 10:00:00 +0000\r\n"
        f"Authentication-Results: mx.home.example; dmarc={dmarc}\r\n"
        f"From: <{sender}>\r\nTo: <me@home.example>\r\nSubject: Plan\r\n\r\nHere is the plan.\r\n"
    )
    context = Context(owner=frozenset({"me@home.example"}), vip=True)
    verdict = BuiltinTier().judge(prepare(parse_message(raw.encode())), context)
    judged = PolicyVerdict.of(verdict)
    assert judged.forged == forged
    assert ("vip" in judged.withheld) == bool(forged)
    assert (judged.cohort == "vip") == (not forged)
