"""Plain lists of messages and folders, and drafts from JSON, as other clients than ours ask. Entry: `messages_page`.

Pages by `$top` and `$skip`, newest first; `$filter` and `$orderby` only in the forms that are written here.
https://learn.microsoft.com/graph/api/user-list-messages, .../user-list-mailfolders
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import Account, Item
from tests.graph.emulator.answering import Refused, answer_json
from tests.graph.emulator.resources import folder as folder_resource
from tests.graph.emulator.resources import message as message_resource

PAGE = 10
"""Items of a page where `$top` does not say."""

MOST = 1_000
NEWEST_FIRST = {"", "receivedDateTime desc", "receivedDateTime DESC"}


def messages_page(request: Request, account: Account, root: str, folder: str = "") -> Response:
    """A page of the messages of the mailbox, or of one folder of it."""
    query = dict(request.query)
    if query.get("$orderby", "") not in NEWEST_FIRST:
        raise Refused(400, "ErrorInvalidProperty", "Only the newest first is emulated.")
    wanted = query.get("$filter", "")
    if wanted not in ("", "isRead eq false", "isRead eq true"):
        raise Refused(400, "ErrorInvalidUrlQueryFilter", "Only isRead is emulated.")
    items = [item for item in account.items.values() if not folder or item.folder == folder]
    if wanted:
        items = [item for item in items if item.read == wanted.endswith("true")]
    items.sort(key=lambda item: -item.number)
    shown = [message_resource(item, query.get("$select", "")) for item in _cut(items, query)]
    return _page(request, root, len(items), shown)


def folders_page(request: Request, account: Account, root: str, parent: str) -> Response:
    """A page of the folders of a folder."""
    query = dict(request.query)
    found = [folder for folder in account.folders.values() if folder.parent == parent]
    shown = [folder_resource(folder, account) for folder in _cut(found, query)]
    return _page(request, root, len(found), shown)


def _cut(found: Sequence[Any], query: dict[str, str]) -> Sequence[Any]:
    top = int(query.get("$top", str(PAGE)))
    if not 0 < top <= MOST:
        raise Refused(400, "BadRequest", f"$top must be 1 to {MOST}.")
    skip = int(query.get("$skip", "0"))
    return found[skip : skip + top]


def _page(request: Request, root: str, total: int, shown: list[dict[str, Any]]) -> Response:
    query = dict(request.query)
    answer: dict[str, Any] = {"value": shown}
    after = int(query.get("$skip", "0")) + len(shown)
    if after < total:
        kept = {**query, "$skip": str(after)}
        path = request.path.partition("/v1.0")[2]
        answer["@odata.nextLink"] = f"{root}{path}?" + "&".join(
            f"{name}={quote(kept[name])}" for name in kept
        )
    return answer_json(answer)


def written(body: dict[str, Any], owner: str) -> bytes:
    """A message that was given as JSON, as Exchange would send it."""
    from email.message import EmailMessage

    message = EmailMessage()
    message["From"] = owner
    for name, header in (("toRecipients", "To"), ("ccRecipients", "Cc"), ("bccRecipients", "Bcc")):
        people = [one["emailAddress"]["address"] for one in body.get(name, [])]
        if people:
            message[header] = ", ".join(people)
    message["Subject"] = body.get("subject", "")
    content = body.get("body", {})
    subtype = "html" if str(content.get("contentType", "")).lower() == "html" else "plain"
    message.set_content(str(content.get("content", "")), subtype=subtype)
    return message.as_bytes()


def answer_to(item: Item, owner: str, comment: str) -> bytes:
    """The draft that `createReply` makes: to whoever wrote, with the thread's headers and the message below.

    https://learn.microsoft.com/graph/api/message-createreply
    """
    from email.message import EmailMessage

    from tests.graph.emulator.resources import parsed

    before = parsed(item.raw)
    message = EmailMessage()
    message["From"], message["To"] = owner, str(before.get("Reply-To") or before["From"])
    subject = str(before.get("Subject", ""))
    message["Subject"] = subject if subject.lower().startswith("re:") else f"RE: {subject}"
    if before.get("Message-ID"):
        message["In-Reply-To"] = message["References"] = str(before["Message-ID"])
    message.set_content(f"{comment}\n\n________________________________\nFrom: {before['From']}\n")
    return message.as_bytes()
