"""The same definitions on PostgreSQL: what SQLite exports runs there with the same outputs, once each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.store import AutomationStore, StoredAutomationRun
from gaia_email_automations.triggers import look
from tests.ledger.postgresql_server import started
from tests.plugins.automations.bench import AutomationBench
from tests.plugins.automations.samples import definition, tell

pytestmark = [pytest.mark.postgresql, pytest.mark.timeout(120)]

EVENT = {"type": "event", "event_type": "message.triaged", "filters": {"subject": {"regex": "^Inv"}}}
MAIL = {
    "to": ["ann@acme.example"],
    "subject": "{{ inputs.title }} ß 🙂",
    "body": "{{ trigger.payload | tojson }}",
}


_RANDOM = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=\"thread_id\": \")[0-9a-f]{16}")
"""Message-IDs, which a mailbox makes anew, and what it makes of them."""


@pytest.fixture
def there(tmp_path: Path, renderer: TemplateRenderer) -> Iterator[AutomationBench]:
    with started() as url:
        made = AutomationBench(tmp_path / "there", renderer, url=url)
        yield made
        made.ledger.close()


def programs() -> dict[str, Any]:
    """Everything a definition can state, once."""
    return definition(
        {
            "step_id": "find",
            "action": "search_emails",
            "config": {"query": "subject:invoice"},
            "output_as": "found",
        },
        {"step_id": "never", "action": "resync", "when": "steps.found.emails | length > 5"},
        {"step_id": "draft", "action": "draft_email", "config": MAIL, "max_retries": 2},
        {
            "step_id": "value",
            "action": "transform_data",
            "config": {"value": {"a": [1, 2.5, None]}},
            "output_as": "v",
        },
        {
            "step_id": "ask",
            "action": "send_email",
            "config": {**MAIL, "subject": "Sent"},
            "output_as": "sent",
        },
        {"step_id": "fail", "action": "transform_data", "config": {"value": "{{ trigger.missing }}"}},
        inputs={"schema": {"properties": {"title": {"type": "string"}}}},
        triggers=[{**EVENT, "inputs": {"title": "$.subject"}}],
        execution={"on_failure": [tell(text="{{ run.error.message }}")], "concurrency": "queue"},
    )


def exported(bench: AutomationBench) -> dict[str, Any]:
    with bench.ledger.read() as tx:
        (one,) = AutomationStore.of(bench.ledger).all(tx)
        stored = AutomationStore.of(bench.ledger).version(tx, one.automation_id, one.version).definition
    text: dict[str, Any] = json.loads(json.dumps(stored))
    return text


def told(bench: AutomationBench) -> dict[str, Any]:
    """What a run did, without ids and hashes."""
    bench.put("Invoice 1")
    bench.event(subject="Invoice 1", payload={"amount": 12.5, "words": "Ünïcode\u0000"})
    assert look(bench.ledger).fired == 1
    (run,) = bench.runs()
    assert bench.finished(run).status == "waiting"
    bench.answer(yes=True)
    done: StoredAutomationRun = bench.finished(run)
    steps = [
        (one.step_id, one.state, one.config, one.output, one.error) for one in bench.steps(done).values()
    ]
    return {
        "run": (done.status, done.error, done.failed_step_id, done.calls, done.inputs, done.tainted),
        "output": done.output,
        "steps": _RANDOM.sub("random", json.dumps(steps)),
        "actions": bench.states(),
        "events": bench.kinds(),
    }


def test_what_sqlite_exports_gives_the_same_there(bench: AutomationBench, there: AutomationBench) -> None:
    bench.save(programs())
    there.save(exported(bench))
    assert exported(there) == exported(bench)
    here = told(bench)
    assert here["run"][0] == "failed" and here["run"][2] == "fail"
    assert told(there) == here


def test_programs_that_fire_the_same_at_once_make_one_run(there: AutomationBench) -> None:
    saved = there.save(definition())
    with ThreadPoolExecutor(8) as threads:
        firing = [threads.submit(there.fire, saved, key="k", type="webhook") for _ in range(16)]
        made = [one.result() for one in firing]
    assert len({one.run.run_id for one in made}) == 1
    assert [one.is_new for one in made].count(True) == 1
