"""Quotes that initials, bars or brackets mark are cut as those marked with `>` are, and tables and prompts stay."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.quotes import split_quotes


@pytest.mark.parametrize(
    "quote",
    [
        "KM> The pump is old.\nKM> Shall we replace it?",
        '>>>>> "KM" == Kim Moss <kim@example.com> writes:\n\nKM> The pump is old.',
        "Kim Moss wrote:\n| The pump is old.\n|\n| Shall we replace it?",
        "On 3 March 2025 at 10:00, Kim Moss wrote:\n) The pump is old.\n) Shall we replace it?",
        "Kim Moss writes:\nKim> The pump is old.",
        '>>>"Kim Moss" said:\n > The pump is old.\n > Shall we replace it?',
    ],
)
def test_a_quote_in_another_mark_is_cut(quote: str) -> None:
    split = split_quotes(f"Hello,\n\n{quote}\n\nYes, on Tuesday.", subject="Re: pump")
    assert "pump" not in split.kept
    assert split.kept.startswith("Hello,")
    assert split.kept.endswith("Yes, on Tuesday.")
    assert "The pump is old." in split.removed


@pytest.mark.parametrize(
    "text",
    [
        "Prices:\n| Agua | 3.88 |\n| Rio | 3.90 |",
        "Type this:\nSQL> select 1;\nSQL> select 2;\nDone.",
        "| North | South\n| 3 | 4",
        "It prints\n>>> x = 3\n>>> y = 4",
        "if (a) {\n  b();\n}\n} else {\n}",
    ],
)
def test_what_only_looks_like_a_mark_stays(text: str) -> None:
    assert split_quotes(text, subject="Re: pump").kept == text
