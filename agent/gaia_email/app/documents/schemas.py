"""The JSON Schemas of command output. Entry points: `document_names`, `schema`.

Draft 2020-12, derived from the document types. Copies for documentation are generated into `docs/schemas`.
"""

from __future__ import annotations

from importlib import import_module
from types import FunctionType

from gaia_email.app.documents.brief import BRIEF_DOCUMENTS
from gaia_email.app.documents.export import ExportDocument
from gaia_email.app.documents.followups import FOLLOWUPS_DOCUMENTS
from gaia_email.app.documents.mail_types import MAIL_DOCUMENTS
from gaia_email.app.documents.meeting_prep import PREP_DOCUMENTS
from gaia_email.app.documents.pending_types import PENDING_DOCUMENTS
from gaia_email.document import COMMAND_DOCUMENTS, Schema, answer_schema
from gaia_email.plugins import installed_plugins

_DOCUMENTS: dict[str, object] = {
    **MAIL_DOCUMENTS,
    "accounts": "app.documents.accounts.AccountList",
    "discover": "app.documents.accounts.DiscoveredAccounts",
    "actions": "app.documents.actions.ActionList",
    "triage-apply": "app.documents.actions.RunOutcome",
    "undo": "app.documents.actions.UndoneActions",
    **dict.fromkeys(
        ("unsubscribe", "answer", "archive", "move", "label", "mark", "snooze", "wake"),
        "app.documents.actions.CommandOutcome",
    ),
    **BRIEF_DOCUMENTS,
    "egress": "app.services.egress.Traffic",
    **FOLLOWUPS_DOCUMENTS,
    **PREP_DOCUMENTS,
    "labels": "app.services.labels.LabelList",
    "labels-test": "app.services.label_threads.LabelledThreads",
    **PENDING_DOCUMENTS,
    "policy": "app.services.policy_overview.PolicyOverview",
    "policy-conventions": "app.services.policy_overview.ConventionList",
    "policy-change": "app.services.policy_changes.PolicyChangeDetails",
    "policy-explain": "policy.explain.Explanation",
    "policy-templates": "app.services.templates.TemplateList",
    "vip": "app.services.policy_overview.VipList",
    "protect": "app.services.policy_overview.ProtectedList",
    "switches": "app.services.switches.SwitchesTurned",
    "draft": "app.services.drafting.DraftDocument",
    "remember": "app.services.memory.RememberedSentences",
    "teach": "app.services.teaching.TeachingOutcome",
    "lessons": "app.services.teaching.LessonList",
    "serve-keys": "app.services.api_keys.ApiKeyList",
    "models": "app.services.models.FoundModels",
    "runs": "runs.status.RunList",
    "schedule": "runs.status.ScheduleList",
    "servers": "app.services.server_lists.ServerList",
    "servers-test": "app.services.server_lists.TriedServers",
    "tools": "app.services.server_lists.ToolList",
    "export": ExportDocument,
    "ledger": "app.services.upkeep.LedgerCheck",
    "purge": "app.services.upkeep.PurgedRecords",
}
"""Document types by command, or the path of one, for commands written by hand."""


def document_names() -> tuple[str, ...]:
    """Return the commands whose document has a published schema, apart from those of operations with their own type."""
    return (*_DOCUMENTS, *(name for plugin in installed_plugins() for name in plugin.documents))


def document_type(name: str) -> object:
    """Return the document type of `gaia email NAME --json`, or a function that returns its schema.

    Raises:
        KeyError: No command with this name has one.
    """
    found = COMMAND_DOCUMENTS.get(name) or _DOCUMENTS.get(name)
    if found is None:
        places = {one: place for plugin in installed_plugins() for one, place in plugin.documents.items()}
        found = places[name]
    return type_at(found) if isinstance(found, str) else found


def type_at(place: str) -> object:
    """Import a type by its path, in a plug-in or below `gaia_email`, such as `ledger.senders.TopSenders`."""
    module, _, name = place.rpartition(".")
    found: object = getattr(
        import_module(module if place.startswith("gaia_") else f"gaia_email.{module}"), name
    )
    return found


def schema(name: str) -> Schema:
    """Return the schema of `gaia email NAME --json` (of one line, for `classify` and `watch`).

    Raises:
        KeyError: No command with this name has one.
    """
    found = document_type(name)
    made = found() if isinstance(found, FunctionType) else answer_schema(found)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"gaia email {name}",
        **made,
    }
