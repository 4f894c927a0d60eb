"""Which operation stands at which path. Entries: `ROUTES`, `OperationRoute`.

A path that names something has its id in braces; it goes into the input's field of that name, as a list where the input
wants one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gaia_email.app.documents.http_keys import KeyScope
from gaia_email.app.operations.operation import Operation, OperationRisk
from gaia_email.app.operations.table import OPERATIONS

Json = dict[str, Any]

NOTES = "x-gaia-notes"
"""The header with what whoever waits is told beside the document: a JSON list of sentences."""

SCOPES: Mapping[OperationRisk, KeyScope] = {
    "read": "read",
    "draft": "draft",
    "restrain": "act",
    "person": "act",
}
"""Scopes of operations. One that takes a person's word needs that, too."""

HttpMethod = Literal["GET", "POST", "PUT", "DELETE"]

_NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRoute:
    """An operation at a path.

    Attributes:
        example: An input that works on the sample mailbox; `MESSAGE` in it stands for the id of a message there, `ITEM`
            for the id of something that waits. None where the sample has nothing to call it with.
        lists: The field of the input that takes the id of the path as its only element.
    """

    method: HttpMethod
    path: str
    operation: Operation[Any]
    example: Json | None = field(default_factory=dict[str, Any])
    lists: str = ""

    @property
    def scope(self) -> KeyScope:
        """The scope that its operation needs."""
        return SCOPES[self.operation.risk]

    @property
    def named(self) -> tuple[str, ...]:
        """What the path names."""
        return tuple(_NAMED.findall(self.path))

    def value(self, given: Mapping[str, object], in_path: Mapping[str, str]) -> Json:
        """The input's JSON: what was given in the body or the query, and what the path names."""
        if self.lists:
            return {**given, self.lists: [in_path[name] for name in self.named]}
        return {**given, **in_path}


def _route(
    method: HttpMethod, path: str, name: str, example: Json | None = None, *, lists: str = ""
) -> OperationRoute:
    return OperationRoute(
        method=method,
        path=f"/v1/email/{path}",
        operation=OPERATIONS[name],
        example=example or {},
        lists=lists,
    )


def _automation(method: HttpMethod, path: str, name: str, example: Json | None = None) -> OperationRoute:
    return OperationRoute(
        method=method, path=f"/v1/automations{path}", operation=OPERATIONS[name], example=example or {}
    )


def _control(method: HttpMethod, path: str, name: str, example: Json | None = None) -> OperationRoute:
    return OperationRoute(
        method=method, path=f"/v1/control/{path}", operation=OPERATIONS[name], example=example or {}
    )


_ABOUT_ONE: Json = {"message_id": "MESSAGE"}
_MAIL: Json = {"to": ["ann@example.com"], "subject": "Monday", "body": "On Monday."}
_BILLS: Json = {"name": "bills", "rules": ["subject:invoice"], "level": 2}
_SERVER_SECRET: Json = {"name": "weather", "variable": "WEATHER_KEY", "value": "of-the-vault"}
_ONE_AUTOMATION: Json = {"automation_id": "00000000"}
_ONE_DRAFT: Json = {"draft_id": "00000000"}
_DEFINITION: Json = {
    "schema_version": 1,
    "name": "Hello",
    "plan": [{"step_id": "tell", "action": "notification", "config": {"text": "Hello."}}],
}
_PROTECTED: Json = {"kind": "sender", "value": "example.com"}

ROUTES: tuple[OperationRoute, ...] = (
    _route("GET", "inbox", "inbox", {"limit": 3}),
    _route("GET", "inbox/counts", "inbox_counts"),
    _route("POST", "triage", "triage", {"limit": 3}),
    _route("POST", "search", "search", {"query": "subject:invoice", "limit": 5}),
    _route("POST", "brief", "brief", {"to": "markdown"}),
    _route("GET", "prep", "prep", {"hours": 48}),
    _route("GET", "later", "later"),
    _route("GET", "followups", "followups", {"side": "owed", "limit": 5}),
    _route("POST", "followups", "decide_followup", {**_ABOUT_ONE, "decided": "dismiss"}),
    _route("POST", "classify", "classify", _ABOUT_ONE),
    _route("POST", "why", "why", _ABOUT_ONE),
    _route("POST", "show", "show", _ABOUT_ONE),
    _route("POST", "formatted", "formatted", _ABOUT_ONE),
    _route("POST", "explain", "explain", _ABOUT_ONE),
    _route("POST", "thread", "thread", _ABOUT_ONE),
    _route("POST", "summarise", "summarise", _ABOUT_ONE),
    _route("POST", "extract", "extract", _ABOUT_ONE),
    _route("POST", "draft", "draft", {**_ABOUT_ONE, "say": "I will look at it on Monday."}),
    _route("GET", "labels", "labels"),
    _route("POST", "labels", "add_label", {"name": "Bills", "sentence": "invoices and receipts"}),
    _route("POST", "labels/test", "test_label", {"sentence": "invoices and receipts", "limit": 5}),
    _route("GET", "labels/{id}/threads", "label_threads", {"id": "00000000"}),
    _route("PUT", "labels/{id}", "change_label", {"id": "00000000", "sentence": "invoices"}),
    _route("DELETE", "labels/{id}", "remove_label", {"id": "00000000"}),
    _route("POST", "label", "put_label", {"message_ids": ["MESSAGE"], "label": "Bills"}),
    _route("POST", "compose", "compose", {**_ABOUT_ONE, "kind": "reply"}),
    _route("POST", "outgoing", "outgoing", _MAIL),
    _route("POST", "send", "send", {**_MAIL, "agreed": "0" * 64}),
    _route("POST", "drafts", "keep_draft", _MAIL),
    _route("GET", "texts", "texts"),
    _route("PUT", "texts/{id}", "keep_text", {**_MAIL, "id": "00000000"}),
    _route("DELETE", "texts/{id}", "discard_text", {"id": "00000000"}),
    _route("POST", "reword", "reword_text", {"text": "On Monday."}),
    _route("POST", "dictation", "dictate", {"audio": "UklGRgAAAABXQVZF"}),
    _route("POST", "correct", "correct", {**_ABOUT_ONE, "bucket": "informational"}),
    _route("POST", "retract", "retract", _ABOUT_ONE),
    _route("POST", "archive", "archive", {"message_ids": ["MESSAGE"]}),
    _route("POST", "spam", "spam", {"message_ids": ["MESSAGE"]}),
    _route("POST", "trash", "trash", {"message_ids": ["MESSAGE"]}),
    _route("POST", "move", "move", {"message_ids": ["MESSAGE"], "to": "archive"}),
    _route("POST", "mark", "mark", {"message_ids": ["MESSAGE"], "state": "read"}),
    _route("POST", "reply-later", "reply_later", {"message_ids": ["MESSAGE"]}),
    _route("POST", "snooze", "snooze", {"message_ids": ["MESSAGE"], "until": "3d"}),
    _route("POST", "wake", "wake"),
    _route("POST", "unsubscribe", "unsubscribe", {"sender": "news@example.com"}),
    _route("POST", "undo", "undo"),
    _route("POST", "retriage", "retriage"),
    _route("GET", "actions", "actions", {"limit": 5}),
    _route("GET", "pending", "pending"),
    _route("POST", "pending/{id}/approve", "approve", {"id": "ITEM"}, lists="ids"),
    _route("POST", "pending/{id}/reject", "reject", {"id": "ITEM", "reason": "Not now."}, lists="ids"),
    _route("POST", "pending/{id}/reopen", "reopen", {"id": "ITEM"}, lists="ids"),
    _route("GET", "policy", "policy"),
    _route("PUT", "policy", "set_level", {"cohort": "newsletters", "level": 2, "dry_run": True}),
    _route("PUT", "policy/settings", "set_policy", {"behaviour": "off", "dry_run": True}),
    _route("POST", "policy/try", "try_policy", {"cohort": "newsletters", "level": 2}),
    _route("POST", "policy/cohorts", "add_cohort", {**_BILLS, "dry_run": True}),
    _route("DELETE", "policy/cohorts/{name}", "remove_cohort", {"name": "bills"}),
    _route("PUT", "policy/quiet_hours", "quiet_hours", {"start": "22:00", "end": "07:00", "dry_run": True}),
    _route(
        "PUT", "policy/conventions", "convention", {"name": "bills", "value": "actionable", "dry_run": True}
    ),
    _route("POST", "policy/vips", "add_vip", {"address": "ann@example.com", "dry_run": True}),
    _route("DELETE", "policy/vips/{address}", "remove_vip", {"address": "ann@example.com"}),
    _route("POST", "policy/protected", "protect", {**_PROTECTED, "dry_run": True}),
    _route("DELETE", "policy/protected", "unprotect", _PROTECTED),
    _route("POST", "teach", "teach", {"count": 5}),
    _route("GET", "lessons", "lessons"),
    _route("DELETE", "lessons/{number}", "forget_lesson", {"number": "1"}),
    _route("GET", "remembered", "remembered"),
    _route("POST", "remembered", "remember", {"text": "I sign with A."}),
    _route("PUT", "remembered/{number}", "reword", {"number": "1", "text": "I sign with Ada."}),
    _route("DELETE", "remembered/{number}", "forget", {"number": "1"}),
    _route("GET", "habits", "habits"),
    _route("GET", "status", "status", {"quick": "true"}),
    _route("GET", "accounts", "accounts"),
    _route("GET", "discovery", "discover"),
    _route("POST", "connect", "connect", {"files": "maildir", "path": "~/Mail"}),
    _route("POST", "connect/plan", "plan_connection", {"email": "ann@gmail.com", "ask_domain": False}),
    _route("POST", "connect/sign-in", "sign_in", {"provider": "gmail"}),
    _route("POST", "connect/first-sync", "first_sync", {"account": "ann@example.com"}),
    _route("GET", "connect/attempts/{id}", "connection_attempt", {"id": "0000000000000000"}),
    _route("DELETE", "connect/attempts/{id}", "cancel_attempt", {"id": "0000000000000000"}),
    _route("POST", "connect/later", "connect_later"),
    _route("POST", "disconnect", "disconnect", {"account": "ann@example.com"}),
    _route("GET", "integrations", "integrations"),
    _route("GET", "integrations/health", "integration_health", {"id": "server:weather"}),
    _route("PUT", "integrations/limit", "limit_account", {"account": "ann@example.com", "limit": "no_send"}),
    _route("POST", "servers", "add_server", {"name": "weather", "command": "/nowhere/weather-mcp"}),
    _route("GET", "servers/{name}/tools", "server_tools", {"name": "weather"}),
    _route(
        "POST", "servers/{name}/approve", "approve_tools", {"name": "weather", "tools": {"forecast": "0"}}
    ),
    _route("PUT", "servers/{name}/secret", "replace_server_secret", _SERVER_SECRET),
    _route("PUT", "servers/{name}", "switch_server", {"name": "weather", "on": False}),
    _route("DELETE", "servers/{name}", "remove_server", {"name": "weather"}),
    _route(
        "PUT",
        "webhooks/{name}",
        "keep_webhook",
        {"name": "team", "address": "hooks.slack.com"},
    ),
    _route("POST", "webhooks/{name}/test", "test_webhook", {"name": "nobody"}),
    _route("DELETE", "webhooks/{name}", "remove_webhook", {"name": "nobody"}),
    _route("GET", "configuration", "configuration"),
    _route("POST", "purge", "purge", {"extent": "mail", "dry_run": True}),
    _route("GET", "egress", "egress"),
    _route("GET", "doctor", "doctor", {"offline": "true"}),
    _route("GET", "runs", "runs"),
    _route("POST", "runs/{run_id}/cancel", "cancel_run", {"run_id": "00000000"}),
    _route("GET", "schedules", "schedules"),
    _route(
        "POST", "schedules", "add_schedule", {"kind": "brief", "cron": "0 7 * * *", "zone": "Europe/Berlin"}
    ),
    _route("DELETE", "schedules/{name}", "remove_schedule", {"name": "mornings"}),
    _route("GET", "policy/templates", "templates"),
    _route("GET", "settings", "settings"),
    _route("PUT", "settings", "change_setting", {"page_keys": "off"}),
    _route("GET", "models", "models"),
    _route("POST", "models/use", "use_model", {"name": "qwen3"}),
    _route("POST", "models/trust", "trust_model", {"name": "qwen3"}),
    _route("POST", "models/distrust", "distrust_model", {"name": "qwen3"}),
    _route("POST", "models/off", "models_off"),
    _route("POST", "pause", "pause"),
    _route("POST", "stop", "stop"),
    _route("POST", "resume", "resume"),
    _route("POST", "travel", "travel", {"until": "2099-01-31"}),
    _route("POST", "enable", "enable"),
    _route("POST", "disable", "disable"),
    _control("GET", "agents", "control_agents"),
    _control("POST", "agents", "control_grant", {"agent_id": "notes", "actions": ["status"]}),
    _control("DELETE", "agents/{agent_id}", "control_revoke", {"agent_id": "notes"}),
    _control("GET", "conversations", "control_conversations"),
    _control("GET", "flights", "control_flights", {"limit": 5}),
    _control("GET", "tail", "control_tail", {"limit": 5}),
    _control("POST", "invoke", "control_invoke", {"action": "status"}),
    _automation("GET", "", "automations"),
    _automation("POST", "", "add_automation", {"definition": _DEFINITION}),
    _automation("POST", "/check", "check_automation", {"definition": _DEFINITION}),
    _automation("GET", "/starters", "automation_starters"),
    _automation("GET", "/drafts", "automation_drafts"),
    _automation("POST", "/drafts", "propose_automation", {"starter": "vip_alert"}),
    _automation("GET", "/drafts/{draft_id}", "automation_draft", _ONE_DRAFT),
    _automation(
        "POST", "/drafts/{draft_id}/refine", "refine_automation", {**_ONE_DRAFT, "words": "weekdays only"}
    ),
    _automation("POST", "/drafts/{draft_id}/save", "save_automation_draft", _ONE_DRAFT),
    _automation("POST", "/import", "import_automation", {"definition": _DEFINITION}),
    _automation("POST", "/suggest", "suggest_automations"),
    _automation("GET", "/actions", "automation_actions"),
    _automation("GET", "/runs", "automation_runs"),
    _automation("GET", "/runs/{run_id}", "automation_run", {"run_id": "00000000"}),
    _automation("POST", "/runs/{run_id}/retry", "retry_run", {"run_id": "00000000"}),
    _automation("GET", "/files", "automation_files"),
    _automation("POST", "/files/{artifact_id}/share", "share_file", {"artifact_id": "00000000"}),
    _automation("POST", "/files/{artifact_id}/unshare", "unshare_file", {"artifact_id": "00000000"}),
    _automation("DELETE", "/files/{artifact_id}", "remove_file", {"artifact_id": "00000000"}),
    _automation("GET", "/{automation_id}", "show_automation", _ONE_AUTOMATION),
    _automation("DELETE", "/{automation_id}", "remove_automation", _ONE_AUTOMATION),
    _automation("POST", "/{automation_id}/enable", "enable_automation", _ONE_AUTOMATION),
    _automation("POST", "/{automation_id}/disable", "disable_automation", _ONE_AUTOMATION),
    _automation("GET", "/{automation_id}/export", "export_automation", _ONE_AUTOMATION),
    _automation("POST", "/{automation_id}/diff", "diff_automation", {**_ONE_AUTOMATION, "version": 1}),
    _automation("POST", "/{automation_id}/run", "run_automation", _ONE_AUTOMATION),
    _automation("GET", "/{automation_id}/test", "test_automation", _ONE_AUTOMATION),
    _automation("POST", "/{automation_id}/token", "automation_token", _ONE_AUTOMATION),
)
"""In the order in which they are listed to a newcomer."""
