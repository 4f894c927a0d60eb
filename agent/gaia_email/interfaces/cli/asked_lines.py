"""Parts of a question as lines for a terminal, so that what others wrote cannot pass for the question's own words.

Entries: `visible_person`, `barred`.
"""

from __future__ import annotations

from dataclasses import replace

from gaia_mail.asking.people import KnownPerson
from gaia_mail.asking.text import block
from gaia_mail.printable import visible, visible_block


def visible_person(person: KnownPerson) -> KnownPerson:
    """With nothing in name or address that steers a terminal, and what would have in sight."""
    return replace(person, name=visible(person.name), address=visible(person.address))


def barred(heading: str, text: str, indent: str) -> list[str]:
    """A text of others behind bars, under its heading; no line where there is no text."""
    if not text:
        return []
    shown = visible_block(text)
    return [*([heading] if heading else []), *(indent + line for line in block(shown, len(shown)))]
