"""A search that cannot be read is refused with one sentence and a caret below the character at fault."""

from __future__ import annotations

import pytest

from gaia_email_registry.errors import BadArgument
from gaia_mail.query.grammar import parse_query


def refused(query: str) -> tuple[str, str, str]:
    """The sentence, the line that shows the query, the line with the caret."""
    with pytest.raises(BadArgument) as caught:
        parse_query(query)
    assert caught.value.argument == "query"
    sentence, shown, caret = caught.value.message.split("\n")
    assert caret.strip() == "^"
    return sentence, shown, caret


@pytest.mark.parametrize(
    ("query", "at", "hint"),
    [
        ("(a b", 0, "never closed; add ')'"),
        ("x {a b", 2, "never closed; add '}'"),
        ("a b)", 3, "closes nothing"),
        ("(a}", 2, "')' is needed"),
        ('say "hello', 4, "quote is never closed"),
        ("say “hello", 4, "quote is never closed"),
        ('x ""', 2, "nothing between these quotes"),
        ("x ()", 2, "nothing between these"),
        ("a OR", 2, "OR needs something on both sides"),
        ("OR a", 0, "OR needs something on both sides"),
        ("a | | b", 2, "| needs something"),
        ("a AND", 2, "AND needs something"),
        ("AND a", 0, "AND needs something"),
        ("{a AND b}", 3, "Inside braces"),
        ("a NOT", 2, "NOT excludes nothing"),
        ("a -(b", 3, "never closed"),
        ("a from:", 2, "'from:' needs a value, as in from:ann@example.com"),
        ("larger:big", 7, "is not a size"),
        ("before:2026/13/45", 7, "is not a date"),
        ("after:yesterday", 6, "is not a date"),
        ("older_than:2x", 11, "is not an age"),
        ("is:purple", 3, "'is:' takes unread, read"),
        ("has:nothing", 4, "'has:' takes attachment"),
        ("category:misc", 9, "'category:' takes primary"),
        ("subject:(x from:y)", 11, "cannot appear inside 'subject:( )'"),
        ("a AROUND many b", 9, "AROUND needs a number"),
        ("larger:(1 2)", 0, "'larger:' needs a value"),
        ("rfc822msgid:<>", 12, "needs a Message-ID"),
    ],
)
def test_the_caret_stands_below_what_is_wrong(query: str, at: int, hint: str) -> None:
    sentence, shown, caret = refused(query)
    assert hint in sentence
    assert shown == f"  {query}"
    assert caret == "  " + " " * at + "^"


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("日本語 (", 7),
        ("ｆｕｌｌ (", 9),
        ("e\u0301te\u0301 (", 4),
        ("a\u200bb (", 3),
        ("🎉 (", 3),
        ("한국 form:x", 5),
    ],
)
def test_the_caret_counts_columns_as_a_terminal_draws_them(query: str, columns: int) -> None:
    _, _, caret = refused(query)
    assert caret == "  " + " " * columns + "^"


def test_control_characters_are_not_shown() -> None:
    _, shown, caret = refused("\x1b[31mred\x1b[0m\r\n(")
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert len(caret) == len(shown)


def test_of_a_long_query_only_the_part_around_the_fault_is_shown() -> None:
    _, shown, caret = refused("word " * 100 + "(" + " word" * 100)
    assert len(shown) < 130
    assert shown.startswith("  …")
    assert shown.endswith("…")
    assert shown[caret.index("^")] == "("


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("form", "from"),
        ("fron", "from"),
        ("subjet", "subject"),
        ("subjct", "subject"),
        ("lable", "label"),
        ("filname", "filename"),
        ("befor", "before"),
        ("newer_then", "newer_than"),
        ("olderthan", "older_than"),
        ("catagory", "category"),
        ("Form", "from"),
    ],
)
def test_a_misspelt_operator_is_answered_with_the_right_one(typed: str, meant: str) -> None:
    sentence, _, caret = refused(f"word {typed}:x")
    assert sentence.endswith(f"did you mean '{meant}:'?")
    assert caret == "       ^"


def test_an_operator_like_no_other_can_be_quoted() -> None:
    sentence, _, _ = refused("priority:high")
    assert "put it in quotes" in sentence
    assert not parse_query('"priority:high"').is_empty


@pytest.mark.parametrize("text", ["Re: dinner", "http://example.com", "mailto:ann@example.com", "note:"])
def test_a_colon_alone_makes_no_operator(text: str) -> None:
    assert not parse_query(text).is_empty


def test_a_query_that_nests_without_end_is_refused() -> None:
    for query in ("(" * 4000, "a (" * 2000 + ")" * 2000, "{" * 40 + "a" + "}" * 40, "-(" * 2000):
        sentence, _, _ = refused(query)
        assert "nests deeper than 32 levels" in sentence
    assert not parse_query("(" * 32 + "a" + ")" * 32).is_empty
    assert not parse_query("-" * 7000 + "a").is_empty


def test_a_query_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadArgument, match="8001 characters and 8000 are the limit"):
        parse_query("a" * 8001)
