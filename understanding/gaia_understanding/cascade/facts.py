"""The facts about one message that the rules may use, gathered once. Entries: `RuleFacts`, `gather`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.cascade.sender import authentication, lists, sender
from gaia_understanding.cascade.sender.lists import ListFacts
from gaia_understanding.cascade.sender.lookalikes import Imitation, imitates_known, imitation
from gaia_understanding.cascade.sender.sender import MessageSender
from gaia_understanding.cascade.verdict import Authentication, Context
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.extract.model import Entities
from gaia_understanding.prepare.extract.reading import Reading
from gaia_understanding.prepare.model import Prepared

_REPLY_PREFIXES = ("re:", "aw:", "sv:", "antw:", "rif:", "res:", "ref:")


@dataclass(slots=True, kw_only=True)
class RuleFacts:
    """One message as the rules see it; read-only.

    `reading` is the text analysis of `prepared`, `message` is `prepared.message`. `imitates` is the domain
    that the sender's domain imitates, if any; `is_reply` is True if the message answers another one.
    """

    prepared: Prepared
    reading: Reading
    message: ParsedMessage
    context: Context
    entities: Entities
    view: PhraseView
    lists: ListFacts
    sender: MessageSender
    authentication: Authentication
    imitates: Imitation | None
    is_reply: bool

    @property
    def shares_domain(self) -> bool:
        """True if one of the user's addresses is at the sender's organisational domain."""
        at = "@" + self.sender.organisation
        return any(address.endswith(at) for address in self.context.owner)

    @property
    def is_stranger(self) -> bool:
        """True unless the sender is a known contact whom the user has written to; receiving mail is not enough."""
        return self.context.first_contact is not False or not self.context.written_to


def gather(
    reading: Reading, context: Context, entities: Entities, view: PhraseView, trusted_ids: frozenset[str]
) -> RuleFacts:
    """Collect the facts from the headers and domains of one message; `view` is its searched text."""
    prepared = reading.prepared
    message = prepared.message
    list_facts = lists.read(message.headers)
    who = sender.read(message, list_facts, context.owner)
    authenticated = authentication.read(message.headers, trusted_ids, context.receivers)
    if who.is_owner and (
        "fail" in (authenticated.dmarc, authenticated.spf) or _speaks_for_another(message, context.owner)
    ):
        who = replace(who, is_owner=False)
    imitated = None
    if who.domain and not who.is_owner:
        imitated = imitation(who.domain) or imitates_known(who.domain, context.known_domains)
    return RuleFacts(
        prepared=prepared,
        reading=reading,
        message=message,
        context=context,
        entities=entities,
        view=view,
        lists=list_facts,
        sender=who,
        authentication=authenticated,
        imitates=imitated,
        is_reply=bool(message.in_reply_to) or view.folded_subject.startswith(_REPLY_PREFIXES),
    )


def _speaks_for_another(message: ParsedMessage, owner: frozenset[str]) -> bool:
    """Return True if replies go to neither the user nor a recipient, as with mail from a web form."""
    known = owner | {mailbox.address.lower() for mailbox in (*message.to, *message.cc)}
    return any(mailbox.address.lower() not in known for mailbox in message.reply_to if mailbox.address)


def days_until(value: str, sent: datetime) -> int | None:
    """Return the days from the message's date to an ISO date, in the sender's calendar; None for other values."""
    try:
        due = date.fromisoformat(value[:10])
    except ValueError:
        return None
    return (due - sent.date()).days
