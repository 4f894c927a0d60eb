"""`gaia-imap-mcp`: a mailbox on an IMAP server as an MCP server. Entries: `main`, `open_server`, `open_tools`.

Nothing is connected before the first tool is called, so the server starts and lists its tools without an
account; the first answer then says how to connect one.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from gaia_email_registry.accounts import check_enabled
from gaia_email_registry.egress.recording import record
from gaia_email_registry.errors import MailError, NeedsAuth, NotFound
from gaia_mail_mcp.surface.exit_on_error import exit_on_error
from gaia_mail_mcp.surface.options import (
    add_arguments,
    add_setting_flags,
    embedded_settings,
    settings_from,
)

if TYPE_CHECKING:
    from fastmcp import FastMCP

    from gaia_imap_mcp.configure import Configured
    from gaia_mail_mcp.mailbox import Mailbox
    from gaia_mail_mcp.surface.embedded import EmbeddedTools

UNNAMED = "imap"
"""What the account is called while there is none."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line, build the server, run it until its client goes away."""
    options = _parser().parse_args(arguments)
    record(os.environ, "gaia-imap-mcp")
    with exit_on_error("gaia-imap-mcp"):
        settings = settings_from(options, os.environ)
        mailbox = open_mailbox(vars(options), os.environ, read_only=settings.read_only)
        from gaia_mail_mcp.surface.run import run_server
        from gaia_mail_mcp.surface.server import create_server

        run_server(create_server(mailbox, settings), settings)


def open_server(options: Mapping[str, str]) -> FastMCP[None]:
    """The server for a program that runs it in its own process and asks the user itself.

    Args:
        options: `account` for one that is connected, or what the flags of `gaia-imap-mcp` say, by their names
            with underscores; `secret` for where the password is, and then the environment has no say about
            the account; `read_only`, `no_send` and `allow_permanent_delete` as `true` or `false`.

    Raises:
        BadArgument: A value cannot be used.
    """
    from gaia_mail_mcp.surface.server import create_server

    return create_server(_mailbox_of(options), embedded_settings(options))


def open_tools(options: Mapping[str, str]) -> EmbeddedTools:
    """The tools of that server (`open_server`), for a program that calls them without MCP."""
    from gaia_mail_mcp.surface.embedded import EmbeddedTools

    return EmbeddedTools(_mailbox_of(options), embedded_settings(options))


def _mailbox_of(options: Mapping[str, str]) -> Mailbox:
    alone = "secret" in options
    environ = {
        name: value
        for name, value in os.environ.items()
        if not (alone and name.startswith(("GAIA_IMAP_", "GAIA_SMTP_")))
    }
    return open_mailbox(options, environ, read_only=embedded_settings(options).read_only)


def open_mailbox(
    flags: Mapping[str, object], environ: Mapping[str, str], *, read_only: bool = False
) -> Mailbox:
    """The mailbox that flags and environment name; connected by its first method, which says what is wrong.

    `read_only` for one that changes nothing of its own accord either: it does not bring snoozed messages back.

    Raises:
        BadArgument: A value cannot be used.
    """
    from gaia_imap_mcp.abilities import IMAP_CAPABILITIES, WITHOUT_SENDING
    from gaia_imap_mcp.configure import configure
    from gaia_mail_mcp.wrappers import Deferred

    try:
        configured = configure(flags, environ)
    except (NeedsAuth, NotFound) as error:
        return Deferred(
            partial(_refuse, error), account=UNNAMED, provider="imap", capabilities=IMAP_CAPABILITIES
        )
    return Deferred(
        partial(_open, configured, wakes=not read_only),
        account=configured.imap.address,
        provider="imap",
        capabilities=IMAP_CAPABILITIES if configured.smtp else WITHOUT_SENDING,
        may_open=partial(check_enabled, configured.account, environ),
    )


def _open(configured: Configured, *, wakes: bool) -> Mailbox:
    from gaia_imap_mcp.imap_mailbox import ImapMailbox
    from gaia_imap_mcp.smtp.sender import SmtpSender

    sender = SmtpSender(configured.smtp) if configured.smtp else None
    return ImapMailbox(configured.imap, sender, files_sent=configured.files_sent, wakes=wakes)


def _refuse(error: MailError) -> Mailbox:
    raise type(error)(error.message, argument=error.argument, hint=error.hint)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gaia-imap-mcp",
        allow_abbrev=False,  # --smtp-password must not be taken for --smtp-password-command
        description="Serves a mailbox on an IMAP server over the Model Context Protocol.",
    )
    parser.add_argument(
        "--account",
        metavar="ADDRESS",
        help="an account connected with gaia email connect; not needed when there is only one, "
        "or when the flags below say it all",
    )
    add_setting_flags(parser, "imap", "the account (each also an environment variable)")
    add_arguments(parser)
    return parser


if __name__ == "__main__":
    main()
