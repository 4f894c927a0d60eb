"""Changes to messages and labels of a Graph mailbox. Entry: `GraphChanging`.

Outlook forgets where a message was before it moved to Trash or Spam; the replica remembers it, so that restoring a
message puts it back. Graph cannot snooze: a snoozed message moves to the archive and returns when a server next checks.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from typing_extensions import override

from gaia_email_registry.contract.wire import Failure, Label
from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_graph_mcp.calls import GraphCall, Resource, delete, get, is_object, patch, post
from gaia_graph_mcp.failures import Conflict
from gaia_graph_mcp.folders import PREFIX, GraphFolder
from gaia_graph_mcp.label_plan import FIXED, GraphLabelPlan, back, plan_change
from gaia_graph_mcp.reading import FRESH_S, GraphReading
from gaia_graph_mcp.rows import ReplicaRow
from gaia_mail.snoozing import time_to_come
from gaia_mail_mcp.label_names import check_label_name, require_known, user_label, visibility_of
from gaia_mail_mcp.mailbox import NO_MESSAGE, SYSTEM_LABELS, WriteOutcome

TRIES = 4
"""Tries to write marks to a message that another program changes at the same time."""


class GraphChanging(GraphReading):
    """Adds the capabilities `MODIFY`, `DELETE`, `LABELS` and `SNOOZE`."""

    wakes = True
    """True to bring snoozed messages back; False for a server that must not write."""

    @override
    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """Change labels. Adding a folder's label moves the message; removing it moves the message to the archive."""
        await self.refresh(within_s=FRESH_S)
        known = {label["id"] for label in self.known_labels()}
        if not known >= {*add, *remove}:
            await self.refresh()  # another client may have just created it
            known = {label["id"] for label in self.known_labels()}
        require_known(known, added=add, removed=remove)
        _check_movable((*add, *remove))
        if len([label for label in add if label.startswith(PREFIX) or label == "INBOX"]) > 1:
            raise BadArgument("A message is in one folder; add one of these labels.", argument="labels")
        applied = await self._move(ids, lambda row: self._plan(row, add, remove))
        if "INBOX" in (*add, *remove):
            with self.replica.writing():
                self.replica.set_snoozed(applied.ids, None)
        return applied

    @override
    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        return await self._move(ids, lambda row: self._plan(row, ("TRASH",), ()))

    @override
    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Take out of Trash; a message that another program put there goes to the inbox."""
        folders = self.replica.folders

        return await self._move(
            ids, lambda row: back(row, folders(), lambda location: self.replica.origin(row.id, location))
        )

    @override
    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        rows = await self.rows(ids)
        failed = _missing(ids, rows)
        outcomes = await self.client.many(
            [post("messages", id_, "permanentDelete", repeatable=True) for id_ in rows]
        )
        done: list[str] = []
        with self.replica.writing():
            for id_, outcome in zip(rows, outcomes, strict=True):
                if isinstance(outcome, MailError) and not isinstance(outcome, NotFound):
                    failed.append(Failure(id=id_, error=outcome.message))
                    continue
                self.replica.remove(id_)
                done.append(id_)
        self._notifier.notify()
        return WriteOutcome(ids=tuple(done), failed=tuple(failed))

    @override
    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        instant = time_to_come(until, self._now())
        applied = await self._move(ids, lambda row: self._plan(row, (), ("INBOX",)))
        with self.replica.writing():
            self.replica.set_snoozed(applied.ids, instant.isoformat())
        self._notifier.notify()
        return applied

    @override
    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """Create a category; Outlook shows it on the messages that have it."""
        await self.refresh(within_s=FRESH_S)
        check_label_name(name, self._names())
        if "," in name:
            raise BadArgument("The name of a category cannot hold a comma.", argument="name")
        with self.replica.writing():
            self.replica.set_label(name, visibility)
        return user_label(name, visibility)

    @override
    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Rename a category on every message that has it, or rename a folder in place."""
        label = await self._own_label(label_id)
        shown = {**visibility_of(label), **visibility}
        if name is not None and name != label["name"]:
            taken = self._names() - {label["name"]}
            check_label_name(name, taken)
        if label_id.startswith(PREFIX):
            return await self._rename_folder(label, name)
        if name is None or name == label_id:
            with self.replica.writing():
                self.replica.set_label(label_id, shown)
            return user_label(label_id, shown)
        await self.refresh()
        carrying = [row.id for _, row in self.replica.newest_first() if label_id in row.categories]
        with self.replica.writing():
            self.replica.set_label(name, shown)
        await self._all(carrying, lambda _: GraphLabelPlan(categorize=(name,), uncategorize=(label_id,)))
        with self.replica.writing():
            self.replica.set_label(label_id, None)
        return user_label(name, shown)

    @override
    async def delete_label(self, label_id: str) -> Label:
        """Delete a category, or a folder after moving its messages to the archive."""
        label = await self._own_label(label_id)
        if label_id.startswith(PREFIX):
            await self._remove_folder(label_id.removeprefix(PREFIX))
            return label
        await self.refresh()
        carrying = [row.id for _, row in self.replica.newest_first() if label_id in row.categories]
        await self._all(carrying, lambda _: GraphLabelPlan(uncategorize=(label_id,)))
        with self.replica.writing():
            self.replica.set_label(label_id, None)
        return label

    async def refresh(self, *, within_s: float = 0.0) -> None:
        """Also bring back the snoozed messages that are due."""
        await super().refresh(within_s=within_s)
        now = self._now()
        due = [
            id_
            for id_, until in self.replica.snooze_times().items()
            if dt.datetime.fromisoformat(until) <= now
        ]
        folders = self.replica.folders()
        rows = [row for row in map(self.replica.get, due) if row is not None]
        rows = [row for row in rows if folders.label(row.folder) not in ("TRASH", "SPAM")]
        if not self.wakes or not rows:
            return
        plans = {row.id: self._plan(row, ("INBOX", "UNREAD"), ()) for row in rows}
        missed = await self._carried_out(plans)
        with self.replica.writing():
            self.replica.set_snoozed([id_ for id_ in plans if id_ not in missed], None)

    def _plan(self, row: ReplicaRow, add: Collection[str], remove: Collection[str]) -> GraphLabelPlan:
        folders = self.replica.folders()
        return plan_change(row, folders, lambda location: self.replica.origin(row.id, location), add, remove)

    def _names(self) -> set[str]:
        return {label["name"] for label in self.known_labels() if label["type"] == "user"}

    async def _own_label(self, label_id: str) -> Label:
        await self.refresh(within_s=FRESH_S)
        if label_id in SYSTEM_LABELS:
            raise BadArgument(f"{label_id} belongs to the system and stays as it is.", argument="id")
        for label in self.known_labels():
            if label["id"] == label_id:
                return label
        raise NotFound(f"There is no label {label_id[:80]!r}.", argument="id")

    async def _rename_folder(self, label: Label, name: str | None) -> Label:
        if name is None or name == label["name"]:
            return label
        above, _, last = name.rpartition("/")
        if above != label["name"].rpartition("/")[0]:
            raise BadArgument(
                "This label is a folder and stays where it is; only the last part of its name can change.",
                argument="name",
            )
        id_ = label["id"].removeprefix(PREFIX)
        await self.client.call(patch("mailFolders", id_, body={"displayName": last}))
        folder = self.replica.folders().by_id[id_]
        with self.replica.writing():
            self.replica.put_folder(GraphFolder(id=id_, name=last, parent=folder.parent))
        return Label(id=label["id"], name=name, type="user")

    async def _remove_folder(self, folder_id: str) -> None:
        if any(folder.parent == folder_id for folder in self.replica.folders().by_id.values()):
            raise BadArgument("There are folders in this one; delete those first.", argument="id")
        archive = self.replica.folders().special.get("archive")
        ids = self.replica.ids_in(folder_id)
        if ids and archive is None:
            raise BadArgument(
                "This account has no archive for the messages of this folder; move them first.", argument="id"
            )
        await self._all(ids, lambda _: GraphLabelPlan(folder=archive))
        await self.refresh()
        if self.replica.ids_in(folder_id):
            raise BadArgument("New messages came into this folder; call again.", argument="id")
        await self.client.call(delete("mailFolders", folder_id))
        with self.replica.writing():
            self.replica.remove_folder(folder_id)

    async def _all(self, ids: Sequence[str], plan: Callable[[ReplicaRow], GraphLabelPlan]) -> None:
        """Apply a plan to all messages.

        Raises:
            MailError: A message could not be changed.
        """
        applied = await self._move(ids, plan)
        for failure in applied.failed:
            if failure["error"] != NO_MESSAGE:
                raise BadArgument(f"Not every message could be changed ({failure['error']}); call again.")

    async def _move(self, ids: Sequence[str], plan: Callable[[ReplicaRow], GraphLabelPlan]) -> WriteOutcome:
        """Apply a plan to each message; a message that needs no change counts as done."""
        rows = await self.rows(list(dict.fromkeys(ids)))
        plans = {id_: plan(row) for id_, row in rows.items()}
        missed = await self._carried_out(plans)
        if rows and len(missed) == len(rows):
            raise next(iter(missed.values()))
        unreached = [Failure(id=id_, error=error.message) for id_, error in missed.items()]
        return WriteOutcome(
            ids=tuple(id_ for id_ in rows if id_ not in missed),
            failed=(*_missing(ids, rows), *unreached),
        )

    async def _carried_out(self, plans: Mapping[str, GraphLabelPlan]) -> dict[str, MailError]:
        """Write marks first, then move messages, in batches; return the errors by id."""
        missed: dict[str, MailError] = {}
        marked = {id_: plan for id_, plan in plans.items() if plan.marks_something}
        waiting = marked
        for _ in range(TRIES):
            for id_ in waiting:
                missed.pop(id_, None)
            calls = await self._marking(waiting, missed)
            await self._sent(calls, plans, missed)
            waiting = {id_: waiting[id_] for id_ in calls if isinstance(missed.get(id_), Conflict)}
            if not waiting:
                break
        moved = {id_: plan for id_, plan in plans.items() if plan.folder is not None and id_ not in missed}
        calls = {
            id_: post("messages", id_, "move", body={"destinationId": plan.folder}, repeatable=True)
            for id_, plan in moved.items()
        }
        await self._sent(calls, plans, missed)
        if marked or moved:
            self._notifier.notify()
        return missed

    async def _marking(
        self, plans: Mapping[str, GraphLabelPlan], missed: dict[str, MailError]
    ) -> dict[str, GraphCall]:
        """Return the calls that change marks. Categories are read first, because Graph replaces them all at once."""
        asked = [id_ for id_, plan in plans.items() if plan.categorizes]
        outcomes = await self.client.many(
            [get("messages", id_, query={"$select": "categories"}) for id_ in asked]
        )
        carried: dict[str, Resource] = {}
        for id_, outcome in zip(asked, outcomes, strict=True):
            if isinstance(outcome, MailError):
                missed[id_] = outcome
            elif is_object(outcome):
                carried[id_] = outcome
        calls: dict[str, GraphCall] = {}
        for id_, plan in plans.items():
            found = carried.get(id_, {})
            marks = plan.marks_of(found.get("categories") or ())
            if id_ not in missed and marks:
                calls[id_] = patch("messages", id_, body=marks, etag=str(found.get("@odata.etag") or ""))
        with self.replica.writing():
            for id_, found in carried.items():
                row = self.replica.get(id_)
                if row is not None and id_ not in calls:
                    self.replica.put(row.merge({"categories": found.get("categories")}))
        return calls

    async def _sent(
        self,
        calls: Mapping[str, GraphCall],
        plans: Mapping[str, GraphLabelPlan],
        missed: dict[str, MailError],
    ) -> None:
        outcomes = await self.client.many(list(calls.values()))
        with self.replica.writing():
            for (id_, call), outcome in zip(calls.items(), outcomes, strict=True):
                if isinstance(outcome, MailError):
                    missed[id_] = outcome
                    continue
                row = self.replica.get(id_)
                if row is None or not isinstance(outcome, dict):
                    continue
                after = row.merge(outcome)
                if call.path.endswith("/move"):
                    self._remember(id_, after, plans[id_])
                else:
                    self.replica.put(after)

    def _remember(self, id_: str, after: ReplicaRow, plan: GraphLabelPlan) -> None:
        """Store the message's new folder and where it was before; in some accounts it has another id there."""
        origins = {location: self.replica.origin(id_, location) for location in ("TRASH", "SPAM")}
        if after.id != id_:
            self.replica.remove(id_)
        self.replica.put(after)
        for location in plan.forget:
            origins[location] = None
        if plan.came_from is not None:
            origins[plan.came_from[0]] = plan.came_from[1]
        for location, folder in origins.items():
            self.replica.set_origin(after.id, location, folder)


def _missing(ids: Iterable[str], rows: Mapping[str, ReplicaRow]) -> list[Failure]:
    return [Failure(id=id_, error=NO_MESSAGE) for id_ in dict.fromkeys(ids) if id_ not in rows]


def _check_movable(labels: Iterable[str]) -> None:
    for label in labels:
        if label in FIXED:
            raise BadArgument(f"{label} can be neither added nor removed.", argument="labels")
