"""The emulator tells whoever uses a name that Microsoft's types do not have."""

from __future__ import annotations

import json

import pytest

from tests.graph.emulator.shapes import wrong_in


@pytest.mark.parametrize(
    ("path", "query", "sent", "answered", "told"),
    [
        ("/me/messages", {"$select": "id,subjekt"}, {}, {"value": []}, ["message has no subjekt"]),
        ("/me/messages/A1", {}, {"isUnread": True}, {"id": "A1"}, ["message has no isUnread"]),
        ("/me/messages/A1", {}, {"flag": {"flagStatus": "starred"}}, {}, ["followupFlag.flagStatus is never starred"]),
        ("/me/messages/A1/move", {}, {"folderId": "x"}, {"id": "A1"}, ["/me/messages/A1/move takes no folderId"]),
        ("/me/events", {}, {"start": {"zone": "UTC"}}, {"id": "A1"}, ["dateTimeTimeZone has no zone"]),
        ("/me/events/A1/accept", {}, {"proposedNewTime": {}}, {}, ["/me/events/A1/accept takes no proposedNewTime"]),
        ("/me/mailFolders/inbox/messageRules", {}, {"actions": {"flag": True}}, {}, ["messageRuleActions has no flag"]),
        ("/subscriptions", {}, {"secret": "x"}, {"id": "s"}, ["subscription has no secret"]),
        ("/users/a@b.co/calendarView", {}, {}, {"value": [{"title": "x"}]}, ["event has no title"]),
        ("/me/messages/A1", {"$select": "id,subject"}, {"isRead": True}, {"id": "A1", "@odata.etag": "1"}, []),
    ],
)  # fmt: skip
def test_a_name_that_is_none_is_told(
    path: str, query: dict[str, str], sent: object, answered: object, told: list[str]
) -> None:
    assert wrong_in(path, query, json.dumps(sent).encode(), json.dumps(answered).encode()) == told
