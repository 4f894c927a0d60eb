"""Words in the language of whoever is shown them; without `speaking` they are the English of the source.

Entries: `_`, `ngettext`, `N_` to mark text, `speaking` for whoever shows it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from typing import Literal, get_args

Language = Literal["en", "it", "es", "fr", "de"]
"""ISO 639-1; the source's is English."""

LANGUAGES: tuple[Language, ...] = get_args(Language)

_SPOKEN: ContextVar[Language] = ContextVar("language", default="en")


@contextmanager
def speaking(language: Language) -> Generator[None]:
    """Speak a language meanwhile: in this task, and in the threads that it waits for."""
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def spoken() -> Language:
    """The language that is spoken now."""
    return _SPOKEN.get()


@cache
def catalogue(language: Language) -> NullTranslations:
    """The translations into a language."""
    if language == "en":
        return NullTranslations()
    from importlib.resources import files  # late: a command line that speaks English needs none of it

    path = files("gaia_email.app.languages") / "catalogues" / f"{language}.mo"
    with path.open("rb") as compiled:
        return GNUTranslations(compiled)


def gettext(text: str) -> str:
    """A text in the language that is spoken, itself where there is no translation."""
    return catalogue(spoken()).gettext(text) if text else text


def ngettext(one: str, several: str, number: int) -> str:
    """The form of a text that goes with a number."""
    return catalogue(spoken()).ngettext(one, several, number)


def N_(text: str) -> str:
    """Marks a text that is translated where it is shown."""
    return text


_ = gettext
