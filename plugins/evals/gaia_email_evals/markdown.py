"""A scorecard as Markdown. Entry: `to_markdown`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gaia_email_evals.figures import figures
from gaia_email_evals.model import Calibration, Choice, Scorecard, Section, Share
from gaia_email_evals.wording import (
    BASELINES,
    bar,
    compared_in_words,
    estimate_in_words,
    in_words,
    share_in_words,
)

INTRODUCTION = (
    "Figures by `gaia email eval`, with 95 % intervals: Wilson's for shares, bootstrap intervals for the others. "
    "`docs/evaluation.md` defines each figure."
)


def to_markdown(scorecard: Scorecard, *, introduction: str = INTRODUCTION, picture: str = "") -> str:
    """Return the whole page.

    Args:
        scorecard: The scorecard to show.
        introduction: The paragraph below the title.
        picture: The path of a reliability diagram to show; none when empty.
    """
    lines = ["# Scorecard", "", introduction, "", *_overview(scorecard.parts)]
    if picture:
        lines += ["", f"![How often the stated confidence comes true]({picture})"]
    for section in scorecard.parts:
        lines += _section(section)
    return "\n".join(lines) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in row)} |"


def _overview(sections: Sequence[Section]) -> Iterator[str]:
    found = [{figure.name: figure for figure in figures(section)} for section in sections]
    names = [name for name in dict.fromkeys(name for one in found for name in one) if " F1 " not in name]
    rows = [[name, *(in_words(one[name]) if name in one else "" for one in found)] for name in names]
    for key, what in BASELINES.items():
        cells = [_baseline(section, key) for section in sections]
        if any(cells):
            rows.append([f"buckets right, baseline: {what}", *cells])
    head = ["", *(f"{section.part}, {section.messages:,} messages" for section in sections)]
    yield from _table(head, rows)


def _baseline(section: Section, key: str) -> str:
    found = section.baselines.get(key)
    return f"{share_in_words(found.accuracy)}, macro-F1 {estimate_in_words(found.macro_f1)}" if found else ""


def _section(section: Section) -> Iterator[str]:
    yield from ("", f"## Part {section.part}")
    if section.failed:
        yield from ("", f"{section.failed:,} messages could not be understood at all; they count as wrong.")
    if section.comparison:
        first, *rest = compared_in_words(section.comparison)
        yield from (
            "",
            "### Compared with the older run",
            "",
            f"**{first}**",
            *(f"- {line}" for line in rest),
        )
    for title, scored in (
        ("Buckets", section.buckets),
        ("Content category", section.category),
        ("Speech act", section.act),
        ("Cohort", section.cohort),
    ):
        if scored:
            yield from ("", f"### {title}", "", *_choice(scored))
    if section.calibration:
        yield from ("", "### Confidence", "", *_calibration(section.calibration))
    for title, slices in (("Language", section.languages), ("Source", section.sources)):
        if slices:
            yield from ("", f"### Buckets right by {title.lower()}", "", *_slices(title, slices))
    if section.latency:
        time = section.latency
        yield from (
            "",
            f"Time per message: {time.median_ms:.1f} ms (median), {time.p95_ms:.1f} ms (95 % are faster), "
            f"{time.slowest_ms:.0f} ms (slowest).",
        )


def _choice(scored: Choice) -> Iterator[str]:
    said = list(next(iter(scored.confusion.values())))
    rows = [
        [
            name,
            str(one.messages),
            share_in_words(one.precision) if one.precision else "never said",
            share_in_words(one.recall) if one.recall else "",
            estimate_in_words(one.f1),
            *(f"**{n}**" if other == name else str(n) for other, n in scored.confusion[name].items()),
        ]
        for name, one in scored.classes.items()
    ]
    yield from _table(
        ["labelled", "messages", "precision", "recall", "F1", *(f"said {name}" for name in said)], rows
    )


def _calibration(found: Calibration) -> Iterator[str]:
    yield f"Expected calibration error {estimate_in_words(found.error)}, Brier score {estimate_in_words(found.brier)}."
    yield ""
    rows = [
        [
            f"{one.low:.1f} to {one.high:.1f}",
            str(one.right.of),
            f"{one.said:.2f}",
            share_in_words(one.right),
            f"`{bar(one.right.value)}`",
        ]
        for one in found.bins
    ]
    yield from _table(["stated confidence", "messages", "stated on average", "right", ""], rows)


def _slices(title: str, slices: dict[str, Share]) -> Iterator[str]:
    rows = [[name, str(found.of), share_in_words(found)] for name, found in slices.items()]
    yield from _table([title.lower(), "messages", "right"], rows)
