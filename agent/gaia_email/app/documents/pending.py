"""The JSON documents of the Agent Inbox: `pending`, `approve`, `reject`, `correct`. Entry point: `item_row`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from gaia_email.actions.pending.groups import is_group, people_of
from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.actions.pending.telling import AGENT
from gaia_email.app.documents.inbox_states import CALL_STATES, NOTE_STATES, QUESTION_STATES, WORK_ITEM_STATES
from gaia_email.app.documents.origins import OriginRow, origin_row
from gaia_email.app.documents.pending_types import (
    ConfirmationRow,
    CorrectDocument,
    ItemRow,
    OutcomeRow,
    PendingDocument,
    PendingRowState,
    RecipientRow,
    WaitingCounts,
)
from gaia_email.document import at, at_if_known, clean
from gaia_email.ledger import PendingItem, PendingState, PendingType
from gaia_email_registry.approvals import Approval, ApprovalRequest
from gaia_email_registry.calls import message_of
from gaia_email_registry.contract.tools import TOOLS
from gaia_mail.asking.people import AddressField, AddressStanding, KnownPerson
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.wording.certainty import cap_confidence

if TYPE_CHECKING:
    from gaia_email.actions.pending.inbox import AnsweredItem
    from gaia_email.actions.pending.questions import AnsweredQuestion
    from gaia_email.triage.learn.corrections import RecordedCorrection

BUCKET_NAMES: Mapping[Bucket, str] = {
    "urgent": "urgent",
    "actionable": "needs you",
    "informational": "worth knowing",
    "low_priority": "low priority",
}
"""The name of a bucket inside a sentence."""

STATES: Mapping[PendingType, Mapping[PendingState, PendingRowState]] = {
    "question": QUESTION_STATES,
    "review": WORK_ITEM_STATES,
    "notify": NOTE_STATES,
}
"""State names of the control protocol for each of its types: a question, a work item, a status message."""


def proposal_text(proposal: PendingProposal) -> str:
    """Return the effect of approving, in a few words."""
    if proposal.doing == "tell":
        return proposal.asked
    if proposal.doing == "confirm":
        return (
            "does it need you?"
            if proposal.bucket == "actionable"
            else f"is it {BUCKET_NAMES[proposal.bucket]}?"
        )
    if proposal.doing == "archive" and not proposal.names:
        total = len(proposal.targets)
        return "archive it" if total == 1 else f"archive {total:,} messages"
    label = f"label it gaia/{proposal.bucket}"
    count = f" ({len(proposal.targets)} messages)" if len(proposal.targets) > 1 else ""
    return f"{label} and archive it{count}" if proposal.doing == "archive" else f"{label}{count}"


def item_row(item: PendingItem) -> ItemRow:
    """Return one item with its proposal, confidence, reason and source message."""
    proposal = PendingProposal.of(item)
    first = proposal.targets[0] if proposal.targets else None
    return {
        "id": item.item_id,
        "type": item.type,
        "state": STATES[item.type][item.state],
        "account": clean(item.account_id),
        "created_at": at(item.created_at),
        "expires_at": at_if_known(item.expires_at),
        "run_id": item.run_id,
        "cohort": item.cohort or "",
        "confidence": None if item.confidence is None else cap_confidence(item.confidence),
        "why": clean(item.why),
        "asked": clean(proposal.asked),
        "origin": item_origin(item),
        "message": {
            "id": item.message_id or "",
            "thread_id": item.thread_id or "",
            "from": {"name": clean(first.name), "address": clean(first.address)} if first else None,
            "subject": clean(first.subject) if first else "",
            "date": (first.date or None) if first else None,
        },
        "proposal": {
            "doing": proposal.doing,
            "bucket": proposal.bucket,
            "labels": list(proposal.names),
            "level": proposal.level,
            "messages": [target.message_id for target in proposal.targets],
            "fingerprint": proposal.fingerprint(item.account_id),
            "people": clean(people_of(proposal)) if is_group(item) else "",
            "text": proposal_text(proposal),
        },
    }


def item_origin(item: PendingItem) -> OriginRow:
    """Return the origin of an item; for an item that a run found, the origin of the run."""
    asked_itself = item.account_id.startswith(AGENT) or item.origin.principal == "automation"
    return origin_row(item.origin, found=item.run_id is not None and not asked_itself)


def pending_document(
    items: Sequence[PendingItem], confirmations: Sequence[ConfirmationRow], waiting: Mapping[str, int]
) -> PendingDocument:
    """Return the pending items; `waiting` counts all of them by type, including those that were not requested."""
    return {
        "schema_version": 1,
        "total": sum(waiting.values()),
        "shown": len(items) + len(confirmations),
        "waiting": waiting_counts(waiting),
        "confirmations": list(confirmations),
        "items": [item_row(item) for item in items],
    }


def waiting_counts(waiting: Mapping[str, int]) -> WaitingCounts:
    """Return the number of pending items of each type, 0 for types not listed."""
    return {
        "confirmation": waiting.get("confirmation", 0),
        "question": waiting.get("question", 0),
        "review": waiting.get("review", 0),
        "notify": waiting.get("notify", 0),
    }


def outcome_row(answered: AnsweredItem) -> OutcomeRow:
    """Return one answer: whether it took effect, the reason if not, and the resulting actions."""
    proposal = PendingProposal.of(answered.item)
    subject = proposal.targets[0].subject if proposal.targets else ""
    return {
        "id": answered.item.item_id,
        "type": answered.item.type,
        "text": clean(" · ".join(filter(None, (proposal_text(proposal), subject)))),
        "counts": answered.counts,
        "state": STATES[answered.item.type][answered.item.state],
        "result": answered.result,
        "reason": clean(answered.reason),
        "message_id": answered.item.message_id or "",
        "actions": [action.action_id for action in answered.actions],
    }


def corrected_row(done: RecordedCorrection, *, retracted: bool) -> CorrectDocument:
    """Return the document of `correct`: the old bucket, the corrected one, and the sender's cohort."""
    said = done.correction
    return {
        "schema_version": 1,
        "id": said.message_id,
        "account": said.account_id,
        "number": said.id,
        "retracted": retracted,
        "was": said.original.bucket,
        "bucket": said.corrected.bucket,
        "cohort": done.cohort,
    }


def confirmation_row(waiting: Approval) -> ConfirmationRow:
    """Return one confirmation: the exact call, as it was shown when it was requested.

    A mail server shows a single text, so everything after its first line goes into `body`.
    """
    asked, shown = waiting.asked, waiting.asked.fields
    first, _, rest = asked.shown.partition("\n")
    return {
        "id": waiting.approval_id,
        "type": "confirmation",
        "state": CALL_STATES[waiting.state],
        "server": clean(asked.server),
        "account": clean(asked.account),
        "created_at": at(waiting.created_at),
        "expires_at": at(waiting.expires_at),
        "tool": clean(asked.tool),
        "risk": _risk_of(asked),
        "text": word_shown(shown, "dry_run") or clean(first),
        "recipients": [person_row(person) for person in people_shown(shown)],
        "subject": word_shown(shown, "subject"),
        "body": word_shown(shown, "text") or clean(rest),
        "html_text": word_shown(shown, "html_text"),
        "hidden": words_shown(shown.get("hidden")),
        "files": words_shown(shown.get("files")),
        "messages": words_shown(shown.get("messages")),
        "senders": words_shown(shown.get("senders")),
        "details": words_shown(shown.get("details")),
        "why": word_shown(shown, "why"),
        "cohort": word_shown(shown, "cohort"),
        "fingerprint": clean(asked.call),
        "origin": origin_row(asked.origin),
    }


def _risk_of(asked: ApprovalRequest) -> Literal["read", "write", "destructive"]:
    """Return the risk tier of a call; destructive if unknown."""
    tool = TOOLS.get(asked.tool) if asked.server else None
    said = asked.fields.get("risk") if tool is None else tool.risk
    return "read" if said == "read" else "write" if said == "write" else "destructive"


def question_outcome_row(answered: AnsweredQuestion) -> OutcomeRow:
    """Return one answer to a confirmation, like `outcome_row`."""
    asked = answered.approval.asked
    return {
        "id": answered.approval.approval_id,
        "type": "confirmation",
        "text": word_shown(asked.fields, "dry_run") or clean(asked.shown.partition("\n")[0]),
        "counts": answered.counts,
        "state": CALL_STATES[answered.approval.state],
        "result": answered.result,
        "reason": clean(answered.reason),
        "message_id": message_of(asked.arguments) or "",
        "actions": [action.action_id for action in answered.actions],
    }


def people_shown(shown: Mapping[str, object]) -> list[KnownPerson]:
    """Return everyone named in a stored question, with the sender last."""
    return [
        person_of(found) for found in (*_objects(shown.get("recipients")), *_objects([shown.get("sender")]))
    ]


def person_of(kept: Mapping[str, object]) -> KnownPerson:
    """Read a person from a stored question or one of its rows."""
    field, where = kept.get("field"), kept.get("standing")
    return KnownPerson(
        field=next((name for name in get_args(AddressField) if name == field), "to"),
        name=word_shown(kept, "name"),
        address=word_shown(kept, "address"),
        standing=next((name for name in get_args(AddressStanding) if name == where), "other_organisation"),
        only_in_text=kept.get("only_in_text") is True,
        never_written=kept.get("never_written") is True,
        disguise=kept.get("disguise") is True,
    )


def person_row(person: KnownPerson) -> RecipientRow:
    """Return a person as a recipient row."""
    return {
        "field": person.field,
        "name": person.name,
        "address": person.address,
        "standing": person.standing,
        "only_in_text": person.only_in_text,
        "never_written": person.never_written,
        "disguise": person.disguise,
    }


def word_shown(shown: Mapping[str, object], name: str) -> str:
    """Return a text of a stored question; empty if missing."""
    value = shown.get(name)
    return clean(value) if isinstance(value, str) else ""


def words_shown(value: object) -> list[str]:
    """Return a list of texts of a stored question; empty if it is not a list."""
    return [clean(item) for item in value if isinstance(item, str)] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _objects(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
