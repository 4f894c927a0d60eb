"""How a command changes the policy: try it on past mail, show, ask, save. Entry point: `change_policy`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from gaia_email.documents.policy import CHANGE_COLUMNS, Change, change_document
from gaia_email.faces.cli.output import OutputFormat, note, write_rows
from gaia_email.faces.cli.policy_card import print_change, print_saved
from gaia_email.faces.cli.terminal import is_terminal
from gaia_email.policy.backtest import BackTest, backtest, loosens
from gaia_email.policy.document import Policy
from gaia_email.policy.model import Judged, MessageFacts
from gaia_email.policy_store import PolicyStore, Stored, stored
from gaia_email_registry.errors import NeedsApproval

if TYPE_CHECKING:
    from gaia_email.documents.classify import Json


def change_policy(
    edit: Callable[[Policy], Policy],
    name_it: Callable[[Policy, Policy], Change],
    *,
    yes: bool,
    form: OutputFormat,
    fields: list[str],
) -> None:
    """Change the user's policy.

    Args:
        edit: Gives the policy as it is to be.
        name_it: Says in words what that changes, from the policy before and after.
        yes: The user agreed beforehand.
        form: How to print.
        fields: Which fields of the document to print.

    Raises:
        BadArgument: The change cannot be, or somebody changed the policy meanwhile.
        NeedsApproval: It lets the agent do more by itself, and the user did not agree.
    """
    from gaia_email.triage.past_mail import past_mail

    over = stored(os.environ)
    after = edit(over.policy)
    change = name_it(over.policy, after)
    tried = backtest(past_mail(os.environ), over.policy, after)
    looser = loosens(over.policy, after)
    if form == "card":
        print_change(change, tried, same=after == over.policy)
    if looser and not yes and not _agreed():
        if form != "card":
            _print(
                change_document(change, tried, saved=False, version=over.policy_version, needs_yes=True),
                form,
                fields,
            )
        raise NeedsApproval(
            "This lets the agent do more by itself, so it needs your yes; nothing was saved.",
            hint="the same command with --yes.",
        )
    saved = _save(after, over, change)
    if form == "card":
        print_saved(changed=saved.policy_version != over.policy_version)
    else:
        document = change_document(
            change,
            tried,
            saved=saved.policy_version != over.policy_version,
            version=saved.policy_version,
            needs_yes=looser,
        )
        _print(document, form, fields)


def try_policy(
    past: Iterable[tuple[MessageFacts, Judged]],
    before: Stored,
    after: Policy,
    change: Change,
    *,
    form: OutputFormat,
    fields: list[str],
) -> None:
    """Only show what a change would have meant."""
    tried: BackTest = backtest(past, before.policy, after)
    if form == "card":
        print_change(change, tried, same=after == before.policy)
        return
    looser = loosens(before.policy, after)
    document = change_document(change, tried, saved=False, version=before.policy_version, needs_yes=looser)
    _print(document, form, fields)


def _save(policy: Policy, over: Stored, change: Change) -> Stored:
    if policy == over.policy:
        return over
    from gaia_email.ledger import open_ledger

    with open_ledger() as ledger, ledger.write() as tx:
        return PolicyStore(ledger).save_policy(tx, policy, over, change=change.payload)


def _agreed() -> bool:
    import sys

    if not (is_terminal() and sys.stdin.isatty()):
        return False
    return click.confirm("Save this?", default=False, err=True)


def _print(document: Json, form: OutputFormat, fields: list[str]) -> None:
    write_rows(document, [document], CHANGE_COLUMNS, form, fields)
    if document["saved"]:
        note("saved.")
