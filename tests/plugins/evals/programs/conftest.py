"""The labelled messages of this repository, each part read and judged once; the test part is counted and never judged.

`make test` judges the dev part, the smallest; `make test-all` the train part, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from gaia_email_evals.cases import LabelledMessage, Part, part_of
from gaia_email_evals.reading import read_cases
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.pipeline import prepare

FOLDER = Path(__file__).resolve().parents[4] / "evals" / "fixtures"
TABLE = "[[mail]]\n"
_GROUP = re.compile(r'^(template|thread) = "(.*)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A labelled message of the train or dev part, prepared, so that it can be judged many times."""

    case: LabelledMessage
    prepared: Prepared


def group_in(table: str) -> str:
    """The group of a message, before the message is made of its table."""
    fields = dict(_GROUP.findall(table.partition("\ntext = ")[0]))
    return fields.get("thread") or fields["template"]


@pytest.fixture(scope="session")
def cases() -> list[LabelledMessage]:
    """Every labelled message, of all parts."""
    return read_cases([FOLDER], "all")


@pytest.fixture(scope="session")
def of_part(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Part], list[Open]]:
    """Gives the messages of one part; no message of another is made, which takes longer than judging these."""

    @cache
    def read(part: Part) -> list[Open]:
        folder = tmp_path_factory.mktemp(part)
        for file in sorted(FOLDER.glob("*.toml")):
            _, *tables = file.read_text(encoding="utf-8").split(TABLE)
            chosen = [table for table in tables if part_of(group_in(table)) == part]
            (folder / file.name).write_text("".join(TABLE + table for table in chosen), encoding="utf-8")
        found = read_cases([folder], "all")
        assert {case.part for case in found} == {part}
        return [Open(case=case, prepared=prepare(decode(case.raw))) for case in found]

    return read


@pytest.fixture(scope="session")
def tier() -> BuiltinTier:
    """The tier as it ships."""
    return BuiltinTier()


@pytest.fixture(scope="session")
def judged(
    of_part: Callable[[Part], list[Open]], tier: BuiltinTier
) -> Callable[[Part], list[tuple[Open, Verdict]]]:
    """Gives the messages of one part, and what the tier says of each in its own context."""

    @cache
    def judge(part: Part) -> list[tuple[Open, Verdict]]:
        return [(one, tier.judge(one.prepared, one.case.context)) for one in of_part(part)]

    return judge


@pytest.fixture(scope="session", params=["dev", "train"])
def part(request: pytest.FixtureRequest) -> Part:
    chosen: Part = request.param
    return chosen


@pytest.fixture(scope="session")
def opened(part: Part, of_part: Callable[[Part], list[Open]]) -> list[Open]:
    return of_part(part)


@pytest.fixture(scope="session")
def said(part: Part, judged: Callable[[Part], list[tuple[Open, Verdict]]]) -> list[tuple[Open, Verdict]]:
    return judged(part)
