"""Starts a watch on every account, in whichever program executes runs. Entry: `watch_accounts`."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from gaia_email.app.accounts.connect_files import files_of
from gaia_email.mailbox.ref import WRITABLE, MailboxRef
from gaia_email.runs.engine import client, register
from gaia_email.runs.host import UNDER_WAY
from gaia_email.runs.job import Job
from gaia_email.runs.queues import SHARED
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.origin import SCHEDULED


def watch_accounts(environ: Mapping[str, str]) -> None:
    """Start a watch on each account that has none; it runs until the account or the worker ends.

    Raises:
        ProviderError: The database of runs cannot be used.
    """
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
            job = Job(kind="watch", run_id=str(uuid.uuid4()), place=place, origin=SCHEDULED, scheduled=True)
            options = {
                "workflow_name": "watch",
                "queue_name": SHARED,
                "workflow_id": job.run_id,
                "deduplication_id": only,
                "duplication_policy": "return-existing",
            }
            using.enqueue(options, job.to_json())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
