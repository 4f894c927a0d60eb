"""Whatever is typed: a query or a `BadArgument`, and the canonical text of a query is the query."""

from __future__ import annotations

import datetime as dt

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gaia_email_registry.errors import BadArgument
from gaia_mail.query.canonical import to_text
from gaia_mail.query.grammar import parse_query
from gaia_mail.query.match import SearchableMessage, compile_query
from gaia_mail.query.operators import OPERATORS

NOW = dt.datetime(2026, 3, 31, 12, 0, tzinfo=dt.UTC)
DOCUMENT = SearchableMessage(
    sender="Ann Lee <ann@example.com>",
    to="me@example.org",
    subject="Dinner in April",
    body=lambda: "Shall we meet at noon? 日本語の本文",
    labels=("INBOX", "UNREAD", "Work/Big Deals"),
    date=1_772_400_000.0,
    size=2048,
    filenames=("menu.pdf",),
    message_id="<one@example.com>",
)

PIECES = st.one_of(
    st.sampled_from([f"{name}:" for name in OPERATORS]),
    st.sampled_from([*'(){}"“”-+|:<>/ \n', " OR ", " AND ", " NOT ", " AROUND ", "me", "form:"]),
    st.sampled_from(
        ["2d", "1y", "10M", "2026/03/01", "unread", "inbox", "attachment", "<a@b>", "123456", "3"]
    ),
    st.text(max_size=6),
)
QUERIES = st.lists(PIECES, max_size=14).map("".join)

TERMS = st.one_of(
    st.sampled_from(
        ["dinner", "or", "c++", '"at noon"', "from:ann", 'subject:"in april"', "to:me", "日本語"]
    ),
    st.sampled_from(["larger:1K", "after:2026/03/01", "older_than:1m", "is:unread", "has:attachment"]),
    st.sampled_from(
        ["label:work-big-deals", "in:inbox", "meet AROUND 2 noon", "rfc822msgid:<one@example.com>"]
    ),
)
TREES = st.recursive(
    TERMS,
    lambda inner: st.one_of(
        inner.map(lambda part: f"-({part})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"{{{' '.join(parts)}}}"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({' OR '.join(parts)})"),
    ),
    max_leaves=8,
)


@given(QUERIES | st.text(max_size=60))
@example("\ud800")
@example("from:\ud800 \U0010ffff")
@example('"a AROUND 3 b AROUND 3 c"')
@example('" AROUND 3 "')
@example("AROUND AROUND 3 AROUND")
@example('rfc822msgid:<"@x>')
@example("before:0001-01-01")
@example("before:9999-12-31 older_than:99999y newer_than:99999w")
@example("larger:999999999999999G")
@settings(max_examples=400)
def test_any_text_is_a_query_or_a_bad_argument(text: str) -> None:
    try:
        query = parse_query(text)
    except BadArgument as error:
        assert error.message
        return
    compile_query(query, NOW, ("me@example.org",))(DOCUMENT)
    canonical = to_text(query)
    assert parse_query(canonical) == query
    assert to_text(parse_query(canonical)) == canonical


@given(TREES)
@settings(max_examples=300)
def test_the_canonical_text_finds_what_the_query_finds(text: str) -> None:
    query = parse_query(text)
    again = parse_query(to_text(query))
    assert again == query
    found = compile_query(query, NOW, ("me@example.org",))(DOCUMENT)
    assert compile_query(again, NOW, ("me@example.org",))(DOCUMENT) == found


@given(TREES)
@settings(max_examples=200)
def test_a_message_matches_a_query_or_its_negation(text: str) -> None:
    found = compile_query(parse_query(text), NOW, ("me@example.org",))(DOCUMENT)
    assert compile_query(parse_query(f"-({text})"), NOW, ("me@example.org",))(DOCUMENT) != found
