"""Any policy, message, verdict and switches there may be, for Hypothesis; and plain ones. Entry: `policies`."""

from __future__ import annotations

from dataclasses import replace
from datetime import time

from hypothesis import strategies as st

from gaia_email.policy.document import BUILT_IN, Policy, own_cohort
from gaia_email.policy.model import MessageFacts, PolicyVerdict
from gaia_email.policy.protection import Protected
from gaia_email.policy.switches import QuietHours, Switches
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES

SENDERS = ("ann@example.org", "bob@mail.example.org", "news@list.example", "eve@other.example", "")
LABELS = ("work", "private")
THREADS = ("t1", "t2")
LINES = (
    "from:ann@example.org",
    "domain:example.org",
    "domain:list.example subject:sale",
    "list:dev.list.example",
    "header:X-Kind=bill",
    'subject:"final invoice"',
    "label:work",
    "category:receipts",
    "to:me@home.example",
)
NOW = 1_795_000_000.0


levels = st.integers(0, 5)
times = st.builds(time, st.integers(0, 23), st.integers(0, 59))


@st.composite
def quiet_hours(draw: st.DrawFn) -> QuietHours:
    start = draw(times)
    end = draw(times.filter(lambda other: other != start))
    zone = draw(st.sampled_from(("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe")))
    return QuietHours(start=start, end=end, zone=zone)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    policy = Policy(
        quiet_hours=draw(st.none() | quiet_hours()),
        unsubscribe=draw(st.booleans()),
        unsure_below=draw(st.floats(0, 1)),
    )
    for name, level in zip(
        BUILT_IN, draw(st.lists(levels, min_size=len(BUILT_IN), max_size=len(BUILT_IN))), strict=True
    ):
        policy = policy.with_level(name, level)
    for number in range(draw(st.integers(0, 2))):
        lines = tuple(draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=3, unique=True)))
        before = draw(st.sampled_from(policy.cohorts)).name
        policy = policy.with_cohort(own_cohort(f"own-{number}", draw(levels), lines), before=before)
    for sender in draw(st.sets(st.sampled_from(SENDERS[:4]))):
        policy = policy.with_vip(sender)
    return _protect(draw, policy)


def _protect(draw: st.DrawFn, policy: Policy) -> Policy:
    protected = Protected()
    for sender in draw(st.sets(st.sampled_from(("ann@example.org", "example.org", "list.example")))):
        protected = protected.add("sender", sender)
    for label in draw(st.sets(st.sampled_from(LABELS), max_size=1)):
        protected = protected.add("label", label)
    for thread in draw(st.sets(st.sampled_from(THREADS), max_size=1)):
        protected = protected.add("thread", thread)
    return replace(policy, protected=protected)


messages = st.builds(
    MessageFacts,
    message_id=st.sampled_from(("m1", "m2", "m3")),
    thread_id=st.sampled_from((*THREADS, "t3")),
    sender=st.sampled_from(SENDERS),
    recipients=st.sampled_from(((), ("me@home.example",))),
    list_id=st.sampled_from(("", "dev.list.example")),
    subject=st.sampled_from(("Lunch?", "The final invoice", "Big SALE today", "wholesale")),
    labels=st.frozensets(st.sampled_from(("inbox", *LABELS))),
    headers=st.sampled_from(({}, {"x-kind": "Bill"})),
)

verdicts = st.builds(
    PolicyVerdict,
    bucket=st.sampled_from(BUCKETS),
    category=st.sampled_from(CATEGORIES),
    cohort=st.sampled_from(BUILT_IN),
    withheld=st.sampled_from(((), ("vip",), ("vip", "intra_org"))),
    confidence=st.floats(0, 1),
    needs_reply=st.booleans(),
    phishing=st.booleans(),
    injection=st.booleans(),
    listed=st.booleans(),
    one_click=st.booleans(),
    forged=st.sampled_from(("", "it fails DMARC, so anybody may have written it")),
)

instants = st.none() | st.floats(NOW - 1e6, NOW + 1e6)
switches = st.builds(Switches, paused_at=instants, stopped_at=instants, travel_until=instants)


def message(sender: str = "lee@other.example", **more: object) -> MessageFacts:
    return MessageFacts(message_id="m1", thread_id="t1", sender=sender, **more)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
