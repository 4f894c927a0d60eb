"""Unsaved drafts of automations, kept for an hour, or a week if the agent proposed one. Entry: `AutomationDrafts`.

They are in one document of the ledger. A draft has no effect until a user saves it as an automation.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from gaia_email_automations.authoring.template import AutomationTemplate
from gaia_email_automations.definition import JsonObject
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger

DRAFTS = "automation drafts"
"""The name of the document."""

KEPT_S, PROPOSED_S = 3_600.0, 7 * 86_400.0
"""Seconds for which a draft is kept: one made by the user, and one proposed by the agent."""

MOST_DRAFTS = 50
"""Maximum number of drafts; the oldest are deleted."""

MOST_CHANGES = 20
"""Maximum number of changes kept per draft."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationDraft:
    """An unsaved definition.

    Attributes:
        draft_id: Eight hexadecimal digits.
        words: The request, with each change.
        by: The origin: `grammar`, `starter`, `file`, or the name of a model.
        template: The definition and its questions.
        notes: Assumptions made, and parts not understood.
        review: A model's review; empty if none was asked.
        changes: JSON Patches, oldest first.
        created_at: Epoch seconds.
        expires_at: Epoch seconds.
    """

    draft_id: str
    words: tuple[str, ...]
    by: str
    template: AutomationTemplate
    notes: tuple[str, ...] = ()
    review: JsonObject = field(default_factory=dict[str, Any])
    changes: tuple[list[dict[str, Any]], ...] = ()
    created_at: float = 0.0
    expires_at: float = 0.0


class AutomationDrafts:
    """The drafts in an open ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, draft: AutomationDraft, *, kept_s: float = KEPT_S) -> AutomationDraft:
        """Store a draft under a new id."""
        now = float(self._ledger.clock())
        new = replace(draft, draft_id=secrets.token_hex(4), created_at=now, expires_at=now + kept_s)
        return self.put(new)

    def put(self, draft: AutomationDraft) -> AutomationDraft:
        """Store a draft, replacing its previous state."""
        with self._ledger.write() as tx:
            kept, version = self._kept(tx)
            value = {**kept, draft.draft_id: _to_json(draft)}
            newest = sorted(value, key=lambda one: float(value[one]["created_at"]))[-MOST_DRAFTS:]
            self._ledger.documents.write(tx, DRAFTS, {one: value[one] for one in newest}, version)
        return draft

    def get(self, draft_id: str) -> AutomationDraft:
        """Return a draft.

        Raises:
            NotFound: There is none with this id, or it has expired.
        """
        with self._ledger.read() as tx:
            kept, _ = self._kept(tx)
        found = kept.get(draft_id.strip().lower())
        if found is None:
            raise NotFound(
                f"There is no draft {draft_id[:40]!r}; drafts are kept for an hour.",
                argument="draft_id",
                hint="gaia email automations propose makes one.",
            )
        return _of_json(found)

    def all(self) -> list[AutomationDraft]:
        """Return all drafts, newest first."""
        with self._ledger.read() as tx:
            kept, _ = self._kept(tx)
        return sorted(map(_of_json, kept.values()), key=lambda one: -one.created_at)

    def remove(self, draft_id: str) -> None:
        """Delete a draft, and all that have expired."""
        with self._ledger.write() as tx:
            kept, version = self._kept(tx)
            if version:
                left: dict[str, Any] = {name: one for name, one in kept.items() if name != draft_id}
                self._ledger.documents.write(tx, DRAFTS, left, version)

    def clean(self) -> None:
        """Delete expired drafts."""
        self.remove("")

    def _kept(self, tx: Connection) -> tuple[dict[str, Any], int]:
        """Return the drafts that have not expired, and the version of the document."""
        document = self._ledger.documents.read(tx, DRAFTS)
        if document is None:
            return {}, 0
        now = self._ledger.clock()
        values = cast(dict[str, Any], document.value)
        return {name: one for name, one in values.items() if float(one["expires_at"]) > now}, document.version


def _to_json(draft: AutomationDraft) -> JsonObject:
    return {**asdict(draft), "changes": list(draft.changes[-MOST_CHANGES:])}


def _of_json(value: Mapping[str, Any]) -> AutomationDraft:
    return AutomationDraft(
        draft_id=str(value["draft_id"]),
        words=tuple(map(str, value["words"])),
        by=str(value["by"]),
        template=AutomationTemplate(**value["template"]),
        notes=tuple(map(str, value["notes"])),
        review=value["review"],
        changes=tuple(value["changes"]),
        created_at=float(value["created_at"]),
        expires_at=float(value["expires_at"]),
    )
