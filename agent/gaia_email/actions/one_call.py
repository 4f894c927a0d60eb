"""One call of a run that nobody watches: planned before, looked for after an unclear end. Entry: `make_once`.

```
gate ─▶ row `planned` ─▶ the call ─▶ row settled, and what the run keeps of it, in one transaction
```
Whoever finds the row planned was not there to see the end. A call that changes nothing more when it is repeated is made
again. A mail, a draft or a label is looked for in the mailbox. What cannot be looked for is not done again.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gaia_email.actions.account_session import AccountSession, gate_of
from gaia_email.actions.call_facts import AskedBy, ask_with, facts_reader
from gaia_email.actions.reconcile import UNKNOWN
from gaia_email.actions.undo_calls import way_back
from gaia_email.actions.writing import NotDone as NotDone
from gaia_email.actions.writing import call_server as call_server
from gaia_email.actions.writing import read_once as read_once
from gaia_email.ledger import ActionOutcome, Ledger, LoggedAction, NewAction
from gaia_email.ledger.policy_store import PolicyStore
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.models.wire_values import objects_of
from gaia_email.policy.facts import CallFacts, missing_facts
from gaia_email.policy.gate import CallWaiting, Consent, Gate, LookAgain, Pass, PromptAnswer
from gaia_email.policy.model import YES
from gaia_email.policy.question import CallQuestion, question, what_changed
from gaia_email.policy.reading import facts_of
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.approvals import Approval
from gaia_email_registry.calls import ToolCall, messages_of, texts
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.errors import (
    BadArgument,
    MailError,
    NeedsApproval,
    NotFound,
    ProviderError,
    RateLimited,
)
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.mime.address import parse_addresses

if TYPE_CHECKING:
    from sqlalchemy import Connection

WAITS_S = 86_400.0
"""Seconds that a question of a run is open: it was asked while nobody looked."""

LOOKED_AT = 100
"""Messages of a folder in which a mail or a draft is looked for, the newest."""

SKEW_S = 120.0
"""Seconds by which the clocks of a mailbox and of this machine may differ."""

MOST_TRIES = 50
AGAIN = "It was cut short, and is done again."
_TRIES = uuid.UUID("5b0c4a7e-5d0f-4a53-9d0c-0f5a8a1c2e77")

CallAnswer = Mapping[str, Any]


class UnclearEnd(ProviderError):
    """Nobody knows whether an effect was made, and it cannot be looked for; it is not made again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallToMake:
    """A call of a run.

    Attributes:
        call: The call.
        origin: The asker and its interface.
        action_id: From which the ids of its tries in the ledger are made.
        run_id: The run.
        why: One sentence, for the question and the ledger.
        asks: Whether a person is asked although the tier alone would not ask.
        from_strangers: Addresses in it that only words of strangers named.
        own: The user's addresses.
        asked: Whether a person was asked for it before.
    """

    call: ToolCall
    origin: RequestOrigin
    action_id: str
    run_id: str
    why: str
    asks: bool = False
    from_strangers: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsQuestion:
    """The call waits for a person; nothing was done."""

    confirmation_id: str


Kept = Callable[["Connection", CallAnswer], None]
"""Writes down what the run keeps of an answer, in the transaction that settles the action."""


class _Later:
    """Leaves every question open, to be answered in the Agent Inbox."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        return "later"


async def make_once(session: AccountSession, wanted: CallToMake, kept: Kept) -> CallAnswer | CallsQuestion:
    """The call's answer, however often this is begun again; or the question that it waits for.

    Raises:
        NotDone: It was not done and may be tried again.
        UnclearEnd: Nobody knows whether it was done; it is not tried again.
        NeedsApproval: A person said no, did not answer, or something forbids it.
        BadArgument: The mailbox refuses it as it is.
        NotFound: What it is about is not there.
        MailError: The mailbox could not be asked; nothing is known of it yet.
    """
    action_id, earlier = this_try(session.ledger, wanted.action_id)
    wanted = replace(wanted, action_id=action_id)
    if earlier is not None:
        return await _taken_up(session, wanted, earlier, kept)
    if reason := session.brakes.halted():
        raise NeedsApproval(reason)
    by = AskedBy(own=wanted.own, in_text=wanted.from_strangers)
    given = await leave_for(
        session.ledger,
        session.actor,
        wanted,
        lambda: _protected(session, wanted.call),
        facts_reader(session, wanted.call, by),
    )
    if isinstance(given, CallsQuestion):
        return given
    with session.ledger.write() as tx:
        session.ledger.actions.plan(tx, [row_of(wanted)], actor=session.actor)
    return await _made(session, wanted, given, kept)


def row_of(wanted: CallToMake) -> NewAction:
    """The row of a call in the ledger."""
    return NewAction(
        account_id=wanted.call.account,
        message_id=next(iter(messages_of(wanted.call.arguments)), ""),
        action_type=wanted.call.tool,
        payload={"tool": wanted.call.tool, "arguments": wanted.call.arguments},
        run_id=wanted.run_id,
        why=wanted.why,
        user_confirmed=wanted.asked,
        action_id=wanted.action_id,
    )


def this_try(ledger: Ledger, effect_id: str) -> tuple[str, LoggedAction | None]:
    """The id of the newest try of an effect, and what is known of it; a try that changed nothing is over.

    Raises:
        NeedsApproval: There were too many.
    """
    with ledger.read() as tx:
        for number in range(MOST_TRIES):
            action_id = str(uuid.uuid5(_TRIES, f"{effect_id} {number}"))
            found = next(iter(ledger.actions.get(tx, [action_id])), None)
            if found is None or found.state != "failed" or found.error == UNKNOWN:
                return action_id, found
    raise NeedsApproval("This was tried too often.")


async def leave_for(
    ledger: Ledger,
    actor: str,
    wanted: CallToMake,
    protected: Callable[[], Awaitable[str]],
    look: LookAgain | None = None,
) -> Pass | CallsQuestion:
    """A pass of the gate for a call of a run, or the question that is put instead.

    Args:
        ledger: Where questions are kept.
        actor: Who acts, in the event log.
        wanted: The call.
        protected: Why a person is asked about what it is about; empty for nothing.
        look: Reads what the mailbox says about the call; None for a call that is about no mailbox.

    Raises:
        NeedsApproval: A person said no, something forbids it, or it is about something else by now.
        MailError: The mailbox cannot be read; nothing was asked.
    """
    gate = gate_of(
        ledger, origin=wanted.origin, prompt=_Later(), actor=actor, run_id=wanted.run_id, valid_s=WAITS_S
    )
    with ledger.read() as tx:
        asked = ledger.approvals(tx).of_run(wanted.run_id, wanted.call.fingerprint)
    if asked is not None:  # a yes that was used and left no row led to nothing, and is asked for again
        if asked.state == "open" and not asked.is_over(ledger.clock()):
            return CallsQuestion(confirmation_id=asked.approval_id)
        return await _redeemed(gate, asked, wanted.call, look or _nothing_to_read(wanted))
    obstacle = await protected()
    asks = wanted.asks or bool(obstacle)
    consent = Consent(by="nobody" if asks else "user", why=" ".join(filter(None, (obstacle, wanted.why))))
    given = await ask_with(gate, wanted.call, consent, look or _nothing_to_read(wanted))
    if isinstance(given, CallWaiting):
        return CallsQuestion(confirmation_id=given.asked.confirmation_id)
    if not isinstance(given, Pass):
        given.raised()
    return given


def _nothing_to_read(wanted: CallToMake) -> LookAgain:
    """Return the facts of a call that is about no mailbox; the gate refuses one that is."""

    async def look() -> CallFacts:
        own = wanted.own | frozenset(addresses_in(wanted.call.account))
        return CallFacts(own=own, in_text=wanted.from_strangers)

    return look


async def _redeemed(gate: Gate, found: Approval, call: ToolCall, look: LookAgain) -> Pass:
    """Return the leave that a person's yes gives, if the call is still about what they were shown.

    Raises:
        NeedsApproval: They said no, did not answer in time, or it changed since.
    """
    if found.state == "granted":
        facts = await look()
        if reason := what_changed(found.asked.fields, question(call, facts)) or missing_facts(call, facts):
            gate.withdraw(found.approval_id, call, reason).raised()
    given = gate.redeem(found.approval_id, call)
    if not isinstance(given, Pass):
        raise NeedsApproval("You said no, or nobody answered in time; nothing was done.")
    return given


async def _protected(session: AccountSession, call: ToolCall) -> str:
    """Why a person is asked about a change of these messages: one of them is protected.

    Raises:
        NeedsApproval: One is held to be phishing, or to speak to machines: no tool is used on it.
    """
    ids = messages_of(call.arguments)
    if call.risk == "read" or not ids:
        return ""
    with session.ledger.read() as tx:
        protected = PolicyStore(session.ledger).read(tx).rules.policy.protected
        judged = session.ledger.verdicts.get(tx, session.account, ids).values()
    for one in judged:
        if max(one.phishing or 0.0, one.injection or 0.0) >= YES:
            raise NeedsApproval(
                "It looks like phishing or like orders to machines, so no tool is used on it."
            )
    found = (await session.mail.read_emails(ids, format="summary"))["emails"]
    return next(filter(None, (protected.over(facts_of(one, None)) for one in found)), "")


async def _made(session: AccountSession, wanted: CallToMake, given: Pass, kept: Kept) -> CallAnswer:
    try:
        answer = await session.writer.call(given)
    except (BadArgument, NotFound, NeedsApproval) as error:
        _give_up(session, wanted, error.message)
        raise
    except RateLimited as error:
        _give_up(session, wanted, error.message)
        raise NotDone(error.message, retry_after_s=error.retry_after_s) from None
    except MailError as error:
        return await _looked_for(session, wanted, kept, error.message)
    if answer.get("ok") is False:
        why = "; ".join(str(one["error"]) for one in objects_of(answer.get("failed"))[:3])
        _give_up(session, wanted, why)
        raise NotFound(why or "The mailbox changed nothing.")
    return _settled(session, wanted, kept, answer)


async def _taken_up(
    session: AccountSession, wanted: CallToMake, earlier: LoggedAction, kept: Kept
) -> CallAnswer:
    """What became of a try that somebody else began."""
    if earlier.state == "planned" or earlier.error == UNKNOWN:
        return await _looked_for(session, wanted, kept, UNKNOWN)
    return _settled(session, wanted, kept, {"ok": True, "ids": [], "failed": []})


async def _looked_for(session: AccountSession, wanted: CallToMake, kept: Kept, said: str) -> CallAnswer:
    """Settle a call of which nobody saw the end.

    Raises:
        NotDone: The mailbox shows that it was not done, or doing it again changes nothing more.
        UnclearEnd: Nothing shows it.
        MailError: The mailbox cannot be looked at; nothing is known yet.
    """
    tool, arguments = wanted.call.tool, wanted.call.arguments
    if wanted.call.risk == "read" or TOOLS[tool].idempotent:
        _give_up(session, wanted, AGAIN)
        raise NotDone(said)
    with session.ledger.read() as tx:
        (row,) = session.ledger.actions.get(tx, [wanted.action_id])
    effect = _effect_of(wanted.call)
    found = await effect.find(session.mail, arguments, row.timestamp) if effect else ""
    if found:
        return _settled(session, wanted, kept, {"ok": True, "ids": [found], "failed": []})
    _give_up(session, wanted, UNKNOWN if effect is None or not effect.sure else AGAIN)
    if effect is not None and effect.sure:
        raise NotDone(said)
    raise UnclearEnd(UNKNOWN)


def _settled(session: AccountSession, wanted: CallToMake, kept: Kept, answer: CallAnswer) -> CallAnswer:
    outcome = ActionOutcome(action_id=wanted.action_id, reversal=way_back(answer))
    with session.ledger.write() as tx:
        session.ledger.actions.settle(tx, [outcome], actor=session.actor)
        kept(tx, answer)
    return answer


def _give_up(session: AccountSession, wanted: CallToMake, reason: str) -> None:
    outcome = ActionOutcome(action_id=wanted.action_id, state="failed", error=reason)
    with session.ledger.write() as tx:
        session.ledger.actions.settle(tx, [outcome], actor=session.actor)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Effect:
    """How an effect is looked for; `sure` where not finding it means that it was not made."""

    find: Callable[[MailClient, Mapping[str, object], float], Awaitable[str]]
    sure: bool = field(default=False)


async def _mail_in(label: str, mail: MailClient, arguments: Mapping[str, object], since: float) -> str:
    """The id of a mail with that subject and those recipients in a folder, from that time on."""
    wanted = {one.address.lower() for one in parse_addresses(", ".join(texts(arguments.get("to"))))}
    for email in (await mail.list_emails(label=label, limit=LOOKED_AT))["emails"]:
        date = parse_date(email["date"])
        people = {person["address"].lower() for person in email["to"]}
        is_it = email["subject"] == arguments.get("subject") and people == wanted
        if is_it and (date is None or date >= since - SKEW_S):
            return email["id"]
    return ""


async def _labelled(mail: MailClient, arguments: Mapping[str, object], since: float) -> str:
    name = str(arguments.get("name", "")).casefold()
    return next((label["id"] for label in await mail.labels() if label["name"].casefold() == name), "")


def _effect_of(call: ToolCall) -> _Effect | None:
    """How the effect of a call is looked for; None where nothing would show it.

    A mail that is not among those sent may have gone all the same; a draft or a label is there or not.
    """
    kind = TOOLS[call.tool].output
    if kind == "LabelResult" and call.risk == "write":
        return _Effect(find=_labelled, sure=True)
    if kind in ("SendResult", "DraftResult") and {"to", "subject"} <= call.arguments.keys():
        is_draft = call.risk == "write"
        return _Effect(find=partial(_mail_in, "DRAFT" if is_draft else "SENT"), sure=is_draft)
    return None
