"""What holds for any text: nothing raises, nothing is lost, and time grows with the length."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_understanding.prepare.disclaimer import split_disclaimer
from gaia_understanding.prepare.language import detect_language
from gaia_understanding.prepare.quotes import split_quotes
from gaia_understanding.prepare.signature import split_signature
from gaia_understanding.prepare.split import TextSplit

FRAGMENTS = [
    "> ", ">> ", ">", "On Mon, Mar 3, 2025 at 10:00 AM Kim <kim@example.com> wrote:", "wrote:",
    "From: Kim <kim@example.com>",
    "Sent: 3 March 2025", "To: lee@example.com", "Subject: x", "-----Original Message-----", "---", "____",
    "-- ", "--",
    "Regards,", "Thanks", "Kim Vale", "+44 20 7946 0000", "Sent from my iPhone", "P.S. more", "Hello Lee,", "Yes.",
    "Begin forwarded message:", "This message is confidential and intended for", "Unsubscribe",
    "https://example.com", "",
    "[image: x]", "İ", "ß", "\u202b", "\ud800", "\x00", "\r", "\u2028", "- a", "?", ":", "：", "写道：",
    ">>> 1", "< a", "<", "reply--- ",
]  # fmt: skip

TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.lists(st.sampled_from(FRAGMENTS), max_size=3).map("".join), max_size=25).map("\n".join),
)

STEPS: list[Callable[[str], TextSplit]] = [
    split_quotes,
    lambda text: split_signature(text, sender_name="Kim Vale", sender_address="kim@example.com"),
    split_disclaimer,
]


def solid(text: str) -> Counter[str]:
    return Counter(char for char in text if not char.isspace())


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, subject=st.sampled_from(["", "Re: x", "news"]))
def test_no_character_is_lost(text: str, subject: str) -> None:
    for split in [split_quotes(text, subject=subject), *(step(text) for step in STEPS)]:
        assert solid(split.kept) + solid(split.removed) == solid(text)
        assert bool(split.how) == bool(split.removed.strip()) or not split.removed.strip()


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_any_text_has_a_language_or_none(text: str) -> None:
    assert len(detect_language(text)) in (0, 2)


HOSTILE: dict[str, Callable[[int], str]] = {
    "quote lines": lambda n: "> a\n" * n,
    "deep nesting": lambda n: "\n".join(">" * (i % 200) + " x" for i in range(n)),
    "one long line": lambda n: "a " * (20 * n),
    "long quote line": lambda n: ">" * (20 * n),
    "colons": lambda n: "wrote:\n" * n,
    "openers": lambda n: "On 3 March 2025 at 10:00 Kim <kim@example.com>\n" * n,
    "addresses": lambda n: "a@b:" * n,
    "headers": lambda n: "From: a@example.com\n" * n,
    "header cycle": lambda n: "From: Berlin\nTo: Paris\n\n" * n,
    "separators": lambda n: "-----Original Message-----\n" * n,
    "attributions": lambda n: "On 03/03/2025 10:00, Kim wrote:\n> a\nb\n" * n,
    "blank lines": lambda n: "wrote:\n" + "\n" * n,
    "dashes": lambda n: "-" * (20 * n),
    "dash runs": lambda n: "x-- " * n + "wrote:",
    "delimiters": lambda n: "--\n" * n,
    "digits": lambda n: "1" * (20 * n),
    "digit pairs": lambda n: "1 " * n + "@",
    "names": lambda n: "Kim\n\n" * n,
    "closings": lambda n: "Regards,\nKim\n" * n,
    "boilerplate": lambda n: "this message is confidential\n\n" * n,
    "boilerplate words": lambda n: "this " * (5 * n) + "confidential",
    "unsubscribe": lambda n: "unsubscribe " * (2 * n),
    "postscripts": lambda n: "PS: a\n" * n,
}


def operations(step: Callable[[str], object], text: str) -> int:
    """How many lines of Python and calls into C one run takes: a measure of work that no busy machine disturbs."""
    count = 0

    def tick(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(tick)
    try:
        step(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.timeout(20)
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_work_grows_no_faster_than_the_text(make: Callable[[int], str]) -> None:
    small, large = make(400), make(1600)
    for step in STEPS:
        step(make(401))  # what is compiled or loaded at the first use counts for neither
        assert operations(step, large) <= 5 * operations(step, small) + 200


@pytest.mark.timeout(5)
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_huge_hostile_text_is_done_at_once(make: Callable[[int], str]) -> None:
    text = make(30_000)
    for step in STEPS:
        step(text)
    detect_language(text)
