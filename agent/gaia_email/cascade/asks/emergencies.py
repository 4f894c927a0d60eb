"""An emergency that is told, whether or not anybody is asked for anything. Entry: `stated`.

People in trouble report: what failed, leaks or burns, or who was hurt. What is over, might happen one day or is
practised, is none.
"""

from __future__ import annotations

from gaia_email.cascade.asks import scope
from gaia_email.cascade.view import PhraseView
from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_email.cascade", "asks/emergencies.txt")

_READ = 1_500
"""An emergency is told at once; further down it is an example or history."""
_SENTENCES = 12

_TROUBLE = _TABLE.pattern("trouble")
_HINTS = Literals.listed(_TABLE, "hints")
"""One of these stands in all that `_TROUBLE` finds."""
_OVER = _TABLE.pattern("over")
"""It has passed, or it is only spoken about."""
_SUPPOSED = _TABLE.pattern("supposed", r"\b(?:", r")\b")


def stated(view: PhraseView) -> str:
    """The words that tell of an emergency, as written; empty where there is none, or it is over."""
    for text, low in ((view.subject, view.folded_subject), *_sentences(view)):
        if not _HINTS.stand_in(low):
            continue
        match = _TROUBLE.search(low)
        if match is None or _SUPPOSED.search(low, 0, match.start()) is not None:
            continue
        if scope.is_quoted(low, match.start()):
            continue
        if is_over(view):
            return ""
        return text[match.start() : match.end()]
    return ""


def is_over(view: PhraseView) -> bool:
    """Whether it says of what it tells that it has passed, or only speaks about such things."""
    return any(map(_OVER.search, (view.folded_subject, view.folded_body[:_READ])))


def _sentences(view: PhraseView) -> list[tuple[str, str]]:
    """The first sentences as written and folded."""
    return [
        (view.sentences[index], view.folded_sentence(index))
        for index, start in enumerate(view.starts[:_SENTENCES])
        if start < _READ
    ]
