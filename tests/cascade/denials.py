"""What a reason may not say by itself: that nothing is asked of the reader."""

from __future__ import annotations

import re

from gaia_understanding.cascade.verdict import Verdict

_QUOTED = re.compile(r'"[^"]*"')
_DENIAL = re.compile(
    r"\bnothing\b|\bno (?:\w+ )?(?:action|answer|reply|response|need)\b|\bnot? (?:asked|needed|required)\b"
    r"|\b(?:doesn't|does not|don't|do not|needn't)\b|\bsomebody else\b|\bonly if\b",
    re.IGNORECASE,
)
_NEEDLESS = re.compile(
    r"\b(?:no|nothing|not|don't|kein|keine|nichts|nicht|pas|inutile|aucune|ninguna|nada|non|nessuna|não|nenhuma|niet|niets|geen"
    r"|bother)\b",
    re.IGNORECASE,
)


def denies(reason: str) -> bool:
    """Whether a reason denies something outside of its quotations; a warning denies the sender's claims."""
    return not reason.startswith("Looks like phishing") and bool(_DENIAL.search(_QUOTED.sub("", reason)))


def quotes_denial(reason: str) -> bool:
    """Whether a reason ends with the mail's own words that nothing is needed."""
    _, found, words = reason.rpartition('; it says "')
    return bool(found and _NEEDLESS.search(words))


def warned(verdict: Verdict) -> bool:
    """Whether the reason is a warning, which quotes traps and offers."""
    return verdict.flags.spam >= 0.5 or verdict.flags.phishing.score >= 0.5
