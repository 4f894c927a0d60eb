"""Short JSON rows of what was found, for answers that a model or a chat reads. Entries: `thread_row`, `why_row`.

Text of mail in them is one line, without control or direction characters.
"""

from __future__ import annotations

from gaia_email.cascade.verdict import Verdict
from gaia_email.cascade.wording.certainty import capped
from gaia_email.documents.classify import Json, clean, line
from gaia_email.documents.fields import object_of
from gaia_email.documents.talk import DraftRow
from gaia_email.documents.typed import Warning_
from gaia_email.ledger.search import SearchHit
from gaia_email.policy.explain import sentences
from gaia_email.services.drafting import DraftedReply
from gaia_email.services.threads import Thread, ThreadMessage
from gaia_email.triage.inbox import FoundMessage, InboxItem
from gaia_email_registry.contract.wire import Summary
from gaia_mail.printable import visible, visible_text

SUMMARY = 200


def plain(text: str, limit: int = 300) -> str:
    """Text of a message as one line that shows what it holds, cut at `limit`."""
    found = visible(" ".join(clean(text).split()))
    return found if len(found) <= limit else found[: limit - 1] + "…"


def sender_of(summary: Summary) -> Json:
    """Who wrote it."""
    sender = summary["from"]
    return {"name": plain(sender["name"], 80), "address": plain(sender["address"], 120)}


def head_row(summary: Summary) -> Json:
    """A message as a listing names it."""
    return {
        "id": summary["id"],
        "from": sender_of(summary),
        "subject": plain(summary["subject"], 160),
        "date": summary["date"] or None,
    }


def warnings(verdict: Verdict) -> list[Warning_]:
    """What the reader should be warned of: `phishing`, `injection`, `spam`."""
    flags = verdict.flags
    scores: dict[Warning_, float] = {
        "phishing": flags.phishing.score,
        "injection": flags.injection.score,
        "spam": flags.spam,
    }
    return [name for name, score in scores.items() if score >= 0.5]


def thread_row(item: InboxItem) -> Json:
    """A thread of the sorted inbox."""
    verdict = item.verdict
    return {
        **head_row(item.summary),
        "bucket": item.bucket,
        "summary": plain(verdict.summary, SUMMARY),
        "reason": plain(verdict.priority.reason),
        "needs_reply": verdict.needs_reply,
        "messages": item.messages,
        "unsure": item.unsure,
        "warnings": warnings(verdict),
        "plan": {"action": item.decision.action, "mode": item.decision.mode},
    }


def class_row(found: FoundMessage) -> Json:
    """What a message was understood as."""
    verdict = found.understood.verdict
    return {
        **head_row(found.summary),
        "bucket": verdict.bucket,
        "category": verdict.content_category,
        "speech_act": verdict.speech_act,
        "cohort": found.decision.cohort,
        "needs_reply": verdict.needs_reply,
        "priority": round(verdict.priority.score, 2),
        "reason": plain(verdict.priority.reason),
        "confidence": capped(verdict.confidence),
        "unsure": found.decision.unsure,
        "warnings": warnings(verdict),
    }


def why_row(found: FoundMessage) -> Json:
    """What decided about a message: signals with their evidence, and how the user's levels were applied."""
    verdict = found.understood.verdict
    return {
        **class_row(found),
        "signals": [
            {
                "name": signal.name,
                "weight": round(signal.weight, 2),
                "evidence": plain(signal.evidence, 160),
            }
            for signal in verdict.priority.signals
        ],
        "warned_because": [
            plain(reason, 160)
            for judged in (verdict.flags.phishing, verdict.flags.injection)
            if judged.score >= 0.5
            for reason in judged.reasons
        ],
        "level": found.decision.effective_level,
        "walk": [plain(text) for text in sentences(found.decision)],
    }


def text_row(found: FoundMessage, *, limit: int = 4000) -> Json:
    """A message for reading: what its sender newly wrote, without quotes, signature and hidden text."""
    prepared = found.understood.prepared
    text = visible_text(clean(prepared.normalized))
    return {
        **head_row(found.summary),
        "to": [plain(person.address, 120) for person in found.understood.message.to],
        "bucket": found.understood.verdict.bucket,
        "text": text[:limit],
        "cut": max(0, len(text) - limit),
        "attachments": [plain(one.filename, 120) for one in found.understood.message.attachments],
        "warnings": warnings(found.understood.verdict),
    }


def entity_row(found: FoundMessage) -> Json:
    """The dates, sums, people, requests and the rest that stand in a message; what is not there is left out."""
    whole = line(found.understood, path="", index=0, thread_id=found.summary["thread_id"], elapsed_ms=0.0)
    entities = {key: value for key, value in object_of(whole, "entities").items() if value}
    return {**head_row(found.summary), "entities": entities}


def hit_row(hit: SearchHit) -> Json:
    """A message that a search found, with the words around what was looked for."""
    message = hit.message
    return {
        "id": message.message_id,
        "from": {"name": plain(message.sender_name, 80), "address": plain(message.sender, 120)},
        "subject": plain(message.subject, 160),
        "date": message.date,
        "snippet": plain(hit.excerpt.text, 240),
    }


def summary_row(thread: Thread) -> Json:
    """A thread in short: who wrote when and what in a line, what is asked and by when, and who has the last word."""
    read = thread.messages
    asked = [
        {
            "id": one.summary["id"],
            "text": plain(item.text, 240),
            "owner": plain(item.owner, 60),
            "due": item.due or None,
        }
        for one in read
        for item in one.understood.verdict.entities.action_items
    ]
    last = read[-1] if read else None
    return {
        "subject": plain(thread.found.summary["subject"], 160),
        "messages": [_message_row(one) for one in read],
        "asked": asked,
        "last_word": None
        if last is None
        else ("you" if last.own else plain(last.summary["from"]["address"], 120)),
        "total": thread.total,
        "read": len(read),
    }


def _message_row(one: ThreadMessage) -> Json:
    text = one.understood.verdict.summary or one.understood.prepared.normalized
    return {**head_row(one.summary), "own": one.own, "line": plain(text, SUMMARY)}


def draft_row(draft: DraftedReply) -> DraftRow:
    """A reply that was made: its text, what it takes up, and what it stands on."""
    summary = draft.found.summary
    return {
        "id": summary["id"],
        "to": plain(summary["from"]["address"], 120),
        "subject": plain(summary["subject"], 160),
        "body": visible_text(clean(draft.body)),
        "questions": [plain(one) for one in draft.questions],
        "questions_left_out": draft.left_out,
        "to_finish": not draft.answered,
        "voice": {
            "messages": draft.voice.messages,
            "greeting": draft.voice.greeting,
            "formal": draft.voice.formal,
        },
        "warnings": warnings(draft.found.understood.verdict),
        "to_check": [plain(one) for one in draft.to_check],
        "withheld": draft.withheld,
        "by": plain(draft.by) or "rules, no model",
    }
