"""Figures as readable text. Entries: `in_words`, `bar`."""

from __future__ import annotations

from gaia_email_evals.figures import Figure
from gaia_email_evals.model import Comparison, Estimate, Paired, Share

BAR = 20

BASELINES = {"constant": "always informational", "keywords": "a dozen words"}
"""Descriptions of the baselines."""


def percent(value: float) -> str:
    """Return a share as whole percent, without the sign."""
    return f"{value * 100:.0f}"


def share_in_words(found: Share) -> str:
    """Return a share such as `61 % (55 to 66)`."""
    return f"{percent(found.value)} % ({percent(found.low)} to {percent(found.high)})"


def estimate_in_words(found: Estimate) -> str:
    """Return an estimate such as `0.57 (0.51 to 0.63)`."""
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


def in_words(figure: Figure) -> str:
    """Return a figure with its interval and, for a share, the number of messages."""
    if figure.of:
        span = f"({percent(figure.low)} to {percent(figure.high)})"
        return f"{percent(figure.value)} % {span} of {figure.of:,}"
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"


def bar(value: float) -> str:
    """Return a share as a bar of text."""
    full = round(value * BAR)
    return "█" * full + "·" * (BAR - full)


def compared_in_words(comparison: Comparison) -> list[str]:
    """Return the result of a comparison, one sentence per line; the first is the outcome."""
    lines = {
        "better": "Better than before.",
        "worse": "Worse than before.",
        "no difference": "No difference that this many messages can show.",
    }
    found = [lines[comparison.outcome]]
    if comparison.paired:
        found += _paired_in_words(comparison.paired)
    else:
        found.append("The older run kept no outcomes of these messages, so only whole figures are compared.")
    found += [
        f"{one.name}: {one.new:.2f}, was {one.old:.2f} ({one.low:.2f} to {one.high:.2f}): {one.outcome}."
        for one in comparison.moved
    ]
    return found


def _paired_in_words(paired: Paired) -> list[str]:
    right, f1 = paired.accuracy, paired.macro_f1
    change = right.change
    found = [
        f"{paired.messages:,} messages in both runs: {len(paired.repaired):,} repaired, {len(paired.broken):,} broken.",
        f"Buckets right: {percent(right.new)} %, was {percent(right.old)} %; change {change.value * 100:+.1f} points "
        f"({change.low * 100:+.1f} to {change.high * 100:+.1f}), p = {right.p:.3f} (McNemar): {right.outcome}.",
        f"Macro-F1: {f1.new:.3f}, was {f1.old:.3f}; change {f1.change.value:+.3f} "
        f"({f1.change.low:+.3f} to {f1.change.high:+.3f}): {f1.outcome}.",
    ]
    if paired.relabelled:
        found.append(f"{paired.relabelled:,} have other labels now; both runs are held against today's.")
    return found
