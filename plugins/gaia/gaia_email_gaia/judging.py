"""Classifies messages and threads sent by a host into the peer's categories. Entries: `triage`, `triage_batch`."""

from __future__ import annotations

from datetime import UTC, datetime

from gaia_email.app import App
from gaia_email.app.documents.mail import warnings
from gaia_email.app.services.pushed import PushedAddress, PushedFile, PushedMessage, judge_pushed
from gaia_email.document import clean
from gaia_email_gaia.answers import (
    ActionItemAnswer,
    AddressAnswer,
    BatchAnswer,
    BatchItemAnswer,
    FileAnswer,
    ScaffoldAnswer,
    TriageAnswer,
    TriageResultAnswer,
)
from gaia_email_gaia.buckets import category_of, is_private, suggested_action
from gaia_email_gaia.inputs import (
    CONTRACT,
    BatchInput,
    PeerAddress,
    PeerFile,
    PeerMessage,
    PeerPayload,
    PeerTriageInput,
    SingleInput,
    TriageHints,
)
from gaia_mail.mime.reply import reply_subject
from gaia_understanding.cascade.understand import Understood, failure


def triage(app: App, asked: PeerTriageInput) -> TriageAnswer:
    """Classify one message or thread."""
    return {
        "schema_version": CONTRACT,
        "request_kind": "single" if isinstance(asked.payload, SingleInput) else "thread",
        "result": _judged(app, asked.payload, asked.context),
    }


def triage_batch(app: App, asked: BatchInput) -> BatchAnswer:
    """Classify several items independently; a failure affects only its own item."""
    return {
        "schema_version": CONTRACT,
        "results": [_item(app, index, payload, asked.context) for index, payload in enumerate(asked.items)],
    }


def _item(app: App, index: int, payload: PeerPayload, hints: TriageHints | None) -> BatchItemAnswer:
    try:
        return {"index": index, "result": _judged(app, payload, hints), "error": None}
    except Exception as error:  # a message may contain anything; the others continue
        return {"index": index, "result": None, "error": {"message": failure(error)}}


def _judged(app: App, payload: PeerPayload, hints: TriageHints | None) -> TriageResultAnswer:
    messages = [payload.message] if isinstance(payload, SingleInput) else list(payload.messages)
    known = hints or TriageHints()
    owner = [payload.principal.email, *([known.self_email] if known.self_email else [])]
    pushed = [_pushed(one) for one in messages]
    found = judge_pushed(app, pushed, owner=owner, people=known.people)
    verdict = found.verdict
    flagged = warnings(verdict)
    category = category_of(verdict.bucket, private=is_private(verdict))
    reply = suggested_action(category) == "reply" and "phishing" not in flagged
    suggested = suggested_action(category)
    return {
        "category": category,
        "summary": clean(verdict.summary or verdict.priority.reason),
        "action_items": _action_items(found),
        "attachments": [_file(one) for message in messages for one in message.attachments],
        "draft": _scaffold(found, owner) if reply else None,
        "is_phishing": "phishing" in flagged,
        "is_spam": "spam" in flagged,
        "message_id": messages[0].message_id if isinstance(payload, SingleInput) else payload.thread_id,
        "suggested_action": "none" if suggested == "reply" and not reply else suggested,
        "usage": None,
    }


def _pushed(message: PeerMessage) -> PushedMessage:
    return PushedMessage(
        message_id=message.message_id,
        sender=_address(message.sender),
        to=tuple(map(_address, message.to)),
        cc=tuple(map(_address, message.cc)),
        subject=message.subject,
        body=message.body,
        sent_at=_time(message.date),
        files=tuple(PushedFile(name=one.filename, content_type=one.mime_type) for one in message.attachments),
    )


def _address(one: PeerAddress) -> PushedAddress:
    return PushedAddress(address=one.email, name=one.name or "")


def _time(text: str | None) -> datetime | None:
    """Parse an ISO 8601 time; None if it is invalid, as for mail with an unreadable date."""
    try:
        found = datetime.fromisoformat(text or "")
        return (found if found.tzinfo else found.replace(tzinfo=UTC)) if 1970 <= found.year < 9999 else None
    except ValueError:
        return None


def _action_items(found: Understood) -> list[ActionItemAnswer]:
    return [
        {
            "description": clean(item.description or item.text),
            "due_hint": item.due or None,
            "type": "text",
            "url": None,
        }
        for item in found.verdict.entities.action_items
    ]


def _scaffold(found: Understood, owner: list[str]) -> ScaffoldAnswer | None:
    sender = found.message.sender
    if sender is None or sender.address.casefold() in (one.casefold() for one in owner):
        return None
    to: AddressAnswer = {"email": clean(sender.address), "name": clean(sender.name) or None}
    return {"to": [to], "subject": clean(reply_subject(found.message.subject))}


def _file(one: PeerFile) -> FileAnswer:
    return {
        "filename": clean(one.filename),
        "mime_type": clean(one.mime_type),
        "size_bytes": one.size_bytes,
        "attachment_id": one.attachment_id,
    }
