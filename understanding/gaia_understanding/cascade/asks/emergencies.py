"""Emergencies that a message reports, whether or not it asks for anything. Entry: `find_emergency`.

People in trouble report: what failed, leaks or burns, or who was hurt. Anything that is over, might happen
one day or is only practised does not count.
"""

from __future__ import annotations

from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks import scope
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.literal_scanner import Literals

_TABLE = WordTable("gaia_understanding.cascade", "asks/emergencies.txt")

_READ = 1_500
"""The characters of the body to search; people report an emergency at once, and an example or history later."""
_SENTENCES = 12

_TROUBLE = _TABLE.pattern("trouble")
_HINTS = Literals.from_table(_TABLE, "hints")
"""Every match of `_TROUBLE` contains one of these."""
_OVER = _TABLE.pattern("over")
"""The trouble has passed, or the mail only talks about it."""
_SUPPOSED = _TABLE.pattern("supposed", r"\b(?:", r")\b")


def find_emergency(view: PhraseView) -> str:
    """Return the text that reports an emergency, as written; empty if there is none, or it is over."""
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
    """Return True if the mail says that the trouble has passed, or only talks about such things."""
    return any(map(_OVER.search, (view.folded_subject, view.folded_body[:_READ])))


def _sentences(view: PhraseView) -> list[tuple[str, str]]:
    """Return the first sentences as written and folded."""
    return [
        (view.sentences[index], view.folded_sentence(index))
        for index, start in enumerate(view.starts[:_SENTENCES])
        if start < _READ
    ]
