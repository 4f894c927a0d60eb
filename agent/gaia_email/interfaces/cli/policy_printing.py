"""What the reading commands about policy print. Entry points: `print_whole_policy`, `print_templates`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email.app import App
from gaia_email.documents.classify import Json
from gaia_email.documents.policy import (
    POLICY_COLUMNS,
    cohort_row,
    conventions_document,
    policy_document,
    templates_document,
)
from gaia_email.interfaces.cli.output import OutputFormat, console, note, write_rows
from gaia_email.interfaces.cli.policy_card import print_policy
from gaia_email.services.policy_changes import read_policy
from gaia_email.services.templates import Templates, load_user_templates, templates_directory
from gaia_mail.printable import visible


def print_whole_policy(app: App, form: OutputFormat, fields: list[str]) -> None:
    """Everything the user decided, and the steps up that could be offered."""
    found, proposals = read_policy(app)
    if form == "card":
        print_policy(found.policy, found.switches, proposals)
        return
    document = policy_document(found.policy, found.switches, found.policy_version, proposals)
    rows = [cohort_row(cohort) for cohort in found.policy.cohorts]
    write_rows(document, rows, POLICY_COLUMNS, form, fields)


def print_conventions(app: App, form: OutputFormat, fields: list[str]) -> None:
    """Where the user wants mail about which people differ, and how bad which mistake is."""
    found, _ = read_policy(app)
    document = conventions_document(found.policy)
    rows = document["conventions"]
    if form != "card":
        write_rows(document, rows, ("name", "set_to", "about"), form, fields)
        return
    for row in rows:
        console().print(f"{row['name']:<17} {row['set_to']:<14} {row['about']}", highlight=False)
    note("gaia email policy convention NAME VALUE sets one, such as: bills actionable.")


def print_templates(app: App, form: OutputFormat, fields: list[str]) -> None:
    """The user's templates, and for each that cannot be used why."""
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


def print_entries(
    values: Json, rows: Sequence[Mapping[str, object]], form: OutputFormat, fields: list[str]
) -> None:
    """A list of VIPs or of what is protected."""
    if form == "card":
        for row in rows:
            console().print(visible(" ".join(map(str, row.values()))))
        if not rows:
            note("there are none.")
        return
    columns = tuple(rows[0]) if rows else ()
    write_rows({"schema_version": 1, **values}, rows, columns, form, fields)
