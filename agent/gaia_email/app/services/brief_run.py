"""The brief as a run: made on a schedule, kept once. Entry: `keep_brief`.

The brief and its event are written to the ledger together or not at all, so a run that is killed and
restarted keeps only one; an empty brief is not kept. `day_workflows.py` wraps this for DBOS.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.app import App
from gaia_email.app.documents.brief import brief_document
from gaia_email.app.services.brief import make_brief
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import NewLedgerEvent
from gaia_email.ledger.keeping import BRIEF_DOCUMENT
from gaia_email.runs.job import Job, RunResult
from gaia_email.runs.steps import RunHooks, explain_hold

MADE = "brief.made"


def keep_brief(job: Job, *, environ: Mapping[str, str], hooks: RunHooks | None = None) -> RunResult:
    """Make the brief and keep it exactly once, even if the run is restarted."""
    if why := explain_hold(job, environ=environ):
        return {"held": why}
    app = App(environ=environ)
    source = SourceSpec.of(job.place, job.owner)
    with app.ledger() as ledger, ledger.read() as tx:
        if ledger.events.since(tx, kind=MADE, run_id=job.run_id, limit=1):
            return {"made": True}
    made = make_brief(app, [source], kind="evening" if job.arguments.get("evening") else None)
    if made.is_empty:
        return {"made": False}
    account = made.inbox.account
    with app.ledger() as ledger, ledger.write() as tx:
        if ledger.events.since(tx, kind=MADE, run_id=job.run_id, limit=1):
            return {"made": True}
        known = ledger.documents.read(tx, BRIEF_DOCUMENT + account)
        document = {**brief_document(made)}
        ledger.documents.write(tx, BRIEF_DOCUMENT + account, document, known.version if known else 0)
        payload = {"account": account, "kind": made.kind, "urgent": made.threads("urgent")}
        event = NewLedgerEvent(kind=MADE, actor="schedule", run_id=job.run_id, payload=payload)
        ledger.events.append(tx, event)
    return {"made": True, "account": account}
