"""Makes one call of an unattended run, planned before and checked after an unclear end. Entry: `make_once`.

```
gate ─▶ row `planned` ─▶ the call ─▶ row settled, and the run's record of the answer, in one transaction
```
If a row is still planned, the outcome of the call is unknown. An idempotent call is repeated. For a mail, a draft or
a label, the mailbox is searched. Other calls are not repeated.
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
"""Seconds that a run's question stays open; it is asked while the user may be away."""

LOOKED_AT = 100
"""Number of newest messages in a folder among which a mail or a draft is searched for."""

SKEW_S = 120.0
"""Seconds by which the clocks of a mailbox and of this machine may differ."""

MOST_TRIES = 50
AGAIN = "It was cut short, and is done again."
_TRIES = uuid.UUID("5b0c4a7e-5d0f-4a53-9d0c-0f5a8a1c2e77")

CallAnswer = Mapping[str, Any]


class UnclearEnd(ProviderError):
    """The outcome of an effect is unknown and cannot be checked; it is not repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallToMake:
    """A call of a run.

    Attributes:
        call: The call.
        origin: The asker and its interface.
        action_id: Base for the ledger IDs of its attempts.
        run_id: The run.
        why: One sentence for the question and the ledger.
        asks: True to ask the user even if the risk tier does not require it.
        from_strangers: Addresses in the call that only untrusted text named.
        own: The user's addresses.
        asked: True if the user was asked before.
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
    """The call waits for the user; nothing was done."""

    confirmation_id: str


Kept = Callable[["Connection", CallAnswer], None]
"""Stores the run's record of an answer, in the transaction that settles the action."""


class _Later:
    """A prompt that leaves every question open, to be answered in the Agent Inbox."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        return "later"


async def make_once(session: AccountSession, wanted: CallToMake, kept: Kept) -> CallAnswer | CallsQuestion:
    """Make the call with at most one effect, even if restarted. Returns its answer, or the question that it waits for.

    Raises:
        NotDone: It was not done and may be tried again.
        UnclearEnd: The outcome is unknown; it is not tried again.
        NeedsApproval: The user refused or did not answer, or the call is not allowed.
        BadArgument: The mailbox rejects the call.
        NotFound: An item that it is about does not exist.
        MailError: The mailbox could not be asked; the outcome is not known yet.
    """
    action_id, earlier = this_try(session.ledger, wanted.action_id)
    wanted = replace(wanted, action_id=action_id)
    if earlier is not None:
        return await _taken_up(session, wanted, earlier, kept)
    if reason := session.brakes.explain_halt():
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
    """Return the ledger row of a call."""
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
    """Return the ID of an effect's newest attempt and its row, if any; an attempt that changed nothing is finished.

    Raises:
        NeedsApproval: There were too many attempts.
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
    """Return the gate's pass for a call of a run, or the question asked instead.

    Args:
        ledger: Stores the questions.
        actor: Name of the acting program in the event log.
        wanted: The call.
        protected: Returns why the user must be asked about the messages concerned; empty if not.
        look: Reads facts about the call; None for a call that is not about a mailbox.

    Raises:
        NeedsApproval: The user refused, the call is not allowed, or its subject has changed.
        MailError: The mailbox cannot be read; nothing was asked.
    """
    gate = gate_of(
        ledger, origin=wanted.origin, prompt=_Later(), actor=actor, run_id=wanted.run_id, valid_s=WAITS_S
    )
    with ledger.read() as tx:
        asked = ledger.approvals(tx).of_run(wanted.run_id, wanted.call.fingerprint)
    if asked is not None:  # an approval that was used without a row had no effect, so the user is asked again
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
        given.raise_error()
    return given


def _nothing_to_read(wanted: CallToMake) -> LookAgain:
    """Return a reader for calls that are not about a mailbox; the gate refuses others."""

    async def look() -> CallFacts:
        own = wanted.own | frozenset(addresses_in(wanted.call.account))
        return CallFacts(own=own, in_text=wanted.from_strangers)

    return look


async def _redeemed(gate: Gate, found: Approval, call: ToolCall, look: LookAgain) -> Pass:
    """Return the pass for an approved call, if its subject is still as shown.

    Raises:
        NeedsApproval: The user refused or did not answer in time, or it has changed.
    """
    if found.state == "granted":
        facts = await look()
        if reason := what_changed(found.asked.fields, question(call, facts)) or missing_facts(call, facts):
            gate.withdraw(found.approval_id, call, reason).raise_error()
    given = gate.redeem(found.approval_id, call)
    if not isinstance(given, Pass):
        raise NeedsApproval("You said no, or nobody answered in time; nothing was done.")
    return given


async def _protected(session: AccountSession, call: ToolCall) -> str:
    """Return why the user must be asked about these messages: one of them is protected.

    Raises:
        NeedsApproval: One looks like phishing or contains orders to machines, so no tool may be used on it.
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
    """Determine the outcome of an attempt that was started earlier."""
    if earlier.state == "planned" or earlier.error == UNKNOWN:
        return await _looked_for(session, wanted, kept, UNKNOWN)
    return _settled(session, wanted, kept, {"ok": True, "ids": [], "failed": []})


async def _looked_for(session: AccountSession, wanted: CallToMake, kept: Kept, said: str) -> CallAnswer:
    """Settle a call with an unknown outcome.

    Raises:
        NotDone: The mailbox shows that it was not done, or repeating it is harmless.
        UnclearEnd: The outcome cannot be determined.
        MailError: The mailbox cannot be read; the outcome is not known yet.
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
    """A search for an effect; `sure` if not finding it proves that it was not made."""

    find: Callable[[MailClient, Mapping[str, object], float], Awaitable[str]]
    sure: bool = field(default=False)


async def _mail_in(label: str, mail: MailClient, arguments: Mapping[str, object], since: float) -> str:
    """Return the ID of a mail in a folder with this subject and these recipients, since that time; else empty."""
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
    """Return the search for the effect of a call; None if it leaves no trace.

    A mail missing from the sent folder may have been sent nevertheless; a draft or a label either exists or does not.
    """
    kind = TOOLS[call.tool].output
    if kind == "LabelResult" and call.risk == "write":
        return _Effect(find=_labelled, sure=True)
    if kind in ("SendResult", "DraftResult") and {"to", "subject"} <= call.arguments.keys():
        is_draft = call.risk == "write"
        return _Effect(find=partial(_mail_in, "DRAFT" if is_draft else "SENT"), sure=is_draft)
    return None
