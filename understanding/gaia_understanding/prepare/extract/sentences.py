"""Split the text of a mail into sentences. Entries: `split_sentences`, `placed_sentences`.

Mail is not prose: greetings and list entries have no full stop, lines are wrapped by hand at 72 columns, and
half of the full stops belong to abbreviations. One regular expression finds the line breaks and one the full
stops at which a sentence could end; small functions over word tables decide.
"""

from __future__ import annotations

from itertools import pairwise

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.wordlists import words

_TABLE = WordTable("gaia_understanding.prepare.extract", "sentences.txt")

ANALYSED_CHARS = 20_000
"""The characters of a message's text that extraction reads."""

DEFAULT_LIMIT = 100

# If the surroundings settle it, the expressions themselves accept or reject an end; `ask` is set if a
# function has to decide. The white space after an end belongs to it.
_LIST_MARK = r"[ \t]*(?:[-*•+–·▪◦☐>]|\(?\d{1,2}[.)]|\(?[a-z]\)|\[[ xX]?\])[ \t]"
_CLOSERS = r"[.!?…]{0,6}[\"'”’»)\]*_]{0,3}"
_LINE_END = lazy_pattern(
    r"\n(?:\n+|\Z"
    rf"|(?![a-z])(?={_LIST_MARK})"
    r"|(?<!\bM[rs]\.\n)(?<!\bMrs\.\n)(?<!\bDr\.\n)(?<![^\n]{50}\n)(?:(?=[\x01-`{-\x7f])|(?=[^\x00-\x7f])(?P<ask>)|(?<=[,:;]\n)(?<![^\n]{40}\n)))"
)
# At a line's end a full stop matters only if the line break ends no sentence.
_BEHIND_STOP = (
    rf"(?:(?<=[A-Za-z]{{5}}[.!…]){_CLOSERS}[^\S\n](?=[A-Z])"
    rf"|{_CLOSERS}(?P<white>[^\S\n]|\n(?!\n)(?:(?<=[^\n]{{50}}\n)|(?![\x01-`{{-\x7f]))))"
)
_STOP = lazy_pattern(r"\." + _BEHIND_STOP)
_ANY_STOP = lazy_pattern(rf"[.!?…](?:{_BEHIND_STOP})|[。！？][」』）]?")
_NO_SPACES = "。！？"
"""Full stops that no white space follows."""
_LONG_WORD = 5
"""Words of so many letters are not abbreviations if a capital follows."""
_LIST_MARKER = lazy_pattern(_LIST_MARK)

# A line at least this long was probably wrapped by a mail program and goes on in the next one.
_WRAPPED_LINE = 50

_NEVER_LAST = _TABLE.words("never_last")
_NUMBER_FOLLOWS = words("no nos nr nrs num núm p pp page ch sec § art")
# "12. März" is a day, "page 12. Then" is not.
_GERMAN_MONTHS = words("jan feb mär mar apr mai jun jul aug sep okt nov dez uhr")
_STRIP = "\"'“”‘’«»()[]*_ \t\n"


def split_sentences(text: str, limit: int = DEFAULT_LIMIT) -> tuple[str, ...]:
    """Return the sentences of `text`, in order, each a verbatim slice of it without surrounding white space.

    A sentence keeps the line breaks it was wrapped with: patterns must allow for those. Headings, greetings
    and list entries count as sentences. At most `limit` are returned and at most `ANALYSED_CHARS` characters
    read.
    """
    return placed_sentences(text, limit)[0]


def placed_sentences(text: str, limit: int = DEFAULT_LIMIT) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the sentences of `split_sentences`, and the position of each in `text`."""
    text = text[:ANALYSED_CHARS]
    cuts = _cuts(text)
    pieces = [text[start:end] for start, end in pairwise(cuts)]
    sentences = list(map(str.strip, pieces))
    led = list(map(str.lstrip, pieces))
    if led != pieces:
        cuts = [end - len(piece) for end, piece in zip(cuts[1:], led, strict=True) if piece]
        sentences = list(filter(None, sentences))
    return tuple(sentences[:limit]), tuple(cuts[: min(limit, len(sentences))])


def _cuts(text: str) -> list[int]:
    """Return the ends of pieces of the text: a sentence each, with white space around it, or only that."""
    cuts = [
        match.end()
        for match in _LINE_END.finditer(text)
        if match.lastindex is None or _ends_at_newline(text, match.end())
    ]
    if any(map(text.__contains__, _NO_SPACES)):
        stops = _ANY_STOP.finditer(text)
    else:
        # One character is searched for many times as fast as a class of them.
        stops = _STOP.finditer(text.replace("!", ".").replace("?", ".").replace("…", "."))
    cuts += [
        match.end()
        for match in stops
        if match.lastindex is None or _ends_at_stop(text, match.start(), match.start("white"))
    ]
    return sorted({0, *cuts, len(text)})


def _ends_at_newline(text: str, end: int) -> bool:
    """Return True if the line break just before `end` ends a sentence, False if it only wraps it."""
    line_start = text.rfind("\n", 0, end - 1) + 1
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
    """Return True if the `.`, `!`, `?` or `…` at `stop` ends a sentence; `end` is the white space after it."""
    mark = text[stop]
    if mark == "?":
        return True
    following = text[end + 1 : end + 2]
    if following.isupper():
        if mark == "!":
            return True
        word = text[max(0, stop - _LONG_WORD - 1) : stop].rpartition(" ")[2]
        if word.isalpha() and end == stop + 1:
            return len(word) >= _LONG_WORD or _may_be_last(word.lower())
    elif following.islower():
        return False
    elif not following.isalnum():
        following = _next_character(text, end)
        if following.islower():
            return False
    if mark == "!" or end - stop > 1:
        return True
    line_start = text.rfind("\n", 0, end) + 1
    word_start = max(text.rfind(" ", line_start, stop) + 1, line_start)
    word = text[word_start:stop].strip(_STRIP).lower()
    if word in _NUMBER_FOLLOWS and following.isdigit():
        return False
    if len(word) <= 2 and word.isdigit():
        at_line_start = not text[line_start:word_start].strip(_STRIP)
        return not at_line_start and text[end : end + 4].strip().lower()[:3] not in _GERMAN_MONTHS
    return _may_be_last(word)


def _may_be_last(word: str) -> bool:
    """Return True if a sentence may end with the word, False if its full stop abbreviates it."""
    return word not in _NEVER_LAST and (len(word) > 1 or not word.isalpha() or word == "i")


def _next_character(text: str, position: int) -> str:
    """Return the first character from `position` on that is neither white space nor an opening quote."""
    for index in range(position, min(position + 12, len(text))):
        character = text[index]
        if character not in " \t\n\"'“‘«([*_":
            return character
    return ""
