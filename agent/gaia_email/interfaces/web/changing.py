"""Actions on the pages: each calls an operation and answers with a note that can undo it.

Entry: `changing_routes`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.documents.cards.wording import HEADINGS
from gaia_email.app.languages.speaking import N_, _
from gaia_email.interfaces.web.performing import PageOperations, PerformOperation, accounts_in_use
from gaia_email.interfaces.web.posting import (
    MOST_AT_ONCE,
    PostedFields,
    by_account,
    named,
    note,
    only,
    posted,
)
from gaia_email.interfaces.web.rendering import fragment, reference, referred
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_understanding.cascade.verdict import BUCKETS

Json = dict[str, Any]


def changing_routes(perform: PerformOperation) -> dict[str, Callable[[Request], Awaitable[Response]]]:
    """Return the handler of each POST by name."""
    changes = _Changes(perform)
    return {
        "archive": changes.archive,
        "snooze": changes.snooze,
        "later": changes.later,
        "answered": changes.answered,
        "spam": changes.spam,
        "trash": changes.trash,
        "move": changes.move,
        "retract": changes.retract,
        "undo": changes.undo,
        "approve": changes.approve,
        "reject": changes.reject,
        "reopen": changes.reopen,
        "triage": changes.triage,
        "stop": changes.stop,
        "pause": changes.pause,
        "resume": changes.resume,
        "disable": changes.disable,
    }


@dataclass(slots=True)
class _Changes(PageOperations):
    async def archive(self, request: Request) -> Response:
        return await self._act(request, "archive", N_("Archived"))

    async def later(self, request: Request) -> Response:
        return await self._act(request, "reply_later", N_("In the queue to answer later"))

    async def answered(self, request: Request) -> Response:
        """Remove messages from the list of postponed replies."""
        return await self._act(request, "reply_later", N_("Removed from the list"), {"done": True})

    async def spam(self, request: Request) -> Response:
        return await self._act(request, "spam", N_("Moved to spam"))

    async def trash(self, request: Request) -> Response:
        return await self._act(request, "trash", N_("Moved to trash"))

    async def snooze(self, request: Request) -> Response:
        until = only(await posted(request), "until")
        return await self._act(request, "snooze", N_("Snoozed"), {"until": until})

    async def _act(self, request: Request, name: str, done: str, more: Json | None = None) -> Response:
        """Act on the named messages, account by account, as one undoable unit."""
        session_id = f"web-{uuid4().hex}"
        count, problems, accounts = 0, list[str](), list[str]()
        for account, ids in by_account(_named(await posted(request))).items():
            value = {"message_ids": ids, **(more or {})}
            document = await self.ask(request, name, value, account, session_id)
            count += len(document["done"])
            problems += [row["error"] or "" for row in document["failed"]]
            problems += [document["problem"] or document["halted"]]
            if document["done"]:
                accounts.append(account)
        undo = [("session", session_id), *(("account", one) for one in accounts)] if accounts else []
        return note(done, count, problems, ("undo", undo))

    async def move(self, request: Request) -> Response:
        """Record that messages belong in another bucket."""
        fields = await posted(request)
        bucket = only(fields, "bucket")
        if bucket not in BUCKETS:
            raise BadArgument("bucket: one of the four.", argument="/bucket")
        messages = _named(fields)
        for account, id_ in messages:
            await self.ask(request, "correct", {"message_id": id_, "bucket": bucket}, account)
        undo = [("of", reference(*one)) for one in messages]
        return note(
            _("Moved to {bucket}").format(bucket=_(HEADINGS[bucket][1])), len(messages), (), ("retract", undo)
        )

    async def retract(self, request: Request) -> Response:
        """Retract corrections."""
        messages = _named(await posted(request))
        for one in messages:
            await self.ask(request, "retract", {"message_id": one[1]})
        return note("Moved back", len(messages))

    async def undo(self, request: Request) -> Response:
        """Undo the actions named by a note or a line of the activity; by default, the last one."""
        fields = await posted(request)
        calls: list[tuple[str, Json]] = [
            (account, {"session_id": only(fields, "session")}) for account in fields.get("account", ())
        ]
        calls += [(account, {"run_id": id_}) for account, id_ in map(referred, fields.get("run", ()))]
        calls += [
            (account, {"action_id": id_})
            for account, id_ in map(referred, fields.get("action", ())[:MOST_AT_ONCE])
        ]
        if not calls:
            last = await self.ask(request, "actions", {"limit": 1})
            if not last["actions"]:
                raise NotFound("Nothing was done yet.")
            calls = [(last["actions"][0]["account"], {})]
        count, problems = 0, list[str]()
        for account, value in calls:
            document = await self.ask(request, "undo", value, account)
            count += len(document["taken_back"]) + document["cleared"]
            problems += [kept["reason"] for kept in document["kept"]]
            problems += [document["problem"]]
        return note("Taken back", count, problems)

    async def approve(self, request: Request) -> Response:
        """Agree to exactly what was shown."""
        fields = await posted(request)
        return await self._answer(request, "approve", N_("Approved"), {"bucket": only(fields, "bucket", "")})

    async def reject(self, request: Request) -> Response:
        """Decline what was shown."""
        return await self._answer(request, "reject", N_("Rejected"))

    async def _answer(self, request: Request, name: str, done: str, more: Json | None = None) -> Response:
        """Answer the named items, each exactly as it was shown."""
        accounts = {id_: account for account, id_ in _named(await posted(request))}
        document = await self.ask(request, name, {"ids": list(accounts), **(more or {})})
        problems = [row["reason"] for row in document["items"] if not row["counts"]]
        undo = [
            ("action", reference(accounts.get(row["id"], ""), action))
            for row in document["items"]
            for action in row["actions"]
        ]
        rejected = [
            ("of", reference(accounts.get(row["id"], ""), row["id"]))
            for row in document["items"]
            if row["result"] == "rejected" and row["type"] != "confirmation"
        ]
        back = ("reopen", rejected) if rejected else ("undo", undo[:MOST_AT_ONCE])
        return note(done, document["answered"], problems, back)

    async def reopen(self, request: Request) -> Response:
        """Undo a rejection."""
        return await self._answer(request, "reopen", N_("Waits again"))

    async def triage(self, request: Request) -> Response:
        """Sort the inbox and carry out what the levels allow; the rest waits in the Agent Inbox."""
        count, problems, undo = 0, list[str](), list[tuple[str, str]]()
        for account in await accounts_in_use(self.perform, request):
            document = await self.ask(request, "triage", {"apply": True}, account)
            count += len(document["done"])
            problems += [document["problem"] or document["halted"]]
            if document["undo"]:
                undo.append(("run", reference(account, document["undo"])))
        return note("Sorted, and done as far as your levels allow", count, problems, ("undo", undo))

    async def stop(self, request: Request) -> Response:
        """Stop the agent at once, then offer to disable accounts, too."""
        return fragment("stopped.html", changed=True, found=await self.ask(request, "stop"))

    async def pause(self, request: Request) -> Response:
        await self.ask(request, "pause")
        return note("The agent is paused: no new run starts")

    async def resume(self, request: Request) -> Response:
        await self.ask(request, "resume")
        return note("The agent may act again")

    async def disable(self, request: Request) -> Response:
        found = await self.ask(request, "disable")
        return note("Switched off", len(found["accounts"]))


def _named(fields: PostedFields) -> list[tuple[str, str]]:
    return named(fields)[:MOST_AT_ONCE]
