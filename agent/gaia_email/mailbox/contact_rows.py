"""Read who writes to whom from the rows of a mailbox's copy, without a listing. Entry point: `contact_graph_of`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from gaia_email.ledger.contacts import Contacts
from gaia_email.mailbox.contact_graph import ContactGraph
from gaia_email.mailbox.correspondents import Correspondents
from gaia_email_registry.accounts import addresses_in


def contact_graph_of(
    tx: Connection,
    contacts: Contacts,
    account: str,
    owner: Sequence[str],
    senders: Collection[str] | None = None,
) -> ContactGraph:
    """Return what `ContactGraph` learns from the summaries of all mail, from one state of the ledger.

    Args:
        tx: The connection of `Ledger.read()`.
        contacts: Access to the rows.
        account: The account of the mailbox.
        owner: The user's addresses; empty for the account's own, else for the most frequent recipient.
        senders: Count only mail from these addresses, in lower case; None for all. The user's own mail always counts.
    """
    told = frozenset(address.lower() for address in owner or addresses_in(account))
    found = "" if told else contacts.owner(tx, account)
    own = told or frozenset(filter(None, (found,)))
    written = contacts.own(tx, account, own)
    keeps_sent = contacts.keeps_sent(tx, account)
    if told and keeps_sent:
        written = [one for one in written if not one.may_be_forged]
    recipients: dict[int, list[str]] = {one.row: [] for one in written}
    for row, address in contacts.recipients(tx, recipients):
        recipients[row].append(address)
    if told:
        written = [one for one in written if not (one.may_be_forged and told.issuperset(recipients[one.row]))]
    history = Correspondents.of(
        own,
        contacts.received(tx, account, own, senders),
        ((one.thread_id, one.date, recipients[one.row]) for one in written),
        is_more_than_one=contacts.is_more_than_one(tx, account),
    )
    newest = contacts.newest(tx, account)
    return ContactGraph.known(account, owner, history, newest=newest, keeps_sent=keeps_sent)
