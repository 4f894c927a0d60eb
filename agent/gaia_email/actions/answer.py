"""Prepares a template's answer to one message, without sending it. Entry points: `prepare_answer`, `not_again`.

The text is the user's own; slot values are taken from the message. Recipients are determined as the server determines
them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.call_facts import answer_facts
from gaia_email.actions.kinds import SEND
from gaia_email.actions.writing import reply_automatically
from gaia_email.ledger import Selection
from gaia_email.policy.facts import CallFacts
from gaia_email.policy.templates import AnswerRecipient, Template, Trigger, fill
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import NotFound
from gaia_mail.asking.people import affiliation_of
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.cascade.understand import read_raw
from gaia_understanding.prepare.extract.entities import extract_entities
from gaia_understanding.prepare.extract.model import Entities
from gaia_understanding.prepare.pipeline import prepare

PERIOD_S = 7 * 86_400.0
"""Seconds during which a sender gets no second automatic answer (RFC 5230's usual week)."""

MAYBE_SENT = "It may have gone out, so it is not sent again."
"""End of an answer's error if it counts as sent because the outcome is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateAnswer:
    """An answer and everything that policy needs to judge it.

    Attributes:
        summary: The message that is answered.
        template: The user's template.
        body: The text of the answer.
        recipients: The recipients of the answer.
        trigger: Properties of the message for the policy.
        facts: Facts for the gate beyond the call.
    """

    summary: Summary
    template: Template
    body: str
    recipients: tuple[AnswerRecipient, ...]
    trigger: Trigger
    facts: CallFacts

    @property
    def call(self) -> ToolCall:
        """The call that sends the answer."""
        return reply_automatically(self.summary["account"], self.summary["id"], self.body)

    @property
    def payload(self) -> dict[str, object]:
        """The answer as stored in the ledger: everything that is sent, with recipients."""
        return {
            "template": self.template.name,
            "body": self.body,
            "to": [recipient.address for recipient in self.recipients],
            "sender": self.trigger.sender,
            "subject": self.summary["subject"],
        }


async def prepare_answer(
    session: AccountSession,
    summary: Summary,
    template: Template,
    cohort: str,
    *,
    owner: Sequence[str] = (),
    chosen: Mapping[str, str] | None = None,
) -> TemplateAnswer:
    """Read the message and fill the template.

    Args:
        session: The account.
        summary: The message as listed.
        template: The user's template.
        cohort: The policy's cohort of the message.
        owner: The user's addresses in addition to the account's.
        chosen: The user's choices for bounded and sentence slots.

    Raises:
        NotFound: The message is gone.
        BadArgument: A slot cannot be filled.
        MailError: The message cannot be read.
    """
    message = await _read(session, summary["id"])
    prepared = prepare(message)
    own = frozenset(address.lower() for address in (*owner, *addresses_in(session.account)))
    body = fill(
        template,
        values_of(message, extract_entities(prepared)),
        chosen or {},
        thread=f"{prepared.normalized}\n{prepared.quoted}",
    )
    sender = message.sender.address.lower() if message.sender else ""
    call = reply_automatically(summary["account"], summary["id"], body)
    facts = answer_facts(message, call, CallFacts(own=own))
    addressed = {person["address"].lower() for person in (*summary["to"], *summary["cc"])}
    return TemplateAnswer(
        summary=summary,
        template=template,
        body=body,
        recipients=tuple(_recipient(address, sender, cohort, own) for _, address in facts.recipients),
        trigger=Trigger(
            sender=sender,
            headers=message.headers,
            to_owner=bool(own & addressed),
            answered=bool(not_again(session, summary["id"], sender)),
        ),
        facts=facts,
    )


async def _read(session: AccountSession, message_id: str) -> ParsedMessage:
    emails = (await session.mail.read_emails([message_id]))["emails"]
    if not emails:
        raise NotFound("The message is not there any more.", argument="id")
    return read_raw(emails[0])


def _recipient(address: str, sender: str, cohort: str, own: frozenset[str]) -> AnswerRecipient:
    """Return a recipient. Only the sender's cohort is known; other addresses in Reply-To get none."""
    return AnswerRecipient(
        address=address,
        cohort=cohort if address.lower() == sender else "",
        outside=affiliation_of(address, own) not in ("own", "inside"),
    )


def not_again(session: AccountSession, message_id: str, sender: str) -> str:
    """Return why this message or its sender gets no other automatic answer now; empty if they may."""
    with session.ledger.read() as tx:
        about_it = Selection(account_id=session.account, message_id=message_id, types=(SEND,))
        lately = Selection(account_id=session.account, since=session.ledger.clock() - PERIOD_S, types=(SEND,))
        mine = session.ledger.actions.select(tx, about_it)
        theirs = session.ledger.actions.select(tx, lately)
    counts = [action for action in (*mine, *theirs) if action.state != "failed" or _may_be_out(action.error)]
    if any(action.message_id == message_id for action in counts):
        return "This message was answered from a template already."
    if any(action.action_payload.get("sender") == sender for action in counts):
        return "This sender had an automatic answer within the last 7 days."
    return ""


def _may_be_out(error: str | None) -> bool:
    return (error or "").endswith(MAYBE_SENT)


SLOTS = (
    "requester_name",
    "requester_first_name",
    "sent_on",
    "amount",
    "merchant",
    "order_number",
    "tracking_number",
)
"""Names of literal slots; if the mail has no value for one, the answer is not sent."""

_NAME = lazy_pattern(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,4}")
"""Pattern of a name. Senders choose the display name, so links and instructions are excluded."""

_LONGEST_NAME = 60


def values_of(message: ParsedMessage, entities: Entities) -> dict[str, str]:
    """Return the slots that have a value, on one line, by name."""
    name = _name_of_sender(message)
    receipt = entities.receipt
    money = f"{receipt.total} {receipt.currency}".strip() if receipt and receipt.total else ""
    found = {
        "requester_name": name,
        "requester_first_name": name.partition(" ")[0],
        "sent_on": f"{message.date:%Y-%m-%d}" if message.date else "",
        "amount": money or (entities.money[0].text if entities.money else ""),
        "merchant": receipt.merchant if receipt else "",
        "order_number": receipt.order_number if receipt else "",
        "tracking_number": entities.tracking[0].number if entities.tracking else "",
    }
    return {key: value for key in SLOTS if (value := re.sub(r"\s+", " ", found[key]).strip())}


def _name_of_sender(message: ParsedMessage) -> str:
    if message.sender is None:
        return ""
    last, comma, first = message.sender.name.strip().partition(",")
    name = f"{first.strip()} {last.strip()}" if comma else last
    return name if len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) else ""
