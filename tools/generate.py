"""Writes every generated file, or with `--check` says which are stale: `python -m tools.generate [--check]`.

A generator is a function that yields (path from the repository root, text); add it to `GENERATORS`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools import contract_schemas, manpages, mcp_packages, openapi, readme, scorecard_pages, settings_table

Generator = Callable[[], Iterator[tuple[Path, str]]]

ROOT = Path(__file__).resolve().parent.parent

GENERATORS: Sequence[Generator] = (
    contract_schemas.generate,
    manpages.generate,
    mcp_packages.generate,
    openapi.generate,
    readme.generate,
    scorecard_pages.generate,
    settings_table.generate,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every file is as generated (after writing, always), 1 when `--check` found a stale one."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if a file is stale")
    check = parser.parse_args(arguments).check
    stale = [path for path, text in _files() if not _same(path, text)]
    if check:
        for path in stale:
            sys.stderr.write(f"stale: {path} (run python -m tools.generate)\n")
        return 1 if stale else 0
    for path, text in _files():
        if path in stale:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(text, encoding="utf-8", newline="\n")
            sys.stdout.write(f"wrote {path}\n")
    return 0


def _files() -> Iterator[tuple[Path, str]]:
    for generator in GENERATORS:
        yield from generator()


def _same(path: Path, text: str) -> bool:
    try:
        return (ROOT / path).read_text(encoding="utf-8") == text
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    raise SystemExit(main())
