"""A weight is out of action while it is measured and back afterwards, and every named weight is one of the product."""

from __future__ import annotations

import pytest

from evals.foreign import Source
from evals.hand_rules import IDLE, idle, table
from gaia_email_evals.labelled import read_labelled
from gaia_understanding.cascade.model import combine

MAIL = "From: a@shop.example\\nTo: me@home.example\\nSubject: hello\\n\\nAre you in?\\n"
ROW = f'{{"message": "{MAIL}", "bucket": "actionable"}}'


@pytest.mark.parametrize("name", [*IDLE, "urgent"])
def test_a_weight_is_idle_only_while_it_is_measured(name: str) -> None:
    def value() -> float:
        return combine.COSTS[name] if name in combine.COSTS else getattr(combine, name)

    before = value()
    with idle(name):
        assert value() == (1.0 if name in combine.COSTS else IDLE[name])
        assert value() != before
    assert value() == before


def test_every_weight_has_its_row(tmp_path_factory: pytest.TempPathFactory) -> None:
    listing = tmp_path_factory.mktemp("set") / "expected.jsonl"
    listing.write_text(ROW + "\n", encoding="utf-8")
    cases = tuple(read_labelled(listing))
    page = table([Source(name="one", cases=cases, said=())])
    assert page.count("\n") == len(IDLE) + 3
    assert "`_UNREAD`" in page
