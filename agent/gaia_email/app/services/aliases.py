"""The owner's addresses, inferred from sent and received mail. Entries: `unknown_aliases`, `keep_aliases`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.mailbox.reader import ANYWHERE
from gaia_email.triage.surveying import summaries_of
from gaia_email_registry.accounts import read_accounts, store_account
from gaia_mail.exchanged import was_exchanged, was_sent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.reader import MailReader
    from gaia_email_registry.accounts import Account

OFTEN = 3
"""Minimum number of messages sent from an address to make it the owner's even if it never received any."""

MOST = 8
"""Maximum number of addresses to ask the user about."""


def find_aliases(app: App, source: SourceSpec, known: Iterable[str] = ()) -> list[str]:
    """Return addresses that mail was sent from, busiest first, except those already `known`.

    Only mail stored as sent counts, since anyone can put an address into a message that arrives.
    """

    async def look(mail: MailReader) -> list[str]:
        sent, received = Counter[str](), Counter[str]()
        async for one in summaries_of(mail, ANYWHERE):
            if was_sent(one):
                sent[one["from"]["address"].lower()] += 1
            elif was_exchanged(one):
                received.update({person["address"].lower() for person in (*one["to"], *one["cc"])})
        own = [one for one, count in sent.most_common() if "@" in one and (count >= OFTEN or received[one])]
        return [one for one in own if one not in {name.lower() for name in known}][:MOST]

    return with_copy(app, source, look, now=app.clock())


def unknown_aliases(app: App, account: Account, source: SourceSpec) -> list[str]:
    """Return the addresses to ask about; none if the owner was asked before."""
    asked = any(one.id == account.id and one.aliases is not None for one in read_accounts(app.environ))
    return [] if asked else find_aliases(app, source, owner_of(app, source))


def add_aliases(app: App, account: Account, aliases: Iterable[str]) -> None:
    """Add addresses of the owner to those that the account already has.

    Raises:
        ProviderError: The list of accounts cannot be written.
    """
    kept = next((one.aliases for one in read_accounts(app.environ) if one.id == account.id), None)
    keep_aliases(app, account, (*(kept or ()), *aliases))


def keep_aliases(app: App, account: Account, aliases: Iterable[str]) -> None:
    """Store the owner's other addresses, replacing the account's previous ones; the question is not asked again.

    Raises:
        ProviderError: The list of accounts cannot be written.
    """
    own = tuple(dict.fromkeys(one.lower() for one in aliases))
    store_account(replace(account, aliases=own), app.environ)
