"""Brings the replica up to date by delta queries, all folders together in batches. Entry: `GraphSyncer`.

https://learn.microsoft.com/graph/delta-query-messages: one link a folder and one for the list of folders. A move is
told as removed here and added there; with immutable ids both name one message, which is one change. Of what was told
before an item may say only what changed: it is merged into the row, and what a row cannot be made of is fetched.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from gaia_email_registry.errors import MailError, NotFound, ProviderError
from gaia_graph_mcp.calls import GraphCall, Resource, delta, get, is_object, objects, path_of_link
from gaia_graph_mcp.client import GraphClient, GraphOutcome
from gaia_graph_mcp.failures import OutOfSync
from gaia_graph_mcp.folders import SYSTEM, GraphFolder
from gaia_graph_mcp.replica import Replica
from gaia_graph_mcp.rows import SELECTED, ReplicaRow, is_whole, rewrites, row_of

FOLDERS = "/me/mailFolders/delta"
_LINK = "folders_link"
_GENERATION = "generation"
_LISTED = "listed"
_FORM = "form"
_NOW = "2"
"""How rows are made; a replica of another form is listed anew. Before 2, a change took subject and sender away."""
_OF_FOLDERS = frozenset({"displayName", "parentFolderId"})
MOST_PAGES = 100_000
"""A mailbox of ten million messages; a service that goes on after that runs in circles."""


@dataclass(slots=True)
class _Pass:
    """What one pass found out, before it is written down."""

    rows: dict[str, ReplicaRow] = field(default_factory=dict[str, ReplicaRow])
    changes: dict[str, Resource] = field(default_factory=dict[str, Resource])
    """What is told of messages of which nothing in this pass says all."""
    twice: set[str] = field(default_factory=set[str])
    """Messages that moved meanwhile, so that two folders tell of them."""
    removed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Folder and message id."""
    links: dict[str, str] = field(default_factory=dict[str, str])
    relisted: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Folders that are listed anew, with the ids that are in them."""
    pages: int = 0

    def folder_of(self, id_: str) -> str:
        """Where it is as told by now; empty where nothing was told."""
        if id_ in self.rows:
            return self.rows[id_].folder
        return str(self.changes[id_]["parentFolderId"]) if id_ in self.changes else ""

    def take(self, id_: str, resource: Resource) -> None:
        """An item that says all of a message, or what changed of it."""
        if self.folder_of(id_) not in ("", resource["parentFolderId"]):
            self.twice.add(id_)
        if is_whole(resource):
            self.rows[id_] = row_of(resource)
            self.changes.pop(id_, None)
        elif id_ in self.rows and not rewrites(resource):
            self.rows[id_] = self.rows[id_].changed(resource)
        else:
            self.rows.pop(id_, None)
            self.changes[id_] = {**self.changes.get(id_, {}), **resource}

    def drop(self, id_: str) -> None:
        """It is not there any more."""
        self.rows.pop(id_, None)
        self.changes.pop(id_, None)


class GraphSyncer:
    """One account's; several processes may run it at once, then one's work counts."""

    def __init__(
        self, client: GraphClient, replica: Replica, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client, self._replica, self._clock = client, replica, clock
        self._alone = asyncio.Lock()
        self._at = float("-inf")
        self._gone: set[str] = set()
        """Folders that are no more, until that is written down."""

    async def sync(self, *, within_s: float = 0.0) -> None:
        """Ask for news, unless that was done in the last `within_s` seconds.

        Raises:
            MailError: Microsoft does not answer; what was known before is unchanged.
        """
        asked = self._clock()
        async with self._alone:
            if self._at > asked or asked - self._at < within_s:  # somebody else asked while we waited
                return
            started = self._clock()
            while not await self._passed():
                pass
            self._at = started

    async def _passed(self) -> bool:
        """One pass; False when another process was faster, so that it has to be made again."""
        generation = self._replica.meta(_GENERATION)
        found = _Pass()
        if not self._replica.meta(_LINK):
            await self._list_folders()
        links = self._replica.links()
        listed = bool(self._replica.meta(_LISTED))
        if listed and self._replica.meta(_FORM) != _NOW:
            found.relisted = {id_: set() for id_ in links}
            links = dict.fromkeys(links, "")
        pending = {id_: link or _first_path(id_) for id_, link in links.items()}
        new = await self._round(pending, found, with_folders=listed)
        while new:
            if not listed:  # nothing can have been removed yet: keep what there is, should this be cut short
                await self._write(found)
            found.pages += 1
            if found.pages > MOST_PAGES:
                raise ProviderError("Microsoft's list of messages has no end; try again later.")
            new = await self._round(new, found, with_folders=False)
        await self._fetch_missing(found)
        with self._replica.writing():
            if self._replica.meta(_GENERATION) != generation or not self._merged(found):
                return False
            self._settle(found)
            self._replica.set_meta(_GENERATION, str(int(generation or 0) + 1))
            self._replica.set_meta(_LISTED, "1")
            self._replica.set_meta(_FORM, _NOW)
            self._replica.trim()
        return True

    async def _list_folders(self) -> None:
        """The folders, and which of them are the well-known ones; once for a replica."""
        names = list(SYSTEM)
        outcomes = await self._client.many(
            [get("mailFolders", name, query={"$select": "id"}) for name in names]
        )
        known: dict[str, str] = {}
        for name, outcome in zip(names, outcomes, strict=True):
            if isinstance(outcome, MailError) and not isinstance(outcome, NotFound):
                raise outcome
            if isinstance(outcome, dict) and "id" in outcome:
                known[str(outcome["id"])] = name
        folders, link = await self._folder_pages(await self._client.call(delta(FOLDERS)))
        with self._replica.writing():
            for resource in folders:
                self._put_folder(resource, known)
            self._replica.set_meta(_LINK, link)

    async def _folder_pages(self, page: Resource) -> tuple[list[Resource], str]:
        """Every folder of a page and those after it, and the link for the next time."""
        found: list[Resource] = []
        for _ in range(MOST_PAGES):
            found += objects(page.get("value"))
            if "@odata.deltaLink" in page:
                return found, path_of_link(page["@odata.deltaLink"], self._client.root)
            page = await self._client.call(
                delta(path_of_link(page.get("@odata.nextLink"), self._client.root))
            )
        raise ProviderError("Microsoft's list of folders has no end; try again later.")

    async def _round(self, pending: Mapping[str, str], found: _Pass, *, with_folders: bool) -> dict[str, str]:
        """One page of each folder; what is to be asked for next, by folder."""
        calls: list[GraphCall] = [delta(path) for path in pending.values()]
        if with_folders:
            calls.insert(0, delta(self._replica.meta(_LINK)))
        outcomes = await self._client.many(calls)
        following: dict[str, str] = {}
        if with_folders:
            following |= await self._take_folders(outcomes.pop(0))
        for (folder, path), outcome in zip(pending.items(), outcomes, strict=True):
            following |= self._take_page(folder, path, outcome, found)
        return following

    async def _take_folders(self, outcome: GraphOutcome) -> dict[str, str]:
        """Write down which folders came, went or changed; answers those to be listed."""
        if isinstance(outcome, OutOfSync):
            page: Resource = await self._client.call(delta(FOLDERS))
            folders, link = await self._folder_pages(page)
            there = {str(one.get("id")) for one in folders}
            folders += [{"id": id_, "@removed": {}} for id_ in self._replica.links() if id_ not in there]
        elif isinstance(outcome, dict):
            folders, link = await self._folder_pages(outcome)
        else:
            raise (
                outcome
                if isinstance(outcome, MailError)
                else ProviderError("Microsoft's answer cannot be read.")
            )
        if not folders and link == self._replica.meta(_LINK):
            return {}
        before = self._replica.folders()
        folders = await self._named(folders, before.by_id)
        known = {id_: name for name, id_ in before.special.items()}
        new: dict[str, str] = {}
        with self._replica.writing():
            for resource in folders:
                id_ = str(resource.get("id"))
                if _is_gone(resource):
                    continue  # its messages may have moved: settled with the rest, when its own list is gone
                if id_ not in before.by_id:
                    new[id_] = _first_path(id_)
                self._put_folder(resource, known)
            self._replica.set_meta(_LINK, link)
        self._gone = {str(one.get("id")) for one in folders if _is_gone(one)}
        return new

    async def _named(self, folders: list[Resource], known: Collection[str]) -> list[Resource]:
        """The same, with all of those that are new and of which only a part was told."""
        lacking = [
            str(one.get("id"))
            for one in folders
            if "@removed" not in one and one.get("id") not in known and not one.keys() >= _OF_FOLDERS
        ]
        outcomes = await self._client.many([get("mailFolders", id_) for id_ in lacking])
        whole = dict(zip(lacking, map(_found_or_gone, outcomes), strict=True))
        gone: Resource = {"@removed": {}}
        return [{**one, **(whole.get(str(one.get("id")), one) or gone)} for one in folders]

    def _take_page(self, folder: str, path: str, outcome: GraphOutcome, found: _Pass) -> dict[str, str]:
        """Take in a page of a folder; answers what to ask for next."""
        if isinstance(outcome, OutOfSync) and path != _first_path(folder):
            found.relisted[folder] = set()
            return {folder: _first_path(folder)}
        if isinstance(outcome, NotFound):
            self._gone = {*self._gone, folder}
            return {}
        if not isinstance(outcome, dict):
            raise (
                outcome
                if isinstance(outcome, MailError)
                else ProviderError("Microsoft's answer cannot be read.")
            )
        for resource in objects(outcome.get("value")):
            id_ = str(resource.get("id", ""))
            if "@removed" in resource:
                found.removed.append((folder, id_))
                if found.folder_of(id_) == folder:
                    found.drop(id_)
            elif id_:
                found.take(id_, {"parentFolderId": folder, **resource})
                found.removed = [pair for pair in found.removed if pair != (folder, id_)]
                if folder in found.relisted:
                    found.relisted[folder].add(id_)
        if "@odata.nextLink" in outcome:
            link = path_of_link(outcome["@odata.nextLink"], self._client.root)
            if link == path:
                raise ProviderError("Microsoft's list of messages runs in a circle; try again later.")
            found.links[folder] = link
            return {folder: link}
        found.links[folder] = path_of_link(outcome.get("@odata.deltaLink"), self._client.root)
        return {}

    async def _write(self, found: _Pass) -> None:
        await self._fetch_missing(found)
        with self._replica.writing():
            if not self._merged(found):
                return  # with the next page
            self._settle(found)
        found.rows.clear()
        found.links.clear()

    async def _fetch_missing(self, found: _Pass) -> None:
        """Ask for the messages that the pages do not say enough of; those that are gone are told of next time."""
        wanted = [
            id_
            for id_, resource in found.changes.items()
            if rewrites(resource) or self._replica.get(id_) is None
        ]
        wanted += [id_ for id_ in found.twice if id_ not in wanted and found.folder_of(id_)]
        outcomes = await self._client.many([get("messages", id_, query=SELECTED) for id_ in wanted])
        for id_, outcome in zip(wanted, outcomes, strict=True):
            resource, told_in = _found_or_gone(outcome), found.folder_of(id_)
            found.drop(id_)
            if resource is not None:
                parent = {} if id_ in found.twice else {"parentFolderId": told_in}
                found.rows[id_] = row_of({**resource, **parent})
        found.twice.clear()

    def _merged(self, found: _Pass) -> bool:
        """Put changes into the rows they are of; False where another process has removed one since."""
        for id_, resource in found.changes.items():
            known = self._replica.get(id_)
            if known is None:
                return False
            found.rows[id_] = known.changed(resource)
        found.changes.clear()
        return True

    def _settle(self, found: _Pass) -> None:
        """Write a pass down: what is somewhere first, so that a move is no removal."""
        for row in found.rows.values():
            self._replica.put(row)
        for folder, id_ in found.removed:
            known = self._replica.get(id_)
            if known is not None and known.folder == folder and id_ not in found.rows:
                self._replica.remove(id_)
        for folder, there in found.relisted.items():
            for id_ in self._replica.ids_in(folder):
                if id_ not in there:
                    self._replica.remove(id_)
        for folder in self._gone:
            self._replica.remove_folder(folder)
        self._gone = set()
        for folder, link in found.links.items():
            self._replica.set_link(folder, link)

    def _put_folder(self, resource: Resource, known: Mapping[str, str]) -> None:
        id_ = str(resource.get("id"))
        if resource.get("isHidden") is True:
            return
        before = self._replica.folders().by_id.get(id_)
        self._replica.put_folder(
            GraphFolder(
                id=id_,
                name=str(resource.get("displayName") or (before.name if before else id_)),
                parent=str(resource.get("parentFolderId") or (before.parent if before else "")),
                well_known=known.get(id_, ""),
            )
        )


def _is_gone(folder: Resource) -> bool:
    """Whether a folder was removed, or hidden."""
    return "@removed" in folder or folder.get("isHidden") is True


def _found_or_gone(outcome: GraphOutcome) -> Resource | None:
    """What was answered; None where there is nothing.

    Raises:
        MailError: It was refused for another reason.
    """
    if isinstance(outcome, NotFound):
        return None
    if isinstance(outcome, MailError):
        raise outcome
    return outcome if is_object(outcome) else None


def _first_path(folder: str) -> str:
    query = urlencode(SELECTED, quote_via=quote, safe="$,()'")
    return f"/me/mailFolders/{quote(folder, safe='=-_')}/messages/delta?{query}"
