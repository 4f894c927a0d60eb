"""The one way to the gate: a call with the facts of the live mailbox. Entries: `ask_gate`, `ask_with`.

The facts are read before the question and again after a yes. No other code may call `Gate.ask`
(`tests/architecture/test_shape.py`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gaia_email.actions.account_session import AccountSession
from gaia_email.mailbox.client import MailClient
from gaia_email.policy.facts import CHANGES_LABEL, OPENS_EVENT, CallFacts
from gaia_email.policy.gate import CallRefused, CallWaiting, Consent, Gate, LookAgain, Pass
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.calls import ToolCall, messages_of
from gaia_email_registry.contract.wire import CalendarEvent, Email
from gaia_email_registry.errors import NotFound
from gaia_mail.asking.arguments import shown_value
from gaia_mail.mime import reply as replies
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.cascade.understand import read_raw

AT_ONCE = 100
"""Maximum number of messages read in one call."""

YEAR = dt.timedelta(days=365)
YEARS = (0, 1, -1, 2, 3, 4, 5)
"""Years relative to now, in the order in which an event is searched for: mailboxes find events only by time."""

_ANSWERS = ("reply_to_email", "forward_email")
_LABELLED = frozenset(
    {*CHANGES_LABEL, "modify_email", "batch_modify_emails", "create_filter", "delete_filter"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBy:
    """Facts about a call that the mailbox does not provide.

    Attributes:
        own: The user's addresses in addition to the account's.
        in_text: Addresses that only untrusted text named.
    """

    own: frozenset[str] = frozenset()
    in_text: frozenset[str] = frozenset()


NOTHING_MORE = AskedBy()


async def ask_gate(
    session: AccountSession, call: ToolCall, consent: Consent, *, by: AskedBy = NOTHING_MORE
) -> Pass | CallRefused | CallWaiting:
    """Ask the gate for permission to make `call`, with facts read from the mailbox now and again after a yes.

    Raises:
        MailError: The mailbox cannot be read; nothing was asked.
    """
    return await ask_with(session.gate, call, consent, facts_reader(session, call, by))


async def ask_with(
    gate: Gate, call: ToolCall, consent: Consent, look: LookAgain
) -> Pass | CallRefused | CallWaiting:
    """Ask the gate for permission to make `call`, with facts that `look` reads now and again after a yes.

    Raises:
        MailError: The facts cannot be read; nothing was asked.
    """
    return await gate.ask(call, consent, await look(), look)


def facts_reader(session: AccountSession, call: ToolCall, by: AskedBy = NOTHING_MORE) -> LookAgain:
    """Return a function that reads the facts of `call` at the time it is called."""

    async def look() -> CallFacts:
        return await read_facts(session.mail, call, by=by, now=session.ledger.clock())

    return look


async def read_facts(
    mail: MailClient, call: ToolCall, *, now: float, by: AskedBy = NOTHING_MORE
) -> CallFacts:
    """Read everything that a question about `call` shows and that is not in its arguments.

    Facts of missing items stay empty, and the gate refuses the call.

    Raises:
        MailError: The mailbox cannot be read.
    """
    facts = CallFacts(own=by.own | frozenset(addresses_in(call.account)), in_text=by.in_text)
    arguments = call.arguments
    if call.server or call.risk == "read":
        return facts
    if ids := list(dict.fromkeys(messages_of(arguments))):
        facts = await _with_messages(mail, call, ids, facts)
    if isinstance(draft_id := arguments.get("draft_id"), str):
        facts = replace(facts, stored=await mail.draft(draft_id) or b"")
    if isinstance(thread_id := arguments.get("threadId"), str):
        facts = replace(facts, thread=await _conversation(mail, thread_id))
    if call.tool in _LABELLED or call.tool == "create_filter_from_template":
        facts = replace(facts, labels={label["id"]: label["name"] for label in await mail.labels()})
    if arguments.get("signature") is True:
        facts = replace(facts, signature=await _signature(mail, str(arguments.get("from", ""))))
    if call.tool == "delete_filter":
        facts = replace(facts, rule=await mail.filter(str(arguments.get("filterId"))))
    if call.tool == "set_vacation":
        facts = replace(facts, vacation=await mail.vacation())
    if call.tool in OPENS_EVENT and isinstance(event_id := arguments.get("event_id"), str):
        facts = replace(facts, event=await _event(mail, event_id, now))
    return facts


async def _with_messages(mail: MailClient, call: ToolCall, ids: Sequence[str], facts: CallFacts) -> CallFacts:
    found: dict[str, Email] = {}
    for at in range(0, len(ids), AT_ONCE):
        some = ids[at : at + AT_ONCE]
        is_read = call.tool in (*_ANSWERS, "unsubscribe")
        answer = await (mail.read_emails(some) if is_read else mail.read_emails(some, format="summary"))
        found |= {one["id"]: one for one in answer["emails"]}
    there = [found[id_] for id_ in ids if id_ in found]
    facts = replace(
        facts,
        messages=tuple(one["subject"] for one in there),
        senders=tuple(one["from"]["address"] for one in there),
        absent=tuple(id_ for id_ in ids if id_ not in found),
    )
    if not there:
        return facts
    if call.tool in _ANSWERS:
        original = read_raw(there[0])
        own = facts.own if call.tool == "forward_email" else facts.own | await _send_as(mail)
        return answer_facts(original, call, replace(facts, own=own))
    if call.tool == "unsubscribe":
        return replace(facts, links=tuple(read_raw(there[0]).headers.get_all("list-unsubscribe")))
    return facts


def answer_facts(original: ParsedMessage, call: ToolCall, facts: CallFacts) -> CallFacts:
    """Add the recipients of a reply, or the attachments of a forward, as the mail server determines them."""
    if call.tool == "forward_email":
        start = replies.forward(original, b"", own=sorted(facts.own))
        files = tuple(part.filename or "(no name)" for part in (*start.attachments, *start.inline))
        return replace(facts, subject=start.subject, files=files)
    everybody = call.arguments.get("reply_all") is True
    start = replies.reply_to(original, own=sorted(facts.own), reply_all=everybody)
    return replace(
        facts,
        subject=start.subject,
        recipients=(
            *(("to", one.address) for one in start.to),
            *(("cc", one.address) for one in start.cc),
        ),
    )


async def _send_as(mail: MailClient) -> frozenset[str]:
    return frozenset(one["address"].lower() for one in await mail.send_as())


async def _signature(mail: MailClient, sender: str) -> str:
    """Return the signature of the sender's address, or all signatures if the server chooses the address."""
    chosen = {box.address.lower() for box in parse_addresses(sender)}
    found = [one for one in await mail.send_as() if not chosen or one["address"].lower() in chosen]
    return "\n".join(dict.fromkeys(one["signature"] for one in found if one["signature"]))


async def _conversation(mail: MailClient, thread_id: str) -> str:
    """Return the first message of a conversation, described in a line; empty if it does not exist."""
    try:
        emails = (await mail.get_thread(thread_id, format="summary"))["emails"]
    except NotFound:
        return ""
    first = next((one for one in emails if "DRAFT" not in one["labels"]), None)
    return "" if first is None else f"{first['subject'] or '(no subject)'}, from {first['from']['address']}"


async def _event(mail: MailClient, event_id: str, now: float) -> tuple[str, ...]:
    for years in YEARS:
        start = dt.datetime.fromtimestamp(now, dt.UTC) + years * YEAR
        found = await mail.event(event_id, start.isoformat(), (start + YEAR).isoformat())
        if found is not None:
            return _event_lines(found)
    return ()


def _event_lines(event: CalendarEvent) -> tuple[str, ...]:
    shown: Mapping[str, str] = {
        "Event": event["title"] or "(no title)",
        "When": f"{event['start']} to {event['end']}",
        "Where": event["location"],
        "Organised by": event["organizer"]["address"],
        "Guests": ", ".join(one["address"] for one in event["attendees"] if not one["me"]),
        "Your answer so far": event["response"],
        "About": event["description"],
    }
    return tuple(f"{label}: {shown_value(value)}" for label, value in shown.items() if value)
