"""The JSON documents of the reading commands, built from what triage found. Public formats (see `schemas`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email.cascade.verdict import BUCKETS, Bucket, Verdict
from gaia_email.cascade.wording.certainty import capped
from gaia_email.documents.classify import Json, clean, line, unreadable
from gaia_email.policy.explain import sentences
from gaia_email.policy.levels import LEVEL_NAMES
from gaia_email.policy.model import Decision
from gaia_email.triage.inbox import Found, Inbox, Item
from gaia_email.triage.watch import Arrival
from gaia_email_registry.contract.wire import Email

SCHEMA_VERSION = 1

INBOX_COLUMNS = ("bucket", "priority", "id", "date", "from.address", "subject", "summary", "reason")
VERDICT_KEYS = (
    "bucket",
    "content_category",
    "speech_act",
    "speech_acts",
    "cohort",
    "needs_reply",
    "confidence",
    "tier",
    "priority",
)
WATCH_COLUMNS = ("at", "bucket", "priority.score", "id", "from.address", "subject", "priority.reason")
TRIAGE_COLUMNS = (*INBOX_COLUMNS[:7], "plan.action", "plan.mode")


def bucket_rows(
    inbox: Inbox, *, limit: int | None = None, with_plan: bool = False
) -> dict[Bucket, list[Json]]:
    """The threads of each bucket, at most `limit` of one."""
    return {
        bucket: [item_row(item, with_plan=with_plan) for item in inbox.buckets[bucket][:limit]]
        for bucket in BUCKETS
    }


def inbox_document(inbox: Inbox, buckets: Mapping[Bucket, Sequence[Json]]) -> Json:
    """The inbox as one document around the rows of `bucket_rows`; `shown` counts those rows."""
    return {
        "schema_version": SCHEMA_VERSION,
        "account": clean(inbox.account),
        "total": inbox.total,
        "unreadable": inbox.unreadable,
        "unsure": inbox.unsure,
        "threads": inbox.threads,
        "shown": sum(len(rows) for rows in buckets.values()),
        "buckets": dict(buckets),
    }


def item_row(item: Item, *, with_plan: bool = False) -> Json:
    """One thread; `date` (RFC 3339) and `age_s` are null when the message has no readable date."""
    summary, verdict = item.summary, item.verdict
    row: Json = {
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
        "confidence": capped(verdict.confidence),
        "unsure": item.unsure,
        "messages": item.messages,
        "unread": "UNREAD" in summary["labels"],
        "content_category": verdict.content_category,
        "speech_act": verdict.speech_act,
        "cohort": verdict.cohort,
        "needs_reply": verdict.needs_reply,
        "evidence": [clean(signal.evidence) for signal in verdict.priority.signals if signal.evidence],
        "warnings": warnings(verdict),
    }
    if with_plan:
        row["plan"] = plan_row(item.decision)
    return row


def warnings(verdict: Verdict) -> list[str]:
    """Names of what the person should be warned of: `phishing`, `injection`, `spam`."""
    flags = verdict.flags
    scores = {"phishing": flags.phishing.score, "injection": flags.injection.score, "spam": flags.spam}
    return [name for name, score in scores.items() if score >= 0.5]


def plan_row(decision: Decision) -> Json:
    """What triage would do, for which cohort of the policy, at which level, and whether by itself."""
    return {
        "action": decision.action,
        "label": decision.label,
        "cohort": decision.cohort,
        "level": decision.effective_level,
        "level_name": LEVEL_NAMES[decision.effective_level],
        "mode": decision.mode,
        "why": clean(" ".join((decision.matched, *decision.withheld, *decision.limits))),
    }


def flat_rows(buckets: Mapping[Bucket, Sequence[Json]]) -> list[Json]:
    """The threads of an inbox document's `buckets` as rows with their bucket, for `--jsonl` and tables."""
    return [{"bucket": bucket, **row} for bucket in BUCKETS for row in buckets[bucket]]


def why_document(found: Found) -> Json:
    """Everything that led to a verdict; the message's text itself is left to `show`."""
    prepared = found.understood.prepared
    whole = _line(found)
    return {
        "schema_version": SCHEMA_VERSION,
        "id": found.summary["id"],
        **{
            key: whole[key]
            for key in (
                "message_id",
                "thread_id",
                "subject",
                "from",
                "date",
                *VERDICT_KEYS,
                "flags",
                "defects",
            )
        },
        "second": _second(found.understood.verdict),
        "unsure": found.decision.unsure,
        "plan": plan_row(found.decision),
        "walk": [clean(text) for text in sentences(found.decision)],
        "removed": [
            {"step": removal.step, "how": removal.how, "chars": removal.chars} for removal in prepared.removed
        ],
    }


def _second(verdict: Verdict) -> Json | None:
    """What a language model said beside the rules; null where none was asked."""
    second = verdict.second
    if second is None:
        return None
    texts = {"model": second.model, "evidence": second.evidence, "sentence": second.sentence}
    return {
        "tier": second.tier,
        "prompt": second.prompt,
        "by_rules": second.by_rules,
        "by_model": second.by_model,
        "stands": second.stands,
        **{name: clean(text) for name, text in texts.items()},
    }


def show_document(found: Found) -> Json:
    """A message for reading: header facts, what was newly written, and what was taken out of sight."""
    message, prepared = found.understood.message, found.understood.prepared
    whole = _line(found)
    return {
        "schema_version": SCHEMA_VERSION,
        "id": found.summary["id"],
        **{key: whole[key] for key in ("message_id", "thread_id", "subject", "from", "date")},
        "to": [{"name": clean(person.name), "address": clean(person.address)} for person in message.to],
        "cc": [{"name": clean(person.name), "address": clean(person.address)} for person in message.cc],
        "labels": found.summary["labels"],
        **{key: whole[key] for key in ("bucket", "text", "entities", "attachments", "flags", "defects")},
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
    }


def watch_row(arrival: Arrival, *, at: str) -> Json:
    """A new message with its verdict; `at` is when it was understood. `plan` is null where it could not be."""
    email, understood = arrival.email, arrival.understood
    if understood is None:
        whole = unreadable(path="", index=0, problem=arrival.problem) | _header(email)
    else:
        whole = line(understood, path="", index=0, thread_id=email["thread_id"], elapsed_ms=0.0)
    return {
        "schema_version": SCHEMA_VERSION,
        "account": clean(email["account"]),
        "id": email["id"],
        "at": at,
        "labels": [clean(label) for label in email["labels"]],
        **{key: whole[key] for key in ("message_id", "thread_id", "subject", "from", "date")},
        "summary": "" if understood is None else clean(understood.verdict.summary),
        **{key: whole[key] for key in (*VERDICT_KEYS, "flags")},
        "warnings": [] if understood is None else warnings(understood.verdict),
        "defects": whole["defects"],
        "unsure": arrival.decision is None or arrival.decision.unsure,
        "plan": None if arrival.decision is None else plan_row(arrival.decision),
    }


def _header(email: Email) -> Json:
    """What the listing says of a message that could not be read."""
    sender = email["from"]
    return {
        "message_id": clean(email["message_id"]),
        "thread_id": email["thread_id"],
        "subject": clean(email["subject"]),
        "from": {"name": clean(sender["name"]), "address": clean(sender["address"])},
        "date": email["date"] or None,
    }


def _line(found: Found) -> Json:
    return line(found.understood, path="", index=0, thread_id=found.summary["thread_id"], elapsed_ms=0.0)
