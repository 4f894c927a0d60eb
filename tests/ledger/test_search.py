"""Searching the cache finds what the grammar means: the same as the matcher that every server uses."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql

from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.full_text import matching
from gaia_email.ledger.query_plan import Around, plan_query
from gaia_email.ledger.search import Found, Order, Scope, search
from gaia_email.syncing import labels_document
from gaia_mail_mcp.memory import MemoryMailbox
from gaia_mail_mcp.query.grammar import parse_query
from tests.ledger.conftest import Clock
from tests.ledger.post import ME, follow, letter

NOW = dt.datetime(2026, 3, 31, 12, 0, tzinfo=dt.UTC)

LETTERS = (
    letter("Dinner in April", "Shall we meet at noon? Bring the menu.", attachment="menu.pdf"),
    letter("Abendessen", "Café Zürich, Straße 5. Grüße", sender="Jörg Müller <joerg@mueller.example>"),
    letter("会議の件", "日本語の本文 abc日本 です", sender="佐藤 <sato@example.co.jp>"),
    letter("Invoice 4711", "Total c++ 12.50 EUR for the harbour", more=[("List-Id", "<bills.example.org>")]),
    letter("Re: Dinner", "at the noon bell we meet", to="bo@example.org, Cy <cy@sub.example.org>"),
    letter(
        "noon", "meet", sender="at Noon <a_b.c@example.org>", more=[("Cc", ME), ("Bcc", "dana@example.org")]
    ),
    letter("Old thing", "https://docs.google.com/document/1 x", date="Tue, 03 Mar 2015 10:00:00 +0000"),
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
    to:me to:cy to:sub.example.org to:dana cc:me bcc:dana subject:dinner filename:pdf filename:menu has:attachment
    has:document has:userlabels has:nouserlabels is:unread is:read is:starred is:important in:inbox in:sent in:trash
    in:spam in:anywhere in:archive label:work-big-deals label:invoice label:inbox category:primary category:updates
    list:bills.example.org larger:4K smaller:1K after:2026/03/01 before:2020/01/01 older_than:1y newer_than:2m
    rfc822msgid:<nothing> deliveredto:invoice invoice
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


def find(ledger: Ledger, text: str, *, limit: int = 50, order: Order = "newest") -> Found:
    with ledger.read() as tx:
        document = ledger.documents.read(tx, labels_document(ME))
        names = {id_: str(name) for id_, name in document.value.items()} if document else {}
        scope = Scope(account_id=ME, labels=names, me=(ME,))
        return search(tx, parse_query(text), now=NOW.timestamp(), limit=limit, order=order, scope=scope)


def subjects(found: Found) -> list[str]:
    return [hit.message.subject for hit in found.hits]


@settings(max_examples=120)
@given(TREES)
def test_the_cache_and_the_mailbox_find_the_same(filled: Ledger, post: MemoryMailbox, text: str) -> None:
    page = asyncio.run(post.search(parse_query(text), limit=100))
    found = find(filled, text)
    assert {hit.message.message_id for hit in found.hits} == set(page.ids)
    assert (found.total, found.exact) == (page.total, True)
    ranked = find(filled, text, order="best")
    assert {hit.message.message_id for hit in ranked.hits} == set(page.ids)


@settings(max_examples=60)
@given(TREES)
def test_what_is_planned_for_postgresql_compiles(text: str) -> None:
    plan = plan_query(parse_query(text), Around(now=NOW, me=(ME,), dialect="postgresql"))
    dialect = postgresql.dialect()
    if plan.words is not None:
        assert "to_tsquery" in str(matching(plan.words, "postgresql").condition.compile(dialect=dialect))
    if plan.where is not None:
        assert "MATCH" not in str(plan.where.compile(dialect=dialect))


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
