"""`gaia-local-mcp`: mail files on this machine as an MCP server. Entries: `main`, `open_server`, `open_tools`.

Files are not opened before the first tool is called, so the server starts and lists its tools even if the path is
wrong; the first answer then reports the error.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from typing_extensions import override

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.provider_server import ProviderServer, ServedMailboxes
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.options import SurfaceSettings

if TYPE_CHECKING:
    from gaia_mail_mcp.mailbox import Mailbox

SourceKind = Literal["maildir", "mbox", "eml", "path"]

_KINDS: tuple[SourceKind, ...] = ("maildir", "mbox", "eml", "path")


class LocalServer(ProviderServer):
    """The MCP server of one path, given as `maildir`, `mbox`, `eml` or `path`; `index` as in `LocalMailbox`."""

    program = "gaia-local-mcp"
    description = "Serves mail files on this machine over the Model Context Protocol."

    @override
    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        source = parser.add_argument_group("what to serve")
        source.add_argument("path", nargs="?", help="a Maildir, an mbox file, or a folder of mail files")
        source.add_argument("--maildir", metavar="PATH", help="a Maildir with its folders; can be changed")
        source.add_argument(
            "--mbox", metavar="PATH", help="an mbox file, such as a Google Takeout; only read"
        )
        source.add_argument("--eml", metavar="PATH", help="a message file or a folder of them; only read")
        source.add_argument("--account", metavar="NAME", help="whose mail it is, preferably an email address")

    @override
    def serve(
        self, options: argparse.Namespace, environ: Mapping[str, str], settings: SurfaceSettings
    ) -> ServedMailboxes:
        kind, path = _given_path(vars(options))
        return ServedMailboxes(sources={"": mailbox_source(kind, path, account=options.account)})

    @override
    def embed(
        self, options: Mapping[str, str], environ: Mapping[str, str], settings: SurfaceSettings
    ) -> MailboxSource:
        kind, path = _given_path(options)
        index = Path(options["index"]) if "index" in options else None
        return mailbox_source(kind, path, account=options.get("account"), index=index)


def mailbox_source(
    kind: SourceKind, path: str, *, account: str | None = None, index: Path | None = None
) -> MailboxSource:
    """Return the mailbox at a path; the kind `path` detects a Maildir; `index` as in `LocalMailbox`.

    Nothing is imported or read yet; if the path does not exist, the mailbox's first method raises.
    """
    from gaia_local_mcp.abilities import MAILDIR_CAPABILITIES
    from gaia_mail.files.opening import display

    name = account or display(os.path.basename(os.path.abspath(os.path.expanduser(path))) or path)
    writable = kind == "maildir" or (kind == "path" and _is_maildir(path))
    return MailboxSource(
        partial(_open_maildir, path, name, index) if writable else partial(_open_files, path, name),
        account=name,
        provider="local",
        capabilities=MAILDIR_CAPABILITIES if writable else frozenset(),
    )


def _open_maildir(path: str, name: str, index: Path | None) -> Mailbox:
    from gaia_local_mcp.maildir_mailbox import MaildirMailbox

    return MaildirMailbox(path, name, index=index)


def _open_files(path: str, name: str) -> Mailbox:
    from gaia_local_mcp.mailbox import LocalMailbox
    from gaia_local_mcp.origin import FilesOrigin

    return LocalMailbox(FilesOrigin(path), name)


def _is_maildir(path: str) -> bool:
    from gaia_mail.files.maildir import is_maildir

    return is_maildir(os.path.expanduser(path))


def _given_path(given: Mapping[str, str | None]) -> tuple[SourceKind, str]:
    found: list[tuple[SourceKind, str]] = [(kind, path) for kind in _KINDS if (path := given.get(kind))]
    if len(found) != 1:
        raise BadArgument("Give one path: --maildir, --mbox, --eml, or the path alone.", argument="path")
    return found[0]


_SERVER = LocalServer()
main, open_server, open_tools = _SERVER.main, _SERVER.open_server, _SERVER.open_tools

if __name__ == "__main__":
    main()
