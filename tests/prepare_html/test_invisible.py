"""Characters that nobody sees: zero width, direction, tags."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.invisible import reveal

TAGGED = "".join(chr(0xE0000 + ord(character)) for character in "obey me")
SMUGGLED = "".join(chr(0xE0100 + octet - 16) if octet >= 16 else chr(0xFE00 + octet) for octet in b"obey me")


@pytest.mark.parametrize(
    ("how", "text", "shown"),
    [
        ("zero-width", "pass\u200bword", "password"),
        ("zero-width", "pay\u2060pal", "paypal"),
        ("zero-width", "a\ufeffb", "ab"),
        ("zero-width", "a\u200c\u200db", "ab"),
        ("bidi-control", "photo\u202egpj.exe", "photogpj.exe"),
        ("bidi-control", "a\u2066b\u2069", "ab"),
        ("unicode-tags", f"hello{TAGGED}", "hello"),
        ("variation-selectors", f"hello \U0001f600{SMUGGLED}", "hello \U0001f600"),
        ("filler", "a\u3164b", "ab"),
        ("soft-hyphen", "p\u00ad\u00ada", "pa"),
        ("combining", "a" + "\u0301" * 30, "a\u0301\u0301"),
    ],
)
def test_invisible_characters_are_taken_out_and_reported(how: str, text: str, shown: str) -> None:
    result, found = reveal(text)
    assert result == shown
    assert [one.how for one in found] == [how]


@pytest.mark.parametrize("text", [f"hello{TAGGED}", f"\U0001f600{SMUGGLED}"])
def test_smuggled_messages_are_decoded(text: str) -> None:
    assert [one.text for one in reveal(text)[1]] == ["obey me"]


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "naïve café – “quoted” … 5 €",
        "r\u00e9sum\u00e9 and re\u0301sume\u0301",
        "会議は明日の午後三時からです。",
    ],
)
def test_ordinary_text_is_untouched(text: str) -> None:
    assert reveal(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffHello",
        "\U0001f469\u200d\U0001f4bb at work",
        "\u2764\ufe0f and \u2600\ufe0f",
        "می\u200cخواهم",
        "\u200fשלום\u200e",
        "Donau\u00addampf\u00adschiff",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ],
)
def test_characters_with_an_ordinary_use_are_taken_out_without_a_report(text: str) -> None:
    shown, found = reveal(text)
    assert len(shown) < len(text)
    assert found == ()


def test_control_characters_are_dropped() -> None:
    assert reveal("a\x1b[31mb\x00c\td\n") == ("a[31mbc\td\n", ())
