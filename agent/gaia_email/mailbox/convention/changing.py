"""Translate a label change for a server with the convention's tools. Entry: `ConventionChanges`.

It starts no call by itself: `actions/writing.py` does, with its pass, and that call is translated here. The server's
word is not enough. The messages with these labels are searched before and after, so that both the reported result and
its undo reflect the mailbox.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol

from gaia_email.mailbox.convention import texts
from gaia_email.mailbox.convention.picture import STEPS, SearchedHits, everywhere, run_search
from gaia_email_registry.calls import texts as texts_of
from gaia_email_registry.contract.wire import LabelResult, WriteResult
from gaia_email_registry.errors import BadArgument, ProviderError

BATCH, ONE, MAKE = "batch_modify_emails", "modify_email", "get_or_create_label"

SETTLING_S = 2.0
"""Seconds before a change that does not show is searched again, since a search may lag behind."""

_ADD, _REMOVE = "addLabelIds", "removeLabelIds"
_BOTH = frozenset((_ADD, _REMOVE))

Arguments = Mapping[str, object]
Carriers = Mapping[str, SearchedHits]
"""The messages with each label, by label id."""


class ConventionServer(Protocol):
    """The server operations that a change needs."""

    async def call(self, tool: str, arguments: dict[str, object]) -> str:
        """Return the text that a tool answers.

        Raises:
            ServerDeclined: The tool answers with an error.
        """
        ...

    async def hits(self, query: str, most: int) -> list[texts.ListedMessage]:
        """Return the results of a search."""
        ...

    async def label_names(self) -> list[texts.LabelName]:
        """Return the server's labels."""
        ...


class ConventionChanges:
    """The contract's tools that change labels, as far as a server supports them."""

    def __init__(
        self,
        server: ConventionServer,
        offered: Mapping[str, frozenset[str]],
        pause: Callable[[float], Awaitable[None]],
    ) -> None:
        """Send no request yet; `offered` has the server's tools, each with its arguments."""
        self._server = server
        self._offered = offered
        self._pause = pause

    @property
    def tools(self) -> Mapping[str, Callable[[Arguments], Awaitable[object]]]:
        """The supported tools by name; none if labels cannot be both added and removed, as undoing requires."""
        both = any(self._offered.get(tool, frozenset()) >= _BOTH for tool in (BATCH, ONE))
        if not both or "list_email_labels" not in self._offered:
            return {}
        return {BATCH: self.change, **({MAKE: self.make_label} if MAKE in self._offered else {})}

    async def make_label(self, arguments: Arguments) -> LabelResult:
        """Return the label with this name, creating it if needed.

        Raises:
            ProviderError: The server does not create it, or created another one.
        """
        wanted = str(arguments.get("name", ""))
        given = {name: value for name, value in arguments.items() if name in self._offered[MAKE]}
        made = texts.label(await self._server.call(MAKE, given))
        if made.name.casefold() != wanted.casefold():
            raise ProviderError(
                f"The mail server was asked for the label {wanted} and made {made.name[:80]!r}."
            )
        return {
            "ok": True,
            "ids": [made.id],
            "failed": [],
            "label": {"id": made.id, "name": made.name, "type": "system" if made.is_system else "user"},
        }

    async def change(self, arguments: Arguments) -> WriteResult:
        """Add and remove labels, and return how to undo that for each message.

        Raises:
            BadArgument: The server cannot search for one of the labels.
            ProviderError: The server does not answer, or the mailbox does not show the reported changes.
        """
        ids = list(dict.fromkeys(texts_of(arguments.get("messageIds"))))
        add, remove = (list(texts_of(arguments.get(name))) for name in (_ADD, _REMOVE))
        asked = await self._queries((*add, *remove))
        before = await self._carriers(asked)
        failed = await self._made(ids, add, remove)
        after = await self._carriers(asked)
        if _unseen(ids, add, remove, after, failed):
            await self._pause(SETTLING_S)
            after = await self._carriers(asked)
        if missed := _unseen(ids, add, remove, after, failed):
            raise ProviderError(
                f"The mail server says that it changed {len(ids) - len(failed):,} messages; {len(missed):,} of them do "
                "not show it."
            )
        failed = {id_: why for id_, why in failed.items() if not _shows(id_, add, remove, after)}
        done = [id_ for id_ in ids if id_ not in failed]
        back = {
            id_: {
                "add": [label for label in remove if _carried(id_, before[label], otherwise=True)],
                "remove": [label for label in add if not _carried(id_, before[label], otherwise=False)],
            }
            for id_ in done
        }
        return {
            "ok": bool(done),
            "ids": done,
            "failed": [{"id": id_, "error": why} for id_, why in failed.items()],
            "undo": {
                "tool": BATCH,
                "arguments": {"messageIds": done, _ADD: [], _REMOVE: [], "perMessage": back},
            },
        }

    async def _made(self, ids: Sequence[str], add: list[str], remove: list[str]) -> dict[str, str]:
        """Make the change and return the messages that failed, each with the server's reason."""
        change: dict[str, object] = {_ADD: add, _REMOVE: remove}
        if self._offered.get(BATCH, frozenset()) >= _BOTH:
            return texts.outcome(await self._server.call(BATCH, {"messageIds": list(ids), **change}), ids)
        failed: dict[str, str] = {}
        for id_ in ids:
            try:
                await self._server.call(ONE, {"messageId": id_, **change})
            except texts.ServerDeclined as error:
                failed[id_] = error.message
        return failed

    async def _queries(self, label_ids: Iterable[str]) -> dict[str, str]:
        known = everywhere(await self._server.label_names())
        for label_id in label_ids:
            if label_id not in known:
                raise BadArgument(
                    f"This mail server has no label {label_id[:80]!r}, so nothing is changed.",
                    argument="labels",
                )
        return {label_id: known[label_id] for label_id in label_ids}

    async def _carriers(self, asked: Mapping[str, str]) -> Carriers:
        return {
            label_id: await run_search(self._server.hits, query, STEPS[-1])
            for label_id, query in asked.items()
        }


def _carried(id_: str, carriers: SearchedHits, *, otherwise: bool) -> bool:
    """Return True if a message has a label; `otherwise` if the list of messages was incomplete."""
    return id_ in carriers.ids or (otherwise and not carriers.whole)


def _shows(id_: str, add: Sequence[str], remove: Sequence[str], after: Carriers) -> bool:
    return all(_carried(id_, after[label], otherwise=True) for label in add) and not any(
        _carried(id_, after[label], otherwise=False) for label in remove
    )


def _unseen(
    ids: Sequence[str], add: Sequence[str], remove: Sequence[str], after: Carriers, failed: Mapping[str, str]
) -> list[str]:
    """Return the messages that the server reports as changed but that do not show it."""
    return [id_ for id_ in ids if id_ not in failed and not _shows(id_, add, remove, after)]
