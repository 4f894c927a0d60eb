"""Arguments with which every tool of the contract can be called. Entry point: `ARGUMENTS`."""

from __future__ import annotations

from collections.abc import Mapping

MAIL: Mapping[str, object] = {"to": ["ann@example.com"], "subject": "Hello", "body": "Hello"}

ARGUMENTS: Mapping[str, Mapping[str, object]] = {
    "send_email": MAIL,
    "draft_email": MAIL,
    "read_email": {"messageId": "m1"},
    "search_emails": {"query": "lunch"},
    "modify_email": {"messageId": "m1", "addLabelIds": ["STARRED"]},
    "delete_email": {"messageId": "m1"},
    "list_email_labels": {},
    "batch_modify_emails": {"messageIds": ["m1", "m2"], "removeLabelIds": ["INBOX"]},
    "batch_delete_emails": {"messageIds": ["m1", "m2"]},
    "create_label": {"name": "Later"},
    "update_label": {"id": "Label_1", "name": "Sooner"},
    "delete_label": {"id": "Label_1"},
    "get_or_create_label": {"name": "Never"},
    "create_filter": {"criteria": {"from": "ann@example.com"}, "action": {"addLabelIds": ["STARRED"]}},
    "list_filters": {},
    "get_filter": {"filterId": "f1"},
    "delete_filter": {"filterId": "f1"},
    "create_filter_from_template": {
        "template": "fromSender",
        "parameters": {"senderEmail": "ann@example.com"},
    },
    "download_attachment": {"messageId": "m2", "attachmentId": "1"},
    "list_emails": {},
    "read_emails": {"ids": ["m1"]},
    "get_thread": {"thread_id": "t1"},
    "get_attachment": {"message_id": "m2", "attachment_id": "1"},
    "sync_emails": {},
    "wait_for_changes": {"timeout_s": 0},
    "archive_email": {"ids": ["m1"]},
    "trash_email": {"ids": ["m1"]},
    "untrash_email": {"ids": ["m1"]},
    "mark_read": {"ids": ["m1"]},
    "star_email": {"ids": ["m1"]},
    "snooze_email": {"ids": ["m1"], "until": "2100-01-31T08:00:00+01:00"},
    "report_spam": {"ids": ["m1"]},
    "update_draft": {"draft_id": "r1", "subject": "Hi"},
    "list_drafts": {},
    "delete_draft": {"draft_id": "r1"},
    "reply_to_email": {"message_id": "m1", "body": "Yes"},
    "forward_email": {"message_id": "m1", "to": ["ann@example.com"]},
    "send_draft": {"draft_id": "r1"},
    "unsubscribe": {"message_id": "m2"},
    "list_send_as": {},
    "get_vacation": {},
    "set_vacation": {"enabled": False, "body": "Away"},
    "list_calendar_events": {},
    "find_free_busy": {"start": "2100-01-31", "end": "2100-02-01"},
    "create_calendar_event": {"title": "Lunch", "start": "2100-01-31T12:00:00+01:00"},
    "respond_to_invitation": {"event_id": "e1", "response": "accepted", "notify": False},
    "delete_calendar_event": {"event_id": "e1"},
    "watch_mailbox": {},
    "server_status": {},
}
"""By tool; a new tool of the contract has to be added here before it can be called by anybody."""
