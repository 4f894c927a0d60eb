"""The JSON Schemas of what the commands of the Agent Inbox and of runs print. Entry point: `PENDING_SCHEMAS`."""

from __future__ import annotations

from gaia_email.cascade.verdict import BUCKETS
from gaia_email.documents.schema_parts import (
    ADDRESS,
    COUNT,
    FLAG,
    LEVEL,
    STATED,
    TEXT,
    VERSION,
    Schema,
    listed,
    one_of,
    optional,
    record,
)
from gaia_email.learn.deeds import WORDS
from gaia_email.policy.conventions import KINDS

TIME: Schema = {"type": "string", "format": "date-time"}
BUCKET = one_of(*BUCKETS)
STATE = one_of("open", "answered", "closed", "declined", "review", "done", "cancelled")
ITEM = record(
    id=TEXT,
    type=one_of("notify", "question", "review"),
    state=STATE,
    account=TEXT,
    created_at=TIME,
    expires_at=optional(TIME),
    run_id=optional(TEXT),
    cohort=TEXT,
    confidence=optional(STATED),
    why=TEXT,
    asked=TEXT,
    message=record(id=TEXT, thread_id=TEXT, from_=optional(ADDRESS), subject=TEXT, date=optional(TEXT)),
    proposal=record(
        doing=one_of("archive", "label", "confirm", "tell"),
        bucket=BUCKET,
        labels=listed(TEXT),
        level=LEVEL,
        messages=listed(TEXT),
        fingerprint=TEXT,
        text=TEXT,
    ),
)
CONFIRMATION = record(
    id=TEXT,
    type=one_of("confirmation"),
    state=STATE,
    server=TEXT,
    account=TEXT,
    created_at=TIME,
    expires_at=TIME,
    tool=TEXT,
    risk=one_of("read", "write", "destructive"),
    text=TEXT,
    recipients=listed(
        record(
            field=TEXT,
            name=TEXT,
            address=TEXT,
            standing=TEXT,
            only_in_text=FLAG,
            never_written=FLAG,
            disguise=FLAG,
        )
    ),
    subject=TEXT,
    body=TEXT,
    html_text=TEXT,
    hidden=listed(TEXT),
    files=listed(TEXT),
    messages=listed(TEXT),
    senders=listed(TEXT),
    why=TEXT,
    cohort=TEXT,
    fingerprint=TEXT,
)
ANSWERS = record(
    schema_version=VERSION,
    answered=COUNT,
    items=listed(
        record(
            id=TEXT,
            state=STATE,
            result=one_of("approved", "rejected", "seen", "taken", "changed", "refused", "failed", "later"),
            reason=TEXT,
            message_id=TEXT,
            actions=listed(TEXT),
        )
    ),
)
FLIGHT = one_of("queued", "waking", "running", "waiting", "completed", "failed", "cancelled")
RUN = record(
    id=TEXT,
    kind=one_of("triage", "wake", "watch"),
    mailbox=TEXT,
    state=FLIGHT,
    scheduled=FLAG,
    created_at=optional(TIME),
    started_at=optional(TIME),
    finished_at=optional(TIME),
    messages=optional(COUNT),
    actions=optional(COUNT),
    asked=optional(COUNT),
    reason=TEXT,
)
SCHEDULE = record(
    name=TEXT,
    kind=one_of("triage", "wake", "watch"),
    mailbox=TEXT,
    cron=TEXT,
    zone=TEXT,
    overlap=one_of("drop", "queue", "parallel"),
    active=FLAG,
    last_fired_at=optional(TEXT),
)
CHOSEN_MODELS = record(
    address=optional(TEXT),
    T1=optional(TEXT),
    T2=optional(TEXT),
    T3=optional(TEXT),
    trusted=listed(record(place=TEXT, model=TEXT)),
)
STATUS = record(
    schema_version=VERSION,
    home=TEXT,
    accounts=listed(record(id=TEXT, address=TEXT, provider=TEXT, enabled=FLAG)),
    switches=record(paused_at=optional(TIME), stopped_at=optional(TIME), travel_until=optional(TIME)),
    quiet_hours=optional(TEXT),
    last_run=optional(
        record(
            run_id=TEXT, account=TEXT, kind=TEXT, started_at=TIME, finished_at=optional(TIME), actions=COUNT
        )
    ),
    pending=record(confirmation=COUNT, question=COUNT, review=COUNT, notify=COUNT),
    planned_actions=COUNT,
    ledger=optional(
        record(
            place=TEXT,
            size=optional(COUNT),
            verdicts=COUNT,
            events=COUNT,
            verified=FLAG,
            broken=optional(TEXT),
        )
    ),
    models=optional(CHOSEN_MODELS),
    agreement=listed(
        record(
            period=TEXT,
            said=COUNT,
            agreed=COUNT,
            buckets=listed(record(bucket=BUCKET, said=COUNT, agreed=COUNT)),
        )
    ),
    held_back=record(answers=COUNT, before=COUNT, after=COUNT),
)
MODELS = record(
    schema_version=VERSION,
    chosen=CHOSEN_MODELS,
    servers=listed(record(server=TEXT, kind=TEXT, place=TEXT)),
    models=listed(
        record(
            server=TEXT,
            place=TEXT,
            model=TEXT,
            where=one_of("here", "elsewhere", "unknown"),
            why=TEXT,
            chosen_for=listed(TEXT),
            trusted=FLAG,
            context=optional(COUNT),
        )
    ),
    missing=listed(record(what=TEXT, command=TEXT)),
)

PENDING_SCHEMAS: dict[str, Schema] = {
    "pending": record(
        schema_version=VERSION,
        total=COUNT,
        shown=COUNT,
        waiting=record(confirmation=COUNT, question=COUNT, review=COUNT, notify=COUNT),
        confirmations=listed(CONFIRMATION),
        items=listed(ITEM),
    ),
    "approve": ANSWERS,
    "reject": ANSWERS,
    "correct": record(
        schema_version=VERSION,
        id=TEXT,
        account=TEXT,
        number=COUNT,
        retracted=FLAG,
        was=optional(BUCKET),
        bucket=optional(BUCKET),
        cohort=TEXT,
    ),
    "teach": record(
        schema_version=VERSION,
        account=TEXT,
        questions=listed(record(id=TEXT, from_=TEXT, address=TEXT, subject=TEXT, bucket=BUCKET)),
        answered=COUNT,
        skipped=COUNT,
        left=COUNT,
        agreement=record(held_back=COUNT, before=COUNT, after=COUNT),
        changed=listed(record(id=TEXT, from_=TEXT, subject=TEXT, was=BUCKET, bucket=BUCKET)),
        habits=listed(record(kind=one_of(*KINDS), bucket=BUCKET, answers=COUNT)),
    ),
    "lessons": record(
        schema_version=VERSION,
        lessons=listed(
            record(
                number=COUNT,
                account=TEXT,
                id=TEXT,
                sender=TEXT,
                was=optional(BUCKET),
                bucket=optional(BUCKET),
                deed=optional(one_of(*WORDS)),
            )
        ),
    ),
    "status": STATUS,
    "models": MODELS,
    "summarise": record(
        schema_version=VERSION,
        thread_id=TEXT,
        subject=TEXT,
        messages=COUNT,
        made_by=one_of("model", "T0"),
        lines=listed(
            record(text=TEXT, message=TEXT, **{"from": record(name=TEXT, address=TEXT)}, date=optional(TEXT))
        ),
        dropped=COUNT,
        withheld=COUNT,
        said=TEXT,
    ),
    "runs": record(schema_version=VERSION, shown=COUNT, runs=listed(RUN)),
    "schedule": record(schema_version=VERSION, schedules=listed(SCHEDULE)),
}
"""Name of a command → the schema of its document."""
