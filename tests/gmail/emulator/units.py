"""What each method costs. Entry: `units_of`.

Transcribed from https://developers.google.com/gmail/api/reference/quota.
"""

from __future__ import annotations

UNITS = {
    "drafts.create": 10,
    "drafts.delete": 10,
    "drafts.get": 5,
    "drafts.list": 5,
    "drafts.send": 100,
    "drafts.update": 15,
    "getProfile": 1,
    "history.list": 2,
    "labels.create": 5,
    "labels.delete": 5,
    "labels.get": 1,
    "labels.list": 1,
    "labels.patch": 5,
    "labels.update": 5,
    "messages.attachments.get": 5,
    "messages.batchDelete": 50,
    "messages.batchModify": 50,
    "messages.delete": 10,
    "messages.get": 5,
    "messages.import": 25,
    "messages.insert": 25,
    "messages.list": 5,
    "messages.modify": 5,
    "messages.send": 100,
    "messages.trash": 5,
    "messages.untrash": 5,
    "settings.filters.create": 5,
    "settings.filters.delete": 5,
    "settings.filters.get": 1,
    "settings.filters.list": 1,
    "settings.getVacation": 1,
    "settings.sendAs.get": 1,
    "settings.sendAs.list": 1,
    "settings.updateVacation": 5,
    "stop": 50,
    "threads.get": 10,
    "threads.list": 10,
    "watch": 100,
}


def units_of(method_id: str) -> int:
    """Quota units of one call; Calendar has a quota of its own and costs none of these."""
    if not method_id.startswith("gmail."):
        return 0
    return UNITS[method_id.removeprefix("gmail.users.")]
