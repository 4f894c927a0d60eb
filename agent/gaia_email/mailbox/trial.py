"""Start a program as an MCP client would, to check that it lists tools. Entry: `tools_of_program`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence

from gaia_email.mailbox.bounds import LOOK, ConnectionEnd
from gaia_email.mailbox.foreign import listing_of
from gaia_email.mailbox.server_log import ServerLog, known_secrets
from gaia_email_registry.errors import MailError, ProviderError


async def tools_of_program(
    command: str, args: Sequence[str], env: Mapping[str, str], *, within_s: float
) -> tuple[str, ...]:
    """Return the names of the tools that a program lists over its standard streams, then stop it.

    It gets the environment that an MCP client provides (the SDK's default) plus `env`, and nothing else: a variable
    that is set only here must not make it appear to work.

    Raises:
        ProviderError: It does not start, does not speak MCP in time, or lists no tools; includes the last line it
            wrote.
    """
    from mcp.client import Client
    from mcp.client.stdio import get_default_environment

    from gaia_email.mailbox.starting import quiet
    from gaia_email.mailbox.stdio import stdio_streams

    quiet()
    log, link = ServerLog(None, known_secrets(os.environ)), ConnectionEnd()
    environ = {**get_default_environment(), **env}
    limit = asyncio.timeout(within_s)
    try:
        async with limit:
            streams = stdio_streams([os.path.expanduser(command), *args], environ, LOOK, log, link)
            async with Client(streams, cache=None, read_timeout_seconds=2 * within_s) as client:
                tools = tuple((await listing_of(client.session)).forms)
    except OSError as error:
        # A `TimeoutError` is one, too.
        why = _late(within_s) if limit.expired() else f"it cannot be started: {error.strerror or error}"
        raise ProviderError(why) from None
    except Exception as error:  # whatever a program does to the SDK, it counts as not working
        said = log.last or (error.message if isinstance(error, MailError) else link.ended)
        why = f"it does not start: {said.rstrip('.') or 'it ended without a word'}"
        raise ProviderError(_late(within_s) if limit.expired() else why) from None
    if not tools:
        raise ProviderError("it lists no tools")
    return tools


def _late(within_s: float) -> str:
    return f"it lists no tools within {within_s:.0f} seconds"
