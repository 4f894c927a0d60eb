"""Reads labelled messages from files and folders. Entries: `read_cases`, `is_foreign`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.fixtures import read_fixtures
from gaia_email_evals.labelled import read_labelled
from gaia_email_evals.model import DataPart
from gaia_email_registry.errors import BadArgument, NotFound

LINES, TABLES = ".jsonl", ".toml"


def read_cases(paths: Sequence[Path], part: DataPart) -> list[LabelledMessage]:
    """Return the cases of a part, in the order of the paths.

    Args:
        paths: Files of labels, `.toml` or `.jsonl`, or folders that contain some.
        part: The part to return; `all` for every case.

    Raises:
        NotFound: A path does not exist or contains no labels.
        BadArgument: A file is invalid, two messages have the same name, or the part is empty.
    """
    cases = [case for path in paths for case in _cases_of(path)]
    names: set[tuple[str, str]] = set()
    for case in cases:
        if (case.source, case.name) in names:
            raise BadArgument(
                f"two labelled messages are called {case.name} in {case.source}; give one another name."
            )
        names.add((case.source, case.name))
    chosen = [case for case in cases if part in ("all", case.part)]
    if not chosen:
        raise BadArgument(
            f"none of the {len(cases):,} labelled messages is in part {part}.", hint="try --part all"
        )
    return chosen


def _cases_of(path: Path) -> Iterator[LabelledMessage]:
    for file in label_files(path):
        yield from read_labelled(file) if file.suffix == LINES else read_fixtures(file)


def is_foreign(paths: Sequence[Path]) -> bool:
    """Return True if all of it is other people's mail: nothing here was trained on it, so no part is held back."""
    return all(file.suffix == LINES for path in paths for file in label_files(path))


def label_files(path: Path) -> list[Path]:
    """Return the label files at a path, sorted by name.

    Raises:
        NotFound: The path does not exist or contains none.
    """
    if not path.exists():
        raise NotFound(f"{path} does not exist.")
    files = (
        sorted(file for file in path.iterdir() if file.suffix in (LINES, TABLES)) if path.is_dir() else [path]
    )
    if not files or files[0].suffix not in (LINES, TABLES):
        raise NotFound(
            f"{path} holds no labelled mail: it is neither a {TABLES} or {LINES} file nor a folder of them.",
            hint="docs/evaluation.md says what such a file looks like",
        )
    return files
