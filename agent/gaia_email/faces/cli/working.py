"""The worker of `gaia email worker`: executes runs until a signal ends it. Entry point: `work`."""

from __future__ import annotations

import os
import signal
import sys
import threading
import uuid
from collections.abc import Mapping
from types import FrameType

from gaia_email.accounts.connect_files import files_of
from gaia_email.faces.cli.errors import INTERRUPTED, OK
from gaia_email.faces.cli.output import note
from gaia_email.mailbox.ref import WRITABLE, MailboxRef
from gaia_email.policy_store import held
from gaia_email.runs.engine import client, executing, launched, register
from gaia_email.runs.host import UNDER_WAY
from gaia_email.runs.job import Job
from gaia_email.runs.queues import SHARED
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import BadArgument

ENDING = {signal.SIGTERM: OK, signal.SIGINT: INTERRUPTED}


def work(environ: Mapping[str, str], *, watching: bool = False) -> int:
    """Execute runs until SIGTERM (0) or SIGINT (130).

    Raises:
        BadArgument: Another program does.
        ProviderError: The database of runs cannot be used.
    """
    ended = threading.Event()
    by: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        by.append(number)
        ended.set()

    for number in ENDING:
        signal.signal(number, end)
    with executing(environ) as here:
        if not here:
            raise BadArgument(
                "A worker, or a triage that is under way, executes runs already; one at a time does."
            )
        with launched(environ):
            if watching:
                _watch_accounts(environ)
            note(_beginning(environ))
            ended.wait()
    sys.stdout.flush()
    sys.stderr.flush()
    # Python would wait for a step that is under way; it is taken up again at the next start, as after any end.
    os._exit(ENDING[signal.Signals(by[0])])


def _beginning(environ: Mapping[str, str]) -> str:
    """What the worker says first: that it works, or why nothing starts."""
    reason = held(environ)
    if reason:
        return f"{reason} Until then nothing is run here; Ctrl-C ends the worker."
    return "working; Ctrl-C ends it, and what is under way goes on at the next start."


def _watch_accounts(environ: Mapping[str, str]) -> None:
    with client(environ) as using:
        for account in read_accounts(environ):
            place = files_of(account) or MailboxRef(kind="account", path=account.id, server=account.server)
            if place.kind not in WRITABLE:
                continue
            register(using, place)
            only = f"watch:{place.key}"
            under_way = using.list_workflows(name="watch", status=list(UNDER_WAY))
            if any(Job.from_json(one.input["args"][0]).place == place for one in under_way if one.input):
                continue
            job = Job(kind="watch", run_id=str(uuid.uuid4()), place=place, scheduled=True)
            options = {
                "workflow_name": "watch",
                "queue_name": SHARED,
                "workflow_id": job.run_id,
                "deduplication_id": only,
                "duplication_policy": "return-existing",
            }
            using.enqueue(options, job.to_json())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
