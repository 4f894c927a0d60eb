"""Word lists written as running text. Entries: `wordset`, `word_list`, `phrase_list`.

A list of a hundred words is read more easily as text than as a hundred quoted strings.
"""

from __future__ import annotations


def wordset(text: str) -> frozenset[str]:
    """Return the words of `text`, separated by white space."""
    return frozenset(text.split())


def word_list(text: str) -> tuple[str, ...]:
    """Return the words of `text` in order."""
    return tuple(text.split())


NUMBER_WORDS = word_list("one two three four five six seven eight nine ten eleven twelve")
"""The English number words, in order from one on."""


def phrase_list(text: str) -> tuple[str, ...]:
    """Return the phrases of `text` in order, separated by `;`."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(";") if phrase.strip())
