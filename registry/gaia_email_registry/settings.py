"""The single table of settings, the source of environment variables, command-line flags and the docs page.

Entry: `SETTINGS`, and `value` and `switch` to read one. A flag overrides the environment, the environment overrides the
default. A secret has no flag, because command lines are visible to other processes.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email_registry.errors import BadArgument
from gaia_email_registry.providers import PROVIDERS
from gaia_email_registry.setting_model import Setting
from gaia_email_registry.web_settings import WEB_SETTINGS

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("", "0", "false", "no", "off")


SETTINGS: tuple[Setting, ...] = (
    Setting(
        env="GAIA_HOME",
        kind="path",
        group="everywhere",
        default="~/.gaia",
        help="Directory for everything gaia-email keeps.",
    ),
    Setting(
        env="GAIA_VAULT",
        kind="choice",
        group="everywhere",
        default="auto: the keyring if there is one",
        help="Where passwords are stored: the system's keyring, or an encrypted file in GAIA_HOME.",
        choices=("auto", "keyring", "file"),
    ),
    Setting(
        env="GAIA_VAULT_KEY_FILE",
        kind="path",
        group="everywhere",
        default="vault.key in GAIA_HOME",
        help="The encrypted file's key, to keep it on another disk or pass it from systemd.",
    ),
    Setting(
        env="GAIA_EMAIL_DATABASE_URL",
        kind="text",
        group="agent",
        default="email/ledger.db in GAIA_HOME",
        help="Another location for the ledger: sqlite:////path/ledger.db or postgresql://user@host/database.",
        secret=True,
    ),
    Setting(
        env="GAIA_EMAIL_RUNS_URL",
        kind="text",
        group="agent",
        default="email/runs.db in GAIA_HOME",
        help="Another location for the runs: sqlite:////path/runs.db or postgresql://user@host/database.",
        secret=True,
    ),
    Setting(
        env="GAIA_EMAIL_RETENTION_DAYS",
        kind="number",
        group="agent",
        default="90",
        help="Days that events, answered questions and how to undo what was done are kept; 0 keeps them all.",
    ),
    Setting(
        env="GAIA_ARTIFACTS_DIR",
        kind="path",
        group="agent",
        default="artifacts in the data directory",
        help="Directory for the files that automations create.",
    ),
    Setting(
        env="GAIA_SPEECH_COMMAND",
        kind="text",
        group="agent",
        default="none",
        help="The speech program of automations: it reads text and writes a recording (espeak-ng --stdout).",
    ),
    Setting(
        env="GAIA_EMAIL_VIA",
        kind="choice",
        group="agent",
        default="each command does its own work",
        help="Have the running gaia email serve carry out commands.",
        choices=("http",),
    ),
    Setting(
        env="GAIA_EMAIL_SIDECAR_TOKEN_FILE",
        kind="path",
        group="agent",
        default="agent-http-token of gaia email serve",
        help="File with the API token that a GAIA daemon created for gaia email serve.",
    ),
    Setting(
        env="GAIA_DISCOVER_WEEKLY",
        kind="switch",
        group="agent",
        default="off",
        help="Have gaia email watch and gaia email worker search this machine for new mail accounts once a week, "
        "and report them in the Agent Inbox.",
    ),
    Setting(
        env="GAIA_DISCOVER_BROWSERS",
        kind="switch",
        group="agent",
        default="off",
        help="Also search browser profiles for accounts: only the address they are signed in with is read.",
    ),
    Setting(
        env="GAIA_AUTHSERV_IDS",
        kind="names",
        group="everywhere",
        default="known providers, and names that nearly all of your mail shows",
        help="Names of your mail server to trust in Authentication-Results, comma-separated.",
    ),
    Setting(
        env="GAIA_LANGUAGE",
        kind="choice",
        group="agent",
        default="the browser's, else English",
        help="The language of the pages of gaia email serve.",
        choices=("en", "it", "es", "fr", "de"),
    ),
    Setting(
        env="GAIA_PLAIN",
        kind="switch",
        group="everywhere",
        default="off",
        help="Print the inbox of gaia email without a command as numbered lines, for screen readers.",
    ),
    Setting(
        env="GAIA_MODEL_BASE_URL",
        kind="text",
        group="agent",
        default="the server found by gaia email models use",
        help="A model server on this machine, as http://127.0.0.1:8080/v1 or unix:/path; no other address is accepted.",
    ),
    Setting(
        env="GAIA_MODEL_T1",
        kind="text",
        group="agent",
        default="none",
        help="The small model that selects the messages worth a look.",
    ),
    Setting(
        env="GAIA_MODEL_T2",
        kind="text",
        group="agent",
        default="the model chosen by gaia email models use",
        help="The model for messages that the rules are unsure about.",
    ),
    Setting(
        env="GAIA_MODEL_T3",
        kind="text",
        group="agent",
        default="the same as GAIA_MODEL_T2",
        help="The model that summarises threads on request.",
    ),
    Setting(
        env="GAIA_READ_ONLY",
        kind="switch",
        group="server",
        default="off",
        help="Offer no tool that changes anything.",
    ),
    Setting(
        env="GAIA_NO_SEND",
        kind="switch",
        group="server",
        default="off",
        help="Offer no tool that sends mail; drafts can still be written.",
    ),
    Setting(
        env="GAIA_ALLOW_PERMANENT_DELETE",
        kind="switch",
        group="server",
        default="off",
        help="Let delete_email and batch_delete_emails delete for good when asked to; else they use Trash.",
    ),
    Setting(
        env="GAIA_APPROVE",
        kind="choice",
        group="server",
        default="ask",
        help="Who confirms irreversible actions: ask (you: in the client, the browser or gaia email review) or "
        "host (a client that shows you every call before it runs).",
        choices=("ask", "host"),
    ),
    Setting(
        env="GAIA_ENABLED_TOOLS",
        kind="names",
        group="server",
        default="all",
        help="Tools to offer, comma-separated: tool names, or core (those of the 19 in the Gmail convention that the "
        "mailbox supports), read, write, destructive, all.",
    ),
    Setting(
        env="GAIA_DOWNLOAD_DIR",
        kind="path",
        group="server",
        default="downloads in GAIA_HOME",
        help="Directory for saved attachments; nothing is written outside it.",
    ),
    Setting(
        env="GAIA_ATTACHMENT_DIR",
        kind="path",
        group="server",
        default="none: no file can be attached",
        help="Directory of files to attach; nothing outside it is attached.",
    ),
    Setting(
        env="GAIA_HTTP",
        kind="address",
        group="server",
        default="off; 127.0.0.1:8765 when given without a value",
        help="Serve streamable HTTP on host:port instead of standard input and output.",
    ),
    Setting(
        env="GAIA_HTTP_TOKEN",
        kind="text",
        group="server",
        default="on loopback, the one in http-token in GAIA_HOME",
        help="Bearer token that HTTP clients must send; required for any host other than loopback.",
        secret=True,
    ),
    Setting(
        env="GAIA_IMAP_PROVIDER",
        kind="choice",
        group="imap",
        default="by the address",
        help="A provider with known servers, instead of naming them.",
        choices=tuple(PROVIDERS),
    ),
    Setting(
        env="GAIA_IMAP_HOST",
        kind="text",
        group="imap",
        default="the provider's",
        help="The IMAP server.",
    ),
    Setting(
        env="GAIA_IMAP_PORT",
        kind="number",
        group="imap",
        default="993; 143 without tls",
        help="Its port.",
    ),
    Setting(
        env="GAIA_IMAP_SECURITY",
        kind="choice",
        group="imap",
        default="tls",
        help="TLS from the start, STARTTLS, or none; none only to this machine.",
        choices=("tls", "starttls", "none"),
    ),
    Setting(
        env="GAIA_IMAP_USER",
        kind="text",
        group="imap",
        default="the account's address",
        help="The login name.",
    ),
    Setting(
        env="GAIA_IMAP_AUTH",
        kind="choice",
        group="imap",
        default="password",
        help="Kind of secret: a password, or an OAuth access token sent by one of two mechanisms.",
        choices=("password", "xoauth2", "oauthbearer"),
    ),
    Setting(
        env="GAIA_IMAP_PASSWORD",
        kind="text",
        group="imap",
        default="none",
        help="The password or token.",
        secret=True,
    ),
    Setting(
        env="GAIA_IMAP_PASSWORD_COMMAND",
        kind="text",
        group="imap",
        default="none",
        help="Command that prints the password or a fresh token on its first line; run without a shell.",
    ),
    Setting(
        env="GAIA_IMAP_PASSWORD_FILE",
        kind="path",
        group="imap",
        default="none",
        help="File with the password on its first line; only its owner may read it.",
    ),
    Setting(
        env="GAIA_IMAP_CERTIFICATES",
        kind="path",
        group="imap",
        default="the system's",
        help="Certificate authorities to trust for IMAP and SMTP, as a PEM file.",
    ),
    Setting(
        env="GAIA_IMAP_IDLE_MINUTES",
        kind="number",
        group="imap",
        default="20",
        help="Minutes after which waiting for mail is restarted, 1 to 28.",
    ),
    Setting(
        env="GAIA_IMAP_NO_INDEX",
        kind="switch",
        group="imap",
        default="off",
        help="Keep nothing of the mailbox on disk; every start then lists it again.",
    ),
    Setting(
        env="GAIA_SMTP_HOST",
        kind="text",
        group="imap",
        default="the provider's; without one, nothing can be sent",
        help="The SMTP server for outgoing mail.",
    ),
    Setting(
        env="GAIA_SMTP_PORT",
        kind="number",
        group="imap",
        default="465; 587 with starttls",
        help="Its port.",
    ),
    Setting(
        env="GAIA_SMTP_SECURITY",
        kind="choice",
        group="imap",
        default="tls",
        help="As GAIA_IMAP_SECURITY.",
        choices=("tls", "starttls", "none"),
    ),
    Setting(
        env="GAIA_SMTP_USER",
        kind="text",
        group="imap",
        default="GAIA_IMAP_USER",
        help="The login name for SMTP.",
    ),
    Setting(
        env="GAIA_SMTP_PASSWORD",
        kind="text",
        group="imap",
        default="the IMAP password",
        help="The SMTP password, if it differs.",
        secret=True,
    ),
    Setting(
        env="GAIA_SMTP_PASSWORD_COMMAND",
        kind="text",
        group="imap",
        default="none",
        help="As GAIA_IMAP_PASSWORD_COMMAND.",
    ),
    *WEB_SETTINGS,
)

_BY_ENV = {setting.env: setting for setting in SETTINGS}


def setting(env: str) -> Setting:
    """Return the setting of that environment variable; raise `KeyError` if there is none."""
    return _BY_ENV[env]


def value(env: str, flags: Mapping[str, object], environ: Mapping[str, str]) -> str | None:
    """Return the value of a setting, or None: the flag (by `dest`), else the environment.

    An empty environment variable counts as not set.
    """
    given = flags.get(setting(env).dest)
    if isinstance(given, str):
        return given
    return environ.get(env) or None


def authserv_ids(environ: Mapping[str, str]) -> frozenset[str]:
    """Return the configured names of servers that write Authentication-Results into the user's mail, lower case."""
    named = value("GAIA_AUTHSERV_IDS", {}, environ) or ""
    return frozenset(name.strip().lower() for name in named.split(",") if name.strip())


def switch(env: str, flags: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Return True if a switch is on.

    Raises:
        BadArgument: The environment variable is neither a yes nor a no.
    """
    if flags.get(setting(env).dest) is True:
        return True
    text = environ.get(env, "").strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise BadArgument(f"{env} must be 1 or 0, not {text[:40]!r}.", argument=env)
