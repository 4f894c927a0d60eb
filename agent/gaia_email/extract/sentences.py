"""Cuts the text of a mail into sentences. Entries: `split_sentences`, `placed_sentences`.

Mail is not prose: greetings and list entries have no full stop, lines are wrapped by hand at 72 columns,
and half of the full stops belong to abbreviations. One regular expression finds places where a sentence
could end; small functions over word tables decide.
"""

from __future__ import annotations

from gaia_email.extract.wordlists import words
from gaia_mail_mcp.mime.lazy import lazy_pattern

ANALYSED_CHARS = 20_000
"""How much of a message's text extraction looks at."""

DEFAULT_LIMIT = 100

# One character class first: that is what lets the regular expression engine skip quickly. Where the surroundings
# settle it, the expression itself takes the end or passes on; `ask` is set where a function has to decide.
_LIST_MARK = r"[ \t]*(?:[-*•+–·▪◦☐>]|\(?\d{1,2}[.)]|\(?[a-z]\)|\[[ xX]?\])[ \t]"
_CLOSERS = r"[.!?…]{0,6}[\"'”’»)\]*_]{0,3}"
_CANDIDATE = lazy_pattern(
    r"[.!?…。！？\n](?:"
    r"(?<=\n)(?:\n+|\Z"
    rf"|(?![a-z])(?={_LIST_MARK})"
    r"|(?<![^\n]{50}\n)(?:(?=[\x01-`{-\x7f])|(?=[^\x00-\x7f])(?P<ask>)|(?<=[,:;]\n)(?<![^\n]{40}\n)))"
    rf"|(?<=[.!…])(?![ \n][a-z]|\n\n)(?:(?<=[A-Za-z]{{5}}[.!…]){_CLOSERS}(?=\s[A-Z])|{_CLOSERS}(?=\s)(?P<stop>))"
    rf"|(?<=\?){_CLOSERS}(?=\s)"
    r"|(?<=[。！？])[」』）]?)"
)
_LIST_MARKER = lazy_pattern(_LIST_MARK)

# A line at least this long was probably wrapped by a mail program and goes on in the next one.
_WRAPPED_LINE = 50

_NEVER_LAST = words(
    # English
    "mr mrs ms dr prof rev hon sr jr st mt e.g i.e eg ie vs etc approx ca cf fig figs vol ext dept est max "
    "min jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat "
    # German
    "hr fr frl bzw z.b d.h u.a o.ä s.o s.u evtl ggf usw inkl exkl zzgl mind abs art str tel vgl bspw sog "
    # French, Spanish, Italian, Portuguese, Dutch
    "mme mlle mm p.ex env n° sra srta sres dña ud uds vd vds p.ej ej avda núm sig sig.ra dott dott.ssa ing "
    "avv rag sr.a exmo exma pág dhr mevr mw drs ir bijv o.a m.b.t d.w.z"
)
_NUMBER_FOLLOWS = words("no nos nr nrs num núm p pp page ch sec § art")
# "12. März" is a day, "page 12. Then" is not.
_GERMAN_MONTHS = words("jan feb mär mar apr mai jun jul aug sep okt nov dez uhr")
_STRIP = "\"'“”‘’«»()[]*_ \t\n"


def split_sentences(text: str, limit: int = DEFAULT_LIMIT) -> tuple[str, ...]:
    """The sentences of `text`, in order, each a verbatim slice of it without surrounding white space.

    A sentence keeps the line breaks it was wrapped with: patterns must allow for those. Headings,
    greetings and list entries count as sentences. At most `limit` are given and at most `ANALYSED_CHARS`
    characters read.
    """
    return placed_sentences(text, limit)[0]


def placed_sentences(text: str, limit: int = DEFAULT_LIMIT) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The sentences that `split_sentences` gives, and where each begins in `text`."""
    text = text[:ANALYSED_CHARS]
    sentences: list[str] = []
    starts: list[int] = []
    start = 0
    for match in _CANDIDATE.finditer(text):
        stop, end = match.span()
        if match.lastindex is not None and not _ends(text, stop, end):
            continue
        piece = text[start:end]
        sentence = piece.strip()
        if sentence:
            sentences.append(sentence)
            starts.append(start + piece.find(sentence[0]))
            if len(sentences) >= limit:
                return tuple(sentences), tuple(starts)
        start = end
    piece = text[start:]
    rest = piece.strip()
    if rest:
        sentences.append(rest)
        starts.append(start + piece.find(rest[0]))
    return tuple(sentences), tuple(starts)


def _ends(text: str, stop: int, end: int) -> bool:
    """Whether the mark at `stop` ends a sentence, where its surroundings alone do not tell."""
    if text[stop] == "\n":
        return _ends_at_newline(text, text.rfind("\n", 0, stop) + 1, end)
    if stop >= 5 and text[stop - 5 : stop].isalpha() and text[end : end + 2].strip().isupper():
        return True
    return _ends_at_stop(text, stop, end)


def _ends_at_newline(text: str, line_start: int, end: int) -> bool:
    """Whether the line break just before `end` ends a sentence, or only wraps it."""
    following = text[end : end + 1]
    if following in ("", "\n") or end - line_start <= 1:
        return True
    if not following.isalnum() and _LIST_MARKER.match(text, end):
        return True
    if following.isdigit() and _LIST_MARKER.match(text, end):
        return True
    length = end - 1 - line_start
    if length >= _WRAPPED_LINE:
        return False
    last = text[end - 2]
    if last in ",:;" and length < 40:
        return True
    return not following.islower()


def _ends_at_stop(text: str, stop: int, end: int) -> bool:
    """Whether the `.`, `!`, `?` or `…` at `stop` ends a sentence."""
    following = text[end + 1 : end + 2]
    if not following.isalnum():
        following = _next_character(text, end)
    if following.islower():
        return text[stop] == "?"
    if text[stop] in "?!" or end - stop > 1:
        return True
    line_start = text.rfind("\n", 0, end) + 1
    word_start = max(text.rfind(" ", line_start, stop) + 1, line_start)
    word = text[word_start:stop].strip(_STRIP).lower()
    if len(word) == 1 and word.isalpha() and word != "i":
        return False
    if word in _NUMBER_FOLLOWS and following.isdigit():
        return False
    if len(word) <= 2 and word.isdigit():
        at_line_start = not text[line_start:word_start].strip(_STRIP)
        return not at_line_start and text[end : end + 4].strip().lower()[:3] not in _GERMAN_MONTHS
    return word not in _NEVER_LAST


def _next_character(text: str, position: int) -> str:
    """The first character from `position` on that is neither white space nor an opening quote."""
    for index in range(position, min(position + 12, len(text))):
        character = text[index]
        if character not in " \t\n\"'“‘«([*_":
            return character
    return ""
