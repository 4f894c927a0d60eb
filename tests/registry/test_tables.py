"""Tables in `data/`: how their lines are read, and that a broken one is named."""

from __future__ import annotations

import pytest

from gaia_email_registry import tables
from gaia_email_registry.tables import read_lines, read_sections, read_table


def given(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def get_data(package: str, name: str) -> bytes:
        assert (package, name) == ("package", "data/given.txt")
        return text.encode()

    monkeypatch.setattr(tables, "get_data", get_data)


def test_a_text_goes_on_in_indented_lines_and_comments_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, "# What it is.\n[one]\nen: a: b\n   c\n# why\n  d\nde:\n  e\n\n[two]\n")
    assert read_table("package", "given.txt") == {"one": {"en": "a: b\n c\nd", "de": "e"}, "two": {}}


def test_sections_keep_their_order_and_may_share_a_title(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, "[rule]\nen: a\n[other]\n[rule]\nen: b\n")
    assert read_sections("package", "given.txt") == [
        ("rule", {"en": "a"}),
        ("other", {}),
        ("rule", {"en": "b"}),
    ]
    with pytest.raises(ValueError, match=r"given\.txt: "):
        read_table("package", "given.txt")


@pytest.mark.parametrize(
    "text",
    ["no colon", "en: first", "  goes on with nothing", "[f]\n  nor here", "[f]\nen: a\nen: b", "[f]\n(?:a)"],
)
def test_a_broken_line_is_named(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, text)
    with pytest.raises(ValueError, match=r"given\.txt: "):
        read_sections("package", "given.txt")


def test_a_file_that_is_missing_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"missing\.txt"):
        read_lines("gaia_email_registry", "missing.txt")
