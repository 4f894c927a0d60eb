"""Every table of the ledger in SQLAlchemy Core: `METADATA` is the result of the newest migration.

Times are seconds since the epoch (UTC), IDs created here are UUID4 text, and `account_id` is the account's address as
reported by its server. A column named `…_json` or typed `JSON_TEXT` contains canonical JSON as text, so that reading
gives exactly what was sealed. The full-text index is not here: SQLite and PostgreSQL build it differently
(`search_index.py`).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA = MetaData()

SEQUENCE = BigInteger().with_variant(Integer, "sqlite")
"""A 64-bit number; on SQLite, the type that makes a primary key the row ID."""


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _maybe(name: str) -> Column[str]:
    return Column(name, Text, nullable=True)


def _key(name: str) -> Column[str]:
    return Column(name, Text, primary_key=True)


def _origin() -> Column[str]:
    return Column("origin", Text, nullable=False, server_default="")


def _time(name: str, *, nullable: bool = False) -> Column[float]:
    return Column(name, Float(53), nullable=nullable)


MESSAGE_STATE = Table(
    "message_state",
    METADATA,
    _key("account_id"),
    _key("message_id"),
    _text("thread_id"),
    _time("processed_at"),
    _text("content_hash"),
    _text("speech_act"),
    _text("content_category"),
    _text("bucket"),
    Column("priority_score", Float(53), nullable=False),
    _text("priority_reason"),
    _text("cohort"),
    Column("confidence", Float(53), nullable=False),
    _maybe("draft_id"),
    _maybe("run_id"),
    _text("pipeline_version"),
    _text("model_used"),
    Column("phishing", Float(53), nullable=True),
    Column("injection", Float(53), nullable=True),
    Column("spam", Float(53), nullable=True),
    Column("needs_reply", Boolean, nullable=True),
    _maybe("unsubscribe"),
    _maybe("forged"),
    _maybe("withheld"),
    _maybe("model"),
    _maybe("prompt_version"),
    Index("message_state_by_run", "run_id"),
)
"""The verdict on each message; a changed message or a newer pipeline replaces it.

The seven columns from `phishing` on are for policies (`verdicts.MessageState`); null if the program that judged it
did not store them.
"""

MODEL_ANSWERS = Table(
    "model_answers",
    METADATA,
    _key("account_id"),
    _key("content_hash"),
    _key("made_in"),
    _key("model"),
    _key("prompt_version"),
    _time("asked_at"),
    _maybe("answer"),
)
"""Answers of language models about messages; null if an answer was not valid (`model_answers.py`)."""

ACTIONS = Table(
    "actions",
    METADATA,
    _key("action_id"),
    Column("seq", SEQUENCE, nullable=False, unique=True),
    _time("timestamp"),
    _maybe("run_id"),
    _maybe("session_id"),
    _text("account_id"),
    _text("message_id"),
    _text("action_type"),
    _text("action_payload"),
    _maybe("reversal_payload"),
    _text("state"),
    _time("settled_at", nullable=True),
    _time("reversed_at", nullable=True),
    _maybe("autonomy_level"),
    _maybe("cohort"),
    _text("why"),
    Column("user_confirmed", Boolean, nullable=False),
    _maybe("error"),
    Index("actions_by_run", "run_id"),
    Index("actions_by_session", "session_id"),
    Index("actions_by_message", "account_id", "message_id"),
    Index("actions_by_state", "state"),
)
"""Changes to mailboxes: planned before the effect, settled after it (`action_log.py`)."""

CORRECTIONS = Table(
    "corrections",
    METADATA,
    Column("id", SEQUENCE, primary_key=True, autoincrement=True),
    _time("timestamp"),
    _text("account_id"),
    _text("message_id"),
    _maybe("original_bucket"),
    _maybe("original_category"),
    _maybe("original_speech_act"),
    Column("original_score", Float(53), nullable=True),
    _maybe("corrected_bucket"),
    _maybe("corrected_category"),
    _maybe("corrected_speech_act"),
    Column("corrected_score", Float(53), nullable=True),
    _text("sender"),
    _text("features"),
    _text("feedback_source"),
    _time("retracted_at", nullable=True),
    Index("corrections_by_message", "account_id", "message_id"),
)
"""The user's corrections of verdicts; learning uses `sender` and `features`."""

SENDER_REPUTATION = Table(
    "sender_reputation",
    METADATA,
    _key("account_id"),
    _key("sender"),
    _time("first_seen", nullable=True),
    _time("last_seen", nullable=True),
    Column("message_count", Integer, nullable=False),
    Column("reply_rate", Float(53), nullable=True),
    Column("read_rate", Float(53), nullable=True),
    Column("avg_response_hours", Float(53), nullable=True),
    _maybe("category"),
    _maybe("cohort"),
    _maybe("user_override"),
    _time("last_correction", nullable=True),
)
"""A sender of an account, by lower-case address; `user_override` is vip, muted or null."""

SYNC_STATE = Table(
    "sync_state",
    METADATA,
    _key("account_id"),
    _maybe("cursor"),
    Column("generation", Integer, nullable=False),
    Column("complete", Boolean, nullable=False),
    _time("last_sync", nullable=True),
    _time("last_full_sync", nullable=True),
    _maybe("last_error"),
    _time("last_error_at", nullable=True),
)
"""Sync progress of each account. `complete`: the listing of `generation` reached its end."""

MESSAGES = Table(
    "messages",
    METADATA,
    Column("row", SEQUENCE, primary_key=True, autoincrement=False),
    _text("account_id"),
    _text("message_id"),
    _text("thread_id"),
    _text("header_message_id"),
    _time("date", nullable=True),
    Column("size", BigInteger, nullable=False),
    Column("has_attachments", Boolean, nullable=False),
    _text("labels"),
    _text("flags"),
    _text("sender"),
    _text("sender_name"),
    _text("subject"),
    _text("recipients"),
    _text("snippet"),
    _text("list_id"),
    _text("filenames"),
    Column("has_text", Boolean, nullable=False),
    Column("generation", Integer, nullable=False),
    _time("cached_at"),
    Index("messages_by_id", "account_id", "message_id", unique=True),
    Index("messages_by_thread", "account_id", "thread_id"),
    Index("messages_by_header", "header_message_id"),
    Index("messages_by_account", "account_id", "row"),
    Index("messages_by_sender", "account_id", "sender"),
)
"""The cache of headers, labels and flags.

`row` grows with the message's date, so that newest first is the order of the primary key and of the full-text index.
`labels`, `flags` and `filenames` are lines, with a line feed before and after each; `recipients` is JSON of header
texts; `generation` is the last listing that contained the message.
"""

MESSAGE_MARKS = Table(
    "message_marks",
    METADATA,
    Column("row", SEQUENCE, primary_key=True, autoincrement=False),
    _text("account_id"),
    Column("marks", BigInteger, nullable=False),
    Column("size", BigInteger, nullable=False),
    _time("date", nullable=True),
    Index("message_marks_by_marks", "marks"),
    Index("message_marks_by_size", "size"),
)
"""Columns that searches test, a few bytes for each row of `messages`; `search_index.py` defines the bits."""

MESSAGE_TEXT = Table(
    "message_text",
    METADATA,
    Column("row", SEQUENCE, primary_key=True, autoincrement=False),
    _text("content_hash"),
    _text("text"),
)
"""The normalised text of cached messages, in a separate table so that reading headers does not read it."""

MESSAGE_SOURCE = Table(
    "message_source",
    METADATA,
    Column("row", SEQUENCE, primary_key=True, autoincrement=False),
    _text("summary"),
    Column("refused", Boolean, nullable=False),
    Column("body", LargeBinary, nullable=True),
    _text("defects"),
)
"""The account's summary of a cached message, verbatim, and its bytes (deflated) once read, to avoid another request.

`refused`: the account could not provide the bytes; `defects` are those of its answer, as JSON.
"""

RECIPIENTS = Table(
    "recipients",
    METADATA,
    Column("row", SEQUENCE, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    _text("account_id"),
    _text("address"),
)
"""Recipients (To and Cc) of each cached message, by lower-case address; `place` is the position in the header."""

INBOX_VERDICTS = Table(
    "inbox_verdicts",
    METADATA,
    Column("row", SEQUENCE, primary_key=True, autoincrement=False),
    _text("version"),
    _text("basis"),
    Column("age", Float(53), nullable=False),
    Column("after", Float(53), nullable=False),
    Column("until", Float(53), nullable=False),
    Column("look", LargeBinary, nullable=True),
    Column("value", LargeBinary, nullable=False),
)
"""The verdict on a cached message, so that it need not be read and judged again.

`version` is the program's, `basis` a digest of everything else the verdict depends on except time. It is valid at the
age `age`, and at ages between `after` and `until`. `look` contains the features that lessons compare, packed.
"""

INBOX_THREADS = Table(
    "inbox_threads",
    METADATA,
    Column("number", SEQUENCE, primary_key=True, autoincrement=False),
    _text("account_id"),
    _text("thread_id"),
    Column("bucket", Integer, nullable=True),
    _text("section"),
    Column("score", Float(53), nullable=False),
    _time("date", nullable=True),
    _text("message_id"),
    _text("header_message_id"),
    _text("category"),
    _text("mode"),
    _text("action"),
    Column("unsure", Boolean, nullable=False),
    Column("unread", Boolean, nullable=False),
    Column("taken_back", Integer, nullable=False),
    Column("listed", Integer, nullable=False),
    Column("judged", Integer, nullable=False),
    _time("oldest"),
    _time("newest"),
    Column("is_taught", Boolean, nullable=False),
    _time("judged_at"),
    _time("holds_after"),
    _time("holds_until"),
    # The thread comes first: looking up all rows of an account in an index takes longer than reading the table.
    Index("inbox_threads_by_id", "thread_id", "account_id", unique=True),
)
"""Each thread with a message in the inbox, as listed.

`bucket` is null if only the owner wrote. `date` is that of the message that determines the verdict, `oldest` and
`newest` those of all messages in the inbox: `listed`, of which `judged` could be read. `is_taught`: lessons moved it.
The row was computed when the mailbox's newest message had the date `judged_at`, and is valid from `holds_after` to
`holds_until`.
"""

INBOX_SHOWN = Table(
    "inbox_shown",
    METADATA,
    Column("number", SEQUENCE, primary_key=True, autoincrement=False),
    _text("row"),
)
"""Listed content of a thread of `inbox_threads` as JSON, in a separate table so that counting does not read it."""

INBOX_STATE = Table(
    "inbox_state",
    METADATA,
    _key("account_id"),
    Column("version", Integer, nullable=False),
    _text("owner"),
    _text("value"),
)
"""The state that an account's inbox rows are based on, as JSON, with the owner's addresses as lines.

Each write increments `version`.
"""

INBOX_MARKS = Table(
    "inbox_marks",
    METADATA,
    Column("seq", SEQUENCE, primary_key=True),
    _text("account_id"),
    _text("thread_id"),
    Index("inbox_marks_by_account", "account_id"),
    sqlite_autoincrement=True,
)
"""Inbox threads to be examined again, because something they depend on has changed."""

EVENTS = Table(
    "events",
    METADATA,
    Column("seq", SEQUENCE, primary_key=True, autoincrement=False),
    _time("at"),
    _text("kind"),
    _text("actor"),
    _maybe("account_id"),
    _maybe("message_id"),
    _maybe("run_id"),
    _maybe("session_id"),
    _maybe("action_id"),
    _maybe("sender"),
    _maybe("subject"),
    _text("payload"),
    _text("previous"),
    _text("hash"),
    Index("events_by_run", "run_id"),
)
"""The event log: append-only, each row sealed together with the previous one (`event_log.py`)."""

EVENT_HEAD = Table(
    "event_head",
    METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("seq", SEQUENCE, nullable=False),
    _text("hash"),
)
"""Number and hash of the last event, so that missing events at the end are detected; one row."""

CHECKPOINTS = Table(
    "checkpoints",
    METADATA,
    Column("seq", SEQUENCE, primary_key=True, autoincrement=False),
    _text("hash"),
    _time("at"),
    Column("pruned", BigInteger, nullable=False),
    _text("previous"),
    _text("seal"),
)
"""Cuts of the log: number and hash of the last deleted event, sealed with the previous checkpoint."""

DOCUMENTS = Table(
    "documents",
    METADATA,
    _key("name"),
    Column("version", Integer, nullable=False),
    _text("value"),
    _time("updated_at"),
)
"""Small named JSON documents, such as the policy and the switches; each write increments `version`."""

CONFIRMATIONS = Table(
    "confirmations",
    METADATA,
    _key("confirmation_id"),
    _time("created_at"),
    _time("expires_at"),
    _text("fingerprint"),
    _text("account_id"),
    _text("tool"),
    _text("arguments"),
    _text("shown"),
    _text("state"),
    _maybe("run_id"),
    _maybe("session_id"),
    _time("answered_at", nullable=True),
    _maybe("answered_by"),
    _time("used_at", nullable=True),
    _origin(),
    Index("confirmations_by_state", "state"),
)
"""Questions to the user before one exact call: open, granted, refused, expired or used."""

PENDING = Table(
    "pending",
    METADATA,
    _key("item_id"),
    Column("seq", SEQUENCE, nullable=False, unique=True),
    _time("created_at"),
    _time("expires_at", nullable=True),
    _text("type"),
    _text("state"),
    _text("account_id"),
    _maybe("message_id"),
    _maybe("thread_id"),
    _maybe("run_id"),
    _maybe("session_id"),
    _maybe("cohort"),
    Column("confidence", Float(53), nullable=True),
    _text("why"),
    _text("proposal"),
    _time("answered_at", nullable=True),
    _maybe("answered_by"),
    _text("answer"),
    _origin(),
    Index("pending_by_state", "state"),
)
"""The Agent Inbox: notify, question or review; open until answered, expired or void."""

PLUGIN_VERSIONS = Table(
    "plugin_versions",
    METADATA,
    _key("name"),
    Column("version", Integer, nullable=False),
)
"""Version of the tables of each plug-in that the ledger has, even if the plug-in is no longer installed."""
