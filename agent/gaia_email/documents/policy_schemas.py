"""The JSON Schemas of what the commands about policy and switches print. Entry point: `POLICY_SCHEMAS`."""

from __future__ import annotations

from gaia_email.cascade.verdict import BUCKETS
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
from gaia_email.policy.conventions import NAMES
from gaia_email.policy.levels import ACTIONS

CONVENTIONS = listed(record(name=one_of(*NAMES), set_to=TEXT, about=TEXT))
SWITCHES = record(paused_at=optional(NUMBER), stopped_at=optional(NUMBER), travel_until=optional(NUMBER))
PROTECTED = record(senders=listed(TEXT), labels=listed(TEXT), threads=listed(TEXT))
COHORT = record(
    name=TEXT,
    level=LEVEL,
    level_name=TEXT,
    default_level=optional(LEVEL),
    own=FLAG,
    match=listed(TEXT),
    earned=LEVEL,
)
PROPOSAL = record(cohort=TEXT, from_level=LEVEL, to_level=LEVEL, confirmations=COUNT, reason=TEXT)
COUNTS = listed(record(mode=PLAN_MODE, action=PLAN_ACTION, count=COUNT))
WOULD = record(cohort=TEXT, level=LEVEL, mode=PLAN_MODE, action=PLAN_ACTION)
BACKTEST = record(
    total=COUNT,
    changed=COUNT,
    newly_applied=COUNT,
    moved=COUNT,
    unknown=COUNT,
    before=COUNTS,
    after=COUNTS,
    borderline=listed(
        record(
            id=TEXT,
            from_=ADDRESS,
            subject=TEXT,
            confidence=STATED,
            bucket=one_of(*BUCKETS),
            before=WOULD,
            after=WOULD,
        )
    ),
)
RULING = record(
    action=one_of(*ACTIONS),
    outcome=one_of("permitted", "ask", "refused"),
    cause=one_of(
        "level",
        "bucket",
        "schedule",
        "always_asks",
        "opt_in",
        "protected",
        "flagged",
        "stopped",
        "paused",
        "quiet_hours",
        "travel",
    ),
    reason=TEXT,
)
DONE = record(
    action_id=TEXT,
    action_type=TEXT,
    account=TEXT,
    message_id=TEXT,
    at=NUMBER,
    state=one_of("planned", "applied", "reversed", "failed"),
    run_id=optional(TEXT),
)

POLICY_SCHEMAS: dict[str, Schema] = {
    "policy": record(
        schema_version=VERSION,
        version=COUNT,
        cohorts=listed(COHORT),
        vips=listed(TEXT),
        protected=PROTECTED,
        quiet_hours=optional(record(start=TEXT, end=TEXT, zone=TEXT)),
        unsubscribe=FLAG,
        unsure_below=SHARE,
        behaviour=FLAG,
        conventions=CONVENTIONS,
        switches=SWITCHES,
        proposals=listed(PROPOSAL),
    ),
    "policy-conventions": record(schema_version=VERSION, conventions=CONVENTIONS),
    "policy-change": record(
        schema_version=VERSION,
        saved=FLAG,
        version=COUNT,
        needs_yes=FLAG,
        change=record(what=TEXT, name=TEXT, from_=TEXT, to=TEXT),
        backtest=BACKTEST,
    ),
    "policy-explain": record(
        schema_version=VERSION,
        id=TEXT,
        message_id=TEXT,
        thread_id=TEXT,
        subject=TEXT,
        from_=ADDRESS,
        cohort=TEXT,
        matched=TEXT,
        withheld=listed(TEXT),
        level=LEVEL,
        effective_level=LEVEL,
        limits=listed(TEXT),
        plan=record(action=PLAN_ACTION, label=TEXT, mode=PLAN_MODE),
        rulings=listed(RULING),
        sentences=listed(TEXT),
    ),
    "policy-templates": record(
        schema_version=VERSION,
        templates=listed(
            record(name=TEXT, cohorts=listed(TEXT), slots=listed(TEXT), always_asks=FLAG, problem=TEXT)
        ),
    ),
    "vip": record(schema_version=VERSION, vips=listed(TEXT)),
    "protect": record(schema_version=VERSION, protected=PROTECTED),
    "switches": record(schema_version=VERSION, changed=FLAG, switches=SWITCHES, done=listed(DONE)),
}
"""The schema of each document by its name; `switches` is what pause, resume, stop and travel-mode print."""
