"""From labelled messages and verdicts to a scorecard."""

from __future__ import annotations

import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_evals.baselines import by_keywords
from gaia_email_evals.cases import LabelledMessage, Labels
from gaia_email_evals.diagram import to_svg
from gaia_email_evals.judging import ScoredMessage, judge
from gaia_email_evals.markdown import to_markdown
from gaia_email_evals.model import Scorecard, Section, read_scorecard
from gaia_email_evals.scoring import score
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

MakeJudged = Callable[..., ScoredMessage]


@pytest.fixture
def section(judged: MakeJudged) -> Section:
    right = [judged(number, "urgent", "urgent") for number in range(6)]
    near = [judged(number, "actionable", "urgent") for number in range(6, 9)]
    far = [judged(9, "low_priority", "urgent")]
    return score([*right, *near, *far], "dev")


def test_any_bucket_that_is_right_counts_as_right(judged: MakeJudged) -> None:
    found = score(
        [judged(1, ("urgent", "actionable"), "actionable"), judged(2, ("urgent",), "actionable")], "dev"
    )
    assert found.buckets is not None
    assert found.buckets.accuracy.count == 1
    assert found.buckets.confusion["urgent"]["actionable"] == 1
    assert found.buckets.confusion["actionable"]["actionable"] == 1


def test_a_neighbouring_bucket_is_within_one(section: Section) -> None:
    assert section.buckets is not None
    assert (section.buckets.accuracy.count, section.buckets.within_one.count) == (6, 9)


def test_what_nobody_labelled_is_left_out(section: Section) -> None:
    assert (section.category, section.needs_reply, section.spam) == (None, None, None)
    assert score([], "dev").buckets is None


def test_the_constant_baseline_gets_what_its_bucket_has(judged: MakeJudged) -> None:
    found = score([judged(1, "informational", "urgent"), judged(2, "urgent", "urgent")], "dev")
    assert found.baselines["constant"].accuracy.value == 0.5


def test_languages_and_sources_are_scored_apart(section: Section) -> None:
    assert section.languages["en"].of == 10
    assert section.sources["set"].count == 6


@pytest.mark.parametrize(
    ("subject", "text", "bucket"),
    [
        ("Sale", "urgent", "low_priority"),
        ("", "Needed today, please", "urgent"),
        ("Lunch?", "", "actionable"),
        ("Minutes", "attached", "informational"),
    ],
)
def test_the_first_keyword_decides(subject: str, text: str, bucket: str) -> None:
    assert by_keywords(subject, text) == bucket


def test_a_scorecard_is_read_back_as_it_was_written(section: Section, tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    path.write_text(Scorecard(parts=(section,)).to_json(), encoding="utf-8")
    assert read_scorecard(path).part("dev") == section
    assert read_scorecard(path).part("test") is None


def test_a_message_is_one_line_of_the_file(section: Section) -> None:
    lines = Scorecard(parts=(section,)).to_json().splitlines()
    assert sum('"name": "set/' in line and '"right"' in line for line in lines) == 10


def test_a_file_that_is_no_scorecard_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_scorecard(tmp_path / "none.json")
    (tmp_path / "other.json").write_text('{"schema_version": 2, "parts": []}')
    with pytest.raises(BadArgument, match=r"other\.json"):
        read_scorecard(tmp_path / "other.json")


def test_a_locked_part_keeps_no_outcomes_and_a_reproducible_one_no_times(judged: MakeJudged) -> None:
    found = score([judged(1, "urgent", "urgent")], "test", rows=False, timed=False)
    assert found.rows == ()
    assert found.latency is None


def test_the_page_has_a_table_of_every_kind(section: Section) -> None:
    page = to_markdown(Scorecard(parts=(section,)), picture="card.svg")
    assert "| buckets right | 60 % (31 to 83) of 10 |" in page
    assert "![How often the stated confidence comes true](card.svg)" in page
    for title in (
        "### Buckets",
        "### Confidence",
        "### Buckets right by language",
        "### Buckets right by source",
    ):
        assert title in page


def test_a_source_cannot_break_a_table(judged: MakeJudged) -> None:
    found = score([replace(judged(1, "urgent", "urgent"), source="a|b\n# c")], "dev")
    page = to_markdown(Scorecard(parts=(found,)))
    assert "| a/b # c | 1 |" in page


def test_the_diagram_has_a_dot_for_every_bin(section: Section) -> None:
    tree = xml.etree.ElementTree.fromstring(to_svg(Scorecard(parts=(section, section))))
    dots = tree.findall("{http://www.w3.org/2000/svg}circle")
    assert section.calibration is not None
    assert len(dots) == 2 * len(section.calibration.bins)


class Stumbling:
    """A tier with a defect."""

    name = "T0"

    def judge(self, prepared: Prepared, context: Context) -> Verdict:
        raise RuntimeError("a defect")


def test_a_message_our_code_stumbles_over_is_counted_and_wrong() -> None:
    case = LabelledMessage(
        name="1",
        source="set",
        group="1",
        raw=b"Subject: hello\n\nhello\n",
        context=Context(),
        labels=Labels(buckets=("urgent",)),
    )
    found = score(list(judge([case], Stumbling())), "dev")
    assert (found.failed, found.tiers) == (1, {"none": 1})
    assert found.buckets is not None
    assert found.buckets.accuracy.count == 0
