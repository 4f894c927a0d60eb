"""Syntax trees of sources, each made once. Entry: `tree_of`."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The tree of a file, which nobody may change."""
    return ast.parse(path.read_bytes())
