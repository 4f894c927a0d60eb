"""Settings of a mail server: `SurfaceSettings`, and the command line that fills it.

Entries: `add_arguments(parser)`, then `settings_from(args, environ)`; a server inside the agent uses
`embedded_settings(options)`, because there the agent's own gate asks the user.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gaia_email_registry import paths, settings
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.setting_model import SettingGroup
from gaia_mail_mcp.surface.approval.settings import CALLER, ApprovalSettings

DEFAULT_HTTP = "127.0.0.1:8765"
LOOPBACK_HOSTS = ("127.0.0.1", "::1", "localhost")
_TRUE = frozenset({"1", "true", "yes", "on"})
_METAVARS = {"path": "PATH", "names": "NAMES", "text": "TEXT", "number": "N"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAddress:
    """Address of the streamable HTTP server, and the bearer token that clients must send.

    `token_file` is used if the user gave no token; the server creates it on start.
    """

    host: str
    port: int
    token: str | None = None
    token_file: Path | None = None

    @property
    def loopback(self) -> bool:
        """True if only this machine can connect."""
        return self.host in LOOPBACK_HOSTS


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceSettings:
    """Settings of a server's tool surface.

    `enabled_tools` contains tool names and group names (`core`, `read`, `write`, `destructive`, `all`); empty means
    all. Without `download_dir` no attachment can be saved, without `attachment_dir` no file can be attached. `approval`
    is how the user is asked. Without `http`, the server uses standard input and output.
    """

    read_only: bool = False
    no_send: bool = False
    allow_permanent_delete: bool = False
    enabled_tools: tuple[str, ...] = ()
    download_dir: Path | None = None
    attachment_dir: Path | None = None
    approval: ApprovalSettings = field(default_factory=ApprovalSettings)
    http: HttpAddress | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of all mail servers to `parser`."""
    parser.add_argument("--version", action=_Version, nargs=0, help="show which version this is, and exit")
    add_setting_flags(parser, "server", "server options (each also an environment variable)")


class _Version(argparse.Action):
    """Looks up the version only on demand: the imports for it take as long as the rest of a start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from gaia_email_registry.extras import installed_version

        told = argparse.ArgumentParser(prog=parser.prog, add_help=False)
        told.add_argument("--version", action="version", version=f"%(prog)s {installed_version()}")
        told.parse_args(["--version"])


def add_setting_flags(parser: argparse.ArgumentParser, of: SettingGroup, title: str) -> None:
    """Add the flags of one group of the settings table to `parser`."""
    group = parser.add_argument_group(title)
    for entry in settings.SETTINGS:
        if entry.group != of or entry.flag is None:
            continue
        text = f"{entry.help} [{entry.env}]"
        if entry.kind == "switch":
            group.add_argument(entry.flag, dest=entry.dest, action="store_true", default=None, help=text)
        elif entry.kind == "address":
            group.add_argument(
                entry.flag, dest=entry.dest, nargs="?", const=DEFAULT_HTTP, metavar="HOST:PORT", help=text
            )
        elif entry.kind == "choice":
            group.add_argument(entry.flag, dest=entry.dest, choices=entry.choices, help=text)
        else:
            metavar = _METAVARS[entry.kind]
            group.add_argument(entry.flag, dest=entry.dest, metavar=metavar, help=text)


def settings_from(args: argparse.Namespace, environ: Mapping[str, str]) -> SurfaceSettings:
    """Return the settings from a command line and an environment.

    Raises:
        BadArgument: A value is invalid, or HTTP beyond loopback has no token.
    """
    flags: dict[str, object] = vars(args)
    downloads = settings.value("GAIA_DOWNLOAD_DIR", flags, environ)
    attachments = settings.value("GAIA_ATTACHMENT_DIR", flags, environ)
    download_dir = Path(downloads).expanduser().absolute() if downloads else paths.downloads(environ)
    names = settings.value("GAIA_ENABLED_TOOLS", flags, environ) or ""
    http = _http_address(flags, environ)
    return SurfaceSettings(
        read_only=settings.switch("GAIA_READ_ONLY", flags, environ),
        no_send=settings.switch("GAIA_NO_SEND", flags, environ),
        allow_permanent_delete=settings.switch("GAIA_ALLOW_PERMANENT_DELETE", flags, environ),
        enabled_tools=tuple(name.strip() for name in names.split(",") if name.strip()),
        download_dir=download_dir,
        attachment_dir=Path(attachments).expanduser().absolute() if attachments else None,
        approval=_approval(flags, environ, http),
        http=http,
    )


def _approval(
    flags: Mapping[str, object], environ: Mapping[str, str], http: HttpAddress | None
) -> ApprovalSettings:
    """Return the approval settings; callers over the network are not at this machine's screen."""
    from gaia_mail_mcp.surface.approval.browser import opener

    return ApprovalSettings(
        way="host" if settings.value("GAIA_APPROVE", flags, environ) == "host" else "ask",
        store=paths.approvals_file(environ),
        opener=opener(environ) if http is None or http.loopback else None,
        runtime_dir=paths.home(environ) / "run",
    )


def embedded_settings(options: Mapping[str, str]) -> SurfaceSettings:
    """Return the settings of a server inside a program that asks the user itself.

    `read_only`, `no_send` and `allow_permanent_delete` are switched on by `true`, `1`, `yes` or `on`.
    """

    def is_on(name: str) -> bool:
        return options.get(name, "").lower() in _TRUE

    return SurfaceSettings(
        read_only=is_on("read_only"),
        no_send=is_on("no_send"),
        allow_permanent_delete=is_on("allow_permanent_delete"),
        approval=CALLER,
    )


def _http_address(flags: Mapping[str, object], environ: Mapping[str, str]) -> HttpAddress | None:
    given = settings.value("GAIA_HTTP", flags, environ)
    if given is None:
        return None
    if given.strip().lower() in _TRUE:
        given = DEFAULT_HTTP
    host, _, port = given.strip().rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isascii() or not port.isdigit() or not 0 <= int(port) <= 65535:
        raise BadArgument(
            f"--http takes host:port, for example {DEFAULT_HTTP}, not {given[:60]!r}.", argument="http"
        )
    token = environ.get("GAIA_HTTP_TOKEN") or None
    token_file = paths.http_token_file(environ) if token is None else None
    address = HttpAddress(host=host, port=int(port), token=token, token_file=token_file)
    if not address.loopback and address.token is None:
        raise BadArgument(
            f"Serving HTTP on {host} reaches beyond this machine: set GAIA_HTTP_TOKEN to a long random text, "
            "or listen on 127.0.0.1.",
            argument="http",
        )
    return address
