"""`gaia-imap-mcp`: a mailbox on an IMAP server as an MCP server. Entries: `main`, `open_server`, `open_tools`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry.accounts import check_enabled
from gaia_email_registry.errors import MailError, NeedsAuth, NotFound
from gaia_mail_mcp.provider_server import ProviderServer, ServedMailboxes
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.options import SurfaceSettings

if TYPE_CHECKING:
    from gaia_imap_mcp.configure import Configured
    from gaia_mail_mcp.mailbox import Mailbox

UNNAMED = "imap"
"""The account name shown while no account is connected."""


class ImapServer(ProviderServer):
    """The MCP server of one account; an embedded one with a `secret` option ignores the account's variables."""

    program = "gaia-imap-mcp"
    description = "Serves a mailbox on an IMAP server over the Model Context Protocol."
    group = "imap"
    abbreviations = False  # --smtp-password must not be taken for --smtp-password-command

    @override
    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--account",
            metavar="ADDRESS",
            help="an account connected with gaia email connect; not needed when there is only one, "
            "or when the flags below say it all",
        )

    @override
    def serve(
        self, options: argparse.Namespace, environ: Mapping[str, str], settings: SurfaceSettings
    ) -> ServedMailboxes:
        source = mailbox_source(vars(options), environ, read_only=settings.read_only)
        return ServedMailboxes(sources={"": source})

    @override
    def embed(
        self, options: Mapping[str, str], environ: Mapping[str, str], settings: SurfaceSettings
    ) -> MailboxSource:
        if "secret" in options:
            own = ("GAIA_IMAP_", "GAIA_SMTP_")
            environ = {name: value for name, value in environ.items() if not name.startswith(own)}
        return mailbox_source(options, environ, read_only=settings.read_only)


def mailbox_source(
    flags: Mapping[str, object], environ: Mapping[str, str], *, read_only: bool = False
) -> MailboxSource:
    """Return the mailbox that flags and environment name; its first method connects, or raises what is wrong.

    A `read_only` mailbox does not bring snoozed messages back either.

    Raises:
        BadArgument: A value is invalid.
    """
    from gaia_imap_mcp.abilities import IMAP_CAPABILITIES, WITHOUT_SENDING
    from gaia_imap_mcp.configure import configure

    try:
        configured = configure(flags, environ)
    except (NeedsAuth, NotFound) as error:
        return MailboxSource(
            partial(_refuse, error), account=UNNAMED, provider="imap", capabilities=IMAP_CAPABILITIES
        )
    return MailboxSource(
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


_SERVER = ImapServer()
main, open_server, open_tools = _SERVER.main, _SERVER.open_server, _SERVER.open_tools

if __name__ == "__main__":
    main()
