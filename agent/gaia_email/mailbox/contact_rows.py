"""Who writes to whom in a mailbox, from the rows of its copy instead of a listing. Entry point: `contact_graph_of`."""

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
    """What `ContactGraph` learns from the summaries of all mail, of one state of the ledger.

    Args:
        tx: The connection of `Ledger.read()`.
        contacts: Where the rows are.
        account: Whose mailbox it is.
        owner: The user's addresses; empty for the account's own, else for the most frequent recipient.
        senders: Whose mail is counted, in lower case; None for everybody's. Of the user's own all is.
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
