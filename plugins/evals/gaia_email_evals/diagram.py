"""A reliability diagram as SVG: stated confidence against accuracy, one panel per part. Entry: `to_svg`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from xml.sax.saxutils import escape

from gaia_email_evals.model import Bin, Scorecard

SIDE, MARGIN, TOP, BOTTOM = 260, 52, 36, 48
PANEL = SIDE + MARGIN + 16
INK, GRID, MARK = "#333333", "#dddddd", "#1f6fb2"
FONT = f"font-family='sans-serif' font-size='12' fill='{INK}'"


def to_svg(scorecard: Scorecard) -> str:
    """Return the diagram: one dot per bin, its area by the number of messages, its line the 95 % interval."""
    panels = [(section.part, section.calibration) for section in scorecard.parts if section.calibration]
    width, height = max(1, len(panels)) * PANEL, SIDE + TOP + BOTTOM
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"role='img' aria-label='Reliability diagram'>",
        f"<rect width='{width}' height='{height}' fill='white'/>",
    ]
    for number, (part, found) in enumerate(panels):
        lines += _panel(number * PANEL + MARGIN, f"part {part}", found.bins)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(left: int, title: str, bins: Sequence[Bin]) -> Iterator[str]:
    bottom = TOP + SIDE
    middle = left + SIDE / 2
    yield f"<text x='{middle:.0f}' y='{TOP - 14}' {FONT} text-anchor='middle'>{escape(title)}</text>"
    for step in range(0, 11, 2):
        x, y = left + SIDE * step / 10, bottom - SIDE * step / 10
        yield f"<path d='M{x:.0f} {TOP}V{bottom}M{left} {y:.0f}H{left + SIDE}' stroke='{GRID}'/>"
        yield f"<text x='{x:.0f}' y='{bottom + 18}' {FONT} text-anchor='middle'>{step / 10:.1f}</text>"
        yield f"<text x='{left - 8}' y='{y + 4:.0f}' {FONT} text-anchor='end'>{step / 10:.1f}</text>"
    yield f"<path d='M{left} {bottom}L{left + SIDE} {TOP}' stroke='{INK}' stroke-dasharray='4 4'/>"
    yield (f"<text x='{middle:.0f}' y='{bottom + 38}' {FONT} text-anchor='middle'>stated confidence</text>")
    yield (
        f"<text transform='translate({left - 36} {TOP + SIDE / 2:.0f}) rotate(-90)' {FONT} "
        "text-anchor='middle'>share that is right</text>"
    )
    messages = sum(one.right.of for one in bins)
    for one in bins:
        x = left + SIDE * one.said
        low, value, high = (
            bottom - SIDE * share for share in (one.right.low, one.right.value, one.right.high)
        )
        radius = 3 + 9 * sqrt(one.right.of / messages)
        yield f"<path d='M{x:.1f} {low:.1f}V{high:.1f}' stroke='{MARK}' stroke-width='2'/>"
        yield f"<circle cx='{x:.1f}' cy='{value:.1f}' r='{radius:.1f}' fill='{MARK}' fill-opacity='0.75'/>"
