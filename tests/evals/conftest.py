"""The labelled messages of this repository, read once; the test part is counted and never judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.reading import read_cases
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.pipeline import prepare

FOLDER = Path(__file__).resolve().parents[2] / "evals" / "fixtures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A labelled message of the train or dev part, prepared, so that it can be judged many times."""

    case: LabelledMessage
    prepared: Prepared


@pytest.fixture(scope="session")
def cases() -> list[LabelledMessage]:
    """Every labelled message, of all parts."""
    return read_cases([FOLDER], "all")


@pytest.fixture(scope="session")
def opened(cases: list[LabelledMessage]) -> list[Open]:
    """The train and dev parts."""
    return [
        Open(case=case, prepared=prepare(decode(case.raw))) for case in cases if case.part in ("train", "dev")
    ]


@pytest.fixture(scope="session")
def tier() -> BuiltinTier:
    """The tier as it ships."""
    return BuiltinTier()


@pytest.fixture(scope="session")
def said(opened: list[Open], tier: BuiltinTier) -> list[tuple[Open, Verdict]]:
    """What the tier says of each of them in its own context."""
    return [(one, tier.judge(one.prepared, one.case.context)) for one in opened]
