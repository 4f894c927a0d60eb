"""What a model claims of a mail, checked against that mail's own words. Entries: `Claim`, `holds`.

A check of words and not of sense: what a sentence says may still be wrong, but every number, date, name and amount in
it stands in the message that it cites.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:[.,:/'’-][^\W_]+)*")
_MONEY = frozenset("€$£¥₹₩₽%")
_PLAIN = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "but",
        "by",
        "each",
        "for",
        "he",
        "her",
        "here",
        "his",
        "if",
        "in",
        "it",
        "its",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "please",
        "she",
        "so",
        "that",
        "the",
        "their",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "we",
        "when",
        "who",
        "you",
        "your",
    ]
)
_COUNTED = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "dozen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        "hundred",
        "thousand",
        "million",
        "billion",
        "half",
        "quarter",
        "first",
        "second",
        "third",
        "twice",
        "today",
        "tomorrow",
        "yesterday",
        "tonight",
        "noon",
        "midnight",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A sentence, and the message that it is from."""

    text: str
    message_id: str


def holds(sentence: str, mail: str) -> bool:
    """Whether everything in the sentence that can be looked up stands in the mail.

    Looked up are: words with a digit, as they are written; words that begin with a capital letter; counting words, days
    and months; signs of money; and whole sentences in scripts without capital letters. A sentence with an address of
    the web or of mail never holds.
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


def _is_known(word: str, known: set[str]) -> bool:
    plain = word.casefold()
    if plain in known:
        return True
    if any(sign.isdigit() for sign in plain) or plain in _COUNTED:
        return False
    if not word[0].isupper() or plain in _PLAIN:
        return True
    return all(part in known for part in re.split(r"['’/-]", plain) if len(part) > 1)
