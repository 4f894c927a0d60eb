"""Updates the replica with delta queries for all folders, in batches. Entry: `GraphSyncer`.

https://learn.microsoft.com/graph/delta-query-messages: each folder has a link, and so has the list of folders. A move
appears as removed in one folder and added in another; with immutable ids, both name the same message, which makes one
change. An item for a known message may contain only what changed: it is merged into the row, and an item that is not
enough for a row is fetched. "Removed" alone proves nothing, because the message may be back by now: it is looked up
before it is removed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote, urlencode

from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, NotFound, ProviderError
from gaia_graph_mcp.calls import GraphCall, Resource, delta, get, is_object, objects, path_of_link
from gaia_graph_mcp.client import GraphClient, GraphOutcome
from gaia_graph_mcp.failures import OutOfSync
from gaia_graph_mcp.folders import SYSTEM, GraphFolder
from gaia_graph_mcp.replica import Replica
from gaia_graph_mcp.rows import SELECTED, rewrites, row_of
from gaia_graph_mcp.sync_pass import SyncPass
from gaia_mail.files.labels import special_label

FOLDERS = "/me/mailFolders/delta"
_LINK = "folders_link"
_GENERATION = "generation"
_LISTED = "listed"
_FORM = "form"
_UNNAMED = "unnamed"
"""Meta key of the well-known folders that Microsoft did not resolve; they are looked up again."""
_NOW = "2"
"""Version of the rows; a replica with another one is listed again. Before 2, a change removed subject and sender."""
_OF_FOLDERS = frozenset({"displayName", "parentFolderId"})
MOST_ASKED = 200
"""Most messages that are looked up one by one to see if they are gone; for more, folder counts are compared first."""
MOST_PAGES = 100_000
"""Pages after which a listing is taken for endless: a mailbox of ten million messages."""


class GraphSyncer:
    """Keeps one account's replica up to date; if several processes run at once, only one of them writes its result."""

    def __init__(
        self, client: GraphClient, replica: Replica, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client, self._replica, self._clock = client, replica, clock
        self._alone = asyncio.Lock()
        self._at = float("-inf")
        self._gone: set[str] = set()
        """Removed folders whose removal is not stored yet."""
        self._failed: dict[str, MailError] = {}

    @property
    def errors(self) -> tuple[str, ...]:
        """Errors of the last pass, by folder."""
        folders = self._replica.folders()
        return tuple(
            f"{folders.path(folder) or 'The list of folders'}: {error.message}"
            for folder, error in self._failed.items()
            if not folder or folder in folders.by_id
        )

    async def sync(self, *, within_s: float = 0.0) -> None:
        """Ask for news, unless that was done in the last `within_s` seconds.

        A folder that cannot be read keeps its known state; `errors` names it.

        Raises:
            MailError: Nothing could be read; the replica is unchanged.
        """
        asked = self._clock()
        async with self._alone:
            if self._at > asked or asked - self._at < within_s:  # another call refreshed while we waited
                return
            started = self._clock()
            while not await self._run_pass():
                pass
            self._at = started

    async def _run_pass(self) -> bool:
        """Make one pass; return False if another process was faster, so that the pass must be repeated."""
        generation = self._replica.meta(_GENERATION)
        found = SyncPass()
        await self._list_folders(found)
        links = self._replica.links()
        listed = bool(self._replica.meta(_LISTED))
        if listed:
            if self._replica.meta(_FORM) != _NOW:
                links = dict.fromkeys(links, "")
            found.relisted = {id_: set() for id_, link in links.items() if not link}
        pending = {id_: link or _first_path(id_) for id_, link in links.items()}
        new = await self._round(pending, found, with_folders=listed)
        while new:
            if not listed:  # nothing can have been removed yet: store each page, in case this is interrupted
                await self._write(found)
            found.pages += 1
            if found.pages > MOST_PAGES:
                raise ProviderError("Microsoft's list of messages has no end; try again later.")
            new = await self._round(new, found, with_folders=False)
        await self._look_for_missing(found)
        if found.errors and not found.done:
            raise next(iter(found.errors.values()))
        await self._fetch_missing(found)
        await self._find_removed(found)
        with self._replica.writing():
            if self._replica.meta(_GENERATION) != generation or not self._merge(found):
                return False
            self._settle(found)
            self._replica.set_meta(_GENERATION, str(int(generation or 0) + 1))
            self._replica.set_meta(_LISTED, "1")
            self._replica.set_meta(_FORM, _NOW)
            self._replica.trim()
        self._failed = found.errors
        return True

    async def _list_folders(self, found: SyncPass) -> None:
        """List the folders once for a new replica, and find out which are well-known."""
        first = not self._replica.meta(_LINK)
        names = list(SYSTEM) if first else self._replica.meta(_UNNAMED).split()
        known, unnamed = await self._well_known(names, found)
        folders: list[Resource] = []
        link = ""
        if first:
            folders, link = await self._folder_pages(await self._client.call(delta(FOLDERS)))
        with self._replica.writing():
            for resource in folders:
                self._put_folder(resource, known)
            if link:
                self._replica.set_meta(_LINK, link)
            if names:
                self._name_folders({name: id_ for id_, name in known.items()}, unnamed)

    async def _well_known(self, names: Sequence[str], found: SyncPass) -> tuple[dict[str, str], list[str]]:
        """Return well-known names by folder id, and the names that Microsoft did not resolve this time.

        Raises:
            MailError: The inbox cannot be read, or the login is refused.
        """
        outcomes = await self._client.many(
            [get("mailFolders", name, query={"$select": "id"}) for name in names]
        )
        known: dict[str, str] = {}
        unnamed: list[str] = []
        for name, outcome in zip(names, outcomes, strict=True):
            if isinstance(outcome, NeedsAuth) or (isinstance(outcome, MailError) and name == "inbox"):
                raise outcome
            if isinstance(outcome, dict) and "id" in outcome:
                known[str(outcome["id"])] = name
            elif not isinstance(outcome, NotFound):
                unnamed.append(name)
                found.errors[""] = outcome if isinstance(outcome, MailError) else _unreadable()
        return known, unnamed

    def _name_folders(self, ids: Mapping[str, str], unnamed: Sequence[str]) -> None:
        """Store which folders are well-known; one that Microsoft did not resolve is recognized by its name."""
        for folder in self._replica.folders().by_id.values():
            if folder.well_known in ids and ids[folder.well_known] != folder.id:
                folder = replace(folder, well_known="")
            label = special_label(folder.name)
            for name in unnamed:
                if not folder.well_known and label == SYSTEM[name]:
                    folder = replace(folder, well_known=name)
            name = next((name for name, id_ in ids.items() if id_ == folder.id), folder.well_known)
            self._replica.put_folder(replace(folder, well_known=name))
        self._replica.set_meta(_UNNAMED, " ".join(unnamed))

    async def _folder_pages(self, page: Resource) -> tuple[list[Resource], str]:
        """Return all folders from this page on, and the link for the next pass."""
        found: list[Resource] = []
        for _ in range(MOST_PAGES):
            found += objects(page.get("value"))
            if "@odata.deltaLink" in page:
                return found, path_of_link(page["@odata.deltaLink"], self._client.root)
            page = await self._client.call(
                delta(path_of_link(page.get("@odata.nextLink"), self._client.root))
            )
        raise ProviderError("Microsoft's list of folders has no end; try again later.")

    async def _round(
        self, pending: Mapping[str, str], found: SyncPass, *, with_folders: bool
    ) -> dict[str, str]:
        """Read one page of each folder; return the paths to read next, by folder."""
        calls: list[GraphCall] = [delta(path) for path in pending.values()]
        if with_folders:
            calls.insert(0, delta(self._replica.meta(_LINK)))
        outcomes = await self._client.many(calls)
        following: dict[str, str] = {}
        if with_folders:
            try:
                following |= await self._take_folders(outcomes.pop(0), found)
            except NeedsAuth:
                raise
            except MailError as error:
                found.errors[""] = error
        for (folder, path), outcome in zip(pending.items(), outcomes, strict=True):
            following |= self._take_page(folder, path, outcome, found)
        return following

    async def _take_folders(self, outcome: GraphOutcome, found: SyncPass) -> dict[str, str]:
        """Store which folders were added, removed or changed; return the paths of the folders to list.

        Raises:
            MailError: The list of folders cannot be read now; known folders stay as they are.
        """
        if isinstance(outcome, OutOfSync):
            page: Resource = await self._client.call(delta(FOLDERS))
            folders, link = await self._folder_pages(page)
            there = {str(one.get("id")) for one in folders}
            folders += [{"id": id_, "@removed": {}} for id_ in self._replica.links() if id_ not in there]
        elif isinstance(outcome, dict):
            folders, link = await self._folder_pages(outcome)
        else:
            raise outcome if isinstance(outcome, MailError) else _unreadable()
        if not folders and link == self._replica.meta(_LINK):
            return {}
        before = self._replica.folders()
        folders, whole = await self._complete_folders(folders, before.by_id, found)
        known = {id_: name for name, id_ in before.special.items()}
        new: dict[str, str] = {}
        with self._replica.writing():
            for resource in folders:
                id_ = str(resource.get("id"))
                if _is_gone(resource):
                    continue  # its messages may have moved: it is removed with the rest, once its own list is gone
                if id_ not in before.by_id:
                    new[id_] = _first_path(id_)
                self._put_folder(resource, known)
            if whole:
                self._replica.set_meta(_LINK, link)
        self._gone |= {str(one.get("id")) for one in folders if _is_gone(one)}
        return new

    async def _complete_folders(
        self, folders: list[Resource], known: Collection[str], found: SyncPass
    ) -> tuple[list[Resource], bool]:
        """Complete the new folders that were described in part; return False if one of them could not be read."""
        lacking = [
            str(one.get("id"))
            for one in folders
            if "@removed" not in one and one.get("id") not in known and not one.keys() >= _OF_FOLDERS
        ]
        outcomes = await self._client.many([get("mailFolders", id_) for id_ in lacking])
        complete: dict[str, Resource] = {}
        failed: set[str] = set()
        for id_, outcome in zip(lacking, outcomes, strict=True):
            if isinstance(outcome, MailError) and not isinstance(outcome, NotFound):
                found.errors[""] = outcome
                failed.add(id_)
            else:
                complete[id_] = _found_or_gone(outcome) or {"@removed": {}}
        kept = [one for one in folders if str(one.get("id")) not in failed]
        return [{**one, **complete.get(str(one.get("id")), one)} for one in kept], not failed

    def _take_page(self, folder: str, path: str, outcome: GraphOutcome, found: SyncPass) -> dict[str, str]:
        """Take in a page of a folder; return the path to read next."""
        if isinstance(outcome, NeedsAuth):
            raise outcome
        first = _first_path(folder)
        if path != first and folder not in found.relisted and self._is_worn_out(folder, outcome):
            found.relisted[folder] = set()
            return {folder: first}
        if isinstance(outcome, NotFound):
            found.missing[folder] = ProviderError(
                "Microsoft lists this folder and says that it is not there."
            )
            return {}
        try:
            items, link, more = self._read_page(path, outcome)
        except MailError as error:
            found.fail(folder, error)
            return {}
        for resource in items:
            id_ = str(resource.get("id") or "")
            if not id_:
                continue
            if "@removed" in resource:
                found.remove(folder, id_)
            else:
                found.take(id_, {"parentFolderId": folder, **resource})
                if folder in found.relisted:
                    found.relisted[folder].add(id_)
        found.links[folder] = link
        if more:
            return {folder: link}
        found.done.add(folder)
        return {}

    def _is_worn_out(self, folder: str, outcome: GraphOutcome) -> bool:
        """Return True if a link has expired: Microsoft reports it, or has refused the link twice in a row."""
        if isinstance(outcome, OutOfSync):
            return True
        return isinstance(outcome, BadArgument | NotFound) and folder in self._failed

    def _read_page(self, path: str, outcome: GraphOutcome) -> tuple[list[Resource], str, bool]:
        """Return a page's items, its next link, and True if more pages follow.

        Raises:
            MailError: The page was refused or cannot be read.
        """
        if isinstance(outcome, MailError):
            raise outcome
        if not is_object(outcome) or not isinstance(outcome.get("value"), list):
            raise _unreadable()
        more = "@odata.nextLink" in outcome
        link = path_of_link(
            outcome["@odata.nextLink"] if more else outcome.get("@odata.deltaLink"), self._client.root
        )
        if more and link == path:
            raise ProviderError("Microsoft's list of messages runs in a circle; try again later.")
        return objects(outcome["value"]), link, more

    async def _write(self, found: SyncPass) -> None:
        await self._fetch_missing(found)
        with self._replica.writing():
            if not self._merge(found):
                return  # try again with the next page
            self._settle(found)
        found.rows.clear()
        found.links.clear()

    async def _look_for_missing(self, found: SyncPass) -> None:
        """Find out if folders without messages are gone, or only their messages cannot be read."""
        if not found.missing:
            return
        outcomes = await self._client.many([get("mailFolders", id_) for id_ in found.missing])
        for (folder, refused), outcome in zip(found.missing.items(), outcomes, strict=True):
            if isinstance(outcome, NotFound):
                self._gone.add(folder)
                found.done.add(folder)
            else:
                found.fail(folder, refused)

    async def _find_removed(self, found: SyncPass) -> None:
        """Look up the messages that may be gone; those that still exist are kept in their current folder."""
        doubtful = found.doubtful(self._replica, self._gone)
        known = self._replica.folders().by_id.keys() - self._gone
        if len(doubtful) > MOST_ASKED and await self._is_vouched_for(doubtful, found, known):
            found.lost |= doubtful.keys()
            return
        outcomes = await self._client.many([get("messages", id_, query=SELECTED) for id_ in doubtful])
        for (id_, folder), outcome in zip(doubtful.items(), outcomes, strict=True):
            if isinstance(outcome, BadArgument) and self._replica.get(id_) is None:
                continue  # not a message: Deleted Items contains contacts and events as well
            if isinstance(outcome, MailError) and not isinstance(outcome, NotFound):
                self._gone.discard(folder)
                found.hold(folder, outcome)
                continue
            resource = _found_or_gone(outcome)
            # A permanently deleted message can be read for a while from a folder that is in no list.
            if resource is not None and resource.get("parentFolderId") in known:
                found.rows[id_] = row_of(resource)
            else:
                found.lost.add(id_)

    async def _is_vouched_for(
        self, doubtful: Collection[str], found: SyncPass, folders: Collection[str]
    ) -> bool:
        """Return True if every folder has as many messages as it would have without the doubtful ones.

        After Trash was emptied, this takes one request for twenty folders instead of one per message.
        """
        expected = {id_: set(self._replica.ids_in(id_)) for id_ in folders}
        for id_, row in found.rows.items():
            for ids in expected.values():
                ids.discard(id_)
            if row.folder in expected:
                expected[row.folder].add(id_)
        outcomes = await self._client.many(
            [get("mailFolders", id_, query={"$select": "totalItemCount"}) for id_ in expected]
        )
        return all(
            is_object(outcome) and outcome.get("totalItemCount") == len(ids.difference(doubtful))
            for ids, outcome in zip(expected.values(), outcomes, strict=True)
        )

    async def _fetch_missing(self, found: SyncPass) -> None:
        """Fetch the messages that the pages describe incompletely; the next pass removes those that are gone."""
        wanted = [
            id_
            for id_, resource in found.changes.items()
            if rewrites(resource) or self._replica.get(id_) is None
        ]
        wanted += [id_ for id_ in found.twice if id_ not in wanted and found.folder_of(id_)]
        outcomes = await self._client.many([get("messages", id_, query=SELECTED) for id_ in wanted])
        for id_, outcome in zip(wanted, outcomes, strict=True):
            folder = found.folder_of(id_)
            found.drop(id_)
            if isinstance(outcome, MailError) and not isinstance(outcome, NotFound):
                found.hold(folder, outcome)
            elif (resource := _found_or_gone(outcome)) is not None:
                parent = {} if id_ in found.twice else {"parentFolderId": folder}
                found.rows[id_] = row_of({**resource, **parent})
        found.twice.clear()

    def _merge(self, found: SyncPass) -> bool:
        """Merge changes into their rows; return False if another process has removed one of them since."""
        for id_, resource in found.changes.items():
            known = self._replica.get(id_)
            if known is None:
                return False
            found.rows[id_] = known.merge(resource)
        found.changes.clear()
        return True

    def _settle(self, found: SyncPass) -> None:
        """Store the result of a pass."""
        for row in found.rows.values():
            self._replica.put(row)
        for id_ in found.lost:
            self._replica.remove(id_)
        for folder in self._gone:
            self._replica.remove_folder(folder)
        self._gone = set()
        for folder, link in found.links.items():
            if folder not in found.held:
                self._replica.set_link(folder, link)
            elif folder in found.relisted:
                self._replica.set_link(folder, "")

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


def _unreadable() -> ProviderError:
    return ProviderError("Microsoft's answer cannot be read; try again later.")


def _is_gone(folder: Resource) -> bool:
    """Return True if a folder was removed or hidden."""
    return "@removed" in folder or folder.get("isHidden") is True


def _found_or_gone(outcome: GraphOutcome) -> Resource | None:
    """Return the response; None if the item does not exist.

    Raises:
        MailError: The call was refused for another reason.
    """
    if isinstance(outcome, NotFound):
        return None
    if isinstance(outcome, MailError):
        raise outcome
    return outcome if is_object(outcome) else None


def _first_path(folder: str) -> str:
    query = urlencode(SELECTED, quote_via=quote, safe="$,()'")
    return f"/me/mailFolders/{quote(folder, safe='=-_')}/messages/delta?{query}"
