"""An answer in a discussion on a list is not put away as if it were advertising."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy
from gaia_email.policy.model import PolicyVerdict
from tests.policy.made import NOW, message

LOW = PolicyVerdict(
    bucket="low_priority", category="promotions", cohort="newsletters", confidence=0.99, listed=True
)


@pytest.mark.parametrize("subject", ["Re: [tea] Which kettle", "AW: Which kettle", "[tea] SV: Which kettle"])
def test_an_answer_on_a_list_keeps_its_place_and_is_labelled(subject: str) -> None:
    found = decide(message(list_id="tea.lists.example", subject=subject), LOW, Policy(), now=NOW)
    assert (found.action, found.mode) == ("label", "apply")
    assert any("answer each other" in limit for limit in found.limits)


@pytest.mark.parametrize(
    ("list_id", "subject", "one_click"),
    [
        ("tea.lists.example", "Kettles at half price", False),
        ("", "Re: your basket", False),
        ("shop.example", "Re: your basket", True),
    ],
)
def test_what_no_person_answered_is_archived_as_before(list_id: str, subject: str, one_click: bool) -> None:
    judged = replace(LOW, one_click=one_click)
    assert decide(message(list_id=list_id, subject=subject), judged, Policy(), now=NOW).action == "archive"
