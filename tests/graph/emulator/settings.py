"""The emulated Graph's mailbox settings: zone, automatic replies, rules of the inbox. Entry: `SettingsRoutes`.

https://learn.microsoft.com/graph/api/resources/mailboxsettings and .../messagerule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import Account, Item
from tests.graph.emulator.answering import Refused, answer_json, body_of
from tests.graph.emulator.resources import parsed

Json = dict[str, Any]

CONDITIONS = {
    "fromAddresses",
    "senderContains",
    "sentToAddresses",
    "recipientContains",
    "subjectContains",
    "bodyOrSubjectContains",
    "headerContains",
    "hasAttachments",
    "withinSizeRange",
}
ACTIONS = {
    "assignCategories",
    "copyToFolder",
    "delete",
    "forwardTo",
    "markAsRead",
    "markImportance",
    "moveToFolder",
    "stopProcessingRules",
}


class SettingsRoutes:
    """Answers `/me/mailboxSettings` and `/me/mailFolders/inbox/messageRules`."""

    def __init__(self, account: Account) -> None:
        self.stored: list[Json] = []
        self.replies: Json = {
            "status": "disabled",
            "externalAudience": "all",
            "internalReplyMessage": "",
            "externalReplyMessage": "",
            "scheduledStartDateTime": {"dateTime": "2026-03-02T09:00:00.0000000", "timeZone": "UTC"},
            "scheduledEndDateTime": {"dateTime": "2026-03-03T09:00:00.0000000", "timeZone": "UTC"},
        }
        self._account = account
        self._made = 0
        account.on_arrival = self._arrived

    def answer(self, request: Request, rest: list[str]) -> Response:
        """The settings; Exchange makes a page of what a reply says."""
        match request.method, rest:
            case "GET", []:
                return answer_json({"timeZone": self._account.zone, "automaticRepliesSetting": self.replies})
            case "GET", ["automaticRepliesSetting"]:
                return answer_json(self.replies)
            case "PATCH", []:
                given: Json = body_of(request)["automaticRepliesSetting"]
                if unknown := given.keys() - self.replies.keys():
                    raise Refused(400, "BadRequest", f"There is no {unknown}.")
                if given.get("status") == "scheduled" and "scheduledEndDateTime" not in given:
                    raise Refused(400, "ErrorInvalidTimeInterval", "A schedule has an end.")
                for name in ("internalReplyMessage", "externalReplyMessage"):
                    if name in given:
                        given[name] = f"<html>\n<body>\n{given[name]}\n</body>\n</html>\n"
                self.replies |= given
                return answer_json({"automaticRepliesSetting": self.replies})
            case _:
                raise Refused(404, "ResourceNotFound", "No such resource.")

    def rules(self, request: Request, rest: list[str]) -> Response:
        """The rules."""
        match request.method, rest:
            case "GET", []:
                return answer_json({"value": self.stored})
            case "POST", []:
                return answer_json(self._create(body_of(request)), 201)
            case "DELETE", [id_] if any(rule["id"] == id_ for rule in self.stored):
                self.stored = [rule for rule in self.stored if rule["id"] != id_]
                return Response(status=204)
            case _:
                raise Refused(404, "ErrorItemNotFound", "There is no such rule.")

    def _create(self, rule: Json) -> Json:
        if not rule.get("displayName") or not rule.get("actions"):
            raise Refused(400, "ErrorInvalidRequest", "A rule has a name and actions.")
        used = {*rule.get("conditions", ()), *rule.get("exceptions", ())}
        if used - CONDITIONS or rule["actions"].keys() - ACTIONS:
            raise Refused(400, "RequestBodyRead", "There is no such property.")
        target = rule["actions"].get("moveToFolder")
        if target is not None and target not in self._account.folders:
            raise Refused(400, "ErrorInvalidFolderId", "There is no such folder.")
        self._made += 1
        made = {"id": f"AQAA{self._made}=", "hasError": False, "isReadOnly": False, **rule}
        self.stored.append(made)
        return made

    def _arrived(self, item: Item) -> None:
        for rule in self.stored:
            if _meets(item, rule.get("conditions", {})) and not (
                rule.get("exceptions") and _meets(item, rule["exceptions"])
            ):
                self._do(item, rule["actions"])

    def _do(self, item: Item, actions: Json) -> None:
        item.important = item.important or actions.get("markImportance") == "high"
        item.read = item.read or bool(actions.get("markAsRead"))
        item.categories += actions.get("assignCategories", [])
        place = "deleteditems" if actions.get("delete") else actions.get("moveToFolder")
        folder = self._account.folder(place) if place else None
        if folder is not None:
            self._account.move(item, folder)


def _meets(item: Item, conditions: Json) -> bool:
    found = parsed(item.raw)
    sender, subject = str(found.get("From", "")).lower(), str(found.get("Subject", "")).lower()
    tests: dict[str, Callable[[Any], bool]] = {
        "fromAddresses": lambda value: any(one["emailAddress"]["address"].lower() in sender for one in value),
        "senderContains": lambda value: _has(sender, value),
        "subjectContains": lambda value: _has(subject, value),
        "bodyOrSubjectContains": lambda value: _has(item.raw.decode().lower(), value),
        "hasAttachments": lambda value: any(True for _ in found.iter_attachments()) == value,
    }
    return all(tests[name](value) for name, value in conditions.items())


def _has(text: str, phrases: list[str]) -> bool:
    return any(phrase.lower() in text for phrase in phrases)
