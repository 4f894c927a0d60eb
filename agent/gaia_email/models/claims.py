"""Check a model's claims about a mail against the words of that mail. Entry points: `holds`, `facts_not_in`.

It checks words, not meaning: a sentence may still be wrong, but every number, date, name and amount in it occurs in the
message that it cites.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gaia_understanding.cascade.tables import NUMBER_WORDS, wordset

_WORD = re.compile(r"[^\W_]+(?:[.,:/'’-][^\W_]+)*")
_MONEY = frozenset("€$£¥₹₩₽%")
_PLAIN = wordset(
    "a an and as at but by each for he her here his if in it its no not of on or our please she so that "
    "the their there these they this those to we when who you your"
)
_COUNTED = wordset(
    "dozen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half "
    "quarter first second third twice today tomorrow yesterday tonight noon midnight monday tuesday "
    "wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december"
) | frozenset(NUMBER_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelClaim:
    """A sentence, and its source message."""

    text: str
    message_id: str


def holds(sentence: str, mail: str) -> bool:
    """Return True if every checkable part of the sentence occurs in the mail.

    Checked are: words with a digit, as written; words that begin with a capital letter; number words, days and months;
    currency and percent signs; and whole sentences in scripts without capital letters. A sentence with a web or email
    address always fails.
    """
    if "://" in sentence or "@" in sentence or "www." in sentence.lower() or not sentence.isprintable():
        return False
    if any(sign in _MONEY and sign not in mail for sign in sentence):
        return False
    if any(letter.isalpha() and letter.lower() == letter.upper() for letter in sentence):
        return " ".join(sentence.split()) in " ".join(mail.split())
    known = {word.casefold() for word in _WORD.findall(mail)}
    known |= {part for word in known for part in re.split(r"['’/-]", word)}
    return all(_is_known(word, known) for word in _WORD.findall(sentence))


def facts_not_in(known: str, sentence: str, *, names: bool) -> list[str]:
    """Return numbers, days, months, amounts and names of a sentence that do not occur in `known`, as written.

    Args:
        known: All text that the sentence may be based on.
        sentence: In any of the languages that dates are read in.
        names: True if a capital letter within the sentence begins a name; not so in German.
    """
    words = {word.casefold() for word in _WORD.findall(known)}
    words |= {part for word in words for part in re.split(r"['’/-]", word)}
    found = [sign for sign in sentence if sign in _MONEY and sign not in known]
    for place, word in enumerate(_WORD.findall(sentence)):
        plain = word.casefold()
        if all(
            part in words for part in (plain, *re.split(r"['’/-]", plain)) if len(part) > 1 or part.isdigit()
        ):
            continue
        dated = plain in _days() and (word[0].isupper() or plain not in _ALSO_WORDS)
        named = names and place > 0 and word[0].isupper() and plain not in _PLAIN and len(word) > 1
        if any(sign.isdigit() for sign in word) or dated or (named and not plain.startswith(("i'", "i’"))):
            found.append(word)
    return found


_ALSO_WORDS = frozenset(
    {"may", "march", "mars", "sun", "mar", "sat", "wed", "do", "so", "mi", "mo", "di", "fr", "sa"}
)


@cache
def _days() -> frozenset[str]:
    """Return days and months in every language that dates are read in."""
    from gaia_understanding.prepare.extract.date_words import LANGUAGES

    lines = [line for one in LANGUAGES.values() for line in (*one.months, *one.weekdays)]
    spelt = {word.casefold().strip(".") for line in lines for word in line.split()}
    return frozenset(word for word in spelt if len(word) > 2) | {"today", "tomorrow", "tonight", "yesterday"}


def _is_known(word: str, known: set[str]) -> bool:
    plain = word.casefold()
    if plain in known:
        return True
    if any(sign.isdigit() for sign in plain) or plain in _COUNTED:
        return False
    if not word[0].isupper() or plain in _PLAIN:
        return True
    return all(part in known for part in re.split(r"['’/-]", plain) if len(part) > 1)
