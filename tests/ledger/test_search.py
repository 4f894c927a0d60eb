"""Searching the cache finds what the grammar means: the same as the matcher that every server uses."""

from __future__ import annotations

import asyncio
import datetime as dt
import sqlite3
from collections.abc import Collection, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger import search as search_module
from gaia_email.ledger.cache import CachedMessage
from gaia_email.ledger.search import Order, SearchPage, search
from gaia_email.ledger.search_index import QueryPlan, SearchScope, matching, plan_query
from gaia_email.mailbox.sync import labels_document
from gaia_mail.query.grammar import parse_query
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import Clock
from tests.ledger.post import ME, follow, letter

NOW = dt.datetime(2026, 3, 31, 12, 0, tzinfo=dt.UTC)

LETTERS = (
    letter("Dinner in April", "Shall we meet at noon? Bring the menu.", attachment="menu.pdf"),
    letter("Abendessen", "Café Zürich, Straße 5. Grüße", sender="Jörg Müller <joerg@mueller.example>"),
    letter("会議の件", "日本語の本文 abc日本 です。見てyoutu.be/1", sender="佐藤 <sato@example.co.jp>"),
    letter("Invoice 4711", "Total c++ 12.50 EUR for the harbour", more=[("List-Id", "<bills.example.org>")]),
    letter("Re: Dinner", "at the noon bell we meet", to="bo@example.org, Cy <cy@sub.example.org>"),
    letter(
        "noon", "meet", sender="at Noon <a_b.c@example.org>", more=[("Cc", ME), ("Bcc", "dana@example.org")]
    ),
    letter(
        "Old thing",
        "https://docs.google.com/document/1 x yoryoutu.be/2",
        date="Tue, 03 Mar 2015 10:00:00 +0000",
    ),
    letter("big", "harbour " * 900, more=[("Delivered-To", "invoice@example.org")]),
    letter("", "emoji 🎉 party ﬁne ＦＵＬＬ naïve İstanbul"),
)
LABELS: tuple[list[str], ...] = (
    ["INBOX", "UNREAD"],
    ["INBOX", "STARRED", "Work/Big Deals"],
    ["SENT"],
    ["INBOX", "CATEGORY_UPDATES"],
    ["SPAM"],
    ["TRASH", "UNREAD"],
    [],
    ["Invoice"],
    ["INBOX", "IMPORTANT"],
)

WORDS = """
    dinner noon meet cafe strasse straße grüße 日本 本文 日本語 abc 会議 c++ 12.50 🎉 fine full naive istanbul zzz
    harbour -harbour from:ann from:example.com from:@example.org from:mueller from:me from:a_b.c@example.org from:佐藤
    to:me to:cy to:sub.example.org to:dana cc:me bcc:dana subject:dinner filename:pdf filename:menu
    has:attachment has:document has:drive has:youtube has:userlabels has:nouserlabels is:unread is:read
    is:starred is:important in:inbox in:sent in:trash in:spam in:anywhere in:archive label:work-big-deals
    label:invoice label:inbox category:primary category:updates list:bills.example.org larger:4K smaller:1K
    after:2026/03/01 before:2020/01/01 older_than:1y newer_than:2m rfc822msgid:<nothing> deliveredto:invoice
    invoice
"""
PHRASES = (
    '"at noon"',
    '"noon meet"',
    '"dinner in"',
    'subject:"in april"',
    "subject:(dinner april)",
    '"4711 bills"',
)
TERMS = st.sampled_from([*WORDS.split(), *PHRASES, "meet AROUND 2 noon"])
TREES = st.recursive(
    TERMS,
    lambda inner: st.one_of(
        inner.map(lambda part: f"-({part})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"{{{' '.join(parts)}}}"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({' OR '.join(parts)})"),
    ),
    max_leaves=7,
)


@pytest.fixture(scope="module")
def post() -> MemoryMailbox:
    made = MemoryMailbox(ME, now=lambda: NOW)
    for raw, labels in zip(LETTERS, LABELS, strict=True):
        made.put(raw, labels)
    return made


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, post: MemoryMailbox) -> Iterator[Ledger]:
    path = tmp_path_factory.mktemp("filled") / "ledger.db"
    with open_ledger(clock=Clock(), url=f"sqlite:///{path}") as ledger:
        follow(post, ledger)
        yield ledger


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    path = tmp_path_factory.mktemp("crowded") / "ledger.db"
    with open_ledger(clock=Clock(), url=f"sqlite:///{path}") as ledger:
        with ledger.write() as tx:
            ledger.cache.put(tx, many(2000))
        yield ledger


def find(ledger: Ledger, text: str, *, limit: int = 50, order: Order = "newest") -> SearchPage:
    with ledger.read() as tx:
        document = ledger.documents.read(tx, labels_document(ME))
        names = {id_: str(name) for id_, name in document.value.items()} if document else {}
        scope = SearchScope(account_id=ME, labels=names, me=(ME,))
        return search(tx, parse_query(text), now=NOW.timestamp(), limit=limit, order=order, scope=scope)


def subjects(found: SearchPage) -> list[str]:
    return [hit.message.subject for hit in found.hits]


@settings(max_examples=120)
@given(TREES, st.sampled_from([1, 4, search_module.LEAST]))
def test_the_cache_and_the_mailbox_find_the_same(
    filled: Ledger, post: MemoryMailbox, text: str, least: int
) -> None:
    page = asyncio.run(post.search(parse_query(text), limit=100))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_module, "LEAST", least)
        found, ranked = find(filled, text), find(filled, text, order="best")
    assert [hit.message.message_id for hit in found.hits] == newest_first(filled, page.ids)
    assert (found.total, found.exact) == (page.total, True)
    assert {hit.message.message_id for hit in ranked.hits} == set(page.ids)


def newest_first(ledger: Ledger, ids: Collection[str]) -> list[str]:
    with ledger.read() as tx:
        every = list(tx.exec_driver_sql("SELECT message_id FROM messages ORDER BY row DESC").scalars())
    return [one for one in every if one in ids]


@settings(max_examples=60)
@given(TREES)
def test_what_is_planned_for_postgresql_is_in_its_language(text: str) -> None:
    def check(plan: QueryPlan) -> None:
        assert plan.words is None or "to_tsquery" in matching(plan.words, "postgresql").condition.text
        assert plan.where is None or "MATCH" not in plan.where.text

    check(plan_query(parse_query(text), SearchScope(me=(ME,)), NOW, "postgresql"))


PASS_STEPS = 20
"""Instructions of SQLite's machine for one message, with its words."""


def many(count: int) -> list[CachedMessage]:
    """Messages of which every second has the word `common`, and the oldest is large, starred and labelled."""
    return [
        CachedMessage(
            account_id=ME,
            message_id=str(number),
            thread_id=str(number),
            header_message_id=f"<{number}@example.org>",
            date=1.7e9 + number,
            size=1000 if number else 20_000_000,
            has_attachments=False,
            labels=("INBOX",) if number else ("INBOX", "STARRED", "Rare"),
            flags=(),
            sender="bo@example.org",
            sender_name="Bo",
            subject="common" if number % 2 else "other",
            text="words",
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("label:no-such-label", []),
        ("is:starred", ["0"]),
        ("larger:10M", ["0"]),
        ("common OR is:starred", ["1999", "1997"]),
        ("-common", ["1998", "1996"]),
        ("in:inbox -common is:unread", []),
        ("missing OR label:rare", ["0"]),
    ],
)
def test_what_is_rare_is_found_in_one_pass(
    crowded: Ledger, monkeypatch: pytest.MonkeyPatch, query: str, found: list[str]
) -> None:
    monkeypatch.setattr(search_module, "COUNTED", 10)
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 100

    with crowded.read() as tx:
        driver = tx.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.set_progress_handler(step, 100)
        hits = search(tx, parse_query(query), now=2e9, limit=2, scope=SearchScope(account_id=ME)).hits
        driver.set_progress_handler(None, 0)
    assert [hit.message.message_id for hit in hits] == found
    assert steps < 2000 * PASS_STEPS


def test_a_message_without_a_date_is_neither_before_nor_after_anything(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    post.put(letter("undated", "report", date=""))
    post.put(letter("dated", "report", date="Tue, 03 Mar 2026 10:00:00 +0000"))
    follow(post, ledger)
    for query, wanted in (
        ("report", ["dated", "undated"]),
        ("after:1970/01/01", ["dated"]),
        ("before:2030/01/01", ["dated"]),
        ("-before:2030/01/01", ["undated"]),
        ("-after:1980/01/01", ["undated"]),
        ("older_than:1d OR newer_than:1d", ["dated"]),
    ):
        assert subjects(find(ledger, query)) == wanted, query


def test_newest_comes_first_and_the_count_says_how_many_there_are(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    for day in (3, 1, 9, 5):
        post.put(letter(f"day {day}", "report", date=f"Tue, 0{day} Mar 2026 10:00:00 +0000"))
    follow(post, ledger)
    found = find(ledger, "report", limit=2)
    assert subjects(found) == ["day 9", "day 5"]
    assert (found.total, found.exact) == (4, True)
    doubtful = find(ledger, "report -from:zzz@example.org", limit=2)
    assert (doubtful.total, doubtful.exact) == (3, False)


def test_the_best_hit_has_the_word_in_its_subject(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    post.put(
        letter(
            "lunch", "there is a tax in it " + "and more words " * 40, date="Mon, 30 Mar 2026 10:00:00 +0000"
        )
    )
    post.put(letter("tax", "short", date="Sun, 01 Mar 2026 10:00:00 +0000"))
    for number in range(8):
        post.put(letter(f"other {number}", "nothing of that kind"))
    follow(post, ledger)
    assert subjects(find(ledger, "tax", order="best")) == ["tax", "lunch"]
    assert subjects(find(ledger, "tax", order="newest")) == ["lunch", "tax"]


@pytest.mark.parametrize(
    ("query", "around", "marked"),
    [
        ("noon", "Shall we meet at noon? Bring", ["noon"]),
        ("STRASSE", "Café Zürich, Straße 5", ["Straße"]),
        ("本文", "日本語の本文", ["日本語の本文", "abc日本"]),
        ("from:ann dinner", "Shall we", []),
        ("menu -zzz", "Bring the menu.", ["menu"]),
    ],
)
def test_an_excerpt_shows_the_words_where_they_stand(
    filled: Ledger, query: str, around: str, marked: list[str]
) -> None:
    excerpts = [hit.excerpt for hit in find(filled, query).hits]
    (chosen,) = [one for one in excerpts if around in one.text]
    assert [chosen.text[start:end] for start, end in chosen.marks] == marked


def test_a_long_text_is_cut_around_the_word(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    post.put(letter("long", "filler words " * 500 + "needle in here " + "more filler " * 500))
    follow(post, ledger)
    (hit,) = find(ledger, "needle").hits
    assert hit.excerpt.text.startswith("…")
    assert "needle in here" in hit.excerpt.text
    assert len(hit.excerpt.text) <= 202
