"""The actions a step can name, with their configurations and capabilities. Entry: `action_named`.

An action is a tool of the mail contract under its own name, a row of `_OWN`, or `server.tool` (`server_tools.py`).
Handlers are named by their address, `module:function`, so that reading a definition imports neither a mailbox nor a
model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from gaia_email_automations.definition import AutomationAction, AutomationCapability, SideEffect
from gaia_email_registry.contract.tools import TOOLS, RiskTier, ToolSpec
from gaia_email_registry.errors import BadArgument

FieldRole: TypeAlias = str
"""The decision that a field makes: `recipient`, `attendee`, `id`, `url`, `text` that is sent to others.

Any other field has its own name as its role, such as `criteria.from`.
"""

LEFT_OUT = frozenset(("wait_for_changes", "watch_mailbox", "sync_emails", "download_attachment"))
"""Tools that wait or write files, which a run may not do."""

NOT_CONFIGURED = ("confirm", "attachments")
"""Arguments that a definition cannot set: the user's confirmation, and paths of files on this machine."""

_BODIES = frozenset(("subject", "body", "htmlBody", "html_body"))
_ONLY_TEXT: Mapping[str, frozenset[str]] = {
    "draft_email": _BODIES,
    "update_draft": _BODIES,
    "send_email": _BODIES,
    "reply_to_email": _BODIES,
    "forward_email": _BODIES,
}
"""Fields of mail tools that hold text for people only: subjects and bodies. Every other field decides something.

The text of an event, a vacation responder or a comment is not here, since it is sent without another question.
"""

_RECIPIENTS = frozenset(("to", "cc", "bcc", "from", "address"))
_SIDE_EFFECTS: Mapping[str, tuple[SideEffect, ...]] = {
    "read": ("READ",),
    "write": ("WRITE", "USER_VISIBLE"),
    "destructive": ("EXTERNAL_WRITE", "USER_VISIBLE"),
}
_MAIL_SECONDS, _SERVER_SECONDS = 5.0, 30.0
_ACTING = "gaia_email_automations.acting"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionType:
    """A row of the table of actions.

    Attributes:
        action: Its published form.
        capabilities: The published capabilities that it uses.
        handler: The address of its handler: an async function of a `StepWork`.
        only_text: Fields that decide nothing; every other field does.
        literal: Fields that must not contain templates.
        leaves: True if everything passed to it is sent to others.
        calls: Number of calls that it takes from a run's budget.
    """

    action: AutomationAction
    capabilities: tuple[AutomationCapability, ...]
    handler: str
    only_text: frozenset[str] = frozenset()
    literal: frozenset[str] = frozenset()
    leaves: bool = False
    calls: int = 1

    @property
    def side_effects(self) -> frozenset[SideEffect]:
        """The side effects of all its capabilities."""
        return frozenset(effect for one in self.capabilities for effect in one.side_effects)

    def role(self, *path: str) -> FieldRole | None:
        """Return what the value at this path of the configuration decides; None if it is only text.

        Args:
            path: The name of the field, then the keys and positions inside it.
        """
        if path[0] in self.only_text:
            return None
        if (named := named_role(path[0])) is not None:
            return named
        if self.leaves:
            return "text"
        return ".".join((path[0], *(name for name in path[1:] if not name.isdecimal())))


def named_role(name: str) -> FieldRole | None:
    """Return what a field decides, judged by its name; None if the name does not show it."""
    lower = name.lower()
    if lower in _RECIPIENTS:
        return "recipient"
    if lower in ("attendees", "guests"):
        return "attendee"
    if lower.endswith(("url", "uri")):
        return "url"
    return "id" if lower == "id" or name.endswith(("Id", "Ids", "_id", "_ids", "ids")) else None


@cache
def action_types() -> Mapping[str, ActionType]:
    """Return all actions by name, in the order they are listed."""
    tools = [_mail_tool(tool) for tool in TOOLS.values() if tool.name not in LEFT_OUT]
    return {one.action.type: one for one in (*_OWN, *tools)}


def action_named(name: str) -> ActionType:
    """Return the action with this name.

    Raises:
        BadArgument: There is none.
    """
    found = action_types().get(name)
    if found is None and "." in name:
        return server_action(name)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(name, action_types(), n=2)
        meant = f"; there is {' and '.join(near)}" if near else ""
        raise BadArgument(
            f"There is no action {name[:60]!r}{meant}.",
            argument="action",
            hint="gaia email automations actions",
        )
    return found


def server_action(
    name: str,
    description: str = "",
    input_schema: Mapping[str, Any] | None = None,
    risk: RiskTier = "destructive",
) -> ActionType:
    """Return the action `server.tool` of another MCP server; without a schema it accepts any object."""
    config = {"type": "object", **(input_schema or {})}
    capability = AutomationCapability(
        id=name,
        name=name[:100],
        description=description[:2000],
        input_schema=config,
        required_credentials=(name.partition(".")[0],),
        side_effects=_SIDE_EFFECTS[risk],
        expected_duration_seconds=_SERVER_SECONDS,
    )
    return ActionType(
        action=AutomationAction(
            type=name,
            name=capability.name,
            description=capability.description,
            config_schema=config,
            uses_capabilities=(capability.id,),
        ),
        capabilities=(capability,),
        handler="gaia_email_automations.server_tools:server_tool",
        leaves=True,
    )


def _mail_tool(tool: ToolSpec) -> ActionType:
    schemas = _contract()[tool.name]
    config = {name: value for name, value in schemas["input"].items() if name != "$schema"}
    given: dict[str, Any] = config.get("properties", {})
    config["properties"] = {name: value for name, value in given.items() if name not in NOT_CONFIGURED}
    config["additionalProperties"] = False
    answer = {name: value for name, value in schemas["output"].items() if name != "$schema"}
    capability = AutomationCapability(
        id=f"mail.{tool.name}",
        name=tool.name.replace("_", " "),
        description=tool.description,
        input_schema=config,
        output_schema=answer,
        required_credentials=("account",),
        side_effects=_SIDE_EFFECTS[tool.risk],
        expected_duration_seconds=_MAIL_SECONDS,
    )
    return ActionType(
        action=AutomationAction(
            type=tool.name,
            name=capability.name,
            description=tool.description,
            config_schema=config,
            output_contract=answer,
            uses_capabilities=(capability.id,),
        ),
        capabilities=(capability,),
        handler=f"{_ACTING}:mail_tool",
        only_text=_ONLY_TEXT.get(tool.name, frozenset()),
    )


@cache
def _contract() -> dict[str, Any]:
    text = files("gaia_email_registry.contract").joinpath("schemas.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _own(
    name: str,
    description: str,
    properties: Mapping[str, Any],
    required: tuple[str, ...],
    *,
    output: Mapping[str, Any] | None = None,
    effects: tuple[SideEffect, ...] = (),
    credentials: tuple[str, ...] = (),
    seconds: float = 1,
    cost: float = 0,
    calls: int = 1,
    only_text: tuple[str, ...] = (),
    literal: tuple[str, ...] = (),
    handler: str = "",
    capability: str = "",
    makes_files: bool = False,
) -> ActionType:
    config = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    used = AutomationCapability(
        id=capability or f"gaia.{name}",
        name=name.replace("_", " "),
        description=description,
        input_schema=config,
        output_schema=dict(output or {}),
        required_credentials=credentials,
        side_effects=effects,
        expected_duration_seconds=seconds,
        cost_estimate=cost,
    )
    action = AutomationAction(
        type=name,
        name=used.name,
        description=description,
        config_schema=config,
        output_contract="dynamic" if output is None else dict(output),
        uses_capabilities=(used.id,),
        produces_artifacts=makes_files,
    )
    return ActionType(
        action=action,
        capabilities=(used,),
        handler=handler or f"{_ACTING}:{name}",
        only_text=frozenset(only_text),
        literal=frozenset(literal),
        calls=calls,
    )


TASK = "agent_task"
NOT_IN_TASKS = (TASK, "transform_data")
"""Actions that the model of a task cannot call."""

_WORDS: dict[str, Any] = {"type": "string", "maxLength": 20_000}
_FILE: dict[str, Any] = {
    "name": {"type": "string", "minLength": 1, "maxLength": 200},
    "retention": {"enum": ["transient", "default", "permanent"], "default": "default"},
    "visibility": {"enum": ["private", "account", "shared"], "default": "private"},
}
_OF_FILE = ("format", "retention", "visibility")
_FILE_KEPT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "artifact_id": {"type": "string"},
        "name": {"type": "string"},
        "kind": {"type": "string"},
        "bytes": {"type": "integer"},
        "sha256": {"type": "string"},
    },
    "required": ["artifact_id", "name", "kind", "bytes", "sha256"],
}
_OWN: tuple[ActionType, ...] = (
    _own(
        TASK,
        "Has a language model of this machine do one narrow task with the listed tools; its output is what it answers.",
        {
            "prompt": {"type": "string", "minLength": 1, "maxLength": 8_000},
            "input": {},
            "tools": {
                "type": "array",
                "items": {"type": "string", "minLength": 1, "maxLength": 200},
                "maxItems": 50,
                "uniqueItems": True,
            },
            "output_schema": {"type": "object"},
        },
        ("prompt",),
        effects=("READ",),
        credentials=("model",),
        seconds=60,
        only_text=("input",),
        literal=("prompt", "tools", "output_schema"),
        handler="gaia_email_automations.agent_task:agent_task",
    ),
    _own(
        "notification",
        "Tells you something in the Agent Inbox; nothing leaves this machine.",
        {"text": {"type": "string", "minLength": 1, "maxLength": 4_000}},
        ("text",),
        effects=("USER_VISIBLE",),
        only_text=("text",),
        calls=0,
    ),
    _own(
        "transform_data",
        "Puts values of earlier steps together; its output is its value.",
        {"value": {}},
        ("value",),
        only_text=("value",),
        calls=0,
    ),
    _own(
        "slack_post",
        "Posts a text to Slack by an incoming webhook, whose address lies in the vault under a name.",
        {"webhook": {"type": "string", "pattern": "^[a-z][a-z0-9_-]{0,39}$"}, "text": _WORDS},
        ("webhook", "text"),
        output={"type": "object", "properties": {"posted": {"const": True}}, "required": ["posted"]},
        effects=("EXTERNAL_WRITE", "USER_VISIBLE"),
        credentials=("slack_webhook",),
        seconds=5,
        literal=("webhook",),
        handler="gaia_email_automations.slack:slack_post",
        capability="slack.post_message",
    ),
    _own(
        "brief_generation",
        "Makes the brief of the day; its output is the text.",
        {"kind": {"enum": ["morning", "evening"]}},
        (),
        literal=("kind",),
        effects=("READ",),
        credentials=("account",),
        seconds=60,
        handler="gaia_email_automations.product_steps:brief_generation",
    ),
    _own(
        "resync",
        "Brings the copy of mail on this machine in line with the mailbox.",
        {},
        (),
        effects=("READ",),
        credentials=("account",),
        seconds=60,
        handler="gaia_email_automations.product_steps:resync",
    ),
    _own(
        "document",
        "Keeps a text as a file of this machine; its output says which.",
        {
            "text": {"type": "string", "minLength": 1, "maxLength": 1_000_000},
            "format": {"enum": ["markdown", "text", "json"], "default": "markdown"},
            **_FILE,
        },
        ("name", "text"),
        output=_FILE_KEPT,
        effects=("WRITE",),
        only_text=("name", "text"),
        literal=_OF_FILE,
        handler="gaia_email_automations.making:document",
        capability="files.document",
        makes_files=True,
    ),
    _own(
        "speech_generation",
        "Has the program of GAIA_SPEECH_COMMAND speak a text, and keeps the recording as a file.",
        {
            "text": {"type": "string", "minLength": 1, "maxLength": 20_000},
            "format": {"enum": ["wav", "mp3", "ogg"], "default": "wav"},
            **_FILE,
        },
        ("name", "text"),
        output=_FILE_KEPT,
        effects=("WRITE", "COST_INCURRING"),
        seconds=60,
        only_text=("name", "text"),
        literal=_OF_FILE,
        handler="gaia_email_automations.making:speech_generation",
        capability="files.speech",
        makes_files=True,
    ),
)
