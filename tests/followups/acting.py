"""The day's runs in a process that can be killed at any instant: `python -m tests.followups.acting`.

It takes lines of a kind of run, a run's id and the Maildir; see `tests.imap.acting`.
"""

from __future__ import annotations

import asyncio
import os
import sys

from gaia_email.app.services.brief_run import keep_brief
from gaia_email.app.services.chasing import chase
from gaia_email.app.services.meeting_prep import tell_of_meetings
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.runs.job import Job
from gaia_email_registry.errors import MailError
from tests.followups.mailbox import ME
from tests.imap.acting import DONE, FAILED, serve
from tests.origins import PERSON

RUNS = {"brief": keep_brief, "chase": chase, "prep": tell_of_meetings}


async def act(line: str) -> int:
    """One run, as a schedule does it."""
    kind, run_id, path = line.split(" ", 2)
    job = Job(
        kind=kind, run_id=run_id, place=MailboxRef(kind="maildir", path=path), owner=(ME,), origin=PERSON
    )
    try:
        await asyncio.to_thread(RUNS[kind], job, environ=os.environ)
    except MailError as error:
        sys.stderr.write(f"{error.message}\n")
        return FAILED
    return DONE


if __name__ == "__main__":
    serve(act)
