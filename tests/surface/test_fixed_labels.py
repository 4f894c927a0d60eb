"""Labels that a mailbox gives by itself: no tool puts them on, takes them off, or makes one of such a name."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.surface.fixed_labels import FIXED_LABELS, check_way_back
from tests.surface.conftest import Asker

FIELDS = ("addLabelIds", "removeLabelIds")


def calls(label: str, id_: str) -> list[tuple[str, dict[str, Any]]]:
    """Every call that names a label to be put on a message, taken off it, or made."""
    both = [{field: [label]} for field in FIELDS] + [{"addLabelIds": ["STARRED", label]}]
    found: list[tuple[str, dict[str, Any]]] = [("modify_email", {"messageId": id_, **one}) for one in both]
    found += [("modify_email", {"messageId": id_, "labelIds": [label]})]
    found += [("batch_modify_emails", {"messageIds": [id_], **one}) for one in both]
    found += [
        ("batch_modify_emails", {"messageIds": [id_], "perMessage": {id_: {side: [label]}}})
        for side in ("add", "remove")
    ]
    found += [
        ("modify_email", {"messageId": id_, "addLabelIds": [label], "removeLabelIds": ["TRASH"]}),
        ("batch_modify_emails", {"messageIds": [id_], "addLabelIds": [label], "removeLabelIds": ["SPAM"]}),
    ]
    found += [("create_filter", {"criteria": {"from": "a@b.example"}, "action": one}) for one in both[:2]]
    found += [
        (
            "create_filter_from_template",
            {
                "template": "fromSender",
                "parameters": {"senderEmail": "a@b.example", "labelIds": [label]},
            },
        ),
        ("create_label", {"name": label}),
    ]
    return found


@pytest.mark.parametrize("label", [*sorted(FIXED_LABELS), "sent", " Draft "])
def test_no_call_changes_a_fixed_label(ask_once: Asker, label: str) -> None:
    before = ask_once.labels("m1")
    for tool, arguments in calls(label, "m1"):
        answer = ask_once(tool, **arguments)
        text = getattr(answer.content[0], "text", "")
        assert answer.is_error, (tool, arguments, text)
        assert label.strip() in text and ("cannot be put on" in text or "Choose another name" in text), text
    assert ask_once.labels("m1") == before


def test_a_label_cannot_be_renamed_to_a_fixed_one(ask_once: Asker) -> None:
    made: Any = ask_once("create_label", name="Trips").structured_content
    answer = ask_once("update_label", id=made["label"]["id"], name="SENT")
    assert answer.is_error and "Choose another name" in getattr(answer.content[0], "text", "")


@pytest.mark.parametrize("label", ["SENT", "DRAFT"])
def test_own_mail_comes_back_from_trash_as_what_it_was_and_mail_of_others_does_not(label: str) -> None:
    in_trash = ("TRASH",)
    check_way_back([label], in_trash, "Me@example.org", "me@example.org")
    check_way_back([label], in_trash, "me@example.org", "/home/me/Mail")
    for labels, sender, account in (
        (in_trash, "boss@example.com", "me@example.org"),
        (("INBOX",), "boss@example.com", "me@example.org"),
        (("INBOX",), "boss@example.com", "/home/me/Mail"),
        ((), "me@example.org", "me@example.org"),
    ):
        with pytest.raises(BadArgument, match="cannot be put on"):
            check_way_back([label], labels, sender, account)
