"""What a write answers as `undo` really takes it back, message by message."""

from __future__ import annotations

from typing import Any

import pytest

WRITES: list[tuple[str, dict[str, object]]] = [
    ("modify_email", {"messageId": "m1", "addLabelIds": ["STARRED", "INBOX"], "removeLabelIds": ["UNREAD"]}),
    (
        "batch_modify_emails",
        {"messageIds": ["m1", "m2"], "addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]},
    ),
    ("delete_email", {"messageId": "m1"}),
    ("batch_delete_emails", {"messageIds": ["m1", "m2"]}),
    ("archive_email", {"ids": ["m1", "m2"]}),
    ("trash_email", {"ids": ["m1"]}),
    ("mark_read", {"ids": ["m1", "m2"]}),
    ("star_email", {"ids": ["m1", "m2"]}),
    ("report_spam", {"ids": ["m1", "m2"]}),
    ("snooze_email", {"ids": ["m1"], "until": "2030-01-01T08:00:00Z"}),
]


@pytest.mark.parametrize(("tool", "arguments"), WRITES, ids=[tool for tool, _ in WRITES])
def test_undo_restores_every_message(tool: str, arguments: dict[str, object], ask_once: Any) -> None:
    before = {key: set(labels) for key, labels in ask_once.mailbox.labels_of.items()}
    undo = ask_once(tool, **arguments).structured_content["undo"]
    assert ask_once.mailbox.labels_of != before
    assert not ask_once(undo["tool"], **undo["arguments"]).is_error
    assert ask_once.mailbox.labels_of == before


def test_a_write_that_changes_nothing_has_nothing_to_undo(ask_once: Any) -> None:
    assert "undo" not in ask_once("mark_read", ids=["m2"]).structured_content


def test_an_untrashed_message_can_be_trashed_again(ask_once: Any) -> None:
    ask_once("trash_email", ids=["m1"])
    undo = ask_once("untrash_email", ids=["m1", "m2"]).structured_content["undo"]
    assert undo == {"tool": "trash_email", "arguments": {"ids": ["m1"]}}


def test_a_deleted_draft_comes_back_byte_for_byte(ask_once: Any) -> None:
    ask_once("draft_email", to=["cy@example.com"], subject="Hi", body="Hello", bcc=["dee@example.com"])
    raw = ask_once.mailbox.raws["d1"]
    undo = ask_once("delete_draft", draft_id="r1").structured_content["undo"]
    ask_once(undo["tool"], **undo["arguments"])
    assert ask_once.mailbox.raws["d1"] == raw


def test_an_updated_draft_goes_back_to_what_it_was(ask_once: Any) -> None:
    ask_once("draft_email", to=["cy@example.com"], subject="Hi", body="Hello")
    raw = ask_once.mailbox.raws["d1"]
    answer = ask_once("update_draft", draft_id="r1", subject="Other").structured_content
    assert b"Subject: Other" in ask_once.mailbox.raws["d1"]
    assert b"Hello" in ask_once.mailbox.raws["d1"]
    ask_once(answer["undo"]["tool"], **answer["undo"]["arguments"])
    assert ask_once.mailbox.raws["d1"] == raw


def test_labels_and_filters_can_be_taken_back(ask_once: Any) -> None:
    made = ask_once("create_label", name="Work").structured_content
    renamed = ask_once("update_label", id=made["label"]["id"], name="Job").structured_content
    ask_once(renamed["undo"]["tool"], **renamed["undo"]["arguments"])
    assert ask_once.mailbox.user_labels["L1"]["name"] == "Work"
    ask_once(made["undo"]["tool"], **made["undo"]["arguments"])
    assert not ask_once.mailbox.user_labels
    filtered = ask_once("create_filter", criteria='{"size": 5}', action={"forward": "a@example.com"})
    undo = filtered.structured_content["undo"]
    again = ask_once(undo["tool"], **undo["arguments"]).structured_content["undo"]
    ask_once(again["tool"], **again["arguments"])
    assert next(iter(ask_once.mailbox.stored_filters.values()))["action"] == {"forward": "a@example.com"}
