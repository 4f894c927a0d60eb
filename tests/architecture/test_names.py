"""One class name means one thing, and what a module names as its entry is there."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.trees import tree_of

pytestmark = pytest.mark.timeout(180)  # a busy machine reads a thousand files slowly

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("agent", "plugins", "understanding", "mail", "registry", "servers")
ENTRY = re.compile(r"\bEntr(?:y|ies)(?: points?)?: (.*?)(?:;|\.(?=\s|$)|\n\s*\n|$)", re.DOTALL)
NAMED = re.compile(r"`(\w+(?:\.\w+)?)(?:\([^`]*\))?`")


@cache
def trees(folder: str) -> dict[Path, ast.Module]:
    return {
        path: tree_of(path)
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "__pycache__" not in path.parts
    }


def classes_of(tree: ast.Module) -> Iterator[str]:
    """The public classes of a module, those inside others left out."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def aliases_of(tree: ast.Module) -> Iterator[str]:
    """The public names that a module gives to types; a type variable has a meaning in its function only."""
    for node in tree.body:
        match node:
            case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if name[0].isupper() and not name.isupper():
                    yield name
            case _:
                pass


def shared_names(modules: Mapping[Path, ast.Module]) -> dict[str, set[str]]:
    """The class names that another module has for a class or another type, and which modules have them."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, tree in modules.items():
        for name in (*classes_of(tree), *aliases_of(tree)):
            found[name].add(str(path))
    classes = {name for tree in modules.values() for name in classes_of(tree)}
    return {name: paths for name, paths in found.items() if len(paths) > 1 and name in classes}


def names_of(tree: ast.Module | ast.ClassDef) -> set[str]:
    """What a module defines for others: classes with their members, functions, variables, what its `__all__` names."""
    names: set[str] = set()
    for node in statements(tree.body):
        match node:
            case ast.ClassDef(name=name):
                names |= {name, *(f"{name}.{inside}" for inside in names_of(node))}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=handed_on)):
                names |= {str(one.value) for one in handed_on if isinstance(one, ast.Constant)}
            case ast.Assign(targets=targets):
                names |= {
                    one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)
                }
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case _:
                pass
    return names


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a module, with what is in an `if` or a `try` of it."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from statements([*node.body, *node.orelse])


def wrong_entries(path: Path, modules: Mapping[Path, ast.Module]) -> Iterator[str]:
    """What the docstring of a module calls an entry and is none; all of it where it names nothing."""
    told = ENTRY.search(ast.get_docstring(modules[path], clean=False) or "")
    if told is None:
        return
    named = NAMED.findall(told[1])
    if not named:
        yield told[0]
    for name in named:
        module, _, inside = name.partition(".")
        below = modules.get(path.parent / f"{module}.py") if path.name == "__init__.py" else None
        if (inside not in names_of(below)) if below else (name not in names_of(modules[path])):
            yield name


def test_no_class_name_has_two_meanings_in_the_product() -> None:
    modules = {path: tree for folder in PRODUCT for path, tree in trees(folder).items()}
    assert sum(len(list(classes_of(tree))) for tree in modules.values()) > 500
    assert shared_names(modules) == {}


def test_a_class_name_with_two_meanings_would_be_found() -> None:
    modules = {
        Path("one.py"): ast.parse("class Plan: ...\nclass Pass: ...\nclass _Row: ..."),
        Path("two.py"): ast.parse("class Plan: ...\nPass = Literal['T1', 'T2']\nclass _Row: ..."),
    }
    assert shared_names(modules) == {"Plan": {"one.py", "two.py"}, "Pass": {"one.py", "two.py"}}


def test_what_a_module_names_as_its_entry_is_defined_there() -> None:
    folders = (*PRODUCT, "tools", "evals", "benchmarks")
    modules = {path: tree for folder in folders for path, tree in trees(folder).items()}
    assert sum(bool(ENTRY.search(ast.get_docstring(tree) or "")) for tree in modules.values()) > 500
    wrong = {str(path.relative_to(ROOT)): list(wrong_entries(path, modules)) for path in modules}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_an_entry_that_is_not_there_would_be_found() -> None:
    modules = {
        Path("package/__init__.py"): ast.parse(
            '"""Reads. Entries: `reader.read`, `reader.write`, `read`."""'
        ),
        Path("package/reader.py"): ast.parse(
            '"""Reads. Entry: `read(path)`; see `write`."""\ndef read(path): ...'
        ),
        Path("package/rest.py"): ast.parse('"""The rest. Entry points: all of it."""'),
    }
    assert [list(wrong_entries(path, modules)) for path in modules] == [
        ["reader.write", "read"],
        [],
        ["Entry points: all of it."],
    ]
