"""How contract tests look at a mailbox, through its public methods only."""

from __future__ import annotations

from gaia_email_registry.contract.wire import Changed, Summary
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.mailbox import Changes, Mailbox

LabelsById = dict[str, tuple[frozenset[str], frozenset[str]]]
"""Labels and flags of every message, by id."""


async def find(mailbox: Mailbox, query: str, *, page: int = 50) -> list[str]:
    """Ids of everything that matches, newest first, page by page."""
    ids: list[str] = []
    cursor: str | None = None
    while True:
        found = await mailbox.search(parse_query(query), limit=page, cursor=cursor)
        ids.extend(found.ids)
        if found.next_cursor is None:
            return ids
        cursor = found.next_cursor


async def only(mailbox: Mailbox, query: str = "in:anywhere") -> str:
    """The id of the one message that matches."""
    ids = await find(mailbox, query)
    assert len(ids) == 1, f"{query!r} finds {len(ids)} messages instead of one"
    return ids[0]


async def summary_of(mailbox: Mailbox, message_id: str) -> Summary:
    """The summary of a message that is there."""
    (stored,) = await mailbox.read([message_id], raw=False)
    return stored.summary


async def labels_of(mailbox: Mailbox, message_id: str) -> set[str]:
    """The label ids of a message that is there."""
    return set((await summary_of(mailbox, message_id))["labels"])


async def label_named(mailbox: Mailbox, name: str) -> str:
    """The id of the label with that name."""
    return next(label["id"] for label in await mailbox.labels() if label["name"] == name)


async def look(mailbox: Mailbox) -> LabelsById:
    """The whole mailbox, by searching and reading."""
    stored = await mailbox.read(await find(mailbox, "in:anywhere"), raw=False)
    return {item.summary["id"]: _state(item.summary) for item in stored}


class Mirror:
    """A copy of a mailbox kept by nothing but `changes`, as the agent keeps one."""

    def __init__(self, *, limit: int = 100) -> None:
        self.cursor: str | None = None
        self.state: LabelsById = {}
        self.resets = 0
        self._limit = limit

    async def follow(self, mailbox: Mailbox) -> list[Changes]:
        """Apply everything that happened since the last time; answers the pages."""
        pages: list[Changes] = []
        while True:
            page = await mailbox.changes(self.cursor, limit=self._limit)
            assert not page.more or page.cursor != self.cursor, "a page that is not the last must lead on"
            self.apply(page)
            pages.append(page)
            if not page.more:
                return pages

    def apply(self, page: Changes) -> None:
        """Apply one page."""
        if page.reset:
            assert page.reason.strip(), "a reset says why"
            self.resets += 1
            self.state.clear()
        self.state.update({summary["id"]: _state(summary) for summary in page.added})
        for changed in page.changed:
            assert changed["id"] in self.state, "only a message told as added before can be told as changed"
            self.state[changed["id"]] = _state(changed)
        for removed in page.removed:
            self.state.pop(removed, None)
        self.cursor = page.cursor


def _state(of: Summary | Changed) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(of["labels"]), frozenset(of["flags"])
