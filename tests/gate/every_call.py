"""A call of every tool of the contract, with the facts for it. Entries: `ARGUMENTS`, `facts_for`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.policy.facts import CHANGES_LABEL, CallFacts
from gaia_email_registry.calls import ToolCall, messages_of

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

DRAFT = b"From: me@example.org\r\nTo: ann@example.com\r\nSubject: Plans\r\n\r\nas it is stored\r\n"


def facts_for(call: ToolCall) -> CallFacts:
    """What a mailbox would say about the call if everything in it were there."""
    arguments = call.arguments
    ids = list(dict.fromkeys(messages_of(arguments)))
    return CallFacts(
        own=frozenset({call.account}),
        recipients=(("to", "ann@example.com"),) if call.tool == "reply_to_email" else (),
        subject="Re: Hello" if call.tool == "reply_to_email" else "",
        messages=tuple(f"Subject of {id_}" for id_ in ids),
        senders=tuple("ann@example.com" for _ in ids),
        stored=DRAFT if "draft_id" in arguments else b"",
        thread="Hello, from ann@example.com" if arguments.get("threadId") else "",
        labels={"Label_1": "Work", "Label_2": "Home"}
        | ({str(arguments["id"]): "Work"} if call.tool in CHANGES_LABEL else {}),
        rule=({"from": "ann@example.com"}, {"addLabelIds": ["STARRED"]}) if "filterId" in arguments else None,
        vacation={"enabled": False, "subject": "Away", "body": "Until Monday."},
        event=("Event: Lunch",) if "event_id" in arguments else (),
    )
