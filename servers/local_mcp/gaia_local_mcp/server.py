"""`gaia-local-mcp`: mail files on this machine as an MCP server. Entries: `main`, `open_server`, `open_tools`.

Files are not touched before the first tool is called, so the server starts and lists its tools even when
the path is wrong; the first answer then says what is.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from gaia_email_registry.egress.recording import record
from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.surface.exit_on_error import exit_on_error
from gaia_mail_mcp.surface.options import add_arguments, embedded_settings, settings_from

if TYPE_CHECKING:
    from fastmcp import FastMCP

    from gaia_mail_mcp.mailbox import Mailbox
    from gaia_mail_mcp.surface.embedded import EmbeddedTools

SourceKind = Literal["maildir", "mbox", "eml", "path"]

_KINDS: tuple[SourceKind, ...] = ("maildir", "mbox", "eml", "path")


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line, build the server, run it until its client goes away."""
    options = _parser().parse_args(arguments)
    record(os.environ, "gaia-local-mcp")
    with exit_on_error("gaia-local-mcp"):
        settings = settings_from(options, os.environ)
        kind, path = _source(vars(options))
        mailbox = open_mailbox(kind, path, account=options.account)
        from gaia_mail_mcp.surface.run import run_server
        from gaia_mail_mcp.surface.server import create_server

        run_server(create_server(mailbox, settings), settings)


def open_server(options: Mapping[str, str]) -> FastMCP[None]:
    """The server for a program that runs it in its own process and asks the user itself.

    Args:
        options: One of `maildir`, `mbox`, `eml` or `path` (any of these), with a path; `account` for the
            name of the mailbox; `read_only` and `allow_permanent_delete` as `true` or `false`.

    Raises:
        BadArgument: Not exactly one path was given.
    """
    from gaia_mail_mcp.surface.server import create_server

    return create_server(_mailbox_of(options), embedded_settings(options))


def open_tools(options: Mapping[str, str]) -> EmbeddedTools:
    """The tools of that server (`open_server`), for a program that calls them without MCP.

    Of its `options`, `copied` as `true` is for who keeps a copy of the listing, see `LocalMailbox`.
    """
    from gaia_mail_mcp.surface.embedded import EmbeddedTools

    mailbox = _mailbox_of(options, copied=options.get("copied") == "true")
    return EmbeddedTools(mailbox, embedded_settings(options))


def _mailbox_of(options: Mapping[str, str], *, copied: bool = False) -> Mailbox:
    kind, path = _source(options)
    return open_mailbox(kind, path, account=options.get("account"), copied=copied)


def open_mailbox(kind: SourceKind, path: str, *, account: str | None = None, copied: bool = False) -> Mailbox:
    """The mailbox at a path; `path` as a kind finds out itself whether it is a Maildir; `copied` as of `LocalMailbox`.

    Nothing is imported or read yet, and a path that does not exist is told by the mailbox's first method.
    """
    from gaia_local_mcp.abilities import MAILDIR_CAPABILITIES
    from gaia_mail.files.opening import display
    from gaia_mail_mcp.wrappers import Deferred

    name = account or display(os.path.basename(os.path.abspath(os.path.expanduser(path))) or path)
    writable = kind == "maildir" or (kind == "path" and _is_maildir(path))
    return Deferred(
        partial(_open_maildir, path, name, copied) if writable else partial(_open_files, path, name),
        account=name,
        provider="local",
        capabilities=MAILDIR_CAPABILITIES if writable else frozenset(),
    )


def _open_maildir(path: str, name: str, copied: bool) -> Mailbox:
    from gaia_local_mcp.maildir_mailbox import MaildirMailbox

    return MaildirMailbox(path, name, copied=copied)


def _open_files(path: str, name: str) -> Mailbox:
    from gaia_local_mcp.mailbox import LocalMailbox
    from gaia_local_mcp.origin import FilesOrigin

    return LocalMailbox(FilesOrigin(path), name)


def _is_maildir(path: str) -> bool:
    from gaia_mail.files.maildir import is_maildir

    return is_maildir(os.path.expanduser(path))


def _source(given: Mapping[str, str | None]) -> tuple[SourceKind, str]:
    found: list[tuple[SourceKind, str]] = [(kind, path) for kind in _KINDS if (path := given.get(kind))]
    if len(found) != 1:
        raise BadArgument("Give one path: --maildir, --mbox, --eml, or the path alone.", argument="path")
    return found[0]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gaia-local-mcp",
        description="Serves mail files on this machine over the Model Context Protocol.",
    )
    source = parser.add_argument_group("what to serve")
    source.add_argument("path", nargs="?", help="a Maildir, an mbox file, or a folder of mail files")
    source.add_argument("--maildir", metavar="PATH", help="a Maildir with its folders; can be changed")
    source.add_argument("--mbox", metavar="PATH", help="an mbox file, such as a Google Takeout; only read")
    source.add_argument("--eml", metavar="PATH", help="a message file or a folder of them; only read")
    source.add_argument("--account", metavar="NAME", help="whose mail it is, best an address")
    add_arguments(parser)
    return parser


if __name__ == "__main__":
    main()
