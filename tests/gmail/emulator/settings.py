"""Labels, filters, send-as and vacation of the emulated account. Entry: `SettingsMethods`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaia_email_registry.errors import BadArgument
from tests.gmail.emulator.account import Account
from tests.gmail.emulator.failures import ApiError

if TYPE_CHECKING:
    from tests.gmail.emulator.gmail import Call, Handler

Json = dict[str, Any]

_VISIBILITY = ("messageListVisibility", "labelListVisibility")


class SettingsMethods:
    """Handlers by method id."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.mailbox = account.mailbox
        self.vacation: Json = {"enableAutoReply": False}
        self.send_as: list[Json] = [
            {
                "sendAsEmail": account.address,
                "displayName": "Me Example",
                "isPrimary": True,
                "isDefault": True,
                "signature": "<div>Me<br>Example Ltd.</div>",
            },
            {
                "sendAsEmail": "sales@example.org",
                "displayName": "Sales",
                "verificationStatus": "accepted",
                "signature": "",
            },
        ]
        self.handlers: dict[str, Handler] = {
            "labels.list": self.list_labels,
            "labels.get": self.get_label,
            "labels.create": self.create_label,
            "labels.update": self.update_label,
            "labels.patch": self.update_label,
            "labels.delete": self.delete_label,
            "settings.filters.list": self.list_filters,
            "settings.filters.get": self.get_filter,
            "settings.filters.create": self.create_filter,
            "settings.filters.delete": self.delete_filter,
            "settings.sendAs.list": self.list_send_as,
            "settings.sendAs.get": self.get_send_as,
            "settings.getVacation": self.get_vacation,
            "settings.updateVacation": self.update_vacation,
        }

    async def list_labels(self, call: Call) -> Json:
        """User labels first: the order of Google's answer means nothing."""
        return {"labels": list(reversed([dict(label) for label in await self.mailbox.labels()]))}

    async def get_label(self, call: Call) -> Json:
        for label in await self.mailbox.labels():
            if label["id"] == call.path["id"]:
                holding = [kept for kept in self.account.kept.values() if label["id"] in kept.labels]
                unread = sum("UNREAD" in kept.labels for kept in holding)
                return {**label, "messagesTotal": len(holding), "messagesUnread": unread}
        raise ApiError(404, "Requested entity was not found.")

    async def create_label(self, call: Call) -> Json:
        try:
            return dict(await self.mailbox.create_label(call.body["name"], _visibility(call.body)))
        except BadArgument as error:
            raise _label_error(error) from None

    async def update_label(self, call: Call) -> Json:
        try:
            return dict(
                await self.mailbox.update_label(
                    call.path["id"], call.body.get("name"), _visibility(call.body)
                )
            )
        except BadArgument as error:
            raise _label_error(error) from None

    async def delete_label(self, call: Call) -> None:
        await self.mailbox.delete_label(call.path["id"])

    async def list_filters(self, call: Call) -> Json:
        found = await self.mailbox.filters()
        return {"filter": [dict(item) for item in found]} if found else {}

    async def get_filter(self, call: Call) -> Json:
        for item in await self.mailbox.filters():
            if item["id"] == call.path["id"]:
                return dict(item)
        raise ApiError(404, "Requested entity was not found.")

    async def create_filter(self, call: Call) -> Json:
        made: Any = await self.mailbox.create_filter(
            call.body.get("criteria", {}), call.body.get("action", {})
        )
        return dict(made)

    async def delete_filter(self, call: Call) -> None:
        await self.mailbox.delete_filter(call.path["id"])

    async def list_send_as(self, call: Call) -> Json:
        return {"sendAs": self.send_as}

    async def get_send_as(self, call: Call) -> Json:
        for item in self.send_as:
            if item["sendAsEmail"] == call.path["sendAsEmail"]:
                return item
        raise ApiError(404, "Requested entity was not found.")

    async def get_vacation(self, call: Call) -> Json:
        return self.vacation

    async def update_vacation(self, call: Call) -> Json:
        words = ("responseSubject", "responseBodyPlainText", "responseBodyHtml")
        if call.body.get("enableAutoReply") and not any(call.body.get(name) for name in words):
            raise ApiError(400, "Invalid vacation settings")
        self.vacation = call.body
        return self.vacation


def _visibility(body: Json) -> dict[str, str]:
    return {name: body[name] for name in _VISIBILITY if name in body}


def _label_error(error: BadArgument) -> ApiError:
    if "already" in error.message:
        return ApiError(409, "Label name exists or conflicts", "aborted")
    return ApiError(400, "Invalid label name")
