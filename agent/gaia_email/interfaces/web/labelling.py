"""The user's labels on the pages: created, tested, changed, assigned to mail. Entry: `labelling_routes`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import N_
from gaia_email.interfaces.web.performing import PageOperations, PageRoutes, PerformOperation
from gaia_email.interfaces.web.posting import by_account, note, only, parse_references, read_form
from gaia_email.interfaces.web.rendering import fragment
from gaia_email_registry.errors import BadArgument

Json = dict[str, Any]

A_PAGE = 100
"""Maximum threads of a label on a page."""


def labelling_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes that show and change labels."""
    pages = _Labelling(perform)
    return PageRoutes(
        shown={"label": pages.label},
        changed={
            "label-put": pages.put,
            "label-off": pages.off,
            "label-on": pages.on_again,
            "label-new": pages.create,
            "label-try": pages.test,
            "label-change": pages.change,
            "label-place": pages.place,
            "label-remove": pages.remove,
            "label-back": pages.back,
        },
    )


@dataclass(slots=True)
class _Labelling(PageOperations):
    async def label(self, request: Request) -> Response:
        """Show the threads of a label, under its sentence; without an id, the form for a new label."""
        id_ = request.query_params.get("id", "")
        labels = (await self.ask(request, "labels", {"counts": True}))["labels"]
        counts = (await self.ask(request, "inbox", {"limit": 1}))["counts"]
        found: Json | None = None
        if id_:
            found = await self.ask(request, "label_threads", {"id": id_, "limit": A_PAGE})
        return fragment("label.html", found=found, labels=labels, counts=counts, bucket="", label=id_)

    async def put(self, request: Request) -> Response:
        """Give threads a label."""
        return await self._put(request, N_("Labelled"), {})

    async def off(self, request: Request) -> Response:
        """Remove a label from threads, and remember that it is not for them."""
        return await self._put(request, N_("Not for this label"), {"off": True})

    async def on_again(self, request: Request) -> Response:
        """Forget that a label is not for threads, and restore it if it was removed."""
        fields = await read_form(request)
        session = only(fields, "session", "")
        for account in fields.get("account", ()):
            await self.ask(request, "undo", {"session_id": session}, account)
        return await self._put(request, N_("It has its label again"), {"off": True, "back": True})

    async def _put(self, request: Request, done: str, more: Json) -> Response:
        fields = await read_form(request)
        label, session = only(fields, "label"), f"web-{uuid4().hex}"
        messages = parse_references(fields)
        changed: list[tuple[str, str]] = []
        for account, ids in by_account(messages).items():
            value = {"message_ids": ids, "label": label, **more}
            document = await self.ask(request, "put_label", value, account, session)
            changed += [("account", account)] if document["done"] else []
        undo = [("session", session), *changed] if changed else []
        if more.get("back"):
            return note(done)
        if not more:
            return note(done, len(messages), (), ("undo", undo))
        fields_back = [("label", label), *(("of", of) for of in fields["of"]), *undo]
        return note(done, len(messages), (), ("label-on", fields_back))

    async def create(self, request: Request) -> Response:
        """Create a label."""
        fields = await read_form(request)
        value = {name: only(fields, name) for name in ("name", "sentence")}
        made = await self.ask(request, "add_label", value)
        return note(N_("The label is made"), None, (), ("label-remove", [("label", made["id"])]))

    async def test(self, request: Request) -> Response:
        """Show the threads that a label with this sentence would have."""
        sentence = only(await read_form(request), "sentence").strip()
        found = (
            await self.ask(request, "test_label", {"sentence": sentence, "limit": 20}) if sentence else None
        )
        return fragment("label-try.html", found=found)

    async def change(self, request: Request) -> Response:
        """Change the sentence of a label."""
        fields = await read_form(request)
        id_, before = only(fields, "label"), only(fields, "before", "")
        await self.ask(request, "change_label", {"id": id_, "sentence": only(fields, "sentence")})
        undo = [("label", id_), ("sentence", before)] if before else []
        return note(N_("The label has another sentence"), None, (), ("label-change", undo))

    async def place(self, request: Request) -> Response:
        """Change the position of a label among the tabs."""
        fields = await read_form(request)
        position = only(fields, "position")
        if not position.isdecimal():
            raise BadArgument("position: a whole number.", argument="/position")
        await self.ask(request, "change_label", {"id": only(fields, "label"), "position": int(position)})
        return note(N_("The tabs are in another order"))

    async def remove(self, request: Request) -> Response:
        """Remove a label; the mail provider's label with the same name stays."""
        id_ = only(await read_form(request), "label")
        await self.ask(request, "remove_label", {"id": id_})
        return note(N_("The label is removed"), None, (), ("label-back", [("label", id_)]))

    async def back(self, request: Request) -> Response:
        """Restore a removed label."""
        await self.ask(request, "remove_label", {"id": only(await read_form(request), "label"), "back": True})
        return note(N_("The label is back"))
