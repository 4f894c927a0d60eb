"""The emulated Graph's messages: reading, changing, drafts and sending. Entry: `MessageRoutes`."""

from __future__ import annotations

import base64
import binascii
import email
import re
from collections.abc import Callable
from email import encoders
from email.mime.base import MIMEBase
from typing import Any

from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import Account, Folder, Item
from tests.graph.emulator.answering import Refused, answer_json, argument_of, body_of
from tests.graph.emulator.listing import answer_to, messages_page, written
from tests.graph.emulator.resources import etag_of, parsed
from tests.graph.emulator.resources import message as message_resource

MOST_BODY = 4_194_304
SMALLEST_SESSION = 3_000_000


class MessageRoutes:
    """Answers `/me/messages/…`, and upload sessions, whose address needs no token."""

    def __init__(self, account: Account, root: Callable[[], str]) -> None:
        self._account, self._root = account, root
        self.sessions: dict[str, tuple[str, dict[str, Any], bytearray]] = {}

    def answer(self, request: Request, rest: list[str]) -> Response:
        """One request."""
        match request.method, rest:
            case "GET", []:
                if "$search" in dict(request.query):
                    return self._found(request)
                return messages_page(request, self._account, self._root())
            case "POST", []:
                return self._draft(request)
            case "GET", [id_]:
                return self._shown(self._item(id_), request)
            case "GET", [id_, "$value"]:
                return Response(headers={"Content-Type": "text/plain"}, body=self._item(id_).raw)
            case "PATCH", [id_]:
                item = self._item(id_)
                if request.headers.get("if-match", etag_of(item)) != etag_of(item):
                    raise Refused(412, "ErrorIrresolvableConflict", "The change key does not match.")
                self._account.touch(item, lambda one: _patch(one, body_of(request)))
                return self._shown(item, request)
            case "DELETE", [id_]:
                self._account.remove(self._item(id_))
                return Response(status=204)
            case "POST", [id_, action, *more]:
                return self._acted(self._item(id_), action, more, request)
            case _:
                raise Refused(404, "ResourceNotFound", "No such resource.")

    def _acted(self, item: Item, action: str, more: list[str], request: Request) -> Response:
        match action:
            case "permanentDelete":
                self._account.remove(item)
                return Response(status=204)
            case "move":
                return self._shown(self._account.move(item, self._destination(request)), request, 201)
            case "attachments":
                return self._attached(item, body_of(request), more)
            case "createReply":
                raw = answer_to(item, self._account.address, argument_of(request, "comment"))
                return self._shown(self._account.add(raw, "drafts", draft=True), request, 201)
            case "send":
                return self._sent(item)
            case _:
                raise Refused(404, "ResourceNotFound", "No such resource.")

    def _item(self, id_: str) -> Item:
        found = self._account.items.get(id_)
        if found is None:
            if not id_.startswith("AAMk"):
                raise Refused(400, "ErrorInvalidIdMalformed", "Id is malformed.")
            raise Refused(404, "ErrorItemNotFound", "The specified object was not found in the store.")
        return found

    def _destination(self, request: Request) -> Folder:
        found = self._account.folder(argument_of(request, "destinationId"))
        if found is None:
            raise Refused(404, "ErrorFolderNotFound", "The destination was not found.")
        return found

    def _shown(self, item: Item, request: Request, status: int = 200) -> Response:
        query = dict(request.query)
        size = "0xe08" in query.get("$expand", "")
        return answer_json(message_resource(item, query.get("$select", ""), size=size), status)

    def _found(self, request: Request) -> Response:
        """`$search` for words anywhere; it cannot be joined with `$filter` or `$orderby`."""
        query = dict(request.query)
        if "$filter" in query or "$orderby" in query:
            raise Refused(400, "SearchWithFilter", "Only $search by itself is emulated.")
        words = query["$search"].strip('"').replace('\\"', "").lower()
        size = int(query.get("$top", "10"))
        hits = [item for item in self._account.items.values() if words in _everything(item)]
        hits.sort(key=lambda item: -item.number)
        select = query.get("$select", "")
        return answer_json({"value": [message_resource(item, select) for item in hits[:size]]})

    def _draft(self, request: Request) -> Response:
        """A draft by JSON, or by MIME, in base64 (https://learn.microsoft.com/graph/api/user-post-messages)."""
        if request.headers.get("content-type", "").startswith("application/json"):
            raw = written(body_of(request), self._account.address)
            return self._shown(self._account.add(raw, "drafts", draft=True), request, 201)
        if request.headers.get("content-type") != "text/plain":
            raise Refused(400, "BadRequest", "Only MIME and JSON are emulated.")
        try:
            raw = base64.b64decode(request.body, validate=True)
        except binascii.Error:
            raise Refused(400, "ErrorMimeContentInvalidBase64String", "Invalid base64.") from None
        if len(request.body) > MOST_BODY:
            raise Refused(413, "RequestEntityTooLarge", "The request is too large.")
        return self._shown(self._account.add(raw, "drafts", draft=True), request, 201)

    def _attached(self, item: Item, body: dict[str, Any], more: list[str]) -> Response:
        """https://learn.microsoft.com/graph/outlook-large-attachments."""
        if more == ["createUploadSession"]:
            about = body["AttachmentItem"]
            if about["size"] < SMALLEST_SESSION:
                raise Refused(400, "ErrorInvalidRequest", "Too small for a session.")
            session = f"{len(self.sessions)}-secret"
            self.sessions[session] = (item.id, about, bytearray())
            return answer_json({"uploadUrl": f"{self._root()}/upload/{session}"}, 201)
        if body.get("@odata.type") != "#microsoft.graph.fileAttachment":
            raise Refused(400, "BadRequest", "Only files are emulated.")
        content = base64.b64decode(body["contentBytes"])
        if len(content) >= SMALLEST_SESSION:
            raise Refused(413, "RequestEntityTooLarge", "Use an upload session.")
        _attach(item, body, content)
        return answer_json({"id": "AAMkAtt"}, 201)

    def upload(self, request: Request, session: str) -> Response:
        """A piece of an attachment, the next one that is expected."""
        message, about, content = self.sessions[session]
        found = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", request.headers.get("content-range", ""))
        assert found is not None
        first, last, total = map(int, found.groups())
        assert total == about["size"] and last - first + 1 == len(request.body) < 4_000_000
        if first == len(content):
            content += request.body
        elif bytes(content[first : last + 1]) != request.body:
            return Response(status=416)
        if len(content) < total:
            assert (last + 1) % 327_680 == 0
            return answer_json({"nextExpectedRanges": [f"{len(content)}-"]})
        if last + 1 == total and message in self._account.items:
            _attach(self._account.items[message], about, bytes(content))
        return Response(status=201)

    def _sent(self, item: Item) -> Response:
        found = parsed(item.raw)
        if not item.draft:
            raise Refused(400, "ErrorInvalidRequest", "Only a draft can be sent.")
        if not any(found.get_all(name) for name in ("To", "Cc", "Bcc")):
            raise Refused(400, "ErrorInvalidRecipients", "At least one recipient is not valid.")
        self._account.send(item)
        return Response(status=202)


def _patch(item: Item, body: dict[str, Any]) -> None:
    if "isRead" in body:
        item.read = body["isRead"]
    if "flag" in body:
        item.flagged = body["flag"]["flagStatus"] == "flagged"
    if "importance" in body:
        item.important = body["importance"] == "high"
    if "categories" in body:
        item.categories = list(body["categories"])


def _attach(item: Item, about: dict[str, Any], content: bytes) -> None:
    message = email.message_from_bytes(item.raw)
    main, _, sub = about.get("contentType", "application/octet-stream").partition("/")
    part = MIMEBase(main, sub)
    part.set_payload(content)
    encoders.encode_base64(part)
    part.add_header(
        "Content-Disposition", "inline" if about.get("isInline") else "attachment", filename=about["name"]
    )
    if about.get("contentId"):
        part["Content-ID"] = f"<{about['contentId']}>"
    message.attach(part)
    item.raw = message.as_bytes()


def _everything(item: Item) -> str:
    found = parsed(item.raw)
    parts = [str(value) for value in found.values()]
    for part in found.walk():
        if part.get_content_maintype() == "text" and not part.is_attachment():
            parts.append(str(part.get_content()))
        parts.append(part.get_filename() or "")
    return "\n".join(parts).lower()
