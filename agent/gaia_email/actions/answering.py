"""Sends answers from templates, by policy or at the user's request. Entry points: `plan_answers`.

Sent mail cannot be recalled, so each answer is sent at most once. It is planned with the rest of its run, and an
event is written immediately before it is sent. After a crash, an answer with that event is never sent again, and one
without it is still sent while it is fresh.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answer import MAYBE_SENT, TemplateAnswer, not_again, prepare_answer
from gaia_email.actions.applying import AppliedActions, consent_of, give_up, record, write_down
from gaia_email.actions.call_facts import AskedBy, ask_gate
from gaia_email.actions.kinds import SEND
from gaia_email.ledger import ActionOutcome, LoggedAction, NewAction
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.policy.gate import CallRefused, Consent, Pass
from gaia_email.policy.templates import may_send, obstacle
from gaia_email.triage.inbox import Inbox
from gaia_email.triage.inbox_item import ThreadMember
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound
from gaia_mail.exchanged import was_sent

SENDING = "answer.sending"
"""The event written before an answer is handed over to the server."""

FRESH_S = 2 * 86_400.0
"""Maximum age in seconds of mail that is answered automatically; a later answer would only surprise the sender."""

MOST = 20
"""Maximum number of answers a run sends; a flood of mail is left to the user."""

TOO_LATE = "The message is too old by now to be answered by itself."
ANSWERED = "You have answered it yourself meanwhile, or taken it out of the inbox."
CUT_SHORT = f"It was cut short. {MAYBE_SENT}"


async def plan_answers(
    session: AccountSession, inbox: Inbox, *, owner: Sequence[str], run_id: str, session_id: str | None = None
) -> list[NewAction]:
    """Return the answers that policy lets a run send, to be planned with its other actions.

    Raises:
        MailError: A message cannot be read.
    """
    planned: list[NewAction] = []
    senders: set[str] = set()
    for member in _asking(inbox) if session.templates and await session.writer.can_answer() else ():
        answer = await _allowed(session, member, owner)
        if answer is None or answer.trigger.sender in senders:
            continue
        senders.add(answer.trigger.sender)
        planned.append(_planned(answer, member, run_id, session_id))
        if len(planned) == MOST:
            break
    return planned


def _asking(inbox: Inbox) -> Iterator[ThreadMember]:
    """Yield each thread's newest message if a reply is needed and a template may answer."""
    for items in inbox.buckets.values():
        for item in items:
            newest = max(item.members, key=_dated, default=None)
            if newest is None or not newest.verdict.needs_reply:
                continue
            if newest.decision.ruling("send_template").outcome == "permitted":
                yield newest


def _dated(member: ThreadMember) -> float:
    return parse_date(member.summary["date"]) or 0.0


async def _allowed(
    session: AccountSession, member: ThreadMember, owner: Sequence[str]
) -> TemplateAnswer | None:
    """Return an answer that may be sent automatically, from the first suitable template by name, or None."""
    if not _is_fresh(session, member.summary) or await _was_answered(session, member.summary):
        return None
    cohort = member.decision.cohort
    for name in sorted(session.templates):
        template = session.templates[name]
        if cohort not in template.cohorts or template.always_asks:
            continue
        try:
            answer = await prepare_answer(session, member.summary, template, cohort, owner=owner)
        except (BadArgument, NotFound):  # the mail lacks a value for a slot
            continue
        if may_send(template, answer.trigger, member.decision, answer.recipients).outcome == "permitted":
            return answer
    return None


def _planned(answer: TemplateAnswer, member: ThreadMember, run_id: str, session_id: str | None) -> NewAction:
    return NewAction(
        account_id=answer.summary["account"],
        message_id=answer.summary["id"],
        action_type=SEND,
        payload={**answer.payload, "own": sorted(answer.facts.own)},
        run_id=run_id,
        session_id=session_id,
        level=f"L{member.decision.effective_level}",
        cohort=member.decision.cohort,
        why=f"Your template {answer.template.name} answers {member.decision.cohort} at L5.",
    )


async def send_planned(session: AccountSession, actions: Sequence[LoggedAction]) -> AppliedActions:
    """Send planned answers, also those of a program that died; checks the stop switch before each.

    Raises:
        MailError: The mailbox cannot be read, or the ledger cannot be written.
    """
    total = AppliedActions()
    begun = _begun(session, actions)
    for number, action in enumerate(actions):
        if reason := session.brakes.explain_halt():
            total.halted = reason
            total.failed += give_up(
                session, [one for one in actions[number:] if one.action_id not in begun], reason
            )
            total.failed += give_up(
                session, [one for one in actions[number:] if one.action_id in begun], CUT_SHORT
            )
            break
        if action.action_id in begun or action.user_confirmed:
            total.failed += give_up(session, [action], CUT_SHORT)
            continue
        total.add(await _send_planned(session, action))
    return total


async def _send_planned(session: AccountSession, action: LoggedAction) -> AppliedActions:
    """Check that the answer is still as planned, and send it."""
    template = session.templates.get(str(action.action_payload.get("template")))
    emails = (await session.mail.read_emails([action.message_id], format="summary"))["emails"]
    if not emails or template is None:
        return AppliedActions(
            failed=give_up(session, [action], "The message or the template is not there any more.")
        )
    summary = emails[0]
    if not _is_fresh(session, summary):
        return AppliedActions(failed=give_up(session, [action], TOO_LATE))
    if await _was_answered(session, summary):
        return AppliedActions(failed=give_up(session, [action], ANSWERED))
    own = action.action_payload.get("own")
    owner = [str(address) for address in own] if isinstance(own, list) else []
    answer = await prepare_answer(session, summary, template, action.cohort or "", owner=owner)
    if answer.body != action.action_payload.get("body"):
        return AppliedActions(failed=give_up(session, [action], "The template was changed meanwhile."))
    consent = _opted_in(consent_of(action), action.cohort or "")
    given = await ask_gate(session, answer.call, consent, by=AskedBy(own=answer.facts.own))
    if not isinstance(given, Pass):
        reason = given.reason if isinstance(given, CallRefused) else "It needs your agreement."
        return AppliedActions(failed=give_up(session, [action], reason))
    return await _hand_over(session, action, given)


def _opted_in(consent: Consent, cohort: str) -> Consent:
    return Consent(by="level", level=consent.level, opted_in=True, why=consent.why, cohort=cohort)


async def send_answer(
    session: AccountSession, answer: TemplateAnswer, cohort: str, *, session_id: str | None = None
) -> AppliedActions:
    """Send an answer at the user's request, after showing all of it for approval.

    Raises:
        BadArgument: It may not be answered from this template (RFC 3834, the template's cohorts).
        NeedsApproval: The user did not agree or has not answered yet; nothing was sent.
        MailError: It is unknown if it was sent; it is not sent again.
    """
    await require_answerable(session, answer, cohort)
    consent = Consent(by="user", why="You asked for it.", cohort=cohort)
    given = await ask_gate(session, answer.call, consent, by=AskedBy(own=answer.facts.own))
    if not isinstance(given, Pass):
        given.raise_error()
    return await send_agreed(session, answer.summary, answer.payload, cohort, given, session_id=session_id)


async def require_answerable(session: AccountSession, answer: TemplateAnswer, cohort: str) -> None:
    """Raise an error if no template may answer the message, even with approval.

    Raises:
        BadArgument: It may not be answered from this template.
    """
    if not await session.writer.can_answer():
        raise BadArgument(f"The mail server of {session.account[:200]} cannot send automatic answers.")
    sender = answer.trigger.sender
    if reason := not_again(session, answer.summary["id"], sender):
        raise BadArgument(f"{reason} Write to them yourself if there is more to say.", argument="id")
    if reason := obstacle(answer.template, answer.trigger, cohort, answer.recipients):
        raise BadArgument(reason, hint="gaia email policy templates lists them, with their cohorts.")


async def send_agreed(
    session: AccountSession,
    summary: Summary,
    payload: Mapping[str, object],
    cohort: str,
    given: Pass,
    *,
    session_id: str | None = None,
) -> AppliedActions:
    """Record an approved answer and send it.

    Raises:
        MailError: It is unknown if it was sent.
    """
    new = NewAction(
        account_id=session.account,
        message_id=summary["id"],
        action_type=SEND,
        payload=payload,
        session_id=session_id,
        cohort=cohort or None,
        why="You agreed to it.",
        user_confirmed=True,
    )
    applied = await _hand_over(session, record(session, [new])[0], given)
    if applied.problem is not None:
        raise applied.problem
    return applied


async def _hand_over(session: AccountSession, action: LoggedAction, given: Pass) -> AppliedActions:
    session.note(SENDING, {"action_id": action.action_id}, run_id=action.run_id)
    try:
        await session.writer.write(given)
    except (BadArgument, NotFound, NeedsApproval) as error:
        return AppliedActions(
            failed=give_up(session, [action], error.message), problem=_of_user(action, error)
        )
    except MailError as error:
        failed = give_up(session, [action], f"{error.message} {MAYBE_SENT}")
        return AppliedActions(failed=failed, problem=_of_user(action, error))
    return write_down(session, [ActionOutcome(action_id=action.action_id)])


def _of_user(action: LoggedAction, error: MailError) -> MailError | None:
    """Return the error if the user asked for this answer; a run continues with its other answers."""
    return error if action.user_confirmed else None


def _begun(session: AccountSession, actions: Sequence[LoggedAction]) -> set[str]:
    """Return the IDs of actions that were about to be handed over when a program died."""
    found: set[str] = set()
    with session.ledger.read() as tx:
        for run_id in {action.run_id for action in actions if action.run_id}:
            events = session.ledger.events.since(tx, kind=SENDING, run_id=run_id)
            found.update(str(event.payload.get("action_id")) for event in events)
    return found


def _is_fresh(session: AccountSession, summary: Summary) -> bool:
    date = parse_date(summary["date"])
    return date is not None and session.ledger.clock() - date <= FRESH_S


async def _was_answered(session: AccountSession, summary: Summary) -> bool:
    """Return True if the user wrote in the thread after the message, or the message left the inbox."""
    if "INBOX" not in summary["labels"]:
        return True
    since = parse_date(summary["date"]) or 0.0
    thread = await session.mail.get_thread(summary["thread_id"], format="summary")
    return any(was_sent(email) and (parse_date(email["date"]) or 0.0) >= since for email in thread["emails"])
