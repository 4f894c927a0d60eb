"""The text of one message as every extractor sees it, with its cheap pre-tests. Entry: `view_of`.

Most messages contain no code, no money and no phone number. Computing the set of words and the digits once
lets each extractor return at once.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.sentences import ANALYSED_CHARS
from gaia_understanding.prepare.extract.spelling import space_out, to_lower

_DIGITS = "0123456789"
_RUN = lazy_pattern(r"\d+")
_MAX_RUNS = 1000


class TextView(NamedTuple):
    """A text with the properties that extractors need again and again.

    Attributes:
        text: At most `ANALYSED_CHARS` characters.
        lower: The same in lower case, of exactly the same length.
        tokens: Its words in lower case, at least those some finder knows (see `vocabulary`).
        digits: The positions at which runs of digits begin, at most `_MAX_RUNS`.
        language: ISO 639-1 code, `""` if unknown.
        region: The country code the sender's domain ends in, `""` for a generic one.
        partial: True if `tokens` has only the words of the text's beginning.
    """

    text: str
    lower: str
    tokens: frozenset[str]
    digits: tuple[int, ...]
    language: str
    region: str
    partial: bool = False


def view_of(
    text: str,
    *,
    language: str = "",
    region: str = "",
    tokens: frozenset[str] | None = None,
    lower: str | None = None,
) -> TextView:
    """Prepare `text` once; `tokens` and the lower case are given if they are known already."""
    text = text[:ANALYSED_CHARS]
    if lower is None or len(lower) != len(text):
        lower = to_lower(text)
    return TextView(
        text=text,
        lower=lower,
        tokens=tokens_of(lower) if tokens is None else tokens,
        digits=_digit_runs(text),
        language=language,
        region=region,
    )


def widen_view(view: TextView, text: str) -> TextView:
    """Return the view of all of `text`, of which `view` is the beginning; `tokens` stay those of the beginning."""
    wide = view_of(text, language=view.language, region=view.region, tokens=view.tokens)
    return wide._replace(partial=True)


def _digit_runs(text: str) -> tuple[int, ...]:
    if not any(map(text.__contains__, _DIGITS)):
        return ()
    return tuple([match.start() for match in islice(_RUN.finditer(text), _MAX_RUNS)])


def tokens_of(text: str) -> frozenset[str]:
    """Return the words of a text in lower case, cut at white space and punctuation."""
    return frozenset(space_out(text).split())
