"""Collects what pages say into the catalogues of gettext and compiles them. Entries: `generate`, `untranslated`.

Marked are `_("…")`, `ngettext(…)`, `N_("…")` and `{% trans %}`; what pages say from a table is `TABLES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stderr
from datetime import UTC, datetime
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import get_args

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from gaia_email.actions import kinds
from gaia_email.app.documents.cards.wording import COHORTS
from gaia_email.app.documents.pending_types import PendingRowState
from gaia_email.app.languages.speaking import LANGUAGES
from gaia_email.document import Warning_
from gaia_email.interfaces.keys import page_keys
from gaia_email.policy.levels import BY_TRIAGE
from gaia_email_registry.egress.rows import WHYS
from gaia_mail.asking.people import AddressField, AddressStanding
from gaia_understanding.cascade.verdict import SpeechAct
from gaia_understanding.cascade.wording.certainty import PROBABLY, SURELY

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (ROOT / "agent" / "gaia_email", ROOT / "plugins")
FOLDER = Path("agent/gaia_email/app/languages/catalogues")

NO_TIME = datetime(2026, 1, 1, tzinfo=UTC)
"""In place of when a catalogue was made, which would make it another one each time."""

MARKED: Mapping[str, tuple[int, ...] | None] = {
    "_": None,
    "gettext": None,
    "N_": None,
    "ngettext": (1, 2),
    "pgettext": (2,),
}
OF_PAGES: Mapping[str, tuple[int, ...] | None] = {
    **MARKED,
    "note": None,
    "_note": None,
    "BadArgument": None,
    "NotFound": None,
}
"""In modules of the pages, notes and errors speak to a person too."""

TABLES: tuple[tuple[str, Iterable[str]], ...] = (
    ("keys", (one.help for one in page_keys())),
    ("reasons of connections", WHYS),
    ("states of actions", ("planned", "applied", "reversed", "failed")),
    ("states of what waits", get_args(PendingRowState)),
    ("speech acts", get_args(SpeechAct)),
    (
        "kinds of actions",
        (
            *BY_TRIAGE,
            kinds.JUNK,
            kinds.SNOOZE,
            kinds.WAKE,
            kinds.UNSUBSCRIBE,
            kinds.SEND,
            kinds.DRAFT,
            kinds.MAKE_LABEL,
            kinds.UNDO,
        ),
    ),
    ("warnings", get_args(Warning_)),
    ("kinds of what waits", ("notify", "question", "review", "confirmation")),
    ("risks", ("read", "write", "destructive")),
    ("standings of addresses", get_args(AddressStanding)),
    ("fields of addresses", get_args(AddressField)),
    ("cohorts", COHORTS),
    ("how sure", (SURELY, PROBABLY)),
)
"""What pages say that is not marked where it stands, since programs read it there."""


@cache
def template() -> Catalog:
    """Every text that pages may say."""
    found = Catalog(project="gaia-email", charset="utf-8", fuzzy=False)
    for path in [path for folder in FOLDERS for path in sorted(folder.rglob("*.html"))]:
        _extract(found, path, "jinja2.ext:babel_extract", MARKED)
    for path in [path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))]:
        of_pages = path.parent.name == "web"
        if of_pages or "languages.speaking import" in path.read_text(encoding="utf-8"):
            _extract(found, path, "python", OF_PAGES if of_pages else MARKED)
    for name, texts in TABLES:
        for text in texts:
            found.add(text.replace("_", " "), auto_comments=[name])
    return found


def _extract(found: Catalog, path: Path, method: str, keywords: Mapping[str, tuple[int, ...] | None]) -> None:
    options = {"trim_blocks": "true", "lstrip_blocks": "true", "newstyle_gettext": "true"}
    with redirect_stderr(StringIO()):  # it names each sentence with values in it, which no catalogue can hold
        texts = list(extract_from_file(method, path, keywords=keywords, options=options))
    for _line, message, _comments, context in texts:
        if message:
            found.add(message, locations=[(path.relative_to(ROOT).as_posix(), 0)], context=context)


def _catalogue(language: str) -> Catalog:
    """The translations into a language, with every text that pages say now."""
    path = ROOT / FOLDER / f"{language}.po"
    found = Catalog(locale=language, charset="utf-8", fuzzy=False)
    if path.exists():
        with path.open("rb") as kept:
            found = read_po(kept, locale=language)
    made = Catalog(
        locale=language,
        charset="utf-8",
        fuzzy=False,
        project="gaia-email",
        creation_date=NO_TIME,
        revision_date=NO_TIME,
    )
    for message in template():
        if message.id:
            known = found.get(message.id, message.context)
            made.add(
                message.id,
                known.string if known else None,
                locations=sorted(set(message.locations)),
                auto_comments=message.auto_comments,
                context=message.context,
            )
    return made


def generate() -> Iterator[tuple[Path, str | bytes]]:
    """The catalogues, as they are translated and compiled."""
    for language in LANGUAGES[1:]:
        made = _catalogue(language)
        text, compiled = BytesIO(), BytesIO()
        write_po(text, made, width=110, omit_header=True, include_lineno=False, sort_output=True)
        header = (
            'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
            f'"Language: {language}\\n"\n"Plural-Forms: {made.plural_forms}\\n"\n\n'
        )
        yield FOLDER / f"{language}.po", header + text.getvalue().decode()
        write_mo(compiled, made)
        yield FOLDER / f"{language}.mo", compiled.getvalue()


def untranslated() -> Iterator[str]:
    """A sentence for each text that lacks a language, or whose translation has other places for values."""
    for language in LANGUAGES[1:]:
        for message in _catalogue(language):
            if not message.id:
                continue
            found = message.string if isinstance(message.string, list | tuple) else (message.string or "",)
            strings = [str(one) for one in found]
            if not all(strings):
                yield f"{language} lacks {message.id!r} (agent/gaia_email/app/languages/catalogues/{language}.po)"
            elif not _has_same_values(message.id, strings):
                yield f"{language} puts other values into {message.id!r}."


def _has_same_values(text: str | list[str] | tuple[str, ...], translated: Iterable[str]) -> bool:
    """Whether a translation has the places for values that the text has; the form for one may leave the number out."""
    first, *others = translated
    whole = _values(text if isinstance(text, str) else text[-1])
    least = whole if isinstance(text, str) else _values(text[0])
    return least <= _values(first) <= whole and all(_values(one) == whole for one in others)


def _values(text: str) -> set[str]:
    """The places for values in a text."""
    return set(re.findall(r"%\(\w+\)s|\{\w*\}", text))
