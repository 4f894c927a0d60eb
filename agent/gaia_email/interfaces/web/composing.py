"""Writing mail on the pages: drafts, compose, and the question before sending. Entry: `composing_routes`."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import N_, _
from gaia_email.interfaces.web.performing import (
    PageOperations,
    PageRoutes,
    PerformOperation,
    accounts_in_use,
)
from gaia_email.interfaces.web.posting import PostedFields, note, only, read_form
from gaia_email.interfaces.web.rendering import fragment, parse_reference, reference
from gaia_email_registry.errors import BadArgument, NotFound

Json = dict[str, Any]

_BETWEEN_PEOPLE = re.compile(r'[,;\n](?=(?:[^"]*"[^"]*")*[^"]*$)')
"""Separators of people in a field: a comma, semicolon or line end outside of quotation marks."""

WRITTEN = ("to", "cc", "bcc", "subject", "body", "quote")


def composing_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes that show, save and send a mail being written."""
    pages = _Composing(perform)
    return PageRoutes(
        shown={"compose": pages.compose, "draft": pages.draft},
        changed={
            "begin": pages.begin,
            "keep": pages.keep,
            "ask": pages.ask_to_send,
            "send": pages.send,
            "keep-draft": pages.keep_draft,
            "discard": pages.discard,
            "restore": pages.restore,
        },
    )


@dataclass(slots=True)
class _Composing(PageOperations):
    async def compose(self, request: Request) -> Response:
        """Show the page for writing a mail: a new one, a reply, or a saved one."""
        asked = request.query_params
        kind, of, text = asked.get("kind", "new"), asked.get("of", ""), asked.get("text", "")
        return await self._letter(request, "compose.html", kind, of, text)

    async def draft(self, request: Request) -> Response:
        """Show a reply to finish, next to the message it answers."""
        return await self._letter(request, "draft.html", "reply", request.query_params.get("of", ""), "")

    async def _letter(
        self,
        request: Request,
        template: str,
        kind: str,
        of: str,
        text: str,
        manner: Json | None = None,
        over: Json | None = None,
    ) -> Response:
        """Show a mail being written; `over` replaces fields with the user's own text."""
        texts = (await self.ask(request, "texts"))["texts"]
        kept = _kept(texts, kind, of, text)
        account = ""
        if kept is not None:
            kind, account = kept["kind"], kept["account"]
            of = reference(account, kept["message_id"]) if kept["message_id"] else ""
            over = {name: kept[name] for name in WRITTEN}
        accounts = await accounts_in_use(self.perform, request)
        message = ""
        if kind != "new":
            account, message = parse_reference(of)
        asked = {"kind": kind, "message_id": message, **(manner or {})}
        begun = await self.ask(request, "compose", asked, account or accounts[0])
        return fragment(
            template,
            mail={**begun, **(over or {})},
            made_body="" if kept else begun["body"],
            of=of,
            kept=kept,
            text=kept["id"] if kept else text or secrets.token_hex(8),
            texts=texts,
            accounts=accounts,
            focused=template == "compose.html",
            manner=dict(_MANNER) | (manner or {}),
        )

    async def begin(self, request: Request) -> Response:
        """Show the text in another tone or length; text changed by the user is kept."""
        fields = await read_form(request)
        kind, of, text = (only(fields, name, "") for name in ("kind", "of", "text"))
        manner: Json = {name: only(fields, name, usual) for name, usual in _MANNER}
        manner["by_model"] = bool(only(fields, "by_model", ""))
        if _lines(only(fields, "body")) != _lines(only(fields, "made", "")):
            await self._keep(request, fields)
            return await self._letter(request, "letter.html", kind, of, text)
        await self._discarded(request, text)
        value, _ = _written(fields)
        over = {name: value[name] for name in WRITTEN if name != "body"}
        return await self._letter(request, "letter.html", kind, of, text, manner, over)

    async def keep(self, request: Request) -> Response:
        """Save the typed text, and show its recipients."""
        kept = await self._keep(request, await read_form(request))
        return fragment("kept.html", kept=kept)

    async def _keep(self, request: Request, fields: PostedFields) -> Json:
        value, account = _written(fields)
        return await self.ask(request, "keep_text", {**value, "id": only(fields, "text")}, account)

    async def ask_to_send(self, request: Request) -> Response:
        """Ask for consent, with every recipient and every word to be sent."""
        fields = await read_form(request)
        value, account = _written(fields)
        found = await self.ask(request, "outgoing", value, account)
        return fragment("asked.html", found=found, fields=_again(fields))

    async def send(self, request: Request) -> Response:
        """Send the mail; the user agreed to exactly what was shown."""
        fields = await read_form(request)
        value, account = _written(fields)
        await self.ask(request, "send", {**value, "agreed": only(fields, "agreed")}, account)
        await self._discarded(request, only(fields, "text", ""))
        return note(N_("Sent"))

    async def keep_draft(self, request: Request) -> Response:
        """Save the mail as a draft in the mailbox."""
        fields = await read_form(request)
        value, account = _written(fields)
        await self.ask(request, "keep_draft", value, account)
        await self._discarded(request, only(fields, "text", ""))
        return note(N_("Kept as a draft in your mailbox; nothing was sent"))

    async def discard(self, request: Request) -> Response:
        """Discard a saved text."""
        fields = await read_form(request)
        await self._keep(request, fields)
        text = only(fields, "text")
        await self.ask(request, "discard_text", {"id": text})
        return note(N_("Discarded"), None, (), ("restore", [("text", text)]))

    async def restore(self, request: Request) -> Response:
        """Restore a discarded text."""
        text = only(await read_form(request), "text")
        await self.ask(request, "discard_text", {"id": text, "back": True})
        return note(N_("It is back, under New mail"))

    async def _discarded(self, request: Request, text: str) -> None:
        try:
            await self.ask(request, "discard_text", {"id": text})
        except NotFound:
            return  # nothing was typed, so nothing was saved


_MANNER = (("tone", "usual"), ("length", "medium"))


def _kept(texts: Sequence[Json], kind: str, of: str, text: str) -> Json | None:
    """Return the saved text of a mail; None if there is none."""
    if text or kind == "new":
        return next((one for one in texts if one["id"] == text), None)
    _, message = parse_reference(of)
    return next((one for one in texts if (one["kind"], one["message_id"]) == (kind, message)), None)


def _written(fields: PostedFields) -> tuple[Json, str]:
    """Return the mail in a form, as operations expect it, and its account."""
    kind, of = only(fields, "kind", "new"), only(fields, "of", "")
    account, message = parse_reference(of) if of else (only(fields, "account", ""), "")
    if kind != "new" and not message:
        raise BadArgument(_("Say which message it is about."), argument="/of")
    value: Json = {
        "kind": kind,
        "message_id": message,
        "subject": only(fields, "subject", ""),
        "body": _lines(only(fields, "body", "")),
        "quote": bool(only(fields, "quote", "")),
    }
    return {**value, **{name: _people(only(fields, name, "")) for name in ("to", "cc", "bcc")}}, account


def _lines(text: str) -> str:
    """Return posted text with normal line ends."""
    return text.replace("\r\n", "\n")


def _people(text: str) -> list[str]:
    return [one.strip() for one in _BETWEEN_PEOPLE.split(text) if one.strip()]


def _again(fields: PostedFields) -> Sequence[tuple[str, str]]:
    """Return the fields of a mail as hidden fields of the confirmation form."""
    names = ("kind", "of", "account", "text", *WRITTEN)
    return [(name, value) for name in names for value in fields.get(name, ())]
