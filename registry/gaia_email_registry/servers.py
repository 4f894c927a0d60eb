"""The configured MCP servers: `mcp_servers.json`, in the `mcpServers` format of Claude Desktop.

Entry: `read_servers`. A server is started by a command or reached by URL; our own servers can also run inside the
program that uses them. Secrets never belong in this file, because people copy it around; they come from the environment
or the vault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_email_registry.json_edit import without_comments

ENTRY_POINTS = "gaia_email.servers"
"""The entry point group of our own servers, by provider name.

An entry point returns an MCP server. Its module may also have `open_tools`, which takes the same options and returns
the same tools without the protocol; programs that run the server in-process use that.
"""

MAX_FILE_BYTES = 1_000_000

VAULT = "vault:"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
_SECRET = re.compile(
    r"password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|authorization|bearer", re.I
)
TOKEN = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{12,}|\bgh[opsu]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[\w-]{10,}"
    r"|\bya29\.[\w.-]{10,}|\bAKIA[A-Z0-9]{12,}|\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|://[^/\s:@]+:[^/\s@]+@"
)
"""Tokens of OpenAI, Stripe, GitHub, Slack, Google, AWS, JWT (RFC 7519), and a password in a URL (RFC 3986, 3.2.1)."""

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OWN = re.compile(r"vault:(?:keyring|file):server/([^/]+)/.+")
_NOT_SECRET = re.compile(r"(?:_COMMAND|_PATH|_FILE|_DIR|_URL)\Z", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class InProcessServer:
    """One of our own servers, found by entry point and run inside this program with `options`."""

    provider: str
    options: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class StdioServer:
    """A server started by command that speaks MCP on its standard streams.

    `name` is its name in the file; a value of `env` may be a vault reference, `vault:…`. A `disabled` server is not
    started.
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    name: str = ""
    disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpServer:
    """A server reached by streamable HTTP; `token` is sent as a bearer token and never comes from a file.

    `name` is its name in the file, `secret` the vault reference of the token, if there is one. `headers` are additional
    headers, whose values may also be vault references. A `disabled` server is not contacted.
    """

    url: str
    token: str | None = None
    name: str = ""
    secret: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    disabled: bool = False


ServerSpec = InProcessServer | StdioServer | HttpServer

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def read_servers(path: Path) -> Mapping[str, ServerSpec]:
    """Return the servers of a file by name, in file order.

    Raises:
        NotFound: There is no such file.
        BadArgument: The file is not JSON of that form, or seems to contain a secret; the error names the place.
    """
    return servers_in(text_of(path), path)


def text_of(path: Path) -> str:
    """Return the text of a file of servers.

    Raises:
        NotFound: There is no such file.
        BadArgument: The file cannot be read as text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(
            f"{path} does not exist.", hint="mcp_servers.json.example shows what it holds."
        ) from None
    except OSError as error:
        raise BadArgument(f"{path} cannot be read: {error.strerror}.") from None
    if len(content) > MAX_FILE_BYTES:
        raise BadArgument(f"{path} is too large to be a list of servers.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise BadArgument(f"{path} is not UTF-8 text.") from None


def servers_in(text: str, path: Path) -> Mapping[str, ServerSpec]:
    """Parse servers as `parse_servers` does, and name `path` in errors.

    Raises:
        BadArgument: The text is not JSON of that form, or seems to contain a secret; the error names the place.
    """
    try:
        return parse_servers(text)
    except BadArgument as error:
        raise BadArgument(f"{path}: {error.message}", argument=error.argument) from None


def find_server(name: str, files: Sequence[Path]) -> ServerSpec:
    """Return the server of that name from the first file that lists it; files may be missing.

    Raises:
        NotFound: No file lists it.
        BadArgument: A file is not of that form, or seems to contain a secret; the error names the place.
    """
    known: list[str] = []
    for path in files:
        if not path.exists():
            continue
        servers = read_servers(path)
        if name in servers:
            return servers[name]
        known += servers
    there = f"There are {', '.join(sorted(set(known)))}." if known else "No server is listed yet."
    raise NotFound(
        f"There is no MCP server {name[:60]!r}. {there}",
        argument="server",
        hint=f"mcp_servers.json in {files[0].parent} lists them, as those of any MCP client.",
    )


def parse_servers(text: str) -> Mapping[str, ServerSpec]:
    """Parse the servers in a text, by name; as `read_servers`.

    Raises:
        BadArgument: The text is not JSON of that form, or seems to contain a secret.
    """
    try:
        parsed = _parse_json(text)
    except (ValueError, RecursionError) as error:
        reason = (
            f"line {error.lineno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else "nested too deep"
        )
        raise BadArgument(f"this is not JSON ({reason}).") from None
    servers = _object(_object(parsed, "the file").get("mcpServers"), "mcpServers")
    return {name: _server(name, _object(value, f"server {name!r}")) for name, value in servers.items()}


def _parse_json(text: str) -> Json:
    """Parse JSON, ignoring comments as other MCP clients do; errors refer to the original text."""
    found: Json
    try:
        found = json.loads(text)
    except ValueError:
        try:
            found = json.loads(without_comments(text))
        except ValueError:
            found = json.loads(text)
    return found


def _server(name: str, value: Mapping[str, Json]) -> ServerSpec:
    where = f"server {name!r}"
    if not _NAME.match(name):
        raise BadArgument(f"{where} must be named with letters, digits, dots, dashes and underscores.")
    _refuse_secrets(where, value)
    for holder in ("env", "headers"):
        _refuse_foreign_references(where, name, _object(value.get(holder, {}), f"{holder} of {where}"))
    if "url" in value:
        headers = _headers(value.get("headers", {}), where)
        others = {key: item for key, item in headers.items() if key.lower() != "authorization"}
        return HttpServer(
            url=_url(value["url"], where),
            name=name,
            secret=_bearer(headers),
            headers=others,
            disabled=value.get("disabled") is True,
        )
    command = value.get("command")
    if not isinstance(command, str) or not command.strip():
        raise BadArgument(f"{where} needs a command to start it, or a url to reach it.", argument=name)
    args = value.get("args", [])
    if not isinstance(args, list) or not all(isinstance(arg, str) for arg in args):
        raise BadArgument(f"{where}: args must be a list of texts.", argument=name)
    env = _object(value.get("env", {}), f"env of {where}")
    if not all(isinstance(item, str) for item in env.values()):
        raise BadArgument(f"{where}: env must hold texts only.", argument=name)
    return StdioServer(
        command=command,
        args=tuple(str(arg) for arg in args),
        env={key: str(item) for key, item in env.items()},
        name=name,
        disabled=value.get("disabled") is True,
    )


def _headers(value: Json, where: str) -> Mapping[str, str]:
    """Return the headers of an entry; a line of HTTP must not be able to contain two (RFC 9110, 5.5)."""
    headers = _object(value, f"headers of {where}")
    for name, item in headers.items():
        if not _HEADER.fullmatch(name) or not isinstance(item, str) or not item.isprintable():
            raise BadArgument(f"{where}: the header {name[:60]!r} cannot be sent.", argument="headers")
    return {name: str(item) for name, item in headers.items()}


def _bearer(headers: Mapping[str, str]) -> str:
    """Return the reference in the `Authorization` header."""
    for name, value in headers.items():
        if name.lower() == "authorization":
            return value.removeprefix("Bearer ").strip()
    return ""


def _url(value: Json, where: str) -> str:
    parts = urlsplit(value) if isinstance(value, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadArgument(f"{where}: url must begin with http:// or https://.")
    if parts.username or parts.password:
        raise BadArgument(
            f"{where}: take user and password out of the url; secrets do not belong in this file."
        )
    for name, given in parse_qsl(parts.query):
        if looks_secret(name) or looks_like_token(given):
            raise BadArgument(
                f"{where}: {name[:60]} in the url looks like a secret, and secrets do not belong in this file; ask the "
                "server's maker for a header that takes it."
            )
    return parts.geturl()


def looks_secret(name: str) -> bool:
    """Return True if a variable or header of that name usually contains a secret."""
    return bool(_SECRET.search(name)) and not _NOT_SECRET.search(name)


def looks_like_token(value: str) -> bool:
    """Return True if a text has the form of a known token, whatever its name."""
    return bool(TOKEN.search(value))


def is_reference(value: Json) -> bool:
    """Return True if a value only refers to a secret in the vault."""
    return isinstance(value, str) and value.removeprefix("Bearer ").strip().startswith(VAULT)


def _refuse_secrets(where: str, value: Mapping[str, Json]) -> None:
    for key, item in _named_values(value):
        if key.startswith("-") and is_secret(key, item):
            raise BadArgument(
                f"{where}: {key[:60]} looks like a secret, and other programs see a command's arguments. Give it by a "
                "variable that the server reads: gaia email servers add NAME --secret VARIABLE -- COMMAND.",
                argument=key[:60],
            )
        if is_secret(key, item) and not is_reference(item):
            raise BadArgument(
                f"{where}: {key[:60]} looks like a secret, and secrets do not belong in this file. "
                "gaia email servers add and import keep it in the vault and write vault:… here.",
                argument=key[:60],
            )


def is_secret(name: str, value: Json) -> bool:
    """Return True if a value is a secret by its name or form; a vault reference, by its name."""
    named = looks_secret(name) and value not in ("", None)
    return named or (isinstance(value, str) and looks_like_token(value))


def _refuse_foreign_references(where: str, name: str, values: Mapping[str, Json]) -> None:
    """Refuse references to secrets of accounts or other servers: a server gets only its own."""
    for value in values.values():
        if isinstance(value, str) and is_reference(value):
            found = _OWN.fullmatch(value.removeprefix("Bearer ").strip())
            if found is None or found[1] != name:
                raise BadArgument(
                    f"{where}: {value[:80]} is not a secret of this server.",
                    argument=name,
                    hint="gaia email servers add NAME --secret VARIABLE keeps one for it.",
                )


def _named_values(value: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield every key with its value at any depth, and every `--name=value` or `--name value`."""
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _named_values(item)
        elif isinstance(item, list) and key == "args":
            texts = [text for text in item if isinstance(text, str)]
            for text, following in zip(texts, [*texts, ""][1:], strict=True):
                if text.startswith("-"):
                    flag, equals, given = text.partition("=")
                    yield flag, given if equals else following
        else:
            yield key, item


def _object(value: Json, what: str) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise BadArgument(f"{what} must be an object in braces.")
    return value
