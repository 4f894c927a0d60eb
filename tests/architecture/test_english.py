"""Docstrings are sentences or noun phrases that a stranger understands, and functions start with a verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.test_names import trees

SENTENCES = (
    "mail",
    "agent/gaia_email/cascade",
    "agent/gaia_email/prepare",
    "servers/gmail_mcp",
    "servers/graph_mcp",
    "servers/imap_mcp",
    "servers/local_mcp",
)
"""Folders whose docstrings have been rewritten; the others follow."""

VERBS = (
    "mail",
    "agent/gaia_email/prepare",
    "servers/gmail_mcp",
    "servers/graph_mcp",
    "servers/imap_mcp",
    "servers/local_mcp",
)
"""Folders whose public functions are named after an act; the others follow."""

HEADLESS = re.compile(r"(What|How|Which|Whether|Who|Whom|Whose|Where|When|Why|Of|The same\b(?! \w))\b")
"""A clause without its main sentence: `What a mailbox has besides.`"""

PARTICIPLES = re.compile(
    r"(?!(?:need|feed|embed|speed|seed)$)[a-z]+ed$|(?:begun|brought|built|chosen|done|drawn|found|given|gone|held|kept|"
    r"known|left|made|meant|met|paid|said|seen|sent|shown|sold|spoken|taken|taught|told|understood|written)$"
)


def documented(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each public name of a module with its docstring."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name[0] != "_":
            yield node.name, ast.get_docstring(node) or ""


def headless(tree: ast.Module) -> list[str]:
    """Return the public names whose docstring begins with a clause instead of a sentence."""
    return [name for name, text in documented(tree) if HEADLESS.match(text)]


def lone_participles(tree: ast.Module) -> list[str]:
    """Return the public functions that are named after a state instead of an act."""
    found: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        is_property = any("property" in ast.unparse(one) for one in node.decorator_list)
        if not is_property and PARTICIPLES.match(node.name):
            found.append(node.name)
    return found


def test_the_checks_find_what_they_look_for() -> None:
    tree = ast.parse('def kept():\n    """What is kept."""\ndef keep():\n    """Keep it."""\n')
    assert headless(tree) == lone_participles(tree) == ["kept"]


@pytest.mark.parametrize("folder", SENTENCES)
def test_docstrings_are_sentences(folder: str) -> None:
    found = {str(path): names for path, tree in trees(Path(folder)).items() if (names := headless(tree))}
    assert found == {}


@pytest.mark.parametrize("folder", VERBS)
def test_functions_start_with_a_verb(folder: str) -> None:
    found = {
        str(path): names for path, tree in trees(Path(folder)).items() if (names := lone_participles(tree))
    }
    assert found == {}
