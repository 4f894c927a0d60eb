"""Tables in text files in the `data/` folders of packages: `read_lines`, `read_sections`, `read_table`.

A table consists of sections with entries, which people who do not program can read and extend:

    # A comment, also allowed between entries.
    [section]
    key: text, which continues
      in indented lines
"""

from __future__ import annotations

from pkgutil import get_data

Sections = list[tuple[str, dict[str, str]]]
r"""The sections of a table in order: title, and text by key. The lines of a text are separated by `\n`."""


def read_lines(package: str, name: str) -> list[str]:
    """Return the lines of a file, without comments (`# `) and empty lines.

    Args:
        package: Package with the `data/` folder.
        name: The file's path in that folder.

    Raises:
        FileNotFoundError: There is no such file.
    """
    # `importlib.resources` would import `tempfile` and its dependencies: a fifth of a short command's time.
    octets = get_data(package, f"data/{name}")
    if octets is None:
        raise FileNotFoundError(f"{package} has no file data/{name}")
    return [line for line in octets.decode().splitlines() if line and not line.startswith("# ")]


def read_sections(package: str, name: str) -> Sections:
    """Return the sections of a table; titles may repeat.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is neither a title, an entry nor its continuation; or a section has a key twice.
    """
    sections: Sections = []
    key = ""
    for line in read_lines(package, name):
        if line.startswith("  ") and key:
            entries = sections[-1][1]
            entries[key] = f"{entries[key]}\n{line[2:]}" if entries[key] else line[2:]
        elif line.startswith("[") and line.endswith("]"):
            sections.append((line[1:-1], {}))
            key = ""
        else:
            key, colon, text = line.partition(":")
            if not colon or not key.isidentifier() or not sections or key in sections[-1][1]:
                raise ValueError(f"{name}: {line[:60]!r} is not a line of a table")
            sections[-1][1][key] = text.removeprefix(" ")
    return sections


def read_table(package: str, name: str) -> dict[str, dict[str, str]]:
    """Return the sections of a table by title; each title may occur only once.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: As in `read_sections`, or a title occurs twice.
    """
    sections = read_sections(package, name)
    table = dict(sections)
    if len(table) < len(sections):
        raise ValueError(f"{name}: two sections have the same title")
    return table
