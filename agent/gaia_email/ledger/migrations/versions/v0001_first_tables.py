"""The first tables of the ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make every table."""
    _actions()
    _checkpoints()
    _confirmations()
    _corrections()
    _documents()
    _event_head()
    _events()
    _message_state()
    _message_text()
    _messages()
    _pending()
    _sender_reputation()
    _sync_state()
    _full_text()


def _actions() -> None:
    op.create_table(
        "actions",
        sa.Column("action_id", sa.Text(), nullable=False),
        sa.Column("seq", _NUMBER, nullable=False),
        sa.Column("timestamp", sa.Float(precision=53), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("action_type", sa.Text(), nullable=False),
        sa.Column("action_payload", sa.Text(), nullable=False),
        sa.Column("reversal_payload", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("settled_at", sa.Float(precision=53), nullable=True),
        sa.Column("reversed_at", sa.Float(precision=53), nullable=True),
        sa.Column("autonomy_level", sa.Text(), nullable=True),
        sa.Column("cohort", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("user_confirmed", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("action_id"),
        sa.UniqueConstraint("seq"),
    )
    op.create_index("actions_by_message", "actions", ["account_id", "message_id"], unique=False)
    op.create_index("actions_by_run", "actions", ["run_id"], unique=False)
    op.create_index("actions_by_session", "actions", ["session_id"], unique=False)
    op.create_index("actions_by_state", "actions", ["state"], unique=False)


def _checkpoints() -> None:
    op.create_table(
        "checkpoints",
        sa.Column("seq", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(precision=53), nullable=False),
        sa.Column("pruned", sa.BigInteger(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("seal", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )


def _confirmations() -> None:
    op.create_table(
        "confirmations",
        sa.Column("confirmation_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(precision=53), nullable=False),
        sa.Column("expires_at", sa.Float(precision=53), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("answered_at", sa.Float(precision=53), nullable=True),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.Column("used_at", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("confirmation_id"),
    )
    op.create_index("confirmations_by_state", "confirmations", ["state"], unique=False)


def _corrections() -> None:
    op.create_table(
        "corrections",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("timestamp", sa.Float(precision=53), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("original_bucket", sa.Text(), nullable=True),
        sa.Column("original_category", sa.Text(), nullable=True),
        sa.Column("original_speech_act", sa.Text(), nullable=True),
        sa.Column("original_score", sa.Float(precision=53), nullable=True),
        sa.Column("corrected_bucket", sa.Text(), nullable=True),
        sa.Column("corrected_category", sa.Text(), nullable=True),
        sa.Column("corrected_speech_act", sa.Text(), nullable=True),
        sa.Column("corrected_score", sa.Float(precision=53), nullable=True),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("features", sa.Text(), nullable=False),
        sa.Column("feedback_source", sa.Text(), nullable=False),
        sa.Column("retracted_at", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("corrections_by_message", "corrections", ["account_id", "message_id"], unique=False)


def _documents() -> None:
    op.create_table(
        "documents",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def _event_head() -> None:
    op.create_table(
        "event_head",
        sa.Column("one", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", _NUMBER, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("one"),
    )


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("seq", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("at", sa.Float(precision=53), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("action_id", sa.Text(), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )
    op.create_index("events_by_run", "events", ["run_id"], unique=False)


def _message_state() -> None:
    op.create_table(
        "message_state",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("processed_at", sa.Float(precision=53), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("speech_act", sa.Text(), nullable=False),
        sa.Column("content_category", sa.Text(), nullable=False),
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("priority_score", sa.Float(precision=53), nullable=False),
        sa.Column("priority_reason", sa.Text(), nullable=False),
        sa.Column("cohort", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(precision=53), nullable=False),
        sa.Column("draft_id", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("pipeline_version", sa.Text(), nullable=False),
        sa.Column("model_used", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "message_id"),
    )
    op.create_index("message_state_by_run", "message_state", ["run_id"], unique=False)


def _message_text() -> None:
    op.create_table(
        "message_text",
        sa.Column("row", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("row"),
    )


def _messages() -> None:
    op.create_table(
        "messages",
        sa.Column("row", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("header_message_id", sa.Text(), nullable=False),
        sa.Column("date", sa.Float(precision=53), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("has_attachments", sa.Boolean(), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("sender_name", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("snippet", sa.Text(), nullable=False),
        sa.Column("list_id", sa.Text(), nullable=False),
        sa.Column("filenames", sa.Text(), nullable=False),
        sa.Column("has_text", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("cached_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("row"),
    )
    op.create_index("messages_by_id", "messages", ["account_id", "message_id"], unique=True)
    op.create_index("messages_by_thread", "messages", ["account_id", "thread_id"], unique=False)


def _pending() -> None:
    op.create_table(
        "pending",
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("seq", _NUMBER, nullable=False),
        sa.Column("created_at", sa.Float(precision=53), nullable=False),
        sa.Column("expires_at", sa.Float(precision=53), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("thread_id", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("cohort", sa.Text(), nullable=True),
        sa.Column("confidence", sa.Float(precision=53), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("answered_at", sa.Float(precision=53), nullable=True),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("item_id"),
        sa.UniqueConstraint("seq"),
    )
    op.create_index("pending_by_state", "pending", ["state"], unique=False)


def _sender_reputation() -> None:
    op.create_table(
        "sender_reputation",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("first_seen", sa.Float(precision=53), nullable=True),
        sa.Column("last_seen", sa.Float(precision=53), nullable=True),
        sa.Column("message_count", sa.Integer(), nullable=False),
        sa.Column("reply_rate", sa.Float(precision=53), nullable=True),
        sa.Column("read_rate", sa.Float(precision=53), nullable=True),
        sa.Column("avg_response_hours", sa.Float(precision=53), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("cohort", sa.Text(), nullable=True),
        sa.Column("user_override", sa.Text(), nullable=True),
        sa.Column("last_correction", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "sender"),
    )


def _sync_state() -> None:
    op.create_table(
        "sync_state",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("cursor", sa.Text(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("last_sync", sa.Float(precision=53), nullable=True),
        sa.Column("last_full_sync", sa.Float(precision=53), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("last_error_at", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("account_id"),
    )


def _full_text() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE TABLE message_words (row BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)")
        op.execute("CREATE INDEX message_words_index ON message_words USING GIN (words)")
        return
    op.execute(
        "CREATE VIRTUAL TABLE message_words USING fts5(subject, sender, people, body, content='', "
        "tokenize=\"unicode61 remove_diacritics 0 categories 'L* N*'\")"
    )
