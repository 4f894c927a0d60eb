"""Views of the commands that read a part of the policy. Entries: `VIPS`, `PROTECTED`, `CONVENTIONS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaia_email.app.documents.layouts import policy as cards
from gaia_email.interfaces.cli.from_operation import OperationView

CONVENTIONS = OperationView(
    columns=("name", "set_to", "about"),
    rows=lambda document: document["conventions"],
    printed=lambda document, source: {"schema_version": 1, "conventions": document["conventions"]},
    layout=cards.CONVENTIONS,
)


def _vips(document: Mapping[str, Any]) -> list[dict[str, object]]:
    return [{"address": vip} for vip in document["vips"]]


def _protected(document: Mapping[str, Any]) -> list[dict[str, object]]:
    protected = document["protected"]
    named = (
        ("sender", protected["senders"]),
        ("label", protected["labels"]),
        ("thread", protected["threads"]),
    )
    return [{"kind": kind, "value": value} for kind, values in named for value in values]


VIPS = OperationView(
    columns=lambda document: ("address",) if document["vips"] else (),
    rows=_vips,
    printed=lambda document, source: {"schema_version": 1, "vips": document["vips"]},
    layout=cards.VIPS,
)
PROTECTED = OperationView(
    columns=lambda document: ("kind", "value") if _protected(document) else (),
    rows=_protected,
    printed=lambda document, source: {"schema_version": 1, "protected": document["protected"]},
    layout=cards.PROTECTED,
)
