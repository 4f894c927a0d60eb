"""Quotations and lines cut to length. Used by `reason` and `summary`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks.scope import is_legal
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import Wordlist, fold, ideographs, is_garbled, positions

_TABLE = WordTable("gaia_understanding.cascade", "wording/lines.txt")

_GREETING = _TABLE.pattern("greeting", flags=re.IGNORECASE)
_GREETING_UNSPACED = lazy_pattern(r"^(?:您好|你好|大家好|こんにちは)[，,！!。、]\s*")
_OPENINGS = Wordlist(
    "could you; can you; would you; please; let me know; let us know; könntest; können sie; bitte; pourriez; pouvez; "
    "merci de; podría; podrías; puedes; potresti; può; poderia; pode; kun je; kunt u"
)
_LEAD = lazy_pattern(
    r"^(?:(?:quick|short|one|small|just a quick|kurze|eine|petite|una) )?(?:one|question|frage|thing|domanda|pregunta)"
    r"\s?[:,–-] |^\(?\d{1,2}[.)] |^(?:i am|i'm|we are|we're)? ?(?:so |very )?sorry,? (?:but )?"
    r"|^(?:good news|bad news|p\.? ?s\.?)[:,.] |^(?:so|and|also|btw|by the way),? ",
    re.IGNORECASE,
)
_CLAUSE_END = lazy_pattern(
    r"[;:](?= )|[!?](?= )|(?<=[^\W\d_]{4})\.(?= [A-ZÀ-Þ\"'(¿¡])"
    r"| [–—-]{1,2}(?= )| (?=\([^)]{20})|,(?= (?:and|but|or|so|because|while|which|where|since|although|though|if"
    r"|unless|when|once|with|including|such|und|aber|oder|weil|damit|wenn|falls|et|mais|ou|parce|si|y|pero|o"
    r"|porque|cuando|e|ma|perché|quando|mas|en|maar|of|als) )"
    r"| (?=(?:while|because|so that|until|before|after|but|which|weil|damit|bevor|aber|sobald|parce que"
    r"|pour que|afin|mais|quand|porque|para que|pero|cuando|perché|affinché|ma|quando|mas|omdat|zodat|maar) )"
    r"|(?<=[。、！？])"
)
"""The places at which a clause may end."""
_SUBORDINATE = lazy_pattern(
    r"^(?:if|when|as|since|because|although|though|while|once|unless|after|before|until|given|due to|in order|per"
    r"|wenn|falls|da|weil|sobald|nachdem|bevor|si|comme|quand|lorsque|parce que|cuando|como|porque|se|quando|poiché"
    r"|als|omdat|zodra)\b",
    re.IGNORECASE,
)
"""A sentence that begins with one of these says nothing before its main clause."""
_VOCATIVE = lazy_pattern(
    r"^(?!(?:Please|Yes|No|Well|Okay|Ok|Now|Today|Also|However|Therefore|Thanks|Sorry|Bitte|Danke|Merci|Gracias)\b)"
    r"(?:[A-ZÀ-Þ][a-zà-ÿ'-]{1,14}(?: [A-ZÀ-Þ][a-zà-ÿ'-]{1,14})?(?:, and |, | and | & )){0,4}"
    r"[A-ZÀ-Þ][a-zà-ÿ'-]{1,14}(?: [A-ZÀ-Þ][a-zà-ÿ'-]{1,14})?,\s+(?!and\b|or\b|und\b|et\b|y\b|e\b)"
)
LIMIT, QUOTE, LONGEST = 300, 150, 200
"""The most characters of a reason, of a quotation in it, and of a quoted sentence without a shorter clause."""

_STRIP = ' =。\t\n"“”„«»*_>•-–—|'
COURTESIES = _TABLE.phrases("courtesies")
_SUBJECT_PREFIX = lazy_pattern(
    r"^(?:(?:re|fwd?|aw|wg|sv|antw|tr|rif|res|ref|rv|enc)\s?:\s*|\[[^\]\n]{1,60}\]\s*)", re.IGNORECASE
)
_TAG = lazy_pattern(r"^(?:(?:re|aw|sv|fwd?)\s?:\s*)*\[([^\]\n]{1,40})\]", re.IGNORECASE)
_ADDRESS_ONLY = lazy_pattern(r"^(?:[<\[(]?(?:https?://|www\.)\S+[>\])]?|\[IMG: .*)$")
_LINK = lazy_pattern(r"https?://|www\.")
FORWARDS = lazy_pattern(r"(?:fwd?|wg|tr|rv|enc|i|vs)\s?:", re.IGNORECASE)
"""The beginning of the subject of forwarded mail."""
FIELD = lazy_pattern(
    r"^(?:url|date|link|posted|from|to|cc|subject|sent|sensitivity|importance|attachments?|where|when|content-[a-z-]+"
    r"|mime-version)\s?: ",
    re.IGNORECASE,
)
_DATE = lazy_pattern(
    r"^(?:[a-z]{3,9}\.?,? )?(?:[a-z]{3,9}\.? \d{1,2}|\d{1,2}\.? [a-z]{3,9}|\d{1,2}[./-]\d{1,2})[,./-]? ?\d{2,4}$",
    re.IGNORECASE,
)
_DANGLING = _TABLE.pattern("dangling", flags=re.IGNORECASE)
"""Words that must not end a quotation: the text that they introduce was cut off."""
_ADDRESSED = lazy_pattern(
    r"\b(?:to|cc|from|sent by):\s*\S*@"
    r"|^please respond to (?!(?:this|the|that|these|those|my|our|your|me|us|him|her|them|it|an?|each|all|any)\b)\w",
    re.IGNORECASE,
)
"""Lines that name a sender or recipient.

Notes writes `Please respond to NAME` above a message and runs it into the text that follows.
"""
_RULE = lazy_pattern(r"^[\W_]+$|[-=_~*]{6,}")
"""A line of signs, or words that such a line frames."""
_MOMENT = lazy_pattern(
    r"^\W*(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?\W*$",
    re.IGNORECASE,
)
_FILES = lazy_pattern(
    r"^(?:\W*(?:<<[^<>\n]{1,120}>>|\(see attached file: [^)\n]{1,120}\))\W*)+$", re.IGNORECASE
)
_SALUTATION = lazy_pattern(
    r"^(?:to )?(?:all|[A-ZÀ-Þ][\w'’-]*\.?)(?:(?: |, ?| and | & | / ?)(?:all|[A-ZÀ-Þ][\w'’-]*\.?)){0,3}\s*[,:–-]+$",
    re.IGNORECASE,
)
_JOINING = lazy_pattern(
    r"[, ]+(?:and|so|but|then|und|also|aber|et|donc|mais|y|así que|pero|e|quindi|ma|en|dus|maar)$"
)
_LEAST_CLAUSE, _ROOMY = 20, 80
"""The fewest characters of a clause that can be quoted alone, and of room for a sentence longer than the limit."""
_ABBREVIATED = lazy_pattern(
    r"\b(?:Reps?|Sens?|Gov|Cong|Prof|Dr|Mrs?|Ms|Messrs|Gen|Leg|Dept|Asst|Nos?|Sec|Art|Fig|Mon|Tues?|Wed|Thurs?|Fri|Sat"
    r"|Sun|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|vs|approx|incl|cf|z\. ?B|bzw|ca|[A-Z])\.$"
)
"""A sentence that ends in one of these was cut too early."""
_ENOUGH_WORDS = 3
_ENOUGH_IDEOGRAPHS = 6
_LEAD_IN_WORDS = 7
_HEADING_WORDS, _TITLE_WORDS = 4, 12
_TELLING_LETTERS = 3
_BOILERPLATE_CHARS = 200


def one_line(text: str) -> str:
    """Replace runs of white space by one space."""
    return " ".join(text.split())


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters, ending at a word, without a mark for what was left out."""
    text = one_line(text)
    if len(text) <= limit:
        return text
    short = text[:limit].rsplit(" ", 1)[0] if " " in text[:limit] else text[:limit]
    return short.rstrip(" ,;:–-(")


def quotable(sentence: str, limit: int) -> str:
    """Return the heart of a sentence: no greeting, no closing mark, at most `limit` characters.

    A longer sentence gives a clause that can stand alone; empty if there is none.
    """
    text = one_line(sentence).lstrip(") >").replace('"', "'")
    if text[:1] == "'" == text[-1:] and text.count("'") == 2:
        text = text[1:-1]
    text = without_greeting(text.strip(_STRIP))
    link = _LINK.search(text, 10) if "://" in text or "www." in text else None
    if link:
        text = _DANGLING.sub("", text[: link.start()].rstrip(" <([:"))
    for opening in (_VOCATIVE, _LEAD):
        match = opening.match(text)
        if match and len(text) - match.end() > 10:
            text = text[match.end() :]
    if len(text) > limit:
        text = _clause(text, limit) or (text if len(text) <= LONGEST and limit >= _ROOMY else "")
    return text.strip(_STRIP).rstrip(".!?,;: ")


def quote(sentence: str, limit: int) -> str:
    """Return `quotable` between quotation marks; empty if there is nothing to quote."""
    words = quotable(sentence, limit)
    return f'"{words}"' if words else ""


def _clause(text: str, limit: int) -> str:
    """Return the clauses of a long sentence that ask, else its first ones, as many as fit; empty if none fits."""
    ends = [match.start() for match in _CLAUSE_END.finditer(text)]
    asking = _OPENINGS.positions(fold(text))
    asks = [at for at in asking if 0 < at < len(text) - 15 and _follows_clause(text, at, ends)]
    for start in (*asks[:1], 0) if not 0 <= min(asking, default=-1) < limit // 2 else (0, *asks[:1]):
        if len(text) - start <= limit:
            return text[start:]
        usable = [end for end in ends if _LEAST_CLAUSE <= end - start <= limit]
        if _SUBORDINATE.match(text[start:]):
            usable = usable[1:]
        for end in reversed(usable):
            clause = text[start:end]
            if clause.count("(") == clause.count(")") and _DANGLING.search(clause) is None:
                return clause
    return ""


def _follows_clause(text: str, at: int, ends: list[int]) -> bool:
    """Return True if a clause begins at this place, perhaps after "and" or "so"."""
    before = _JOINING.sub("", text[:at].rstrip())
    return (
        any(end <= len(before) <= end + 2 for end in ends)
        or before != text[:at].rstrip()
        or before.endswith(",")
    )


def without_greeting(text: str) -> str:
    """Remove `Hi Dana,` from the front."""
    match = _GREETING.match(text) or (None if text.isascii() else _GREETING_UNSPACED.match(text))
    return text[match.end() :] if match and match.end() < len(text) else text


def is_greeting(sentence: str) -> bool:
    """Return True if the whole sentence is a greeting."""
    text = sentence.strip()
    match = _GREETING.match(text + "\n")
    return match is not None and match.end() >= len(text)


def linked_host(text: str) -> str:
    """Return the host of a text that is only a link; empty for any other text."""
    bare = one_line(text).strip("<>[]() ")
    if not _ADDRESS_ONLY.match(bare):
        return ""
    return bare.partition("://")[2 if "://" in bare else 0].partition("/")[0][:60]


def is_salutation(sentence: str) -> bool:
    """Return True if the whole sentence only addresses someone: a greeting, or `Anne,`."""
    text = one_line(sentence)
    return is_greeting(sentence) or _SALUTATION.match(text) is not None


def topic(subject: str) -> str:
    """Return a subject without `Re:`, `Fwd:` and `[list]` at its front."""
    text = one_line(subject)[:300]
    for _ in range(6):
        match = _SUBJECT_PREFIX.match(text)
        if match is None:
            break
        text = text[match.end() :]
    return text


def tag(subject: str) -> str:
    """Return the `[name]` of a mailing list at the front of a subject; empty if there is none."""
    match = _TAG.search(one_line(subject)[:80])
    return match[1] if match else ""


@lru_cache(maxsize=256)
def says_nothing(sentence: str) -> bool:
    """Return True for a greeting, an address, a rule, a courtesy, or too few words to be quoted alone."""
    text = plain_sentence(sentence)
    if (
        not text
        or is_salutation(sentence)
        or _ADDRESS_ONLY.match(text)
        or _RULE.search(text)
        or FIELD.match(text)
        or _ADDRESSED.search(text)
        or _DATE.match(text)
        or _MOMENT.match(text)
        or _FILES.match(one_line(sentence))
        or is_garbled(text)
    ):
        return True
    signs = ideographs(text)
    if signs >= 2:
        short = signs < _ENOUGH_IDEOGRAPHS or text.endswith(("様", "さん"))
    else:
        short = len(text.split()) < _ENOUGH_WORDS and not text.endswith("?")
    folded = fold(text)
    if is_legal(folded):
        return True
    short = short or (text.endswith(":") and len(text.split()) < _LEAD_IN_WORDS)
    short = short or (text.endswith(",") and len(text.split()) <= _ENOUGH_WORDS)
    return short or (len(text) < _BOILERPLATE_CHARS and bool(_boilerplate().positions(folded)))


@lru_cache(maxsize=256)
def plain_sentence(sentence: str) -> str:
    """Return the sentence on one line, without greeting and marks of lists and headings."""
    return one_line(without_greeting(one_line(sentence))).lstrip(")").strip(" *_>•–—-|#=~<")


def key_sentence(facts: RuleFacts) -> str:
    """Return the first sentence that says something and can be quoted whole; empty if none can."""
    heading = ""
    for sentence in _whole(facts.view.sentences[:12]):
        if says_nothing(sentence) or is_courtesy(sentence) or not _is_told(sentence):
            continue
        if is_heading(sentence):
            heading = heading or sentence
        elif quotable(sentence, QUOTE):
            return sentence
    return heading if not topic(facts.message.subject) else ""


def _whole(sentences: Sequence[str]) -> Iterator[str]:
    """Yield the sentences, rejoined if the full stop of an abbreviation split them."""
    begun = ""
    for sentence in sentences:
        begun = f"{begun} {sentence}" if begun else sentence
        if not _ABBREVIATED.search(sentence):
            yield begun
            begun = ""
    if begun:
        yield begun


def _is_told(sentence: str) -> bool:
    """Return True for a whole sentence; False for a part of one, and for names and numbers without another word."""
    if sentence.count('"') % 2:
        return False
    cased = sum(letter.islower() or letter.isupper() for letter in sentence)
    words = sentence.split()
    if cased * 2 < sum(map(str.isalpha, sentence)) or (sentence.isupper() and len(words) > _HEADING_WORDS):
        return True
    if len(words) <= _HEADING_WORDS and words[0].strip("*_>-")[:2].isalpha():
        return True
    bare = (word.strip("\"'(),;:.!?") for word in words)
    return any(
        len(word) >= _TELLING_LETTERS and word[0].islower() and word[:_TELLING_LETTERS].isalpha()
        for word in bare
    )


def is_courtesy(sentence: str) -> bool:
    """Return True for thanks, regards and the like."""
    folded = fold(sentence)
    return folded.startswith(COURTESIES) and 0 in positions(folded, COURTESIES)


def is_heading(sentence: str) -> bool:
    """Return True for a few words without a final mark, and for more words if they are all capitalised."""
    text = one_line(sentence)
    if not text[-1:].isalnum() or ideographs(text):
        return False
    words = text.split()
    if len(words) <= _HEADING_WORDS:
        return True
    telling = [word for word in words if len(word) >= _HEADING_WORDS and word[0].isalpha()]
    return len(words) <= _TITLE_WORDS and len(telling) > 1 and all(word[0].isupper() for word in telling)


@lru_cache(maxsize=1)
def _boilerplate() -> Wordlist:
    from gaia_understanding.cascade.lexicon import table

    return Wordlist(";".join(table("tone")["boilerplate"].values()))
