"""A person with one account on a hostile server and one on an honest one, in a process of its own. Entry: `meet`.

Run as a module it prints what became of it, and the most memory it had, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from gaia_email_registry.errors import MailError
from gaia_email_registry.providers import Endpoint
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_imap_mcp.smtp.settings import SmtpSettings
from gaia_mail_mcp.delivery import Delivery
from tests.contract.suite.look import find
from tests.imap.truth import opened, settings

Job = Literal["read", "again", "wait", "send"]

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of one.

    Attributes:
        error: What the account on the hostile server said; empty when it bore it.
        errors: What its status says.
        read: Messages that were read from it.
        other: Messages read from the honest account afterwards.
        peak_mb: The most memory the process had.
        seconds: How long the hostile account took.
    """

    error: str
    errors: list[str]
    read: int
    other: int
    peak_mb: float
    seconds: float


def meet(job: Job, hostile: int, honest: int, *, silence_s: float = 5.0) -> Fate:
    """Do that job on the server at port `hostile`, then read all mail of the one at `honest`."""
    given = json.dumps([job, hostile, honest, silence_s])
    done = subprocess.run(
        [sys.executable, "-m", "tests.imap.victim", given], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return Fate(**json.loads(done.stdout))


async def _read(mailbox: ImapMailbox) -> int:
    ids = await find(mailbox, "in:anywhere")
    return len(await mailbox.read(ids, raw=True))


async def _again(mailbox: ImapMailbox) -> int:
    await find(mailbox, "in:anywhere")
    return await _read(mailbox)


async def _wait(mailbox: ImapMailbox) -> int:
    cursor = await mailbox.cursor()
    return int(await mailbox.wait(cursor, timeout_s=0.5))


def _sent(port: int, silence_s: float) -> int:
    endpoint = Endpoint(host="127.0.0.1", port=port, security="none")
    sender = SmtpSender(SmtpSettings(endpoint=endpoint, user="", secret=lambda: "", timeout_s=silence_s))
    raw = b"Subject: hello\r\n\r\nhello\r\n"
    sender.send(Delivery(sender="me@example.org", recipients=("you@example.org",), raw=raw))
    return 1


async def _victim(job: Job, hostile: int, honest: int, silence_s: float) -> Fate:
    error, errors, count = "", list[str](), 0
    there = replace(
        settings(hostile, "ann"), connect_timeout_s=silence_s, command_timeout_s=silence_s, poll_s=0.2
    )
    jobs: dict[Job, Callable[[ImapMailbox], Awaitable[int]]] = {"read": _read, "again": _again, "wait": _wait}
    began = time.monotonic()
    try:
        if job == "send":
            count = _sent(hostile, silence_s)
        else:
            async with opened(there) as mailbox:
                count = await jobs[job](mailbox)
                errors = list((await mailbox.status()).errors)
    except MailError as failure:
        error = f"{failure.kind}: {failure.message}"
    seconds = time.monotonic() - began
    async with opened(settings(honest, "bob")) as mailbox:
        other = await _read(mailbox)
    return Fate(error=error, errors=errors, read=count, other=other, peak_mb=_peak_mb(), seconds=seconds)


def _peak_mb() -> float:
    """The most memory this process had; `getrusage` would count what its parent had when it was started, too."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) / 1024


if __name__ == "__main__":
    fate = asyncio.run(_victim(*json.loads(sys.argv[1])))
    sys.stdout.write(json.dumps(asdict(fate)))
