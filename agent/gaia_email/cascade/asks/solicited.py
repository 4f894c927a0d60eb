"""Whether a mail wants its reader to take part in a survey, a draw, a giveaway or the like. Entry: `wish`.

Who is asked for an opinion or promised a prize loses nothing by not answering: the hour named is the asker's own, and
makes nothing urgent.
"""

from __future__ import annotations

from gaia_email.cascade.view import PhraseView
from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_email.cascade", "asks/solicited.txt")

_SENTENCES = 12

_WISH = _TABLE.pattern("wish")


def wish(view: PhraseView, request: str) -> str:
    """The words as written by which the mail's own wish is to take part; empty where it wants something else.

    The wish is what its main `request` and its subject say; without a request, what its first sentences do.
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
