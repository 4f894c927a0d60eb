"""Connections and decisions without secrets, for backup or transfer. Entry: `configuration`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.app import App
from gaia_email.app.services.mcp_servers import users
from gaia_email.app.services.policy_overview import policy_overview
from gaia_email.document import Document, answer_of
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.plugins import load_parts
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.servers import HttpServer, ServerSpec, StdioServer, is_reference, is_secret


class ConfiguredAccount(Document, frozen=True, kw_only=True):
    """An account without its login, as needed to connect it again."""

    address: str
    provider: str
    server: str
    settings: dict[str, str]
    aliases: list[str]
    enabled: bool


class Configuration(Document, frozen=True, kw_only=True):
    """Connections and decisions, without secrets; `mcpServers` has the form that MCP clients read."""

    accounts: list[ConfiguredAccount]
    mcpServers: dict[str, object]
    webhooks: list[str]
    policy: dict[str, object]


def configuration(app: App) -> Configuration:
    """Return accounts without logins, MCP servers without secret values, names of webhooks, and the policy."""
    names: list[str] = []
    if has_ledger(app.environ):
        with app.ledger(read_only=True) as ledger:
            names = sorted(name for channels in load_parts("channels") for name in channels.names(ledger))
    return Configuration(
        accounts=[
            ConfiguredAccount(
                address=one.address,
                provider=one.provider,
                server=one.server,
                settings={name: value for name, value in one.settings.items() if not is_secret(name, value)},
                aliases=list(one.aliases or ()),
                enabled=one.enabled,
            )
            for one in read_accounts(app.environ)
        ],
        mcpServers={one.name: _entry(one.spec) for one in users(app)},
        webhooks=names,
        policy={**answer_of(policy_overview(app))},
    )


def _entry(spec: ServerSpec) -> Mapping[str, object]:
    """Return a server as MCP clients list it, with empty secret values."""
    match spec:
        case StdioServer():
            return {"command": spec.command, "args": list(spec.args), "env": _open(spec.env)}
        case HttpServer():
            headers = {"Authorization": ""} if spec.secret else {}
            return {"url": spec.url, "headers": {**headers, **_open(spec.headers)}}
        case _:
            return {}


def _open(values: Mapping[str, str]) -> dict[str, str]:
    return {
        name: "" if is_reference(value) or is_secret(name, value) else value for name, value in values.items()
    }
