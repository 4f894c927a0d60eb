"""How a command changes the policy: try on past mail, show, ask, save. Entries: `change_policy`, `show_trial`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.documents.policy_change import CHANGE_COLUMNS, ChangeDocument, change_document
from gaia_email.interfaces.cli.output import OutputFormat, note, write_rows
from gaia_email.interfaces.cli.person import says_yes
from gaia_email.interfaces.cli.policy_card import print_change, print_saved
from gaia_email.services.policy_changes import Edit, Naming, PolicyChange, plan_change, save_change

if TYPE_CHECKING:
    pass


def change_policy(
    app: App, edit: Edit, name_it: Naming, *, yes: bool, form: OutputFormat, fields: list[str]
) -> None:
    """Change the user's policy.

    Args:
        app: The running program.
        edit: Gives the policy as it is to be.
        name_it: Says in words what that changes, from the policy before and after.
        yes: The user agreed beforehand.
        form: How to print.
        fields: Which fields of the document to print.

    Raises:
        BadArgument: The change cannot be, or somebody changed the policy meanwhile.
        NeedsApproval: It lets the agent do more by itself, and the user did not agree.
    """
    planned = plan_change(app, edit, name_it)
    if form == "card":
        print_change(planned.change, planned.tried, same=planned.changes_nothing)
    agreed = not planned.looser or says_yes(app, "Save this?", said=yes)
    if not agreed and form != "card":
        _print(_document(planned, needs_yes=True), form, fields)
    saved = save_change(app, planned, agreed=agreed)
    is_new = saved.policy_version != planned.over.policy_version
    if form == "card":
        print_saved(changed=is_new)
        return
    document = change_document(
        planned.change, planned.tried, saved=is_new, version=saved.policy_version, needs_yes=planned.looser
    )
    _print(document, form, fields)


def show_trial(planned: PolicyChange, form: OutputFormat, fields: list[str]) -> None:
    """Only show what a change would have meant."""
    if form == "card":
        print_change(planned.change, planned.tried, same=planned.changes_nothing)
    else:
        _print(_document(planned, needs_yes=planned.looser), form, fields)


def _document(planned: PolicyChange, *, needs_yes: bool) -> ChangeDocument:
    version = planned.over.policy_version
    return change_document(planned.change, planned.tried, saved=False, version=version, needs_yes=needs_yes)


def _print(document: ChangeDocument, form: OutputFormat, fields: list[str]) -> None:
    write_rows(document, [document], CHANGE_COLUMNS, form, fields)
    if document["saved"]:
        note("saved.")
