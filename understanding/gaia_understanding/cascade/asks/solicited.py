"""Mail that wants its reader to take part in a survey, a draw, a giveaway or the like. Entry: `wish`.

A reader who is asked for an opinion or promised a prize loses nothing by not answering: the sender set the
hour that the mail names, and it makes nothing urgent.
"""

from __future__ import annotations

from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.view import PhraseView

_TABLE = WordTable("gaia_understanding.cascade", "asks/solicited.txt")

_SENTENCES = 12

_WISH = _TABLE.pattern("wish")


def wish(view: PhraseView, request: str) -> str:
    """Return the text by which the mail wants its reader to take part, as written; empty if it wants something else.

    Only the subject and the main `request` count; without a request, the subject and the first sentences.
    """
    match = _WISH.search(view.folded_subject)
    if match is not None:
        return view.subject[match.start() : match.end()]
    for index in range(min(_SENTENCES, len(view.starts))):
        sentence = view.sentences[index]
        if request and sentence != request:
            continue
        match = _WISH.search(view.folded_sentence(index))
        if match is not None:
            return sentence[match.start() : match.end()]
    return ""
