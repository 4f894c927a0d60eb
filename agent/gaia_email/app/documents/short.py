"""A selection of a document's fields for a model or a chat. Entries: `short`, `plain`.

Text is reduced to one line without control or direction characters, and cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from gaia_email.app.documents.classify import Json
from gaia_email.document import clean
from gaia_mail.printable import visible

LONGEST = 300
"""Maximum length of a text in characters."""

FieldTree = dict[str, "FieldTree"]


def plain(text: str, limit: int = LONGEST) -> str:
    """Return untrusted text as one visible line, cut at `limit`."""
    found = visible(" ".join(clean(text).split()))
    return found if len(found) <= limit else found[: limit - 1] + "…"


def short(document: Mapping[str, Any], fields: Sequence[str], *, without_empty: bool = False) -> Json:
    """Return the named fields in the given order, in the document's own shape.

    Args:
        document: The document to select from.
        fields: `a.b` is a field of an object, or of each object in a list; a name alone selects the whole value.
        without_empty: Leave out null, empty and false values.
    """
    tree: FieldTree = {}
    for field in fields:
        at = tree
        for key in field.split("."):
            at = at.setdefault(key, {})
    found: Json = _picked(document, tree, without_empty)
    return found


def _picked(value: Any, tree: FieldTree, without_empty: bool) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_picked(one, tree, without_empty) for one in cast("Sequence[Any]", value)]
    if not isinstance(value, dict):
        return value
    known = cast("Mapping[str, Any]", value)
    named = tree or dict.fromkeys(known, cast("FieldTree", {}))
    picked = {key: _picked(known[key], below, without_empty) for key, below in named.items()}
    return {key: one for key, one in picked.items() if one or not without_empty}
