"""What the reading commands about policy print. Entries: `VIPS`, `PROTECTED`, `CONVENTIONS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import OperationAnswer, OperationView
from gaia_email.interfaces.cli.output import OutputFormat, console, note, write_rows
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.documents.policy import ConventionsDocument, ProtectDocument, VipDocument
    from gaia_email.app.services.templates import Templates


def print_conventions(document: ConventionsDocument, answer: OperationAnswer) -> None:
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


def _vips(document: VipDocument) -> list[dict[str, object]]:
    return [{"address": vip} for vip in document["vips"]]


def _protected(document: ProtectDocument) -> list[dict[str, object]]:
    protected = document["protected"]
    named = (
        ("sender", protected["senders"]),
        ("label", protected["labels"]),
        ("thread", protected["threads"]),
    )
    return [{"kind": kind, "value": value} for kind, values in named for value in values]


def print_vips(document: VipDocument, answer: OperationAnswer) -> None:
    """A line for each VIP."""
    _print_entries(_vips(document))


def print_protected(document: ProtectDocument, answer: OperationAnswer) -> None:
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


def print_templates(app: App, form: OutputFormat, fields: list[str]) -> None:
    """The user's templates, and for each that cannot be used why."""
    from gaia_email.app.documents.policy import templates_document
    from gaia_email.app.services.templates import load_user_templates, templates_directory

    found = load_user_templates(app)
    named = sorted([*found.usable, *found.problems])
    if form == "card":
        for name in named:
            console().print(visible(f"{name}: {_in_words(found, name)}"))
        if not named:
            note(
                f"there are no templates; write them into {templates_directory(app)}, as docs/policy.md says."
            )
        return
    document, rows = templates_document(found)
    write_rows(document, rows, ("name", "cohorts", "slots", "always_asks", "problem"), form, fields)


def _in_words(found: Templates, name: str) -> str:
    template = found.usable.get(name)
    if template is None:
        return found.problems[name]
    asks = "; always asks" if template.always_asks else ""
    return f"for {', '.join(sorted(template.cohorts)) or 'no cohort yet'}{asks}"
