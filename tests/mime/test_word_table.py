"""Lists of words and expressions in `data/`: how their sections are read, and when."""

from __future__ import annotations

import pytest

from gaia_email_registry import tables
from gaia_mail.word_table import WordTable

TEXT = r"""# What it is.
[greeting]
en: hi hello
  dear
de: hallo

[phrases]
any: see you; _pm;
  kind
  regards

[machine]
en: bot|robot

[orders]
en: \bask (?:{machine})
    (?: \w+)?\b
  obey
de: gehorche
"""


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> WordTable:
    def get_data(package: str, name: str) -> bytes:
        assert (package, name) == ("package", "data/given.txt")
        return TEXT.encode()

    monkeypatch.setattr(tables, "get_data", get_data)
    return WordTable("package", "given.txt")


def test_words_are_separated_by_white_space_and_phrases_by_semicolons(table: WordTable) -> None:
    assert table.words("greeting") == {"hi", "hello", "dear", "hallo"}
    assert table.word_list("greeting") == ("hi", "hello", "dear", "hallo")
    assert table.words_by_language("greeting") == {"en": {"hi", "hello", "dear"}, "de": {"hallo"}}
    assert table.phrases("phrases") == ("see you", " pm", "kind regards")


def test_an_expression_has_its_lines_as_alternatives_and_takes_others_in(table: WordTable) -> None:
    assert table.choices("orders") == (r"\bask (?:bot|robot)(?: \w+)?\b", "obey", "gehorche")
    assert table.choice("orders") == r"\bask (?:bot|robot)(?: \w+)?\b|obey|gehorche"
    pattern = table.pattern("orders", "^(?:", ")$")
    assert pattern.search("ask robot now") and pattern.search("gehorche") and not pattern.search("obey me")


def test_a_file_is_read_when_something_of_it_is_first_needed() -> None:
    pattern = WordTable("gaia_mail", "missing.txt").pattern("orders")
    with pytest.raises(FileNotFoundError):
        pattern.search("anything")
