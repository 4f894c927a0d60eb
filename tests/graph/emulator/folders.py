"""The emulated Graph's folders, and delta over them and over their messages. Entry: `FolderRoutes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import Account, Folder
from tests.graph.emulator.answering import Refused, answer_json, body_of, page_size
from tests.graph.emulator.listing import folders_page, messages_page
from tests.graph.emulator.resources import changes_of
from tests.graph.emulator.resources import folder as folder_resource
from tests.graph.emulator.resources import message as message_resource


class FolderRoutes:
    """Answers `/me/mailFolders/…`."""

    def __init__(self, account: Account, root: Callable[[], str]) -> None:
        self._account = account
        self._root = root

    def answer(self, request: Request, rest: list[str]) -> Response:
        """One request."""
        match request.method, rest:
            case "GET", []:
                return folders_page(request, self._account, self._root(), self._account.root)
            case "GET", [name, "childFolders"]:
                return folders_page(request, self._account, self._root(), self._folder(name).id)
            case "GET", [name, "messages"]:
                return messages_page(request, self._account, self._root(), self._folder(name).id)
            case "GET", ["delta"]:
                return self._delta(request, "")
            case "POST", []:
                return self._made(request, self._account.root)
            case "GET", [name]:
                return answer_json(folder_resource(self._folder(name), self._account))
            case "PATCH", [name]:
                self._account.rename_folder(self._folder(name), str(body_of(request)["displayName"]))
                return answer_json(folder_resource(self._folder(name), self._account))
            case "DELETE", [name]:
                folder = self._folder(name)
                if folder.well_known:
                    raise Refused(403, "ErrorDeleteDistinguishedFolder", "Distinguished folders stay.")
                self._account.remove_folder(folder)
                return Response(status=204)
            case "POST", [name, "childFolders"]:
                return self._made(request, self._folder(name).id)
            case "GET", [name, "messages", "delta"]:
                return self._delta(request, self._folder(name).id)
            case _:
                raise Refused(404, "ResourceNotFound", "No such resource.")

    def _folder(self, name: str) -> Folder:
        found = self._account.folder(name)
        if found is None:
            raise Refused(404, "ErrorItemNotFound", "The specified object was not found in the store.")
        return found

    def _made(self, request: Request, parent: str) -> Response:
        name = str(body_of(request)["displayName"])
        if any(
            one.parent == parent and one.name.lower() == name.lower()
            for one in self._account.folders.values()
        ):
            raise Refused(409, "ErrorFolderExists", "A folder with the specified name already exists.")
        return answer_json(folder_resource(self._account.add_folder(name, parent), self._account), 201)

    def _delta(self, request: Request, where: str) -> Response:
        """A page of news; its link holds the `$select` of the first request, as Graph's tokens do."""
        query = dict(request.query)
        if "$filter" in query:
            raise Refused(400, "BadRequest", "This emulator caps no filtered delta; ask without $filter.")
        position = known = 0
        given = query.get("$deltatoken") or query.get("$skiptoken")
        if given is not None:
            since = self._account.tokens.get(given)
            if since is None or since.where != where:
                raise Refused(410, "SyncStateNotFound", "The sync state generation is not found; resync.")
            position, known = since.position, since.known
        news = self._account.news(where, position)
        page = news[: page_size(request)]
        more = len(page) < len(news)
        reached = page[-1][0] if more else max(self._account.position, 1)
        token = self._account.token(where, reached, known if more else reached)
        kept = "".join(f"&{name}={query[name]}" for name in ("$select", "$expand") if name in query)
        kept = kept.replace(" ", "%20")
        kind = "skip" if more else "delta"
        path = f"mailFolders/{where}/messages" if where else "mailFolders"
        link = f"{self._root()}/me/{path}/delta?${kind}token={token}{kept}"
        shown = [self._told(id_, there, where, query, known) for _, id_, there in page]
        return answer_json({"value": shown, "@odata.nextLink" if more else "@odata.deltaLink": link})

    def _told(self, id_: str, there: bool, where: str, query: dict[str, str], known: int) -> dict[str, Any]:
        """An item of a page; of what its reader knows already, only what changed since."""
        if not there:
            return {"id": id_, "@removed": {"reason": "deleted"}}
        if not where:
            folder = self._account.folders[id_]
            whole = folder_resource(folder, self._account)
            if self._account.sparse and folder.entered <= known:
                return {name: whole[name] for name in ("id", "displayName")}
            return whole
        item = self._account.items[id_]
        select, size = query.get("$select", ""), "0xe08" in query.get("$expand", "")
        if self._account.sparse and item.entered <= known:
            return changes_of(item, known, select, size=size)
        return message_resource(item, select, size=size)
