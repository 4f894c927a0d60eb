"""What people type into a search box, and the query it is read as."""

from __future__ import annotations

import pytest

from gaia_mail.query.canonical import to_text
from gaia_mail.query.grammar import parse_query
from gaia_mail.query.nodes import Age, And, Date, Field, Near, Node, Not, Or, Query, Size, Text
from gaia_mail.query.operators import OPERATORS


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u3000", "-", "+", " - "])
def test_blank_text_is_the_empty_query(text: str) -> None:
    assert parse_query(text) == Query(root=None)
    assert parse_query(text).is_empty


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("dinner", Text(value="dinner")),
        ('"dinner at eight"', Text(value="dinner at eight")),
        ("“dinner at eight”", Text(value="dinner at eight")),
        ("from:ann", Field(name="from", value="ann")),
        ("FROM:ann", Field(name="from", value="ann")),
        ("from: ann", Field(name="from", value="ann")),
        ('from:"Ann Lee"', Field(name="from", value="Ann Lee")),
        ("deliveredto:ann@example.com", Field(name="deliveredto", value="ann@example.com")),
        ("list:dev.example.com", Field(name="list", value="dev.example.com")),
        ("rfc822msgid:<a@example.com>", Field(name="rfc822msgid", value="a@example.com")),
        ("rfc822msgid:a@example.com", Field(name="rfc822msgid", value="a@example.com")),
        ("subject:OR", Field(name="subject", value="OR")),
        ("label:Work/Big-Deals", Field(name="label", value="Work/Big-Deals")),
        ("-spam", Not(part=Text(value="spam"))),
        ("NOT spam", Not(part=Text(value="spam"))),
        ("--spam", Text(value="spam")),
        ("from:-spam", Field(name="from", value="-spam")),
        ("a b", And(parts=(Text(value="a"), Text(value="b")))),
        ("a AND b", And(parts=(Text(value="a"), Text(value="b")))),
        ("a OR b", Or(parts=(Text(value="a"), Text(value="b")))),
        ("a | b", Or(parts=(Text(value="a"), Text(value="b")))),
        ("{a b}", Or(parts=(Text(value="a"), Text(value="b")))),
        ("or", Text(value="or")),
        ("https://example.com/a?b=c", Text(value="https://example.com/a?b=c")),
        ("10:30", Text(value="10:30")),
        ("c++", Text(value="c++")),
    ],
)
def test_a_search_is_read_as_gmail_reads_it(text: str, root: object) -> None:
    assert parse_query(text).root == root


def test_or_binds_tighter_than_standing_side_by_side() -> None:
    assert to_text(parse_query("a OR b c OR d")) == "(a OR b) (c OR d)"


def test_a_group_after_an_operator_gives_it_to_every_word() -> None:
    assert to_text(parse_query("subject:(dinner movie)")) == "subject:dinner subject:movie"
    assert to_text(parse_query("from:{ann bo}")) == "from:ann OR from:bo"
    assert to_text(parse_query("from:(ann OR -bo)")) == "from:ann OR -from:bo"


def test_nested_groups_of_one_kind_become_one() -> None:
    assert to_text(parse_query("((a (b c)) d)")) == "a b c d"
    assert to_text(parse_query("{a {b {c}}}")) == "a OR b OR c"


@pytest.mark.parametrize(
    ("text", "octets"),
    [("10", 10), ("500K", 512_000), ("1k", 1024), ("1.5M", 1_572_864), ("2mb", 2_097_152), ("1G", 1 << 30)],
)
def test_sizes_are_bytes_or_have_a_unit(text: str, octets: int) -> None:
    assert parse_query(f"larger:{text}").root == Size(comparison="larger", octets=octets)
    assert parse_query(f"size:{text}").root == Size(comparison="larger", octets=octets)
    assert parse_query(f"smaller:{text}").root == Size(comparison="smaller", octets=octets)


@pytest.mark.parametrize("text", ["2026/03/01", "2026-03-01", "2026-3-1", "03/01/2026", "3/1/2026"])
def test_a_day_can_be_written_in_several_ways(text: str) -> None:
    day = Date(comparison="after", instant=1_772_323_200, is_day=True)
    assert parse_query(f"after:{text}").root == day
    assert parse_query(f"newer:{text}").root == day


def test_a_moment_can_be_given_in_seconds() -> None:
    instant = Date(comparison="before", instant=1_772_323_201, is_day=False)
    assert parse_query("before:1772323201").root == instant
    assert parse_query("older:1772323201").root == instant


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [("2d", 2, "d"), ("3w", 21, "d"), ("1M", 1, "m"), ("1y", 1, "y"), ("6h", 6, "h")],
)
def test_ages_have_a_unit(text: str, amount: int, unit: str) -> None:
    for operator, comparison in (("older_than", "older"), ("newer_than", "newer")):
        found = parse_query(f"{operator}:{text}").root
        assert isinstance(found, Age)
        assert (found.comparison, found.amount, found.unit) == (comparison, amount, unit)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("in:draft", "in:drafts"),
        ("in:Bin", "in:trash"),
        ("in:junk", "in:spam"),
        ("in:INBOX", "in:inbox"),
        ("in:all", "in:anywhere"),
        ("in:Work", "in:Work"),
        ("is:unseen", "is:unread"),
        ("is:flagged", "is:starred"),
        ("has:attachments", "has:attachment"),
        ("category:promotion", "category:promotions"),
    ],
)
def test_other_spellings_of_a_value_are_one(text: str, canonical: str) -> None:
    assert to_text(parse_query(text)) == canonical


@pytest.mark.parametrize("text", ["holiday AROUND 3 vacation", '"holiday AROUND 3 vacation"'])
def test_around_asks_for_words_near_one_another(text: str) -> None:
    expected = Near(left=Text(value="holiday"), right=Text(value="vacation"), distance=3)
    assert parse_query(text).root == expected


def test_around_without_a_second_word_is_a_word() -> None:
    assert to_text(parse_query("walk AROUND")) == 'walk "AROUND"'


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_can_be_excluded_and_combined(operator: str) -> None:
    values = {
        "is": "unread",
        "has": "attachment",
        "category": "social",
        "larger": "1M",
        "smaller": "1M",
        "size": "1M",
        "before": "2026/01/01",
        "older": "2026/01/01",
        "after": "2026/01/01",
        "newer": "2026/01/01",
        "older_than": "1y",
        "newer_than": "1y",
    }
    term = f"{operator}:{values.get(operator, 'inbox')}"
    assert parse_query(f"-{term}").root == Not(part=_root(term))
    assert parse_query(f"{term} OR word").root == Or(parts=(_root(term), Text(value="word")))


def _root(text: str) -> Node:
    root = parse_query(text).root
    assert root is not None
    return root
