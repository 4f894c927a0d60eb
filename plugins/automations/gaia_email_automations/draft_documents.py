"""Documents for drafts, starters and differences of automations. Entries: `describe_draft`, `list_starters`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gaia_email.app.json_schemas import PlacedError
from gaia_email.document import Count, Document, Timestamp
from gaia_email_automations.authoring.describing import CheckTopic, checks_of, summary_of, worth_a_look
from gaia_email_automations.flows import flows_of

if TYPE_CHECKING:
    from gaia_email_automations.authoring.drafts import AutomationDraft
    from gaia_email_automations.authoring.starters import AutomationStarter
    from gaia_email_automations.details import AutomationDetails


class PatchOperation(Document, frozen=True, kw_only=True):
    """One operation of a JSON Patch (RFC 6902); `value` is null if the operation has none."""

    op: str
    path: str
    value: object


class RemarkedCheck(Document, frozen=True, kw_only=True):
    """One of the seven things worth checking; `remark` is a model's comment and decides nothing."""

    topic: CheckTopic
    says: str
    remark: str


class DraftReview(Document, frozen=True, kw_only=True):
    """A model's opinion of a draft: advice only, not a security boundary."""

    by: str
    summary: str


class DescribedDraft(Document, frozen=True, kw_only=True):
    """A draft of an automation, with placeholders `<<name>>` for open questions.

    `questions` is a JSON Schema of the answers, `missing` names those that are open.
    """

    id: str
    name: str
    by: str
    words: list[str]
    expires_at: Timestamp
    definition: dict[str, object]
    questions: dict[str, object]
    answers: dict[str, object]
    missing: list[str]
    is_complete: bool
    summary: list[str]
    checks: list[RemarkedCheck]
    review: DraftReview | None
    errors: list[PlacedError]
    warnings: list[PlacedError]
    flows: list[str]
    notes: list[str]
    changes: list[PatchOperation]


class AutomationDraftSummary(Document, frozen=True, kw_only=True):
    """A draft in a list."""

    id: str
    name: str
    by: str
    missing: Count
    expires_at: Timestamp


class DraftList(Document, frozen=True, kw_only=True):
    """The document of `automations drafts`."""

    drafts: list[AutomationDraftSummary]


class StarterSummary(Document, frozen=True, kw_only=True):
    """A definition to start from."""

    name: str
    title: str
    says: str
    asks: list[str]


class StarterList(Document, frozen=True, kw_only=True):
    """The document of `automations starters`."""

    starters: list[StarterSummary]


class ExportedAutomation(Document, frozen=True, kw_only=True):
    """An automation's definition, as exported."""

    automation_id: str
    version: Count
    definition: dict[str, object]


class AutomationDifference(Document, frozen=True, kw_only=True):
    """The document of `automations diff`: a JSON Patch that turns one version into the other."""

    automation_id: str
    name: str
    version: Count
    changes: list[PatchOperation]


def describe_draft(draft: AutomationDraft) -> DescribedDraft:
    """Describe a draft with all its details."""
    template = draft.template
    checked = template.check()
    read, told = checked.definition, template.describe()
    remarks: Mapping[str, Any] = draft.review.get("remarks", {})
    return DescribedDraft(
        id=draft.draft_id,
        name=_name(draft),
        by=draft.by,
        words=list(draft.words),
        expires_at=Timestamp(draft.expires_at),
        definition=template.definition,
        questions=template.schema,
        answers=template.values,
        missing=list(template.missing),
        is_complete=read is not None and not template.missing,
        summary=[] if told is None else summary_of(told),
        checks=[]
        if told is None
        else [
            RemarkedCheck(topic=one.topic, says=one.says, remark=str(remarks.get(one.topic, "")))
            for one in checks_of(told)
        ],
        review=DraftReview(by=str(draft.review["by"]), summary=str(draft.review["summary"]))
        if draft.review
        else None,
        errors=list(checked.errors),
        warnings=[*checked.warnings, *(() if read is None else worth_a_look(read))],
        flows=[] if read is None else [flow.line for flow in flows_of(read)],
        notes=list(draft.notes),
        changes=_changes(draft.changes[-1] if draft.changes else ()),
    )


def _name(draft: AutomationDraft) -> str:
    return str(draft.template.definition.get("name", ""))[:100]


def _changes(patch: Sequence[Mapping[str, Any]]) -> list[PatchOperation]:
    return [PatchOperation(op=one["op"], path=one["path"], value=one.get("value")) for one in patch]


def list_drafts(found: Sequence[AutomationDraft]) -> DraftList:
    """List drafts, in the order given."""
    return DraftList(
        drafts=[
            AutomationDraftSummary(
                id=one.draft_id,
                name=_name(one),
                by=one.by,
                missing=len(one.template.missing),
                expires_at=Timestamp(one.expires_at),
            )
            for one in found
        ]
    )


def list_starters(found: Sequence[AutomationStarter]) -> StarterList:
    """List starters with the questions that each asks."""
    return StarterList(
        starters=[
            StarterSummary(
                name=one.name,
                title=one.title,
                says=one.says,
                asks=[str(question["title"]) for question in one.template.fields.values()],
            )
            for one in found
        ]
    )


def describe_export(found: AutomationDetails) -> ExportedAutomation:
    """Describe the newest version of an automation for use on another machine."""
    return ExportedAutomation(
        automation_id=found.automation.automation_id,
        version=found.version.version,
        definition=found.version.definition,
    )


def describe_difference(found: AutomationDetails, patch: Sequence[Mapping[str, Any]]) -> AutomationDifference:
    """Describe what a change altered."""
    return AutomationDifference(
        automation_id=found.automation.automation_id,
        name=found.automation.name,
        version=found.version.version,
        changes=_changes(patch),
    )
