"""What a mail server can be told: `SurfaceSettings`, and the command line that fills it.

Entries: `add_arguments(parser)`, then `settings_from(args, environ)`; a server that runs inside the agent takes
`embedded_settings(options)`, because there the agent's own gate asks.
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
    """Where streamable HTTP listens, and what clients must send as a bearer token.

    `token_file` is where a token is that the user gave none for; it is made when the server starts.
    """

    host: str
    port: int
    token: str | None = None
    token_file: Path | None = None

    @property
    def loopback(self) -> bool:
        """Whether only this machine can connect."""
        return self.host in LOOPBACK_HOSTS


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceSettings:
    """How the tool surface of a server behaves.

    `enabled_tools` holds tool names and group names (`core`, `read`, `write`, `destructive`, `all`); empty
    means all. `download_dir` None means no attachment can be saved, `attachment_dir` None that none can be
    attached from a file. `approval` is how the user is asked. `http` None means standard input and output.
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
    """Give `parser` the flags that every mail server takes."""
    parser.add_argument("--version", action=_Version, nargs=0, help="show which version this is, and exit")
    add_setting_flags(parser, "server", "server options (each also an environment variable)")


class _Version(argparse.Action):
    """Looks up which version this is only when it is asked: what that imports takes as long as the rest of a start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from gaia_email_registry.extras import installed_version

        told = argparse.ArgumentParser(prog=parser.prog, add_help=False)
        told.add_argument("--version", action="version", version=f"%(prog)s {installed_version()}")
        told.parse_args(["--version"])


def add_setting_flags(parser: argparse.ArgumentParser, of: SettingGroup, title: str) -> None:
    """Give `parser` the flags of one group of the settings table."""
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
    """The settings of a command line and an environment.

    Raises:
        BadArgument: A value cannot be understood, or HTTP beyond loopback has no token.
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
    """How the user is asked; who calls over the network is not at this machine's screen."""
    from gaia_mail_mcp.surface.approval.browser import opener

    return ApprovalSettings(
        way="host" if settings.value("GAIA_APPROVE", flags, environ) == "host" else "ask",
        store=paths.approvals_file(environ),
        opener=opener(environ) if http is None or http.loopback else None,
        runtime_dir=paths.home(environ) / "run",
    )


def embedded_settings(options: Mapping[str, str]) -> SurfaceSettings:
    """For a server that runs inside a program that asks the user itself.

    `read_only`, `no_send` and `allow_permanent_delete` are switched on by `true`, `1`, `yes` or `on`.
    """

    def switched(name: str) -> bool:
        return options.get(name, "").lower() in _TRUE

    return SurfaceSettings(
        read_only=switched("read_only"),
        no_send=switched("no_send"),
        allow_permanent_delete=switched("allow_permanent_delete"),
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
