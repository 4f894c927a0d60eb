"""A stranger's threat that names nothing is not urgent, and coming again makes no trap believable."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@tidemill.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


def judged(mail: MakeMail, text: str, sender: str, subject: str, before: int = 0) -> Verdict:
    context = Context(owner=frozenset({OWNER}), first_contact=not before, received_before=before)
    return BuiltinTier().judge(mail(text, subject=subject, sender=sender, to=(OWNER,)), context)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "LAST WARNING: account suspended",
            "This is the last warning. Your account will be suspended for good.",
        ),
        ("URGENT: your membership expires today", "Renew it now so that you can go on using everything."),
    ],
)
def test_a_threat_that_names_nothing_is_not_urgent(mail: MakeMail, subject: str, text: str) -> None:
    assert judged(mail, text, "service@quick-help.example", subject).bucket != "urgent"


@pytest.mark.parametrize(
    ("sender", "text"),
    [
        ("it@tidemill.example", "Your account will be suspended today unless you sign the new rules."),
        (
            "billing@copper-power.example",
            "Contract 4471-20: 84.50 euros are open. Supply will be suspended today.",
        ),
    ],
)
def test_a_threat_by_ones_own_firm_or_about_something_certain_may_be_urgent(
    mail: MakeMail, sender: str, text: str
) -> None:
    assert judged(mail, text, sender, "Suspension today: please act").bucket == "urgent"


@pytest.mark.parametrize("before", [0, 3, 40])
def test_a_trap_stands_no_higher_the_fortieth_time(mail: MakeMail, before: int) -> None:
    text = "Verify your direct deposit details today or your pay will be delayed: http://tidemil1-pay.example/verify"
    verdict = judged(
        mail, text, "payroll@tidemil1.example", "URGENT: verify your direct deposit details", before
    )
    assert verdict.flags.phishing.score >= 0.5
    assert verdict.bucket in ("low_priority", "informational")
