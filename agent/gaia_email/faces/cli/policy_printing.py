"""What the reading commands about policy print. Entry points: `print_whole_policy`, `print_test`, `print_templates`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from gaia_email.documents.classify import Json, clean
from gaia_email.documents.policy import POLICY_COLUMNS, Change, cohort_row, policy_document
from gaia_email.faces.cli.changing import try_policy
from gaia_email.faces.cli.options import Source
from gaia_email.faces.cli.output import OutputFormat, console, note, write_rows
from gaia_email.faces.cli.policy_card import print_policy
from gaia_email.faces.cli.session import owner_of, progress, with_copy
from gaia_email.ledger.template_files import Templates, load_templates, templates_directory
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.document import Policy
from gaia_email.policy_store import standing_proposals, stored
from gaia_email.triage.inbox import Inbox, triage
from gaia_email.triage.past_mail import past_of_inbox
from gaia_email.triage.tiers import default_tier
from gaia_mail.printable import visible


def print_whole_policy(form: OutputFormat, fields: list[str]) -> None:
    """Everything the user decided, and the steps up that could be offered."""
    found = stored(os.environ)
    proposals = standing_proposals(os.environ, found.policy)
    if form == "card":
        print_policy(found.policy, found.switches, proposals)
        return
    document = policy_document(found.policy, found.switches, found.policy_version, proposals)
    rows = [cohort_row(cohort) for cohort in found.policy.cohorts]
    write_rows(document, rows, POLICY_COLUMNS, form, fields)


def print_test(
    source: Source,
    edit: Callable[[Policy], Policy],
    name_it: Callable[[Policy, Policy], Change],
    *,
    form: OutputFormat,
    fields: list[str],
) -> None:
    """Look at the inbox of a mailbox and say what a change would mean for it."""
    from time import time

    now = time()
    before = stored(os.environ)
    after = edit(before.policy)

    async def run(mail: MailReader) -> Inbox:
        return await triage(
            mail,
            default_tier(summaries=False),
            now=now,
            owner=owner_of(source),
            rules=before.rules,
            progress=progress,
        )

    past = past_of_inbox(with_copy(source, run, now=now))
    change = name_it(before.policy, after)
    try_policy(past, before, after, change, form=form, fields=fields)


def print_templates(form: OutputFormat, fields: list[str]) -> None:
    """The user's templates, and for each that cannot be used why."""
    found = load_templates(os.environ)
    named = sorted([*found.usable, *found.problems])
    if form == "card":
        for name in named:
            console().print(visible(f"{name}: {_in_words(found, name)}"))
        if not named:
            folder = templates_directory(os.environ)
            note(f"there are no templates; write them into {folder}, as docs/policy.md says.")
        return
    rows = [_template(found, name) for name in named]
    document: Json = {"schema_version": 1, "templates": rows}
    write_rows(document, rows, ("name", "cohorts", "slots", "always_asks", "problem"), form, fields)


def _in_words(found: Templates, name: str) -> str:
    template = found.usable.get(name)
    if template is None:
        return found.problems[name]
    asks = "; always asks" if template.always_asks else ""
    return f"for {', '.join(sorted(template.cohorts)) or 'no cohort yet'}{asks}"


def _template(found: Templates, name: str) -> Json:
    template = found.usable.get(name)
    return {
        "name": clean(name),
        "cohorts": sorted(template.cohorts) if template else [],
        "slots": [slot.name for slot in template.slots] if template else [],
        "always_asks": template is None or template.always_asks,
        "problem": clean(found.problems.get(name, "")),
    }


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
