"""Reads the user's answer templates: `templates/*.md` in the data directory. Entry point: `load_templates`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gaia_email.policy.templates import Template, parse_template
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.paths import home

MAX_BYTES = 100_000
"""Maximum size of a template file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Templates:
    """Usable templates by name, and the problem of each other file as a sentence."""

    usable: Mapping[str, Template]
    problems: Mapping[str, str]


def templates_directory(environ: Mapping[str, str]) -> Path:
    """Return the user's template directory, which may not exist."""
    return home(environ) / "email" / "templates"


def load_templates(environ: Mapping[str, str]) -> Templates:
    """Read every template; an unusable one does not stop the others."""
    usable: dict[str, Template] = {}
    problems: dict[str, str] = {}
    for path in sorted(templates_directory(environ).glob("*.md")):
        try:
            usable[path.stem] = parse_template(path.stem, _text(path))
        except BadArgument as error:
            problems[path.stem] = error.message
    return Templates(usable=usable, problems=problems)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BadArgument(f"{path.name} is larger than {MAX_BYTES:,} bytes.")
        return content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise BadArgument(f"{path.name} cannot be read as UTF-8 text.") from None
