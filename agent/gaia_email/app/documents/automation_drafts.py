"""The documents of drafts, starters and differences of automations. Entries: `draft_document`, `starters_document`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from gaia_email.app.documents.automations import ErrorRow
from gaia_email.automations.authoring.describing import TOPICS, checks_of, summary_of, worth_a_look
from gaia_email.automations.flows import flows_of
from gaia_email.document import Count, OneOf, Time, Version, at, clean

if TYPE_CHECKING:
    from gaia_email.automations.authoring.drafts import AutomationDraft
    from gaia_email.automations.authoring.starters import AutomationStarter
    from gaia_email.automations.details import AutomationDetails


class PatchRow(TypedDict):
    """An operation of a JSON Patch (RFC 6902); `value` is null for one that has none."""

    op: str
    path: str
    value: object


class AutomationDraftCheckRow(TypedDict):
    """One of the seven things worth checking; `remark` is a model's, and decides nothing."""

    topic: Annotated[str, OneOf(TOPICS)]
    says: str
    remark: str


class AutomationDraftReview(TypedDict):
    """What a model had to say; a help, no boundary."""

    by: str
    summary: str


class AutomationDraftDocument(TypedDict):
    """A draft of an automation: with holes `<<name>>` where a question of `questions` is open.

    `questions` is a JSON Schema of the answers, `missing` names those that are open.
    """

    schema_version: Version
    id: str
    name: str
    by: str
    words: list[str]
    expires_at: Time
    definition: dict[str, object]
    questions: dict[str, object]
    answers: dict[str, object]
    missing: list[str]
    is_complete: bool
    summary: list[str]
    checks: list[AutomationDraftCheckRow]
    review: AutomationDraftReview | None
    errors: list[ErrorRow]
    warnings: list[ErrorRow]
    flows: list[str]
    notes: list[str]
    changes: list[PatchRow]


class AutomationDraftRow(TypedDict):
    """A draft in a list."""

    id: str
    name: str
    by: str
    missing: Count
    expires_at: Time


class AutomationDraftsDocument(TypedDict):
    """What `automations drafts` prints."""

    schema_version: Version
    drafts: list[AutomationDraftRow]


class AutomationStarterRow(TypedDict):
    """A definition to begin with."""

    name: str
    title: str
    says: str
    asks: list[str]


class AutomationStartersDocument(TypedDict):
    """What `automations starters` prints."""

    schema_version: Version
    starters: list[AutomationStarterRow]


class AutomationExportDocument(TypedDict):
    """A definition as it is exported."""

    schema_version: Version
    automation_id: str
    version: Count
    definition: dict[str, object]


class AutomationDiffDocument(TypedDict):
    """What `automations diff` prints: a JSON Patch that makes the one of the other."""

    schema_version: Version
    automation_id: str
    name: str
    version: Count
    changes: list[PatchRow]


DRAFT_DOCUMENTS: dict[str, object] = {
    "automation-draft": AutomationDraftDocument,
    "automation-drafts": AutomationDraftsDocument,
    "automation-starters": AutomationStartersDocument,
    "automation-export": AutomationExportDocument,
    "automation-diff": AutomationDiffDocument,
}


def draft_document(draft: AutomationDraft) -> AutomationDraftDocument:
    """A draft, whole."""
    template = draft.template
    checked = template.checked()
    read, told = checked.definition, template.described()
    remarks: Mapping[str, Any] = draft.review.get("remarks", {})
    return {
        "schema_version": 1,
        "id": draft.draft_id,
        "name": _name(draft),
        "by": clean(draft.by),
        "words": [clean(one) for one in draft.words],
        "expires_at": at(draft.expires_at),
        "definition": template.definition,
        "questions": template.schema,
        "answers": template.values,
        "missing": list(template.missing),
        "is_complete": read is not None and not template.missing,
        "summary": [] if told is None else [clean(one) for one in summary_of(told)],
        "checks": []
        if told is None
        else [
            {"topic": one.topic, "says": clean(one.says), "remark": clean(str(remarks.get(one.topic, "")))}
            for one in checks_of(told)
        ],
        "review": {"by": clean(str(draft.review["by"])), "summary": clean(str(draft.review["summary"]))}
        if draft.review
        else None,
        "errors": [{"pointer": one.pointer, "message": clean(one.message)} for one in checked.errors],
        "warnings": [
            {"pointer": one.pointer, "message": clean(one.message)}
            for one in (*checked.warnings, *(() if read is None else worth_a_look(read)))
        ],
        "flows": [] if read is None else [flow.line for flow in flows_of(read)],
        "notes": [clean(one) for one in draft.notes],
        "changes": _changes(draft.changes[-1] if draft.changes else ()),
    }


def _name(draft: AutomationDraft) -> str:
    return clean(str(draft.template.definition.get("name", "")))[:100]


def _changes(patch: Sequence[Mapping[str, Any]]) -> list[PatchRow]:
    return [{"op": one["op"], "path": one["path"], "value": one.get("value")} for one in patch]


def drafts_document(found: Sequence[AutomationDraft]) -> AutomationDraftsDocument:
    """The drafts that there are."""
    rows: list[AutomationDraftRow] = [
        {
            "id": one.draft_id,
            "name": _name(one),
            "by": clean(one.by),
            "missing": len(one.template.missing),
            "expires_at": at(one.expires_at),
        }
        for one in found
    ]
    return {"schema_version": 1, "drafts": rows}


def starters_document(found: Sequence[AutomationStarter]) -> AutomationStartersDocument:
    """The starters with what each asks."""
    rows: list[AutomationStarterRow] = [
        {
            "name": one.name,
            "title": one.title,
            "says": one.says,
            "asks": [str(question["title"]) for question in one.template.fields.values()],
        }
        for one in found
    ]
    return {"schema_version": 1, "starters": rows}


def export_document(found: AutomationDetails) -> AutomationExportDocument:
    """An automation's newest version, for another machine."""
    return {
        "schema_version": 1,
        "automation_id": found.automation.automation_id,
        "version": found.version.version,
        "definition": found.version.definition,
    }


def difference_document(
    found: AutomationDetails, patch: Sequence[Mapping[str, Any]]
) -> AutomationDiffDocument:
    """What was changed."""
    return {
        "schema_version": 1,
        "automation_id": found.automation.automation_id,
        "name": clean(found.automation.name),
        "version": found.version.version,
        "changes": _changes(patch),
    }
