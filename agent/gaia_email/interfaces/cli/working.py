"""The worker of `gaia email worker`: executes runs until a signal ends it. Entry point: `work`."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from types import FrameType

from gaia_email.app import App
from gaia_email.app.services.regular_looks import looking
from gaia_email.app.services.switches import explain_hold
from gaia_email.app.services.watching import watch_accounts
from gaia_email.interfaces.cli.errors import INTERRUPTED, OK
from gaia_email.interfaces.cli.output import note
from gaia_email.plugins import load_parts
from gaia_email.runs.engine import executing, launch_engine
from gaia_email_registry.errors import BadArgument

ENDING = {signal.SIGTERM: OK, signal.SIGINT: INTERRUPTED}


def work(app: App, *, watching: bool = False) -> int:
    """Execute runs until SIGTERM (0) or SIGINT (130).

    Raises:
        BadArgument: Another program already executes runs.
        ProviderError: The database of runs cannot be used.
    """
    ended = threading.Event()
    by: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        by.append(number)
        ended.set()

    for number in ENDING:
        signal.signal(number, end)
    with executing(app.environ) as here:
        if not here:
            raise BadArgument(
                "A worker, or a triage that is under way, executes runs already; one at a time does."
            )
        with launch_engine(app.environ, tell=note):
            if watching:
                watch_accounts(app.environ)
            note(_beginning(app.environ))
            with looking(app, note), ExitStack() as beside:
                for accompany in load_parts("worker"):
                    beside.enter_context(accompany(app.environ, note))
                ended.wait()
    sys.stdout.flush()
    sys.stderr.flush()
    # Python would wait for an active step; it resumes at the next start, as after any end.
    os._exit(ENDING[signal.Signals(by[0])])


def _beginning(environ: Mapping[str, str]) -> str:
    """Return the worker's first message: that it works, or why nothing starts."""
    reason = explain_hold(environ)
    if reason:
        return f"{reason} Until then nothing is run here; Ctrl-C ends the worker."
    return "working; Ctrl-C ends it, and what is under way goes on at the next start."
