"""The JSON documents of the reading commands, built from triage results. Public formats (see `mail_types`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gaia_email.app.documents.classify import Json, line, unreadable
from gaia_email.app.documents.mail_types import (
    SECTIONS,
    ClassifyLine,
    ExtractDocument,
    Header,
    JudgedRow,
    OtherMessage,
    PlannedThreadRow,
    SecondRow,
    SectionName,
    ShowDocument,
    ThreadRow,
    TriagePlanRow,
    WatchRow,
    WhyDocument,
)
from gaia_email.app.documents.short import short
from gaia_email.document import Version, Warning_, clean
from gaia_email.policy.explain import plan_sentences, sentences
from gaia_email.policy.levels import LEVEL_NAMES
from gaia_understanding.cascade.verdict import Verdict
from gaia_understanding.cascade.wording.certainty import cap_confidence

if TYPE_CHECKING:
    from gaia_email.policy.model import Decision
    from gaia_email.triage.inbox import FoundMessage
    from gaia_email.triage.inbox_item import InboxItem
    from gaia_email.triage.watch import Arrival
    from gaia_email_registry.contract.wire import Email, Summary

SCHEMA_VERSION: Version = 1

INBOX_COLUMNS = ("bucket", "priority", "id", "date", "from.address", "subject", "summary", "reason")
WATCH_COLUMNS = ("at", "bucket", "priority.score", "id", "from.address", "subject", "priority.reason")
TRIAGE_COLUMNS = (*INBOX_COLUMNS[:7], "plan.action", "plan.mode")


def item_row(item: InboxItem) -> ThreadRow:
    """Return one thread; `date` (RFC 3339) and `age_s` are null if the message has no readable date."""
    summary, verdict = item.summary, item.verdict
    return {
        "id": summary["id"],
        "account": clean(summary["account"]),
        "also_in": [clean(account) for account in item.also_in],
        "message_id": clean(summary["message_id"]),
        "thread_id": summary["thread_id"],
        "from": {"name": clean(summary["from"]["name"]), "address": clean(summary["from"]["address"])},
        "subject": clean(summary["subject"]),
        "summary": clean(verdict.summary),
        "date": summary["date"] or None,
        "age_s": None if item.age_s is None else int(item.age_s),
        "priority": round(verdict.priority.score, 2),
        "reason": clean(verdict.priority.reason),
        "confidence": cap_confidence(verdict.confidence),
        "unsure": item.unsure,
        "messages": item.messages,
        "unread": "UNREAD" in summary["labels"],
        "content_category": verdict.content_category,
        "speech_act": verdict.speech_act,
        "cohort": verdict.cohort,
        "needs_reply": verdict.needs_reply,
        "evidence": [clean(signal.evidence) for signal in verdict.priority.signals if signal.evidence],
        "warnings": list(item.warnings),
        "others": [other_message(one.summary, one.verdict) for one in item.others],
    }


def other_message(summary: Summary, verdict: Verdict) -> OtherMessage:
    """Return another message of a thread as a row."""
    sender = summary["from"]
    return {
        "id": summary["id"],
        "from": {"name": clean(sender["name"]), "address": clean(sender["address"])},
        "subject": clean(summary["subject"]),
        "date": summary["date"] or None,
        "warnings": warnings(verdict),
    }


def planned_row(item: InboxItem) -> PlannedThreadRow:
    """Return one thread with its triage plan."""
    return {
        **item_row(item),
        "plan": plan_row(item.decision),
        "other_plans": [
            {
                "id": one.summary["id"],
                "action": one.decision.action,
                "mode": one.decision.mode,
                "label": one.decision.label,
            }
            for one in item.others
        ],
    }


SHORT_THREAD = (
    *("id", "from", "subject", "date", "summary", "reason", "needs_reply", "messages", "unsure", "warnings"),
    *("plan.action", "plan.mode"),
)


def inbox_figures(document: Mapping[str, Any]) -> dict[str, int]:
    """Return the counts of an inbox: messages, threads, unsure and unreadable ones, and threads per bucket."""
    return {
        "messages": document["total"],
        **{name: document[name] for name in ("threads", "unsure", "unreadable")},
        **{bucket: found["threads"] for bucket, found in document["counts"].items()},
    }


def short_threads(bucket: SectionName, rows: Sequence[Mapping[str, object]]) -> list[Json]:
    """Return a bucket's `PlannedThreadRow`s with fewer fields, for models and chats."""
    return [{"bucket": bucket, **short(row, SHORT_THREAD)} for row in rows]


def warnings(verdict: Verdict) -> list[Warning_]:
    """Return the names of the warnings: `phishing`, `injection`, `spam`."""
    return list(verdict.flags.warnings)


def plan_row(decision: Decision) -> TriagePlanRow:
    """Return the triage plan: the action, the policy's cohort and level, and whether it is applied automatically."""
    return {
        "action": decision.action,
        "label": decision.label,
        "cohort": decision.cohort,
        "level": decision.effective_level,
        "level_name": LEVEL_NAMES[decision.effective_level],
        "mode": decision.mode,
        "why": clean(" ".join((decision.matched, *decision.withheld, *decision.limits))),
    }


def flat_rows(buckets: Mapping[SectionName, Sequence[ThreadRow]]) -> list[Json]:
    """Return the threads of an inbox document's `buckets` as rows with their section, for `--jsonl` and tables."""
    return [{"bucket": name, **row} for name in SECTIONS for row in buckets[name]]


def why_document(found: FoundMessage, others: Sequence[FoundMessage] = ()) -> WhyDocument:
    """Return everything that led to a verdict, without the message's text, which `show` returns."""
    prepared = found.understood.prepared
    whole = _line(found)
    return {
        "schema_version": SCHEMA_VERSION,
        "id": found.summary["id"],
        **_header_of(whole),
        **_judged(whole),
        "flags": whole["flags"],
        "warnings": warnings(found.understood.verdict),
        "defects": whole["defects"],
        "second": _second(found.understood.verdict),
        "unsure": found.decision.unsure,
        "plan": plan_row(found.decision),
        "walk": [clean(text) for text in sentences(found.decision)],
        "walk_to_plan": len(plan_sentences(found.decision)),
        "removed": [
            {"step": removal.step, "how": removal.how, "chars": removal.chars} for removal in prepared.removed
        ],
        "others": [other_message(one.summary, one.understood.verdict) for one in others],
    }


def _second(verdict: Verdict) -> SecondRow | None:
    """Return the opinion of a language model, or None if none was asked."""
    second = verdict.second
    if second is None:
        return None
    return {
        "tier": second.tier,
        "prompt": second.prompt,
        "by_rules": second.by_rules,
        "by_model": second.by_model,
        "stands": second.stands,
        "model": clean(second.model),
        "evidence": clean(second.evidence),
        "sentence": clean(second.sentence),
    }


def show_document(found: FoundMessage, others: Sequence[FoundMessage] = ()) -> ShowDocument:
    """Return a message for reading: header facts, the newly written text, and the text that was hidden."""
    message, prepared = found.understood.message, found.understood.prepared
    whole = _line(found)
    return {
        "schema_version": SCHEMA_VERSION,
        "id": found.summary["id"],
        **_header_of(whole),
        "to": [{"name": clean(person.name), "address": clean(person.address)} for person in message.to],
        "cc": [{"name": clean(person.name), "address": clean(person.address)} for person in message.cc],
        "labels": found.summary["labels"],
        "bucket": whole["bucket"],
        "text": whole["text"],
        "entities": whole["entities"],
        "attachments": whole["attachments"],
        "flags": whole["flags"],
        "warnings": warnings(found.understood.verdict),
        "defects": whole["defects"],
        "links": [{"text": clean(link.text), "url": clean(link.url)} for link in prepared.links],
        "removed": [
            {
                "step": removal.step,
                "how": removal.how,
                "chars": removal.chars,
                "text": clean(removal.text),
            }
            for removal in prepared.removed
        ],
        "others": [other_message(one.summary, one.understood.verdict) for one in others],
    }


def extract_document(found: FoundMessage) -> ExtractDocument:
    """Return only the entities found in a message."""
    whole = _line(found)
    return {
        "schema_version": SCHEMA_VERSION,
        "id": found.summary["id"],
        **_header_of(whole),
        "entities": whole["entities"],
    }


def watch_row(arrival: Arrival, *, at: str) -> WatchRow:
    """Return a new message and its verdict; `at` is when it was judged. `plan` is null if it was unreadable."""
    email, understood = arrival.email, arrival.understood
    if understood is None:
        whole = unreadable(path="", index=0, problem=arrival.problem)
        head = _header(email)
    else:
        whole = line(understood, path="", index=0, thread_id=email["thread_id"], elapsed_ms=0.0)
        head = _header_of(whole)
    return {
        "schema_version": SCHEMA_VERSION,
        "account": clean(email["account"]),
        "id": email["id"],
        "at": at,
        "labels": [clean(label) for label in email["labels"]],
        **head,
        "summary": "" if understood is None else clean(understood.verdict.summary),
        **_judged(whole),
        "flags": whole["flags"],
        "warnings": [] if understood is None else warnings(understood.verdict),
        "defects": whole["defects"],
        "unsure": arrival.decision is None or arrival.decision.unsure,
        "plan": None if arrival.decision is None else plan_row(arrival.decision),
    }


def _header(email: Email) -> Header:
    """Return the header of an unreadable message, from the listing."""
    sender = email["from"]
    return {
        "message_id": clean(email["message_id"]),
        "thread_id": email["thread_id"],
        "subject": clean(email["subject"]),
        "from": {"name": clean(sender["name"]), "address": clean(sender["address"])},
        "date": email["date"] or None,
    }


def _header_of(whole: ClassifyLine) -> Header:
    return {
        "message_id": whole["message_id"],
        "thread_id": whole["thread_id"],
        "subject": whole["subject"],
        "from": whole["from"],
        "date": whole["date"],
    }


def _judged(whole: ClassifyLine) -> JudgedRow:
    return {
        "bucket": whole["bucket"],
        "content_category": whole["content_category"],
        "speech_act": whole["speech_act"],
        "speech_acts": whole["speech_acts"],
        "cohort": whole["cohort"],
        "needs_reply": whole["needs_reply"],
        "confidence": whole["confidence"],
        "tier": whole["tier"],
        "priority": whole["priority"],
    }


def _line(found: FoundMessage) -> ClassifyLine:
    return line(found.understood, path="", index=0, thread_id=found.summary["thread_id"], elapsed_ms=0.0)
