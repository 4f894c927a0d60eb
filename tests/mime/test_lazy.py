"""Patterns that are compiled when they are first needed."""

import re

import pytest

from gaia_mail.lazy import lazy_pattern


def test_a_lazy_pattern_answers_as_a_compiled_one_does() -> None:
    lazy, plain = lazy_pattern(r"(\d+)-([a-z])", re.IGNORECASE), re.compile(r"(\d+)-([a-z])", re.IGNORECASE)
    text = "1-a, 22-B; 3"
    assert lazy.findall(text) == plain.findall(text)
    assert lazy.sub("x", text) == plain.sub("x", text)
    assert [match.span() for match in lazy.finditer(text)] == [match.span() for match in plain.finditer(text)]
    assert lazy.fullmatch("5-Z") is not None
    assert lazy.match("Z-5") is None


def test_a_broken_pattern_is_found_out_at_its_first_use() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("")
