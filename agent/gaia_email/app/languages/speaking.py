"""Translated text for the current user; without `speaking`, the English of the source.

Entries: `_`, `ngettext`, `N_` to mark text, `speaking` to select the language.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from typing import Literal, get_args

Language = Literal["en", "it", "es", "fr", "de"]
"""ISO 639-1 codes; the source is English."""

LANGUAGES: tuple[Language, ...] = get_args(Language)

_SPOKEN: ContextVar[Language] = ContextVar("language", default="en")


@contextmanager
def speaking(language: Language) -> Generator[None]:
    """Select a language within the block: for this task, and the threads that it waits for."""
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def current_language() -> Language:
    """Return the current language."""
    return _SPOKEN.get()


@cache
def catalogue(language: Language) -> NullTranslations:
    """Return the translations into a language."""
    if language == "en":
        return NullTranslations()
    from importlib.resources import files  # imported late: an English command line does not need it

    path = files("gaia_email.app.languages") / "catalogues" / f"{language}.mo"
    with path.open("rb") as compiled:
        return GNUTranslations(compiled)


def gettext(text: str) -> str:
    """Return a text in the current language, or the text itself if there is no translation."""
    return catalogue(current_language()).gettext(text) if text else text


def ngettext(one: str, several: str, number: int) -> str:
    """Return the form of a text for a number."""
    return catalogue(current_language()).ngettext(one, several, number)


def N_(text: str) -> str:
    """Mark a text that is translated when it is shown."""
    return text


_ = gettext
