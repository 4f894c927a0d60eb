"""What happened to labels of messages since a place in Gmail's history. Entry: `changed_since`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp.calls import Resource
from gaia_gmail_mcp.client import Client
from gaia_gmail_mcp.history_checkpoint import Delta
from gaia_gmail_mcp.profile import history_call
from gaia_gmail_mcp.reading import MOST_LISTED

MOST_PAGES = 200
"""Pages read; where more has happened, the account is as good as forgotten."""


@dataclass(slots=True, kw_only=True)
class Changed:
    """Of one message: its first and its last event of each label, True where it was added; whether it is gone."""

    labels: dict[str, tuple[bool, bool]] = field(default_factory=dict[str, tuple[bool, bool]])
    deleted: bool = False

    def note(self, label: str, added: bool) -> None:
        """An event, after those before."""
        first, _ = self.labels.get(label, (added, added))
        self.labels[label] = (first, added)

    def way_back(self, wanted: Delta) -> Delta:
        """The part of `wanted` that leads back to how it was: what went and is away, what came and is there."""
        add, remove = wanted
        return (
            frozenset(label for label in add if self.labels.get(label) == (False, False)),
            frozenset(label for label in remove if self.labels.get(label) == (True, True)),
        )

    def came(self, labels: Collection[str]) -> bool:
        """Whether it has one of them now that it had not before."""
        return any(self.labels.get(label) == (True, True) for label in labels)


async def changed_since(client: Client, start: str, ids: Collection[str]) -> dict[str, Changed] | None:
    """Those of `ids` to which something happened; None where Gmail does not remember back to `start`.

    Raises:
        MailError: Gmail cannot be asked.
    """
    found: dict[str, Changed] = {}
    for _ in range(MOST_PAGES):
        try:
            page = await client.call(history_call(start, MOST_LISTED))
        except (NotFound, BadArgument):
            return None
        records: list[Resource] = page.get("history", [])
        for record in records:
            for message_id, label, added in _events(record):
                if message_id in ids:
                    found.setdefault(message_id, Changed()).note(label, added)
            for item in record.get("messagesDeleted", ()):
                if item["message"]["id"] in ids:
                    found.setdefault(item["message"]["id"], Changed()).deleted = True
        if not page.get("nextPageToken"):
            return found
        start = records[-1]["id"]
    return None


def _events(record: Resource) -> Iterator[tuple[str, str, bool]]:
    for kind, added in (("labelsAdded", True), ("labelsRemoved", False)):
        for item in record.get(kind, ()):
            for label in item.get("labelIds", ()):
                yield item["message"]["id"], label, added
