"""Approves and rejects pending items by id. Entries: `approve`, `reject`, `reopen`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from gaia_email.actions.pending.inbox import AnsweredItem
from gaia_email.actions.pending.known_ids import UUID, find_known_id
from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.actions.pending.questions import AnsweredQuestion, ServerQuestions, asked_by_servers
from gaia_email.app import App
from gaia_email.app.documents.waiting import WaitingRow, waiting_row
from gaia_email.app.services.agent_inbox import WaitingItems, agent_inbox, server_inbox, what_waits
from gaia_email.ledger import PendingItem
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.approvals import Approval
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_email_registry.origin import OriginInterface

GivenAnswer = AnsweredItem | AnsweredQuestion
"""One answer: to an item, or to a question of the gate or of a mail server."""

Answers = list[GivenAnswer]


def approve(
    app: App,
    ids: Sequence[str],
    *,
    interface: OriginInterface,
    bucket: str | None = None,
    all_of_cohort: bool = False,
    maildir: str | None = None,
) -> Answers:
    """Approve, as the user, what the ids name.

    Args:
        app: The running program.
        ids: Ids of pending items, or of messages that one is about; a prefix is enough.
        interface: The interface through which the user answers, for the event log.
        bucket: Answer with this bucket instead; for one item.
        all_of_cohort: Also approve everything else of the same kind and cohort.
        maildir: The path of the mail, if it was moved.

    Raises:
        MailError: An id matches no pending item, or a mailbox cannot be opened.
    """
    servers = server_inbox(app, interface)
    asked, rest = split(app, servers, ids)
    answers = approve_servers(servers, asked, as_it_is=not (bucket or all_of_cohort))
    if rest:
        with agent_inbox(app, interface, maildir=maildir) as waiting:
            edits = {"bucket": bucket} if bucket else {}
            answers += approve_all(waiting, rest, edits, all_of_cohort=all_of_cohort)
    return answers


def reject(app: App, ids: Sequence[str], *, interface: OriginInterface, reason: str = "") -> Answers:
    """Reject, as the user, what the ids name.

    Raises:
        MailError: An id matches no pending item.
    """
    servers = server_inbox(app, interface)
    asked, rest = split(app, servers, list(dict.fromkeys(ids)))
    answers: Answers = [servers.reject(one.approval_id) for one in asked]
    if rest:
        with agent_inbox(app, interface) as waiting:
            answers += reject_all(waiting, rest, reason)
    return answers


def reopen(app: App, ids: Sequence[str], *, interface: OriginInterface) -> list[AnsweredItem]:
    """Undo rejections, so that the items are pending again.

    Raises:
        MailError: An id matches no item.
    """
    with agent_inbox(app, interface) as waiting:
        return [waiting.inbox.reopen(given) for given in dict.fromkeys(ids)]


def split(app: App, servers: ServerQuestions, ids: Sequence[str]) -> tuple[list[Approval], list[str]]:
    """Return the mail servers' questions that the ids name, without duplicates, and the other ids.

    Raises:
        NotFound: An id matches more than one of them.
        MailError: Their file or the ledger cannot be used.
    """
    asked: dict[str, Approval] = {}
    rest: list[str] = []
    for given in ids:
        found = servers.find_by_prefix(given) if UUID.fullmatch(given.strip().lower()) else []
        if len(found) + _of_ledger(app, given, found) > 1:
            raise NotFound(f"More than one id begins with {given[:60]!r}; give more of it.", argument="id")
        if found:
            asked[found[0].approval_id] = found[0]
        else:
            rest.append(given)
    return list(asked.values()), rest


def _of_ledger(app: App, given: str, found: Sequence[Approval]) -> int:
    """Return how many ledger items match an id that also names a server's question; creates no ledger."""
    if not found or not has_ledger(app.environ):
        return 0
    with app.ledger() as ledger:
        return find_known_id(ledger, given) is not None


def every_waiting(app: App, interface: OriginInterface) -> list[WaitingRow]:
    """Return everything pending: questions of mail servers and of the gate, then items; creates no ledger."""
    found = what_waits(app, interface)
    asked = asked_by_servers(app.environ)
    return [*map(waiting_row, asked), *map(waiting_row, found.calls), *map(waiting_row, found.items)]


def waiting_named(app: App, given: str, interface: OriginInterface) -> WaitingRow:
    """Return the pending item with this id, or about the message with this id.

    Raises:
        NotFound: Nothing pending matches, or more than one item.
        MailError: The ledger cannot be read.
    """
    asked, _ = split(app, server_inbox(app, interface), [given])
    if asked:
        return waiting_row(asked[0])
    with agent_inbox(app, interface) as waiting:
        return waiting_row(to_answer(waiting, given))


def approve_servers(servers: ServerQuestions, asked: Sequence[Approval], *, as_it_is: bool) -> Answers:
    """Approve questions of mail servers.

    Raises:
        BadArgument: The answer would change the question.
        MailError: Their file cannot be used.
    """
    if asked and not as_it_is:
        raise BadArgument("A question is answered as it is, with yes or no.", argument="id")
    return [servers.approve(one.approval_id) for one in asked]


def to_answer(waiting: WaitingItems, given: str) -> PendingItem | Approval:
    """Return the item or question that an id names; a message's id names the item about it.

    Raises:
        BadArgument: The id names something that needs no answer.
        NotFound: Nothing matches, or more than one item.
    """
    found = find_known_id(waiting.ledger, given)
    if found is None:
        return _about_message(waiting, given)
    match found.kind:
        case "item":
            return waiting.inbox.find(found.id)
        case "question":
            return waiting.questions.find(found.id)
        case "action":
            raise BadArgument(
                f"{given[:60]!r} was already done and is not waiting for an answer.",
                argument="id",
                hint=f"gaia email undo {found.id[:8]} takes it back.",
            )
        case "run":
            raise BadArgument(
                f"{given[:60]!r} is a run, which is not waiting for an answer itself.",
                argument="id",
                hint="gaia email pending lists what waits, one id each.",
            )


def approve_all(
    waiting: WaitingItems, ids: Sequence[str], edits: Mapping[str, object], *, all_of_cohort: bool
) -> list[GivenAnswer]:
    """Approve what the ids name, unchanged or with `edits`, and everything similar if requested.

    Raises:
        MailError: As in `to_answer`, or a mailbox cannot be opened.
    """
    named = [to_answer(waiting, given) for given in ids]
    questions = {one.approval_id: one for one in named if isinstance(one, Approval)}
    items = {one.item_id: one for one in named if isinstance(one, PendingItem)}
    if questions and (edits or all_of_cohort):
        raise BadArgument("A question is answered as it is, with yes or no.", argument="id")
    if all_of_cohort:
        kinds = {(item.type, item.cohort) for item in items.values() if item.cohort}
        more = [item for item in waiting.inbox.list_pending() if (item.type, item.cohort) in kinds]
        items |= {item.item_id: item for item in more}
    answers: list[GivenAnswer] = [asyncio.run(waiting.questions.approve(question)) for question in questions]
    if edits:
        answers += [asyncio.run(waiting.inbox.approve(item, edits)) for item in items]
    elif items:
        answers += asyncio.run(waiting.inbox.batch_approve(list(items)))
    return answers


def reject_all(waiting: WaitingItems, ids: Sequence[str], reason: str) -> list[GivenAnswer]:
    """Reject what the ids name.

    Raises:
        MailError: As in `to_answer`.
    """
    named = [to_answer(waiting, given) for given in ids]
    answers: list[GivenAnswer] = []
    for one in named:
        if isinstance(one, Approval):
            answers.append(waiting.questions.reject(one.approval_id))
        else:
            answers.append(waiting.inbox.reject(one.item_id, reason))
    return answers


def _about_message(waiting: WaitingItems, given: str) -> PendingItem:
    items = [
        item
        for item in waiting.inbox.list_pending()
        if given and any(target.message_id == given for target in PendingProposal.of(item).targets)
    ]
    if len(items) == 1:
        return items[0]
    if items:
        ids = ", ".join(item.item_id[:8] for item in items)
        raise NotFound(
            f"More than one thing is waiting about this message: {ids}. Name one of these.", argument="id"
        )
    raise NotFound(
        f"Nothing that is waiting has the id {given[:60]!r}.",
        argument="id",
        hint="gaia email pending lists what waits.",
    )
