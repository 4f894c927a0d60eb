"""The methods of the Gmail API over an `Account`: messages, threads, drafts, history. Entry: `GmailMethods`."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_mail.query.grammar import all_of, parse_query
from gaia_mail.query.nodes import Field, Node, Query
from gaia_mail_mcp.mailbox import StoredMessage
from tests.gmail.emulator.account import Account, Record
from tests.gmail.emulator.failures import ApiError
from tests.gmail.emulator.resources import encoded, payload, snippet
from tests.gmail.emulator.settings import SettingsMethods

Json = dict[str, Any]

MAX_RESULTS = 500
MAX_IDS = 1000


class Call:
    """One method call: path parameters, query and body, all checked already."""

    def __init__(self, path: dict[str, str], query: list[tuple[str, str]], body: Any) -> None:
        self.path = path
        self.body: Json = body if isinstance(body, dict) else {}
        self._query = query

    def one(self, name: str, default: str = "") -> str:
        """A query parameter."""
        return next((value for key, value in self._query if key == name), default)

    def all(self, name: str) -> list[str]:
        """A repeated query parameter."""
        return [value for key, value in self._query if key == name]

    def limit(self, default: int = 100) -> int:
        """`maxResults`, as far as Gmail goes."""
        return max(1, min(int(self.one("maxResults", str(default))), MAX_RESULTS))


Handler = Callable[[Call], Awaitable[Any]]


class GmailMethods:
    """Every method by its id; a handler answers the JSON, or None for no content."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.mailbox = account.mailbox
        self.watches: list[Json] = []
        self.settings = SettingsMethods(account)
        self.watch_until_ms = 1_900_000_000_000
        self.handlers: dict[str, Handler] = {
            "getProfile": self.profile,
            "watch": self.watch,
            "stop": self.stop,
            "history.list": self.history,
            "messages.list": self.list_messages,
            "messages.get": self.get_message,
            "messages.attachments.get": self.get_attachment,
            "messages.modify": self.modify,
            "messages.batchModify": self.batch_modify,
            "messages.batchDelete": self.batch_delete,
            "messages.delete": self.delete,
            "messages.trash": self.trash,
            "messages.untrash": self.untrash,
            "messages.send": self.send,
            "messages.insert": self.insert,
            "messages.import": self.insert,
            "threads.get": self.get_thread,
            "threads.list": self.list_threads,
            "drafts.create": self.create_draft,
            "drafts.update": self.update_draft,
            "drafts.get": self.get_draft,
            "drafts.list": self.list_drafts,
            "drafts.delete": self.delete_draft,
            "drafts.send": self.send_draft,
            **self.settings.handlers,
        }

    async def call(self, name: str, call: Call) -> Any:
        """Run a method; what the mailbox refuses is an error of Google's."""
        try:
            answer = await self.handlers[name](call)
        except NotFound:
            raise ApiError(404, "Requested entity was not found.") from None
        except BadArgument as error:
            raise ApiError(409 if "already" in error.message else 400, error.message) from None
        except MailError as error:
            raise ApiError(500, error.message) from None
        finally:
            await self.account.settle()
        return answer

    async def profile(self, call: Call) -> Json:
        total = len(self.account.kept)
        return {
            "emailAddress": self.account.address,
            "messagesTotal": total,
            "threadsTotal": len({kept.thread for kept in self.account.kept.values()}),
            "historyId": str(self.account.history_id),
        }

    async def watch(self, call: Call) -> Json:
        self.watches.append(call.body)
        return {"historyId": str(self.account.history_id), "expiration": str(self.watch_until_ms)}

    async def stop(self, call: Call) -> None:
        self.watches.clear()

    async def history(self, call: Call) -> Json:
        start = int(call.one("startHistoryId", "0"))
        if start < self.account.forgotten or start > self.account.history_id:
            raise ApiError(404, "Requested entity was not found.")
        kinds = [_KINDS[kind] for kind in call.all("historyTypes")] or list(_KINDS.values())
        after = int(call.one("pageToken", str(start)))
        found = [item for item in self.account.records if item.id > after and item.kind in kinds]
        page = found[: call.limit()]
        answer: Json = {"historyId": str(self.account.history_id)}
        if page:
            answer["history"] = [_record(item) for item in page]
        if len(page) < len(found):
            answer["nextPageToken"] = str(page[-1].id)
        return answer

    async def list_messages(self, call: Call) -> Json:
        root: list[Node] = [Field(name="label", value=label) for label in call.all("labelIds")]
        asked = parse_query(call.one("q")).root
        root += [asked] if asked is not None else []
        if call.one("includeSpamTrash") == "true":
            root.append(Field(name="in", value="anywhere"))
        cursor = None
        if token := call.one("pageToken"):
            try:
                cursor = base64.urlsafe_b64decode(token.encode("ascii")).decode("ascii")
            except (ValueError, UnicodeError):
                raise ApiError(400, "Invalid pageToken") from None
        found = await self.mailbox.search(Query(root=all_of(root)), limit=call.limit(), cursor=cursor)
        answer: Json = {"resultSizeEstimate": min(found.total, 201)}
        if found.ids:
            answer["messages"] = [self._reference(self.account.outer(inner)) for inner in found.ids]
        if found.next_cursor is not None:
            answer["nextPageToken"] = encoded(found.next_cursor.encode())
        return answer

    async def get_message(self, call: Call) -> Json:
        stored = await self._stored(call.path["id"])
        return self._resource(stored, call.one("format", "full"), call.all("metadataHeaders"))

    async def get_attachment(self, call: Call) -> Json:
        stored = await self._stored(call.path["messageId"])
        _, attachments = payload(stored.raw or b"", call.path["messageId"], None)
        if call.path["id"] not in attachments:
            raise ApiError(400, "Invalid attachment token")
        data = attachments[call.path["id"]]
        return {"size": len(data), "data": encoded(data)}

    async def modify(self, call: Call) -> Json:
        inner = await self._existing(call.path["id"])
        await self.account.modify(
            [inner], call.body.get("addLabelIds", []), call.body.get("removeLabelIds", [])
        )
        await self.account.settle()
        return self._labelled(call.path["id"])

    async def batch_modify(self, call: Call) -> None:
        """Ids that do not exist are passed over, as Google says of batchDelete."""
        inner = self._batch(call)
        await self.account.modify(
            inner, call.body.get("addLabelIds", []), call.body.get("removeLabelIds", [])
        )

    async def batch_delete(self, call: Call) -> None:
        await self.mailbox.delete(self._batch(call))

    async def delete(self, call: Call) -> None:
        await self.mailbox.delete([await self._existing(call.path["id"])])

    async def trash(self, call: Call) -> Json:
        await self.mailbox.trash([await self._existing(call.path["id"])])
        await self.account.settle()
        return self._labelled(call.path["id"])

    async def untrash(self, call: Call) -> Json:
        await self.account.untrash(await self._existing(call.path["id"]))
        await self.account.settle()
        return self._labelled(call.path["id"])

    async def send(self, call: Call) -> Json:
        raw, thread = self._outgoing(call.body)
        return await self._made(await self.mailbox.send(raw, thread))

    async def insert(self, call: Call) -> Json:
        raw, _ = self._outgoing(call.body)
        return await self._made(self.mailbox.put(raw, call.body.get("labelIds", ())))

    async def get_thread(self, call: Call) -> Json:
        inner = self.account.thread_inner(call.path["id"])
        if inner is None:
            raise _absent(call.path["id"])
        stored = await self.mailbox.read(await self.mailbox.thread(inner), raw=True)
        kind, names = call.one("format", "full"), call.all("metadataHeaders")
        return {
            "id": call.path["id"],
            "historyId": str(self.account.history_id),
            "messages": [self._resource(item, kind, names) for item in stored],
        }

    async def list_threads(self, call: Call) -> Json:
        listed = await self.list_messages(call)
        threads = dict.fromkeys(item["threadId"] for item in listed.pop("messages", []))
        if threads:
            listed["threads"] = [{"id": thread} for thread in threads]
        return listed

    async def create_draft(self, call: Call) -> Json:
        raw, thread = self._outgoing(call.body.get("message", {}))
        draft = await self.mailbox.create_draft(raw, thread)
        return {"id": draft.id, "message": await self._made(draft.message_id)}

    async def update_draft(self, call: Call) -> Json:
        raw, _ = self._outgoing(call.body.get("message", {}))
        draft = await self.mailbox.update_draft(call.path["id"], raw)
        return {"id": draft.id, "message": await self._made(draft.message_id)}

    async def get_draft(self, call: Call) -> Json:
        for draft in await self.mailbox.drafts(limit=MAX_IDS):
            if draft.id == call.path["id"]:
                stored = await self._stored(self.account.outer(draft.message_id))
                return {"id": draft.id, "message": self._resource(stored, call.one("format", "full"), [])}
        raise ApiError(404, "Requested entity was not found.")

    async def list_drafts(self, call: Call) -> Json:
        found = await self.mailbox.drafts(limit=MAX_IDS)
        start = int(call.one("pageToken", "0"))
        page = found[start : start + call.limit()]
        answer: Json = {"resultSizeEstimate": len(found)}
        if page:
            answer["drafts"] = [
                {"id": draft.id, "message": self._reference(self.account.outer(draft.message_id))}
                for draft in page
            ]
        if start + len(page) < len(found):
            answer["nextPageToken"] = str(start + len(page))
        return answer

    async def delete_draft(self, call: Call) -> None:
        await self.mailbox.delete_draft(call.path["id"])

    async def send_draft(self, call: Call) -> Json:
        draft_id, message = call.body.get("id", ""), call.body.get("message", {})
        if "raw" in message:
            await self.mailbox.update_draft(draft_id, self._outgoing(message)[0])
        return await self._made(await self.mailbox.send_draft(draft_id))

    async def _made(self, inner: str) -> Json:
        await self.account.settle()
        return self._labelled(self.account.outer(inner))

    def _outgoing(self, body: Json) -> tuple[bytes, str | None]:
        if "raw" not in body:
            raise ApiError(
                400, "'raw' RFC822 payload message string or uploading message via /upload/* URL required"
            )
        raw = base64.urlsafe_b64decode(body["raw"] + "=" * (-len(body["raw"]) % 4))
        if "threadId" not in body:
            return raw, None
        inner = self.account.thread_inner(body["threadId"])
        if inner is None:
            raise _absent(body["threadId"])
        return raw, inner

    def _batch(self, call: Call) -> Sequence[str]:
        ids: list[str] = call.body.get("ids", [])
        if not ids or len(ids) > MAX_IDS:
            raise ApiError(400, f"{len(ids)} ids; 1 to {MAX_IDS} are possible.")
        inner = [self.account.inner(message) for message in ids]
        if "" in inner:
            raise ApiError(400, "Invalid id value")
        return [item for item, message in zip(inner, ids, strict=True) if message in self.account.kept]

    async def _existing(self, message: str) -> str:
        if message not in self.account.kept:
            raise _absent(message)
        return self.account.inner(message)

    async def _stored(self, message: str) -> StoredMessage:
        (stored,) = await self.mailbox.read([await self._existing(message)], raw=True)
        return stored

    def _reference(self, message: str) -> Json:
        return {"id": message, "threadId": self.account.kept[message].thread}

    def _labelled(self, message: str) -> Json:
        labels = sorted(self.account.kept[message].labels)
        return {**self._reference(message), **({"labelIds": labels} if labels else {})}

    def _resource(self, stored: StoredMessage, kind: str, names: list[str]) -> Json:
        message, raw = self.account.outer(stored.summary["id"]), stored.raw or b""
        answer = self._labelled(message)
        answer.update(
            snippet=snippet(stored.summary["snippet"]),
            sizeEstimate=len(raw),
            historyId=str(self.account.kept[message].history),
            internalDate="1772442000000",
        )
        if kind == "raw":
            answer["raw"] = encoded(raw)
        elif kind != "minimal":
            answer["payload"], _ = payload(raw, message, names if kind == "metadata" else None)
        return answer


_KINDS = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}


def _record(item: Record) -> Json:
    message: Json = {"id": item.message, "threadId": item.thread}
    labels: Json = {"labelIds": list(item.labels)} if item.labels else {}
    detail: Json = {"message": {**message, **labels}}
    if item.changed:
        detail["labelIds"] = list(item.changed)
    return {"id": str(item.id), "messages": [message], item.kind: [detail]}


def _absent(given: str) -> ApiError:
    """400 for what is no id at all, 404 for one of nothing."""
    well_formed = len(given) <= 16 and all(letter in "0123456789abcdef" for letter in given)
    if well_formed:
        return ApiError(404, "Requested entity was not found.")
    return ApiError(400, "Invalid id value")
