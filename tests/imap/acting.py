"""A triage of an IMAP account in a process that can be killed at any instant. Entry point: `Acting`.

`python -m tests.imap.acting` does its first account itself, so that everything is imported, then forks a child for
every line it reads (the name of an account): a test which kills hundreds does not wait for hundreds of starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType

from gaia_email.actions.account_session import open_account_session
from gaia_email.actions.triaging import TriageRequest, triage_and_apply
from gaia_email.ledger import open_ledger
from gaia_email_registry.errors import MailError
from gaia_email_registry.servers import InProcessServer
from tests.actions.account import BySubject
from tests.imap.truth import FIRST_PAUSE_S
from tests.origins import PERSON

DONE, LEFT, FAILED = 0, 3, 4
"""How a triage ended: all was done, something is still planned, the server or the ledger failed."""


class Acting:
    """Starts triages, one at a time; a context manager.

    Args:
        module: The program that does them.
    """

    def __init__(self, module: str = "tests.imap.acting") -> None:
        self._module = module

    def __enter__(self) -> Acting:
        command = [sys.executable, "-m", self._module]
        self._mother = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._pid = 0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pid:
            self.kill()
        self._mother.communicate()

    def start(self, user: str) -> None:
        """Begin a triage of that account."""
        assert self._mother.stdin is not None
        self._mother.stdin.write(f"{user}\n")
        self._pid = int(self._line())

    def ended(self, within_s: float | None) -> int | None:
        """How it ended, waited for that long (None: to the end); None when it still runs."""
        assert self._mother.stdout is not None
        readable: Sequence[object] = select.select([self._mother.stdout], [], [], within_s)[0]
        if not readable:
            return None
        self._pid = 0
        return int(self._line())

    def kill(self) -> int:
        """Kill it where it is; how it ended, for it may have been faster."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        self._pid = 0
        return int(self._line())

    def _line(self) -> str:
        assert self._mother.stdout is not None
        return self._mother.stdout.readline()


async def act(user: str, provider: str = "imap") -> int:
    """One triage, as the command does it."""
    server = InProcessServer(provider=provider, options={"account": user})
    wanted = TriageRequest(tier=BySubject(), owner=(f"{user}@example.org",))
    try:
        with open_ledger() as ledger:
            async with open_account_session(server, ledger, environ=os.environ, origin=PERSON) as session:
                report = await triage_and_apply(session, wanted)
    except MailError as error:
        sys.stderr.write(f"{error.message}\n")
        return FAILED
    return LEFT if report.applied.left else DONE


def main() -> None:
    """Fork a child for every line but the first, which is done here; tell its pid, and how it ended."""
    import gaia_imap_mcp.protocol.link
    import gaia_imap_mcp.sync.idle

    gaia_imap_mcp.protocol.link.FIRST_PAUSE_S = gaia_imap_mcp.sync.idle.FIRST_PAUSE_S = FIRST_PAUSE_S
    serve(act)


def serve(act: Callable[[str], Coroutine[object, object, int]]) -> None:
    """The lines of standard input, each by `act`."""
    tell(os.getpid())
    tell(asyncio.run(act(sys.stdin.readline().strip())))
    for line in iter(sys.stdin.readline, ""):
        pid = os.fork()
        if not pid:
            os._exit(asyncio.run(act(line.strip())))
        tell(pid)
        tell(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
