"""Parts of a question as terminal lines, in which untrusted text cannot pass for the question itself.

Entries: `visible_person`, `quote_untrusted`.
"""

from __future__ import annotations

from dataclasses import replace

from gaia_mail.asking.people import KnownPerson
from gaia_mail.asking.text import block
from gaia_mail.printable import visible, visible_block


def visible_person(person: KnownPerson) -> KnownPerson:
    """Return the person with control characters in name and address made visible."""
    return replace(person, name=visible(person.name), address=visible(person.address))


def quote_untrusted(heading: str, text: str, indent: str) -> list[str]:
    """Return untrusted text behind bars, under its heading; no lines for an empty text."""
    if not text:
        return []
    shown = visible_block(text)
    return [*([heading] if heading else []), *(indent + line for line in block(shown, len(shown)))]
