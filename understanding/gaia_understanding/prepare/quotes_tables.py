"""The words that announce a quoted message in mail programs (`data/quotes.txt`), for the `quotes_*` modules."""

from __future__ import annotations

from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_understanding.prepare", "quotes.txt")

ORIGINAL_PHRASES = frozenset(_TABLE.phrases("original_message"))
FORWARD_PHRASES = frozenset(_TABLE.phrases("forwarded_message"))
FORWARDED_BY = _TABLE.phrases("forwarded_by")
"""Lotus Notes puts the forwarder and the time on the dashed line."""

HEADER_KINDS = {
    key: kind
    for kind in ("from", "date", "sent", "to", "cc", "subject")
    for key in _TABLE.phrases(f"header_{kind}")
}
"""Names of the fields above a quoted message, and their kinds."""

ABOVE_LINE = tuple(phrase.split() for phrase in _TABLE.phrases("above_line"))
"""Two words that a help desk's line has together with one of `ANSWER_STEMS`: "Please reply above this line"."""

ANSWER_STEMS = _TABLE.word_list("answer_stems")
BELOW_LINE = _TABLE.phrases("below_line")
HIDDEN_QUOTE = _TABLE.phrases("hidden_quote")

VERBS = _TABLE.words("verbs")
WEAK_VERBS = _TABLE.words("weak_verbs")
"""Verbs of ordinary prose: they announce a quote only with an address or with `>` lines below."""
UNSPACED_VERBS = _TABLE.phrases("unspaced_verbs")
"""Verbs in scripts without spaces between words."""

QUOTING = _TABLE.phrases("quoting")
PRONOUNS = _TABLE.words("pronouns")
"""A writer who tells of a letter ("On 3 March I wrote:") names no other sender."""

OPENERS = _TABLE.words("openers")
"""First words of an attribution that opens with its date."""
