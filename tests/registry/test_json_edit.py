"""An entry is added to another program's JSON and taken out again, and every other byte stays."""

from __future__ import annotations

import json

import pytest

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_email_registry.json_edit import add_entry, remove_entry

ENTRY = {"command": "/usr/bin/gaia-imap-mcp", "args": ["--account", "ada@posteo.de"]}
OTHER = '{"command": "npx", "args": ["-y", "x, }", "/* no comment */"]}'

LAYOUTS = {
    "bare": "{}",
    "spaced": "{ }\n",
    "open": "{\n}\n",
    "other keys": '{\n  "theme": "dark",\n  "numbers": [1, -2.5e3, true, null, []]\n}\n',
    "other keys on a line": '{"theme":"dark"}',
    "empty section": '{\n  "SECTION": {}\n}\n',
    "empty open section": '{\n  "SECTION": {\n  }\n}',
    "empty spaced section": '{"SECTION": { }}',
    "one": '{\n  "SECTION": {\n    "x": OTHER\n  }\n}\n',
    "one on a line": '{"SECTION":{"x":OTHER},"z":1}',
    "two": '{\n\t"SECTION": {\n\t\t"x": OTHER,\n\t\t"y": OTHER\n\t},\n\t"last": "é \\u00e9"\n}\n',
    "section first": '{"SECTION": {"x": OTHER}, "mail": {"SECTION": {}}}',
}
COMMENTED = {
    "comments": '// mine\n{\n  /* a "}" */\n  "SECTION": {\n    "x": OTHER // the last\n    // end\n  }\n}\n',
    "trailing commas": '{\n  "SECTION": {\n    "x": OTHER,\n  },\n}\n',
    "only a comment": '{\n  "SECTION": {\n    // nothing yet\n  }\n}\n',
    "comment in an empty file": "{\n  // nothing yet\n}\n",
}
CASES = [
    pytest.param(layout.replace("OTHER", OTHER).replace("SECTION", section), section, id=f"{name}-{section}")
    for section in ("mcpServers", "servers")
    for name, layout in {**LAYOUTS, **COMMENTED}.items()
]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "section"), CASES)
def test_an_entry_added_and_removed_leaves_the_file_byte_for_byte(
    text: str, section: str, ending: str
) -> None:
    before = text.replace("\n", ending)
    added = add_entry(before, section, "mail", ENTRY)
    assert added != before
    assert remove_entry(added, section, "mail") == before


@pytest.mark.parametrize("section", ["mcpServers", "servers"])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_the_other_program_reads_the_entry_and_all_it_had(layout: str, section: str) -> None:
    before = layout.replace("OTHER", OTHER).replace("SECTION", section)
    expected = json.loads(before)
    expected.setdefault(section, {})["mail"] = ENTRY
    found = json.loads(add_entry(before, section, "mail", ENTRY))
    assert found == expected
    assert list(found[section])[-1] == "mail"


def test_an_empty_file_becomes_one_with_the_entry() -> None:
    assert json.loads(add_entry("", "servers", "mail", ENTRY)) == {"servers": {"mail": ENTRY}}


def test_the_indentation_and_line_ends_of_the_neighbours_are_taken_over() -> None:
    text = '{\r\n\t"servers": {\r\n\t\t"x": {}\r\n\t}\r\n}'
    assert '{},\r\n\t\t"mail": {' in add_entry(text, "servers", "mail", ENTRY)


def test_the_first_of_several_entries_can_be_removed() -> None:
    text = '{"servers": {"mail": {}, "x": {"a": 1}}}'
    assert remove_entry(text, "servers", "mail") == '{"servers": {"x": {"a": 1}}}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "not JSON"),
        ('{"servers": {}', "not JSON"),
        ('{"servers": {}} x', "not JSON"),
        ('{"servers": {"a" 1}}', "not JSON"),
        ('{"servers": []}', "object in braces"),
        ('{"servers": {}, "servers": {}}', "twice"),
        ('{"servers": {"mail": {}}}', "already"),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", "too deep"),
    ],
)
def test_a_file_that_cannot_be_read_for_sure_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadArgument, match=said):
        add_entry(text, "servers", "mail", ENTRY)


def test_an_entry_that_is_not_there_is_not_removed() -> None:
    with pytest.raises(NotFound, match="mail"):
        remove_entry('{"servers": {"x": {}}}', "servers", "mail")
