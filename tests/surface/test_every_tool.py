"""Every tool is called once in both protocol eras, with the text and the structure it answers."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gaia_email_registry.contract.tools import TOOLS
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from tests.contract.memory import MemoryMailbox

Case = tuple[str, dict[str, object], str]

NEW_MAIL: dict[str, object] = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}

CASES: list[Case] = [
    ("send_email", NEW_MAIL, "Email sent successfully with ID: m3"),
    ("draft_email", NEW_MAIL, "Email draft created successfully with ID: r1"),
    (
        "read_email",
        {"messageId": "m1"},
        "Thread ID: {t1}\nSubject: Lunch on Friday\nFrom: Ann Lee <ann@example.com>\nTo: me@example.org\n"
        "Date: Mon, 02 Mar 2026 09:00:00 +0000\n\nShall we meet at noon?\r\n",
    ),
    (
        "search_emails",
        {"query": "lunch", "maxResults": 1},
        "ID: m1\nSubject: Lunch on Friday\nFrom: Ann Lee <ann@example.com>\nDate: ",
    ),
    ("modify_email", {"messageId": "m1", "addLabelIds": ["STARRED"]}, "Email m1 labels updated successfully"),
    ("delete_email", {"messageId": "m1"}, "Email m1 deleted successfully"),
    (
        "list_email_labels",
        {},
        "Found 13 labels (13 system, 0 user):\n\nSystem Labels:\nID: INBOX\nName: INBOX\n",
    ),
    (
        "batch_modify_emails",
        {"messageIds": ["m1", "m2"], "removeLabelIds": ["INBOX"]},
        "Batch label modification complete.\nSuccessfully processed: 2 messages\n",
    ),
    (
        "batch_delete_emails",
        {"messageIds": ["m1", "gone"]},
        "Batch delete operation complete.\nSuccessfully deleted: 1 messages\nFailed to delete: 1 messages\n\n"
        "Failed message IDs:\n- gone... (there is no such message)",
    ),
    ("create_label", {"name": "Work"}, "Label created successfully:\nID: Label_1\nName: Work\nType: user"),
    ("update_label", {"id": "nope"}, 'Error: Label with ID "nope" not found.'),
    ("delete_label", {"id": "INBOX"}, "Error: Failed to delete label: Cannot delete system label"),
    ("get_or_create_label", {"name": "inbox"}, "Successfully found existing label:\nID: INBOX\n"),
    (
        "create_filter",
        {"criteria": {"from": "a@example.com"}, "action": {"addLabelIds": ["STARRED", "IMPORTANT"]}},
        "Filter created successfully:\nID: f1\nCriteria: from: a@example.com\nActions: addLabelIds: STARRED, IMPORTANT",
    ),
    ("list_filters", {}, "No filters found."),
    ("get_filter", {"filterId": "f9"}, 'Error: Filter with ID "f9" not found.'),
    ("delete_filter", {"filterId": "f9"}, 'Error: Filter with ID "f9" not found.'),
    (
        "create_filter_from_template",
        {"template": "fromSender", "parameters": {}},
        "Error: senderEmail is required for fromSender template",
    ),
    ("download_attachment", {"messageId": "m2", "attachmentId": "9"}, "Failed to download attachment: "),
    ("list_emails", {"limit": 1}, "ID: m2\nThread ID: {t2}\nSubject: Your invoice\n"),
    ("read_emails", {"ids": ["m1", "gone"], "format": "full"}, "ID: m1\nThread ID: {t1}\n"),
    ("get_thread", {"thread_id": "{t1}"}, "ID: m1\nThread ID: {t1}\nSubject: Lunch on Friday\n"),
    ("get_attachment", {"message_id": "m2", "attachment_id": "2"}, "invoice.csv (text/csv, "),
    ("sync_emails", {}, "2 added, 0 changed, 0 removed.\nCursor: {cursor}"),
    ("wait_for_changes", {"timeout_s": 0}, "Nothing changed.\nCursor: {cursor}"),
    ("archive_email", {"ids": ["m1"]}, "Archived: 1 message."),
    ("trash_email", {"ids": ["m1"]}, "Moved to Trash: 1 message."),
    ("untrash_email", {"ids": ["m1"]}, "Taken out of Trash: 0 messages.\nFailed: m1 (it is not in Trash)"),
    ("mark_read", {"ids": ["m1"]}, "Marked as read: 1 message."),
    ("star_email", {"ids": ["m2"], "starred": False}, "Star removed: 1 message."),
    ("snooze_email", {"ids": ["m1"], "until": "2030-01-01T08:00:00Z"}, "Snoozed until 2030-01-01T08:00:00"),
    ("report_spam", {"ids": ["m1"]}, "Reported as spam: 1 message."),
    ("update_draft", {"draft_id": "r9", "body": "x"}, "Error: There is no draft with ID r9"),
    ("list_drafts", {}, "No drafts."),
    ("delete_draft", {"draft_id": "r9"}, "Error: There is no draft with ID r9"),
    ("reply_to_email", {"message_id": "m1", "body": "Yes"}, "Email sent successfully with ID: m3"),
    ("forward_email", {"message_id": "m2", "to": ["cy@example.com"]}, "Email sent successfully with ID: m3"),
    ("send_draft", {"draft_id": "r9"}, "Error: There is no draft 'r9'."),
    ("unsubscribe", {"message_id": "m2"}, "Unsubscribed: example.com took the request (200)."),
    ("list_send_as", {}, "me@example.org (default)"),
    ("get_vacation", {}, "The automatic answer is off."),
    (
        "set_vacation",
        {"enabled": True, "subject": "Away", "body": "Back on Monday.", "end": "2030-01-07T08:00:00+01:00"},
        "The automatic answer is on, end 2030-01-07T08:00:00+01:00.\nSubject: Away\n\nBack on Monday.",
    ),
    ("list_calendar_events", {}, "No events.\nTime zone: UTC"),
    (
        "find_free_busy",
        {"start": "2030-01-01", "end": "2030-01-02"},
        "Free: 2030-01-01T00:00:00+00:00 to 2030-01-02T00:00:00+00:00\nTime zone: UTC",
    ),
    (
        "create_calendar_event",
        {"title": "Lunch", "start": "2030-01-01T12:00:00Z", "time_zone": "Europe/Berlin"},
        "Event created:\n2030-01-01T12:00:00+00:00 to 2030-01-01T13:00:00+00:00, Lunch (ID: e1)",
    ),
    (
        "respond_to_invitation",
        {"message_id": "m1", "response": "accepted"},
        "Error: That message is not an invitation.",
    ),
    ("delete_calendar_event", {"event_id": "e9"}, "Error: There is no event 'e9'."),
    ("watch_mailbox", {}, "News of this mailbox is pushed until 2000-01-08T00:00:00+00:00."),
    ("server_status", {}, "me@example.org (memory): connected."),
]


async def _values(mailbox: MemoryMailbox) -> dict[str, str]:
    """What the mailbox makes up itself."""
    one, two = await mailbox.read(["m1", "m2"], raw=False)
    return {
        "{t1}": one.summary["thread_id"],
        "{t2}": two.summary["thread_id"],
        "{cursor}": await mailbox.cursor(),
    }


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_every_tool_answers_with_its_text_and_a_structure(case: Case, ask: Any) -> None:
    tool, arguments, text = case
    for mark, value in asyncio.run(_values(ask.mailbox)).items():
        arguments = {name: value if given == mark else given for name, given in arguments.items()}
        text = text.replace(mark, value)
    answer = ask(tool, **arguments)
    assert answer.content[0].text.startswith(text)
    assert answer.is_error == text.startswith(("Error", "Failed"))
    assert (answer.structured_content or {}).keys() >= ({"error"} if answer.is_error else set())


def test_the_cases_cover_the_whole_table() -> None:
    assert [case[0] for case in CASES] == list(TOOLS)


def test_read_emails_gives_the_original_bytes_and_names_what_is_missing(ask: Any) -> None:
    answer = ask("read_emails", ids=["m1", "gone", "m2"], format="raw").structured_content
    assert answer["missing"] == ["gone"]
    raws = [base64.urlsafe_b64decode(email["raw"]) for email in answer["emails"]]
    assert raws == [item.raw for item in asyncio.run(ask.mailbox.read(["m1", "m2"], raw=True))]


def test_full_reading_gives_headers_text_html_attachments_and_defects(ask_once: Any) -> None:
    email = ask_once("read_emails", ids=["m2"]).structured_content["emails"][0]
    assert email["html"] == "<p>Attached.</p>" or email["html"].strip() == "<p>Attached.</p>"
    assert email["headers"]["subject"] == ["Your invoice"]
    assert email["attachments"][0]["filename"] == "invoice.csv"
    assert email["defects"] == []


def test_a_long_body_is_cut_only_when_asked(ask_once: Any) -> None:
    text = ask_once("read_email", messageId="m1", maxBodyLength="5").content[0].text
    assert text.endswith("\n\nShall\n[19 more characters]") or "more characters]" in text


def test_a_sent_reply_threads_and_quotes(ask_once: Any) -> None:
    ask_once("reply_to_email", message_id="m1", body="Yes", reply_all=True)
    raw = ask_once.sent[0].raw.decode()
    assert "In-Reply-To: <one@example.com>" in raw
    assert "Subject: Re: Lunch on Friday" in raw
    assert "bo@example.net" in raw
    assert "> Shall we meet at noon?" in raw


def test_a_provider_id_given_as_in_reply_to_becomes_the_message_id(ask_once: Any) -> None:
    ask_once("send_email", **NEW_MAIL, inReplyTo="m1")
    assert b"In-Reply-To: <one@example.com>" in ask_once.sent[0].raw


def test_header_injection_is_refused(ask_once: Any) -> None:
    answer = ask_once("send_email", **{**NEW_MAIL, "subject": "Hi\r\nBcc: evil@example.net"})
    assert answer.is_error
    assert answer.structured_content["error"]["kind"] == "bad_argument"
    assert not ask_once.sent


def test_a_wrong_recipient_is_named_as_the_convention_does(ask_once: Any) -> None:
    answer = ask_once("send_email", **{**NEW_MAIL, "to": ["not an address"]})
    assert answer.content[0].text == "Error: Recipient email address is invalid: not an address"


@pytest.mark.parametrize("field", ["to", "cc", "bcc"])
@pytest.mark.parametrize(
    "wrong", ["not an address", "a@b.example\r\nBcc: eve@example.net", "a@b.example\nx", "@b.example"]
)
@pytest.mark.parametrize("tool", ["send_email", "draft_email"])
def test_every_recipient_is_checked(ask_once: Any, tool: str, field: str, wrong: str) -> None:
    answer = ask_once(tool, **{**NEW_MAIL, field: ["good@example.com", wrong]})
    assert answer.is_error and answer.structured_content["error"]["kind"] == "bad_argument"
    assert not ask_once.sent


def test_html_is_sent_although_mime_type_was_left_out(ask_once: Any) -> None:
    ask_once("send_email", **NEW_MAIL, htmlBody="<b>Hello</b>")
    assert b"multipart/alternative" in ask_once.sent[0].raw


def test_a_forward_keeps_the_file(ask_once: Any) -> None:
    ask_once("forward_email", message_id="m2", to="cy@example.com", body="See below")
    assert b"invoice.csv" in ask_once.sent[0].raw


def test_strings_are_taken_for_lists_numbers_and_booleans(ask_once: Any) -> None:
    answer = ask_once("modify_email", messageId="m1", addLabelIds='["STARRED", "IMPORTANT"]')
    assert not answer.is_error
    assert {"STARRED", "IMPORTANT"} <= ask_once.labels("m1")
    assert len(ask_once("search_emails", query="", maxResults="1").structured_content["emails"]) == 1
    assert ask_once("mark_read", messageIds="m1", read="false").structured_content["ids"] == ["m1"]


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("read_email", {"messageId": "m1", "colour": "red"}, "colour"),
        (
            "search_emails",
            {"query": "lunch", "max_result": 1, "x": 1},
            "max_result (did you mean maxResults?), x",
        ),
        ("list_emails", {"lable": "INBOX", "a\nb": 1}, "lable (did you mean label?), a b"),
        ("modify_email", {"messageId": "m1", "addLabels": []}, "addLabels (did you mean addLabelIds?)"),
        ("delete_email", {"messageId": "m1", "permanently": True}, "permanently (did you mean permanent?)"),
    ],
    ids=["read", "search", "list", "write", "destructive"],
)
def test_an_unknown_argument_is_dropped_with_a_warning_in_text_and_structure(
    tool: str, arguments: dict[str, object], named: str, ask: Any
) -> None:
    answer = ask(tool, **arguments)
    warning = f"Dropped unknown arguments: {named}"
    assert not answer.is_error
    assert answer.structured_content["warnings"] == [warning]
    assert answer.content[0].text.endswith(f"\n\nWarning: {warning}")


def test_the_warning_stands_beside_an_error_too_and_names_no_more_than_twenty(ask_once: Any) -> None:
    answer = ask_once("read_email", messageId="gone", **{f"x{number}": 1 for number in range(30)})
    assert answer.is_error
    (warning,) = answer.structured_content["warnings"]
    assert warning.endswith("x19 and 10 more")
    assert answer.content[0].text.endswith(warning)


def test_a_mistyped_name_of_an_argument_that_is_needed_is_named(ask_once: Any) -> None:
    answer = ask_once("search_emails", querry="lunch")
    error = answer.structured_content["error"]
    assert error["message"] == "The argument query is missing; there is none called querry."


def test_another_account_than_the_servers_is_refused(ask_once: Any) -> None:
    mail = {"to": ["ann@example.com"], "subject": "s", "body": "b"}
    answer = ask_once("send_email", **mail, account="other@example.org")
    assert answer.structured_content["error"]["argument"] == "account" and not ask_once.sent
    answer = ask_once("send_email", **mail, account="Me@Example.org")
    assert answer.structured_content["ok"] and "warnings" not in answer.structured_content


def test_a_missing_argument_is_named(ask_once: Any) -> None:
    error = ask_once("read_email").structured_content["error"]
    assert (error["kind"], error["argument"]) == ("bad_argument", "messageId")


def test_a_defect_of_ours_is_told_without_its_details(
    ask_once: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(ask_once.mailbox, "read", broken)
    answer = ask_once("read_email", messageId="m1")
    assert answer.structured_content["error"]["kind"] == "internal"
    assert "secret" not in answer.content[0].text
    assert "secret detail" in caplog.text


def test_permanent_deletion_needs_the_flag(ask_once: Any) -> None:
    ask_once.settings = SurfaceSettings(approval=CALLER)
    answer = ask_once("delete_email", messageId="m1", permanent=True)
    assert answer.structured_content["error"]["kind"] == "needs_approval"
    assert ask_once.labels("m1") == {"INBOX", "UNREAD"}


def test_permanent_deletion_with_the_flag_has_no_undo(ask_once: Any) -> None:
    answer = ask_once("delete_email", messageId="m1", permanent=True).structured_content
    assert answer["ok"] and "undo" not in answer
    assert ask_once.labels("m1") is None


def test_a_subject_cannot_add_lines_to_a_listing(ask_once: Any) -> None:
    ask_once.mailbox.put(b"Subject: =?utf-8?q?a=0AID:_fake?=\n\nx\n")
    assert "\nID: fake" not in ask_once("list_emails").content[0].text


@pytest.mark.parametrize("until", ["tomorrow", "2030-01-01T08:00:00"])
def test_snoozing_needs_a_time_with_an_offset(ask_once: Any, until: str) -> None:
    answer = ask_once("snooze_email", ids=["m1"], until=until)
    assert answer.structured_content["error"]["argument"] == "until"


def test_a_stopped_server_closes_its_mailbox(ask_once: Any, tmp_path: Path) -> None:
    ask_once("server_status")
    assert not asyncio.run(ask_once.mailbox.status()).connected


def test_what_was_not_in_trash_is_not_said_to_be_taken_out_of_it(ask: Any) -> None:
    async def scenario(answer: Any) -> Any:
        await answer("trash_email", {"ids": ["m1"]})
        return await answer("untrash_email", {"ids": ["m2", "m1", "gone", "m2"]})

    answer = ask.run(scenario)
    assert answer.content[0].text.startswith("Taken out of Trash: 1 message.\nFailed: ")
    result = answer.structured_content
    assert result["ids"] == ["m1"] and result["ok"]
    failed = {failure["id"]: failure["error"] for failure in result["failed"]}
    assert failed["m2"] == "it is not in Trash" and failed.keys() == {"m2", "gone"}
    assert result["undo"]["arguments"] == {"ids": ["m1"]}
    assert ask.labels("m2") == {"INBOX", "STARRED"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"removeLabelIds": ["starrd"]},
            "There is no label 'starrd' that could be taken off (did you mean 'STARRED'?); list_email_labels names "
            "those there are.",
        ),
        (
            {"removeLabelIds": ["Zeitung"]},
            "There is no label 'Zeitung' that could be taken off; list_email_labels names those there are.",
        ),
        ({"addLabelIds": ["Zeitung"]}, "There is no label 'Zeitung'; create_label makes a new one."),
        (
            {"addLabelIds": ["inbx"]},
            "There is no label 'inbx' (did you mean 'INBOX'?); create_label makes a new one.",
        ),
    ],
)
def test_a_mistyped_label_is_answered_by_what_was_wanted_of_it(
    change: dict[str, list[str]], said: str, ask_once: Any
) -> None:
    for call in (("modify_email", {"messageId": "m2"}), ("batch_modify_emails", {"messageIds": ["m2"]})):
        answer = ask_once(call[0], **call[1], **change)
        assert answer.structured_content["error"]["message"] == said
    assert ask_once.labels("m2") == {"INBOX", "STARRED"}


def test_without_a_folder_for_it_no_file_is_attached_not_even_one_that_was_downloaded(
    ask_once: Any, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("x")
    ask_once.settings = replace(ask_once.settings, download_dir=tmp_path)
    answer = ask_once("draft_email", **NEW_MAIL, attachments=["note.txt"])
    error = answer.structured_content["error"]
    assert (error["kind"], error["argument"]) == ("needs_approval", "attachments")
    assert "--attachment-dir" in answer.content[0].text and ask_once.drafts() == []
