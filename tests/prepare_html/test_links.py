"""Links: what they show, where they lead, and what is no link."""

from __future__ import annotations

from gaia_understanding.prepare.pipeline import find_links


def test_addresses_in_plain_text_are_found_without_their_punctuation() -> None:
    text = (
        "See https://a.example/x?y=1&z=2, (http://b.example/p_(q)) or <https://c.example>; www.d.example/e. "
        "Mail mailto:ann@example.com! Not http:// nor www. alone."
    )
    assert [link.url for link in find_links(text)] == [
        "https://a.example/x?y=1&z=2",
        "http://b.example/p_(q)",
        "https://c.example",
        "http://www.d.example/e",
        "mailto:ann@example.com",
    ]


def test_many_addresses_are_bounded_and_quick() -> None:
    assert len(find_links("https://a.example/ " * 100_000)) == 2_000
