"""The languages of the pages: which one is spoken, plurals, dates and numbers; and no text is left unmarked."""

from __future__ import annotations

import gettext
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel import Locale, dates, numbers

from gaia_email.app.documents.cards.wording import age
from gaia_email.app.languages import speaking as languages
from gaia_email.app.languages.choosing import chosen_language
from gaia_email.app.languages.formats import FORMATS, date_text, number_text
from gaia_email.app.languages.speaking import LANGUAGES, Language, ngettext, speaking
from tests.pages_web.pages import Mail, Pages, PersonsPages
from tools.catalogues import template, untranslated

NIGHT = datetime.fromisoformat("2026-03-01T09:05:00+00:00")


@pytest.mark.parametrize(
    ("setting", "asked", "found"),
    [
        ("", "", "en"),
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("", "nl, fr;q=0.4, it;q=0.6", "it"),
        ("", "ES-419", "es"),
        ("fr", "de", "fr"),
        ("", "de;q=0, en", "en"),
        ("klingon", "it", "it"),
        ("", ",;q=x,;;=;fr;q=nan" * 999, "en"),
    ],
)
def test_the_setting_is_spoken_else_what_the_browser_asks_for(setting: str, asked: str, found: str) -> None:
    assert chosen_language(setting, asked) == found


@pytest.mark.parametrize(
    ("language", "date", "number"),
    [
        ("en", "Sun, 1 Mar 2026, 09:05", "1,234,567"),
        ("it", "dom 1 mar 2026, 09:05", "1.234.567"),
        ("es", "dom, 1 mar 2026, 09:05", "1.234.567"),
        ("fr", "dim. 1 mars 2026, 09:05", "1\u202f234\u202f567"),
        ("de", "So., 1. März 2026, 09:05", "1.234.567"),
    ],
)
def test_dates_and_numbers_are_written_as_the_language_does(
    language: Language, date: str, number: str
) -> None:
    with speaking(language):
        assert (date_text(NIGHT), number_text(1_234_567)) == (date, number)


def test_spanish_groups_from_five_digits_on_and_fractions_have_their_comma() -> None:
    with speaking("es"):
        assert (number_text(1234), number_text(12345)) == ("1234", "12.345")
    with speaking("de"):
        assert number_text(0.5, "+.2f") == "+0,50"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_message_and_several_have_their_forms(language: Language) -> None:
    with speaking(language):
        one, two = (ngettext("{count} message", "{count} messages", number) for number in (1, 2))
    assert one != two and "{count}" in one and "{count}" in two


def test_the_page_is_in_the_language_of_the_browser_and_mail_in_its_own(tmp_path: Path) -> None:
    person = PersonsPages(tmp_path).person()
    person.client.headers["accept-language"] = "de-CH, en;q=0.5"
    page = person.get("inbox")
    assert "Zu erledigen" in page and "Archivieren" in page and "sign the contract" in page
    assert "Archiviert · 1" in person.post("archive", {"of": person.thread("Thanks")})
    assert "hlen Sie zuerst eine Konversation" in person.post("archive", {}, 422)
    assert '<html lang="de">' in person.client.get("/").text


def test_what_is_asked_by_programs_stays_english(tmp_path: Path) -> None:
    client = PersonsPages(tmp_path).person().client
    refused = client.post("/v1/email/show", json={}, headers={"accept-language": "de"})
    assert "required" in refused.json()["error"]["message"]


class PseudoTranslations(gettext.NullTranslations):
    """A language in which every text that is marked stands in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


NOT_OURS = ("kbd", "title", "script", "style", "code")
"""Elements whose words are keys, commands or no words at all."""


class VisibleText(HTMLParser):
    """What a page shows and says, but what is in a language of its own: mail, keys, and sentences in English."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._own: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_own = tag in NOT_OURS or given.get("translate") == "no" or ("lang" in given and tag != "html")
        if not any(own for _, own in self._own):
            self.found += [
                given[name] or "" for name in ("aria-label", "placeholder", "alt") if name in given
            ]
        if tag not in ("input", "link", "meta", "br", "img", "hr"):
            self._own.append((tag, is_own))

    def handle_endtag(self, tag: str) -> None:
        while self._own and self._own.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(own for _, own in self._own):
            self.found.append(data)


FOREIGN = tuple(
    Mail(sender="Анна <1@2.3>", subject=subject, text=text, hours=hours)
    for hours, subject, text in (
        (1, "Можете подписать договор до пятницы?", "Подпишите, пожалуйста, договор до пятницы."),
        (2, "Спасибо", "Спасибо."),
    )
)
"""Mail without a Latin letter, so that every one on a page is the program's."""

MAY_STAND = re.compile(
    r"\b(gaia|email|VIP|T[0-3]|DKIM|SPF|DMARC|IMAP|MCP|Markdown|https?|maildir|[\w.-]+@[\w.-]+)\b"
)
"""Names that no language changes, and addresses."""


def unmarked(page: str) -> list[str]:
    """Words of a page in the pseudo-language that were not marked."""
    reader = VisibleText()
    reader.feed(page)
    text = "\n".join(reader.found)
    while (without := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = without
    return re.findall(r"[A-Za-z]{2,}", MAY_STAND.sub(" ", text))


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pages:
    """A person whose pages are in the pseudo-language."""
    pseudo = PseudoTranslations()

    def catalogue(language: Language) -> PseudoTranslations:
        return pseudo

    monkeypatch.setattr(languages, "catalogue", catalogue)
    monkeypatch.setattr("gaia_email.app.languages.formats.FORMATS", {"en": _digits_only()})
    return PersonsPages(tmp_path, FOREIGN).person()


def _digits_only() -> object:
    return type(FORMATS["en"])(
        days=("1",) * 7, months=("1",) * 12, date="{day}.{month}.{year}", group=",", decimal="."
    )


LISTS = ("frame", "inbox", "inbox?bucket=urgent", "brief", "brief?kind=evening")
OTHERS = ("waiting", "activity", "zero", "search", "connect", "teach")
SETTINGS = tuple(
    f"settings?part={part}" for part in ("levels", "people", "labels", "agent", "voice", "schedule", "models")
)
CONNECTING = (
    "connect?email=mira@gmail.com",
    "connect?email=mira@outlook.com",
    "integrations",
    "add-server",
    "compose",
)


@pytest.mark.parametrize("page", LISTS + OTHERS + SETTINGS + CONNECTING)
def test_no_word_of_a_page_is_left_unmarked(foreign: Pages, page: str) -> None:
    assert unmarked(foreign.get(page)) == []


def test_no_word_of_a_thread_of_what_waits_and_of_notes_is_left_unmarked(foreign: Pages) -> None:
    of = foreign.thread("Спасибо")
    assert unmarked(foreign.get(f"thread?of={of.replace('%', '%25')}")) == []
    assert unmarked(foreign.client.get("/").text) == []
    assert unmarked(foreign.post("move", {"of": of, "bucket": "urgent"})) == []
    assert unmarked(foreign.post("snooze", {"of": of, "until": "4h"})) == []
    assert unmarked(foreign.get("activity")) == []
    assert unmarked(foreign.get(f"thread?of={of.replace('%', '%25')}")) == []
    foreign.client.put("/v1/email/policy", json={"cohort": "first_contact", "level": 3})
    foreign.client.post("/v1/email/triage", json={"apply": True})
    assert unmarked(foreign.get("waiting")) == []
    assert unmarked(foreign.get("search?q=Спасибо")) == []
    assert unmarked(foreign.post("stop", {})) == []
    assert unmarked(foreign.get("frame")) == []


def test_ages_are_short_in_every_language() -> None:
    for language in LANGUAGES:
        with speaking(language):
            assert all(len(age(seconds)) <= 9 for seconds in (90, 7_200, 200_000, 1e6, 1e7, 1e8))


def test_every_text_of_the_pages_is_in_all_five_languages() -> None:
    assert len([one for one in template() if one.id]) > 500
    assert list(untranslated()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_and_numbers_are_those_of_cldr(language: Language) -> None:
    locale = Locale.parse("en_GB" if language == "en" else language)
    pattern = locale.datetime_skeletons["yMMMEd"].pattern
    with speaking(language):
        for month in range(1, 13):
            when = datetime(2026, month, month + 5, 9, 5, tzinfo=UTC)
            assert date_text(when) == f"{dates.format_date(when, pattern, locale)}, 09:05"
        for number in (0, 999, 12_345, 1_234_567):  # Babel groups four digits in every language
            assert number_text(number) == numbers.format_decimal(number, locale=locale)
