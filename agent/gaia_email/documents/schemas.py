"""The JSON Schemas of what the reading commands print. Entry points: `NAMES`, `schema`.

Draft 2020-12. Copies for people and other programs are generated into `docs/schemas`.
"""

from __future__ import annotations

from gaia_email.cascade.verdict import BUCKETS, CATEGORIES, SPEECH_ACTS
from gaia_email.documents.actions import ACTION_DOCUMENTS
from gaia_email.documents.doctor import DOCTOR_DOCUMENTS
from gaia_email.documents.habits import HABITS_DOCUMENTS
from gaia_email.documents.models import MODELS_DOCUMENTS
from gaia_email.documents.pending_types import PENDING_DOCUMENTS
from gaia_email.documents.policy import POLICY_DOCUMENTS
from gaia_email.documents.runs import RUNS_DOCUMENTS
from gaia_email.documents.schema_parts import (
    ADDRESS,
    COUNT,
    FLAG,
    LEVEL,
    NUMBER,
    PLAN_ACTION,
    PLAN_MODE,
    SHARE,
    STATED,
    TEXT,
    VERSION,
    Schema,
    listed,
    one_of,
    optional,
    record,
)
from gaia_email.documents.search import SEARCH_DOCUMENTS
from gaia_email.documents.status import STATUS_DOCUMENTS
from gaia_email.documents.summary import SUMMARY_DOCUMENTS
from gaia_email.documents.talk import TALK_DOCUMENTS
from gaia_email.documents.teaching import TEACHING_DOCUMENTS
from gaia_email.documents.typed import schema_of
from gaia_email.documents.upkeep import UPKEEP_DOCUMENTS

_DOCUMENTS: dict[str, object] = {
    **ACTION_DOCUMENTS,
    **DOCTOR_DOCUMENTS,
    **HABITS_DOCUMENTS,
    **MODELS_DOCUMENTS,
    **PENDING_DOCUMENTS,
    **POLICY_DOCUMENTS,
    **RUNS_DOCUMENTS,
    **SEARCH_DOCUMENTS,
    **STATUS_DOCUMENTS,
    **SUMMARY_DOCUMENTS,
    **TALK_DOCUMENTS,
    **TEACHING_DOCUMENTS,
    **UPKEEP_DOCUMENTS,
}
"""Name of a command → the type of what it prints."""

NAMES = (
    *("classify", "inbox", "triage", "watch", "why", "show", "eval", "accounts", "discover"),
    *_DOCUMENTS,
)

COHORTS = (
    "vip",
    "newsletters",
    "social",
    "transactional",
    "first_contact",
    "intra_org",
    "cross_org",
    "default",
)

SIGNAL = record(name=TEXT, weight=NUMBER, evidence=TEXT)
PRIORITY = record(score=STATED, reason=TEXT, signals=listed(SIGNAL))
JUDGEMENT = record(score=SHARE, reasons=listed(TEXT))
AUTHENTICATION = record(spf=TEXT, dkim=TEXT, dmarc=TEXT, trusted=FLAG)
FLAGS = record(
    bulk=FLAG,
    spam=SHARE,
    phishing=JUDGEMENT,
    injection=JUDGEMENT,
    unsubscribe=optional(record(one_click=FLAG, url=optional(TEXT), mailto=optional(TEXT))),
    authentication=AUTHENTICATION,
)
ATTACHMENT = record(filename=TEXT, content_type=TEXT, size=COUNT)
BODY = record(normalized=TEXT, quoted=TEXT, signature=TEXT, hidden=TEXT, language=TEXT)
ENTITIES = record(
    dates=listed(record(text=TEXT, value=TEXT, deadline=FLAG)),
    people=listed(TEXT),
    money=listed(record(text=TEXT, amount=TEXT, currency=TEXT)),
    urls=listed(TEXT),
    phones=listed(TEXT),
    codes=listed(TEXT),
    action_items=listed(record(text=TEXT, description=TEXT, owner=TEXT, due=optional(TEXT))),
    meeting=optional(
        record(
            summary=TEXT,
            start=TEXT,
            end=TEXT,
            location=TEXT,
            organizer=TEXT,
            method=TEXT,
            uid=TEXT,
            source=TEXT,
        )
    ),
    receipt=optional(record(merchant=TEXT, total=TEXT, currency=TEXT, date=TEXT, order_number=TEXT)),
    itinerary=optional(
        record(
            kind=TEXT,
            reference=TEXT,
            origin=TEXT,
            destination=TEXT,
            departs=TEXT,
            arrives=TEXT,
            provider=TEXT,
        )
    ),
    tracking=listed(record(carrier=TEXT, number=TEXT)),
)
PLAN = record(
    action=PLAN_ACTION,
    label=TEXT,
    cohort=TEXT,
    level=LEVEL,
    level_name=TEXT,
    mode=PLAN_MODE,
    why=TEXT,
)
WARNINGS = listed(one_of("phishing", "injection", "spam"))
SECOND = record(
    tier=one_of("T1", "T2"),
    prompt=TEXT,
    by_rules=one_of(*BUCKETS),
    by_model=one_of(*BUCKETS),
    stands=one_of("rules", "model"),
    model=TEXT,
    evidence=TEXT,
    sentence=TEXT,
)
SPEECH: Schema = {
    "type": "object",
    "properties": dict.fromkeys(SPEECH_ACTS, SHARE),
    "required": list(SPEECH_ACTS),
    "additionalProperties": False,
}
VERDICT: dict[str, Schema] = {
    "bucket": one_of(*BUCKETS),
    "content_category": one_of(*CATEGORIES),
    "speech_act": one_of(*SPEECH_ACTS),
    "speech_acts": SPEECH,
    "cohort": one_of(*COHORTS),
    "needs_reply": FLAG,
    "confidence": STATED,
    "tier": one_of("T0", "T1", "T2", "T3"),
    "priority": PRIORITY,
}
HEADER: dict[str, Schema] = {
    "message_id": TEXT,
    "thread_id": TEXT,
    "subject": TEXT,
    "from": optional(ADDRESS),
    "date": optional({"type": "string"}),
}


def _thread(**more: Schema) -> Schema:
    return record(
        id=TEXT,
        account=TEXT,
        also_in=listed(TEXT),
        message_id=TEXT,
        thread_id=TEXT,
        from_=ADDRESS,
        subject=TEXT,
        summary=TEXT,
        date=optional(TEXT),
        age_s=optional({"type": "integer"}),
        priority=STATED,
        reason=TEXT,
        confidence=STATED,
        unsure=FLAG,
        messages=COUNT,
        unread=FLAG,
        content_category=VERDICT["content_category"],
        speech_act=VERDICT["speech_act"],
        cohort=VERDICT["cohort"],
        needs_reply=FLAG,
        evidence=listed(TEXT),
        warnings=WARNINGS,
        **more,
    )


def _inbox(thread: Schema) -> Schema:
    return record(
        schema_version=VERSION,
        account=TEXT,
        total=COUNT,
        unreadable=COUNT,
        unsure=COUNT,
        threads=COUNT,
        shown=COUNT,
        buckets=record(**{bucket: listed(thread) for bucket in BUCKETS}),
    )


def _removed(**more: Schema) -> Schema:
    return listed(record(step=TEXT, how=TEXT, chars=COUNT, **more))


def _build(name: str) -> Schema:
    if name in _DOCUMENTS:
        return schema_of(_DOCUMENTS[name])
    if name == "eval":
        from gaia_email.evaluate.model import scorecard_schema

        return scorecard_schema()
    if name == "accounts":
        return _accounts()
    if name == "discover":
        return _discover()
    if name == "classify":
        return _classify()
    if name in ("inbox", "triage"):
        return _inbox(_thread() if name == "inbox" else _thread(plan=PLAN))
    if name == "watch":
        return record(
            schema_version=VERSION,
            account=TEXT,
            id=TEXT,
            at=TEXT,
            labels=listed(TEXT),
            **HEADER,
            summary=TEXT,
            **VERDICT,
            flags=FLAGS,
            warnings=WARNINGS,
            defects=listed(TEXT),
            unsure=FLAG,
            plan=optional(PLAN),
        )
    return _why() if name == "why" else _show()


def _why() -> Schema:
    return record(
        schema_version=VERSION,
        id=TEXT,
        **HEADER,
        **VERDICT,
        flags=FLAGS,
        defects=listed(TEXT),
        second=optional(SECOND),
        unsure=FLAG,
        plan=PLAN,
        walk=listed(TEXT),
        removed=_removed(),
    )


def _show() -> Schema:
    return record(
        schema_version=VERSION,
        id=TEXT,
        **HEADER,
        to=listed(ADDRESS),
        cc=listed(ADDRESS),
        labels=listed(TEXT),
        bucket=VERDICT["bucket"],
        text=BODY,
        entities=ENTITIES,
        attachments=listed(ATTACHMENT),
        flags=FLAGS,
        defects=listed(TEXT),
        links=listed(record(text=TEXT, url=TEXT)),
        removed=_removed(text=TEXT),
    )


def _classify() -> Schema:
    return record(
        schema_version=VERSION,
        path=TEXT,
        index=COUNT,
        **HEADER,
        **VERDICT,
        labels=listed(TEXT),
        text=BODY,
        entities=ENTITIES,
        flags=FLAGS,
        attachments=listed(ATTACHMENT),
        defects=listed(TEXT),
        elapsed_ms=NUMBER,
    )


def _accounts() -> Schema:
    places = one_of("keyring", "vault", "command", "file", "environment", "none")
    row = record(
        id=TEXT,
        address=TEXT,
        provider=TEXT,
        server=TEXT,
        aliases=listed(TEXT),
        password=places,
        enabled=FLAG,
        added_at=TEXT,
    )
    return record(schema_version=VERSION, accounts=listed(row))


def _discover() -> Schema:
    trace = {"source": TEXT, "where": TEXT, "confidence": one_of("very high", "high", "medium")}
    row = record(address=TEXT, provider=TEXT, **trace, signals=listed(record(**trace)))
    return record(schema_version=VERSION, candidates=listed(row))


def schema(name: str) -> Schema:
    """The schema of what `gaia email NAME --json` prints (of one line, for `classify` and `watch`).

    Raises:
        KeyError: No command of that name has one.
    """
    if name not in NAMES:
        raise KeyError(name)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"gaia email {name}",
        **_build(name),
    }
