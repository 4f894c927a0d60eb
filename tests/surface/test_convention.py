"""Every text of the Gmail convention, to the letter (spec/gmail.md §1)."""

from __future__ import annotations

import pytest

from gaia_email_registry.contract.wire import AttachmentInfo, Failure, Filter, Label, Summary
from gaia_mail_mcp import convention

WORK: Label = {"id": "Label_1", "name": "Work", "type": "user"}
INBOX: Label = {"id": "INBOX", "name": "INBOX", "type": "system"}
RULE: Filter = {
    "id": "f1",
    "criteria": {"from": "a@example.com", "hasAttachment": True},
    "action": {"addLabelIds": ["L1", "L2"], "removeLabelIds": []},
}
FAILED: list[Failure] = [{"id": "0123456789abcdefXYZ", "error": "boom"}, {"id": "short", "error": "bad"}]
FILES: list[AttachmentInfo] = [
    {"id": "2", "filename": "a.pdf", "content_type": "application/pdf", "size": 1536},
    {"id": "3", "filename": "", "content_type": "", "size": 10},
]


def _hit(number: int, name: str) -> Summary:
    return {
        "id": f"id{number}",
        "account": "",
        "thread_id": "",
        "message_id": "",
        "subject": f"S{number}",
        "from": {"name": name, "address": "ann@example.com"},
        "to": [],
        "cc": [],
        "date": "D",
        "snippet": "",
        "labels": [],
        "flags": [],
        "size": 0,
        "has_attachments": False,
    }


def _email(*, body: str = "Hi", html_only: bool = False, files: bool = False) -> convention.ReadableEmail:
    return convention.ReadableEmail(
        thread_id="t",
        subject="s",
        sender="f",
        to="",
        date="d",
        body=body,
        html_only=html_only,
        attachments=FILES if files else (),
    )


TEXTS = [
    (convention.send_email("m1"), "Email sent successfully with ID: m1"),
    (convention.draft_email("r1"), "Email draft created successfully with ID: r1"),
    (convention.read_email(_email()), "Thread ID: t\nSubject: s\nFrom: f\nTo: \nDate: d\n\nHi"),
    (
        convention.read_email(_email(body="<p>", html_only=True)),
        "Thread ID: t\nSubject: s\nFrom: f\nTo: \nDate: d\n\n"
        "[Note: This email is HTML-formatted. Plain text version not available.]\n\n<p>",
    ),
    (
        convention.read_email(_email(files=True)),
        "Thread ID: t\nSubject: s\nFrom: f\nTo: \nDate: d\n\nHi\n\nAttachments (2):\n"
        "- a.pdf (application/pdf, 2 KB, ID: 2)\n- attachment-3 (application/octet-stream, 0 KB, ID: 3)",
    ),
    (convention.search_emails([]), ""),
    (
        convention.search_emails([_hit(1, "Ann"), _hit(2, "")]),
        "ID: id1\nSubject: S1\nFrom: Ann <ann@example.com>\nDate: D\n\n"
        "ID: id2\nSubject: S2\nFrom: ann@example.com\nDate: D\n",
    ),
    (convention.modify_email("m"), "Email m labels updated successfully"),
    (convention.delete_email("m"), "Email m deleted successfully"),
    (
        convention.list_email_labels([INBOX, WORK]),
        "Found 2 labels (1 system, 1 user):\n\nSystem Labels:\nID: INBOX\nName: INBOX\n"
        "\nUser Labels:\nID: Label_1\nName: Work\n",
    ),
    (
        convention.batch_modify_emails(1, []),
        "Batch label modification complete.\nSuccessfully processed: 1 messages\n",
    ),
    (
        convention.batch_modify_emails(0, FAILED),
        "Batch label modification complete.\nSuccessfully processed: 0 messages\n"
        "Failed to process: 2 messages\n\nFailed message IDs:\n- 0123456789abcdef... (boom)\n- short... (bad)",
    ),
    (
        convention.batch_delete_emails(3, []),
        "Batch delete operation complete.\nSuccessfully deleted: 3 messages\n",
    ),
    (
        convention.batch_delete_emails(3, FAILED[:1]),
        "Batch delete operation complete.\nSuccessfully deleted: 3 messages\n"
        "Failed to delete: 1 messages\n\nFailed message IDs:\n- 0123456789abcdef... (boom)",
    ),
    (convention.create_label(WORK), "Label created successfully:\nID: Label_1\nName: Work\nType: user"),
    (convention.update_label(WORK), "Label updated successfully:\nID: Label_1\nName: Work\nType: user"),
    (convention.error(convention.label_not_found("x")), 'Error: Label with ID "x" not found.'),
    (convention.delete_label("Work"), 'Label "Work" deleted successfully.'),
    (
        convention.error(convention.system_label_kept("INBOX")),
        'Error: Failed to delete label: Cannot delete system label with ID "INBOX".',
    ),
    (
        convention.get_or_create_label(WORK, created=False),
        "Successfully found existing label:\nID: Label_1\nName: Work\nType: user",
    ),
    (
        convention.get_or_create_label(WORK, created=True),
        "Successfully created new label:\nID: Label_1\nName: Work\nType: user",
    ),
    (
        convention.create_filter(RULE),
        "Filter created successfully:\nID: f1\nCriteria: from: a@example.com, hasAttachment: true\n"
        "Actions: addLabelIds: L1, L2",
    ),
    (convention.list_filters([]), "No filters found."),
    (
        convention.list_filters([RULE, RULE]),
        "Found 2 filters:\n\n"
        "ID: f1\nCriteria: from: a@example.com, hasAttachment: true\nActions: addLabelIds: L1, L2\n\n"
        "ID: f1\nCriteria: from: a@example.com, hasAttachment: true\nActions: addLabelIds: L1, L2\n",
    ),
    (
        convention.get_filter(RULE),
        "Filter details:\nID: f1\nCriteria: from: a@example.com, hasAttachment: true\n"
        "Actions: addLabelIds: L1, L2",
    ),
    (convention.error(convention.filter_not_found("f9")), 'Error: Filter with ID "f9" not found.'),
    (convention.delete_filter("f1"), 'Filter "f1" deleted successfully.'),
    (
        convention.create_filter_from_template("fromSender", "f1"),
        "Filter created from template 'fromSender':\nID: f1\nTemplate used: fromSender",
    ),
    (
        convention.error(convention.template_needs("senderEmail", "fromSender")),
        "Error: senderEmail is required for fromSender template",
    ),
    (
        convention.download_attachment("a.pdf", 10, "/x/a.pdf"),
        "Attachment downloaded successfully:\nFile: a.pdf\nSize: 10 bytes\nSaved to: /x/a.pdf",
    ),
    (convention.download_failed("no"), "Failed to download attachment: no"),
    (convention.error(convention.recipient_invalid("x")), "Error: Recipient email address is invalid: x"),
    (convention.error(convention.file_missing("x")), "Error: File does not exist: x"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_the_text_is_the_conventions(text: str, expected: str) -> None:
    assert text == expected


def test_control_characters_stay_on_their_line() -> None:
    assert convention.one_line("a\r\nb\x1b[2J\u202ec") == "a  b␛[2J<U+202E>c"
