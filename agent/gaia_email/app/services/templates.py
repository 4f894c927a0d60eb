"""The user's templates for answers. Entry: `list_templates`."""

from __future__ import annotations

from pathlib import Path

from gaia_email.app import App
from gaia_email.document import Document
from gaia_email.ledger import template_files


class TemplateDetails(Document, frozen=True, kw_only=True):
    """A template of the user, and its problem, if any."""

    name: str
    cohorts: list[str]
    slots: list[str]
    always_asks: bool
    problem: str


class TemplateList(Document, frozen=True, kw_only=True):
    """The user's templates, sorted by name."""

    templates: list[TemplateDetails]


def list_templates(app: App) -> TemplateList:
    """List the templates, including those that cannot be used."""
    found = template_files.load_templates(app.environ)
    usable = {
        name: TemplateDetails(
            name=name,
            cohorts=sorted(one.cohorts),
            slots=[slot.name for slot in one.slots],
            always_asks=one.always_asks,
            problem="",
        )
        for name, one in found.usable.items()
    }
    broken = {
        name: TemplateDetails(name=name, cohorts=[], slots=[], always_asks=True, problem=problem)
        for name, problem in found.problems.items()
    }
    return TemplateList(templates=[one for _, one in sorted((usable | broken).items())])


def templates_directory(app: App) -> Path:
    """Return the folder of the templates."""
    return template_files.templates_directory(app.environ)
