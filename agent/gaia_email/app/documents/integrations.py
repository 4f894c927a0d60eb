"""The documents of integrations: accounts, channels and MCP servers as cards, and how one of them does.

Entries: `IntegrationsDocument`, `IntegrationHealthDocument`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.app.documents.accounts import ServerTraceRow
from gaia_email.document import Count, Time, Version, at, clean
from gaia_email_registry.accounts import AccountLimit

if TYPE_CHECKING:
    from gaia_email.mailbox.recent_calls import RecentCall

IntegrationKind = Literal["gmail", "outlook", "imap", "files", "slack", "mcp"]
IntegrationState = Literal["ok", "off", "attention", "new"]
IntegrationRemedy = Literal["", "enable", "log_in", "look", "review"]


class IntegrationRow(TypedDict):
    """One of them.

    `id` is `account:`, `slack:` or `server:` and `name`; `value` says in a line what it is for, `says` how it stands,
    `remedy` what helps, `target` where it is or what starts it, `limits` what the user forbade the agent there. The
    tools of our own servers are not counted here.
    """

    id: str
    kind: IntegrationKind
    name: str
    value: str
    target: str
    state: IntegrationState
    says: str
    remedy: IntegrationRemedy
    scopes: list[str]
    tools: Count
    approved: Count
    changed: Count
    new: Count
    limits: list[AccountLimit]
    signals: list[ServerTraceRow]
    secrets: list[str]


class IntegrationsDocument(TypedDict):
    """All of them: mailboxes, then channels, then servers of others."""

    schema_version: Version
    integrations: list[IntegrationRow]


class ToolCallRow(TypedDict):
    """A call that this program made, without what was asked and answered."""

    tool: str
    at: Time
    seconds: float
    error: str


class OpenedConnectionRow(TypedDict):
    """A connection that was opened for it, in bytes."""

    host: str
    at: Time
    seconds: float
    sent: Count
    received: Count


class QuotaRow(TypedDict):
    """What of the provider's quota is used, in its own units."""

    used: float
    limit: float
    window_s: float


class IntegrationHealthDocument(TypedDict):
    """How one of them does, after a look at it: `process` is where it runs, `log` the end of its standard error."""

    schema_version: Version
    id: str
    name: str
    process: str
    answers: bool
    says: str
    hint: str
    seconds: float
    tools: Count
    quota: QuotaRow | None
    calls: list[ToolCallRow]
    connections: list[OpenedConnectionRow]
    log: list[str]


class WebhooksDocument(TypedDict):
    """The names of the webhooks of Slack whose addresses are in the vault; `posted` is where a test was posted."""

    schema_version: Version
    webhooks: list[str]
    posted: str


class ConfiguredAccountRow(TypedDict):
    """An account as it can be connected again: without its login."""

    address: str
    provider: str
    server: str
    settings: dict[str, str]
    aliases: list[str]
    enabled: bool


class ConfigurationDocument(TypedDict):
    """What is connected and decided, without secrets; `mcpServers` is in the form that MCP clients read."""

    schema_version: Version
    accounts: list[ConfiguredAccountRow]
    mcpServers: dict[str, object]
    webhooks: list[str]
    policy: dict[str, object]


def call_rows(calls: Sequence[RecentCall]) -> list[ToolCallRow]:
    """The calls, in their order."""
    return [
        {"tool": one.tool, "at": at(one.at), "seconds": round(one.seconds, 3), "error": clean(one.error)}
        for one in calls
    ]
