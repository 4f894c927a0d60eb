"""Writes every generated file, or with `--check` says which are stale: `python -m tools.generate [--check]`.

A generator is a function that yields (path from the repository root, text); add it to `GENERATORS`.
A file is written before the next one is made: manual pages are made of what the index of commands lists.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools import (
    catalogues,
    command_index,
    contract_schemas,
    manpages,
    mcp_packages,
    openapi,
    readme,
    scorecard_pages,
    settings_table,
)

Generator = Callable[[], Iterator[tuple[Path, str | bytes]]] | Callable[[], Iterator[tuple[Path, str]]]

ROOT = Path(__file__).resolve().parent.parent

GENERATORS: Sequence[Generator] = (
    command_index.generate,
    catalogues.generate,
    contract_schemas.generate,
    manpages.generate,
    mcp_packages.generate,
    openapi.generate,
    readme.generate,
    scorecard_pages.generate,
    settings_table.generate,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every file is as generated (after writing, always), 1 when `--check` found one stale or untranslated."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if a file is stale")
    check = parser.parse_args(arguments).check
    stale = False
    for path, text in _files():
        if _same(path, text):
            continue
        stale = True
        if check:
            sys.stderr.write(f"stale: {path} (run python -m tools.generate)\n")
            if path.name == command_index.INDEX.name:
                return 1  # manual pages are made of it
            continue
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_bytes(_bytes(text))
        sys.stdout.write(f"wrote {path}\n")
    lacking = list(catalogues.untranslated()) if check and not stale else []
    for sentence in lacking:
        sys.stderr.write(f"untranslated: {sentence}\n")
    return 1 if check and (stale or lacking) else 0


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


def _files() -> Iterator[tuple[Path, str | bytes]]:
    for generator in GENERATORS:
        yield from generator()


def _same(path: Path, text: str | bytes) -> bool:
    try:
        return (ROOT / path).read_bytes().replace(b"\r\n", b"\n") == _bytes(text).replace(b"\r\n", b"\n")
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    raise SystemExit(main())
