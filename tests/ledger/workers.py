"""What the other processes of the tests do; preloaded by the fork server, so each starts at once."""

from __future__ import annotations

import os
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import alembic.migration
import alembic.operations
import alembic.script

from gaia_email.ledger import NewLedgerEvent, migrating, open_ledger
from gaia_email_registry.errors import MailError

PRELOADED = (alembic.migration, alembic.operations, alembic.script)


def start_and_note(barrier: Barrier, environ: dict[str, str], number: int) -> None:
    """Open the ledger at the same moment as the others, and write 25 events."""
    barrier.wait(20)
    with open_ledger(environ=environ) as ledger:
        for event in range(25):
            with ledger.write() as tx:
                ledger.events.append(tx, NewLedgerEvent(kind="run.started", run_id=f"{number}/{event}"))


def upgrade(environ: dict[str, str], scripts: str, head: str) -> None:
    """Open the ledger with other migrations than those of the program."""
    migrating.SCRIPTS = Path(scripts)
    migrating.HEAD = head
    open_ledger(environ=environ).close()


def open_as_nobody(answers: Queue[str], folder: str) -> None:
    """Open a ledger in a folder that this process may not write; root becomes somebody else first."""
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        open_ledger(environ={"GAIA_HOME": folder + "/home"}).close()
        answers.put("it was opened")
    except MailError as error:
        answers.put(error.message)
