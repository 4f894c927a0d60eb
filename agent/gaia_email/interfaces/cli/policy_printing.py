"""What the reading commands about policy print. Entries: `VIPS`, `PROTECTED`, `CONVENTIONS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import OperationAnswer, OperationView
from gaia_email.interfaces.cli.output import console, note
from gaia_mail.printable import visible


def print_conventions(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Where the user wants mail about which people differ, and how bad which mistake is."""
    for row in document["conventions"]:
        console().print(f"{row['name']:<17} {row['set_to']:<14} {row['about']}", highlight=False)
    note("gaia email policy convention NAME VALUE sets one, such as: bills actionable.")


CONVENTIONS = OperationView(
    columns=("name", "set_to", "about"),
    rows=lambda document: document["conventions"],
    printed=lambda document, source: {"schema_version": 1, "conventions": document["conventions"]},
    card="policy_printing.print_conventions",
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


def print_vips(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line for each VIP."""
    _print_entries(_vips(document))


def print_protected(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line for each thing that is protected."""
    _print_entries(_protected(document))


def _print_entries(rows: Sequence[Mapping[str, object]]) -> None:
    for row in rows:
        console().print(visible(" ".join(map(str, row.values()))))
    if not rows:
        note("there are none.")


VIPS = OperationView(
    columns=lambda document: ("address",) if document["vips"] else (),
    rows=_vips,
    printed=lambda document, source: {"schema_version": 1, "vips": document["vips"]},
    card="policy_printing.print_vips",
)
PROTECTED = OperationView(
    columns=lambda document: ("kind", "value") if _protected(document) else (),
    rows=_protected,
    printed=lambda document, source: {"schema_version": 1, "protected": document["protected"]},
    card="policy_printing.print_protected",
)


def print_templates(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """The user's templates, and for each that cannot be used why."""
    for row in document["templates"]:
        asks = "; always asks" if row["always_asks"] else ""
        usable = f"for {', '.join(row['cohorts']) or 'no cohort yet'}{asks}"
        console().print(visible(f"{row['name']}: {row['problem'] or usable}"))
    if not document["templates"]:
        from gaia_email.app.services.templates import templates_directory

        folder = templates_directory(click.get_current_context().ensure_object(App))
        note(f"there are no templates; write them into {folder}, as docs/policy.md says.")
