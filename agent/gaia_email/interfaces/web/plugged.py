"""Pages of plug-ins, and what plug-ins add to the pages of the core. Entries: `PagePart`, `page_parts`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from gaia_email.interfaces.web.performing import PageRoutes, PerformOperation
from gaia_email.plugins import load_parts

SlotName = Literal["activity", "integration", "integration_menu", "add_integration", "schedule"]
"""Places in the core's pages: the end of the activity page, the buttons and the menu of an integration, the links that
add one, and the settings of schedules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A link of the navigation.

    Attributes:
        page: The page, and the command of its key.
        title: Its text, marked for translation.
    """

    page: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSlot:
    """A template that is shown at a place in a page of the core, with the variables of that page.

    Attributes:
        name: The place.
        template: The template.
        operation: An operation whose document the template gets as `more`; empty for none.
        limit: The maximum number of rows that the operation returns.
    """

    name: SlotName
    template: str
    operation: str = ""
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """Pages of a plug-in.

    Attributes:
        package: The package whose folder `templates` contains its templates.
        routes: Functions that return the routes of its pages.
        links: Its links in the navigation.
        slots: What it adds to pages of the core.
        forgets: The kinds of integrations that it adds, each with the operation that removes one by its name.
    """

    package: str
    routes: Sequence[Callable[[PerformOperation], PageRoutes]] = ()
    links: Sequence[PageLink] = ()
    slots: Sequence[PageSlot] = ()
    forgets: Sequence[tuple[str, str]] = ()


@cache
def page_parts() -> tuple[PagePart, ...]:
    """Return the pages of the installed plug-ins."""
    return tuple(load_parts("pages"))


def page_links() -> list[PageLink]:
    """Return the links that plug-ins add to the navigation."""
    return [link for part in page_parts() for link in part.links]


def slots(name: SlotName) -> list[PageSlot]:
    """Return what plug-ins show at a place."""
    return [slot for part in page_parts() for slot in part.slots if slot.name == name]
