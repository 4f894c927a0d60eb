"""The first day: connecting an account step by step, and a few teaching questions. Entry: `first_day_routes`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.interfaces.web.performing import PageOperations, PageRoutes, PerformOperation, accounts_in_use
from gaia_email.interfaces.web.posting import PostedFields, note, only, read_form
from gaia_email.interfaces.web.rendering import fragment, parse_reference, reference
from gaia_email_registry.errors import BadArgument, MailError
from gaia_understanding.cascade.verdict import BUCKETS

Json = dict[str, Any]

QUESTIONS = 8
"""Number of questions in one lesson on the page."""

SERVER_FIELDS = (
    *("imap_host", "imap_port", "imap_security", "imap_user", "imap_certificates"),
    *("smtp_host", "smtp_port", "smtp_security"),
)


def first_day_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes of the first day's pages."""
    pages = _FirstDay(perform)
    return PageRoutes(
        shown={"connect": pages.connect, "connecting": pages.connecting, "teach": pages.teach},
        changed={
            "connect": pages.connect_now,
            "sign-in": pages.sign_in,
            "cancel-connecting": pages.cancel,
            "connect-later": pages.later,
            "teach": pages.answer,
        },
    )


async def first_page(pages: PageOperations, request: Request) -> Response:
    """Show a user without an account the accounts known to this machine, and a field for any other."""
    found = await pages.ask(request, "discover")
    accounts = (await pages.ask(request, "accounts"))["accounts"]
    return fragment("first_day.html", candidates=found["candidates"], accounts=accounts)


@dataclass(slots=True)
class _FirstDay(PageOperations):
    async def connect(self, request: Request) -> Response:
        """Show the first page or, for an address, the steps that connect it."""
        query = request.query_params
        if not query.get("email", "").strip():
            return await first_page(self, request)
        return await self._plan(request, query["email"], over_imap=query.get("imap") == "1")

    async def _plan(
        self,
        request: Request,
        address: str,
        *,
        over_imap: bool,
        typed: Mapping[str, str] | None = None,
        error: MailError | None = None,
    ) -> Response:
        asked = {"email": address, "over_imap": over_imap, "ask_domain": typed is None}
        plan = await self.ask(request, "plan_connection", asked)
        return fragment(
            "connect.html",
            plan=plan,
            over_imap=over_imap,
            servers=plan["settings"] if typed is None else typed,
            error=error,
        )

    async def connect_now(self, request: Request) -> Response:
        """Test the login with a password, store it and start reading; on failure, show the form with the error."""
        fields = await read_form(request)
        address = only(fields, "email")
        value: Json = {"email": address} | {
            name: text
            for name in ("password", "password_command", "provider", *SERVER_FIELDS)
            if (text := only(fields, name, ""))
        }
        for name in ("imap_port", "smtp_port"):
            if name in value:
                value[name] = _port(value[name], name)
        try:
            document = await self.ask(request, "connect", value)
        except MailError as error:
            typed = {name: only(fields, name, "") for name in ("provider", *SERVER_FIELDS)}
            return await self._plan(request, address, over_imap=True, typed=typed, error=error)
        attempt = await self.ask(request, "first_sync", {"account": document["account"]["id"]})
        return self._progress(attempt, problems=document["problems"])

    async def sign_in(self, request: Request) -> Response:
        """Start a login on the provider's own page, which the user opens."""
        fields = await read_form(request)
        provider = only(fields, "provider")
        value = {
            "provider": provider,
            "email": only(fields, "email", ""),
            "device_code": only(fields, "device_code", "") == "1",
        }
        return self._progress(await self.ask(request, "sign_in", value), provider=provider)

    async def connecting(self, request: Request) -> Response:
        """Show the progress of a connection; the page polls this while it is active."""
        query = request.query_params
        attempt = await self.ask(request, "connection_attempt", {"id": query.get("id", "")})
        return self._progress(attempt, provider=query.get("provider", ""), part="part" in query)

    async def cancel(self, request: Request) -> Response:
        """Cancel a waiting login."""
        fields = await read_form(request)
        attempt = await self.ask(request, "cancel_attempt", {"id": only(fields, "id")})
        return self._progress({**attempt, "state": "cancelled"}, provider=only(fields, "provider", ""))

    def _progress(
        self, attempt: Json, *, provider: str = "", problems: Sequence[str] = (), part: bool = False
    ) -> Response:
        return fragment(
            "connecting.html",
            changed=attempt["state"] == "done",
            attempt=attempt,
            provider=provider,
            problems=problems,
            part=part,
        )

    async def later(self, request: Request) -> Response:
        """Postpone connecting."""
        await self.ask(request, "connect_later")
        return note("A note in the Agent Inbox reminds you, until a mailbox is connected")

    async def teach(self, request: Request) -> Response:
        """Show the first question of a lesson."""
        accounts = await accounts_in_use(self.perform, request)
        each = max(1, QUESTIONS // len(accounts))
        asked: list[str] = []
        for account in accounts:
            document = await self.ask(request, "teach", {"count": each}, account)
            asked += [f"{one['bucket']} {reference(account, one['id'])}" for one in document["questions"]]
        return await self._question(request, asked[:QUESTIONS], {"answered": 0, "skipped": 0})

    async def answer(self, request: Request) -> Response:
        """Save an answer at once, and show the next question."""
        fields = await read_form(request)
        account, id_ = parse_reference(only(fields, "of"))
        bucket, told = only(fields, "bucket", ""), _told(fields)
        if bucket:
            if bucket not in BUCKETS:
                raise BadArgument("bucket: one of the four.", argument="/bucket")
            await self.ask(request, "correct", {"message_id": id_, "bucket": bucket}, account)
        told["answered" if bucket else "skipped"] += 1
        last = reference(account, id_) if bucket else ""
        answers = fields.get("answer", [])
        if last:
            answers = [*answers, f"{bucket} {only(fields, 'was', bucket)} {last}"]
        return await self._question(request, fields.get("left", []), told, answers, last=last)

    async def _question(
        self,
        request: Request,
        left: Sequence[str],
        told: Mapping[str, int],
        answers: Sequence[str] = (),
        *,
        last: str = "",
    ) -> Response:
        """Show the next open question, or the lesson's result."""
        asked: Json = {"of": "", "was": "", "shown": None, "why": None, "agreement": None}
        if left:
            was, _, of = left[0].rpartition(" ")
            account, id_ = parse_reference(of)
            about = {"message_id": id_}
            asked |= {
                "of": of,
                "was": was,
                "shown": await self.ask(request, "show", about, account),
                "why": await self.ask(request, "why", about, account),
            }
        elif answers:
            asked["agreement"] = await self._agreement(request, answers)
        return fragment(
            "teach.html", changed=bool(last), **asked, left=left[1:], told=told, answers=answers, last=last
        )

    async def _agreement(self, request: Request, answers: Sequence[str]) -> Json | None:
        """Return the agreement with the answers over all accounts; None if it is unavailable."""
        said: dict[str, Json] = {}
        for one in answers:
            bucket, was, account, id_ = _answer(one)
            of = said.setdefault(account, {"answers": {}, "shown": {}})
            of["answers"][id_], of["shown"][id_] = bucket, was
        try:
            found = [
                (await self.ask(request, "teach", value, account))["agreement"]
                for account, value in said.items()
            ]
        except MailError:  # a message may have been deleted; the answers still count
            return None
        return {name: sum(one[name] for one in found) for name in ("held_back", "before", "after")}


def _answer(text: str) -> tuple[str, str, str, str]:
    """Parse an answer from the page: its bucket, the message's earlier bucket, its account and id."""
    parts = text.split(" ")
    if len(parts) != 3:
        raise BadArgument("of: a message as a page names it.", argument="/answer")
    bucket, was, of = parts
    account, id_ = parse_reference(of)
    return bucket, was, account, id_


def _told(fields: PostedFields) -> dict[str, int]:
    """Return the numbers of answered and skipped questions, as posted by the page."""
    counts = {name: only(fields, name, "0") for name in ("answered", "skipped")}
    return {name: int(text) if text.isdecimal() and len(text) < 4 else 0 for name, text in counts.items()}


def _port(text: str, name: str) -> int:
    if not text.isdecimal() or len(text) > 5:
        raise BadArgument(f"{name}: a port is a number up to 65535.", argument=f"/{name}")
    return int(text)
