"""A first sync of an IMAP account, then checks that nothing changed, timed: `python -m benchmarks.imap_sync`.

Takes the settings of `gaia-imap-mcp` from the environment and prints one JSON object. With `--mcp` the same goes
through the tools of the server. Starting Python and importing are not counted.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from importlib import import_module

CHECKS = 50

Page = tuple[int, str, bool]
"""How many messages came, the cursor after them, whether there are more."""


async def _measure(changes: Callable[[str | None], Awaitable[Page]]) -> dict[str, float]:
    started, worked = time.perf_counter(), time.process_time()
    messages, cursor, more = await changes(None)
    while more:
        count, cursor, more = await changes(cursor)
        messages += count
    seconds, cpu = time.perf_counter() - started, time.process_time() - worked
    checks: list[float] = []
    for _ in range(CHECKS):
        begun = time.perf_counter()
        _, cursor, _ = await changes(cursor)
        checks.append(time.perf_counter() - begun)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "messages": messages,
        "seconds": seconds,
        "cpu": cpu,
        "check_ms": statistics.median(checks) * 1000,
        "peak_mb": peak,
    }


async def at_the_mailbox() -> dict[str, float]:
    """The provider itself: connect, fetch, parse, index, tell."""
    import_module("gaia_imap_mcp.imap_mailbox")  # before the clock starts
    from gaia_imap_mcp.server import mailbox_source

    mailbox = mailbox_source({}, os.environ).open()

    async def changes(cursor: str | None) -> Page:
        page = await mailbox.changes(cursor, limit=500)
        return len(page.added), page.cursor, page.more

    try:
        return await _measure(changes)
    finally:
        await mailbox.aclose()


async def through_mcp() -> dict[str, float]:
    """The same through `sync_emails`, as the agent sees it."""
    import_module("gaia_imap_mcp.imap_mailbox")  # before the clock starts
    from gaia_email.mailbox.client import open_mail
    from gaia_email_registry.servers import InProcessServer

    async with open_mail(InProcessServer(provider="imap", options={"read_only": "true"})) as mail:

        async def changes(cursor: str | None) -> Page:
            page = await mail.sync_emails(cursor, limit=500)
            return len(page["added"]), page["cursor"], page["more"]

        return await _measure(changes)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="gaia-bench-home-") as home:
        os.environ["GAIA_HOME"] = home
        found = asyncio.run(through_mcp() if "--mcp" in sys.argv else at_the_mailbox())
        sys.stdout.write(json.dumps(found) + "\n")
