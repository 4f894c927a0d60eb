"""Start third-party MCP servers within limits, and keep their output off the terminal. Entry: `build_transport`."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from gaia_email.mailbox.bounds import ByteBounds, ConnectionEnd
from gaia_email.mailbox.foreign import environment
from gaia_email.mailbox.server_log import ServerLog, known_secrets, log_file
from gaia_email.mailbox.stdio import stdio_streams
from gaia_email_registry.servers import StdioServer, looks_secret

if TYPE_CHECKING:
    from mcp.client import Transport

_QUIET = logging.NullHandler()


def build_transport(spec: StdioServer, bounds: ByteBounds, link: ConnectionEnd) -> Transport:
    """Return the transport of a server that is started by a command.

    Raises:
        MailError: A secret that its entry names is not in the vault.
    """
    from mcp.client.stdio import get_default_environment

    given = environment(spec, os.environ)
    secrets = [
        value for name, value in given.items() if looks_secret(name) or value != spec.env.get(name, value)
    ]
    path = log_file(spec.name, os.environ) if spec.name else None
    log = ServerLog(path, [*secrets, *known_secrets(os.environ)])
    command = [os.path.expanduser(spec.command), *spec.args]
    return stdio_streams(command, {**get_default_environment(), **given}, bounds, log, link)


def quiet() -> None:
    """Keep a server's unreadable output off the terminal, to which the SDK's log would write it unchanged."""
    for name in ("mcp", "client"):  # the SDK's session names its logger `client`
        logging.getLogger(name).addHandler(_QUIET)
