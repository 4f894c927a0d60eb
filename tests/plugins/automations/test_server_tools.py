"""Tools of connected MCP servers as steps: as they were approved, through the gate, and never twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gaia_email.actions.account_session import locked_account
from gaia_email.actions.reconcile import UNKNOWN
from gaia_email.actions.writing import NotDone
from gaia_email.app import App
from gaia_email.app.services.mcp_servers import approve, find_servers, look_at, to_approve
from gaia_email_automations.hosting import engine_on
from gaia_email_automations.running import advance
from gaia_email_automations.store import StoredAutomationRun
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_email_registry.paths import home, servers_file
from tests.plugins.automations.bench import ME, AutomationBench
from tests.plugins.automations.samples import definition

ADD: dict[str, Any] = {"step_id": "add", "action": "sheet.add_row", "config": {"row": "one"}}
FROM_MAIL: dict[str, Any] = {**ADD, "config": {"row": "{{ trigger.subject }}"}}
LINE = "text of add ← trigger.subject"


def test_an_approved_tool_is_called_and_its_answer_is_the_steps_output(bench: AutomationBench) -> None:
    bench.approve_tool("sheet", "add_row")
    run = bench.result(definition({**ADD, "output_as": "added"}))
    assert (run.status, run.output) == ("succeeded", {"added": {"done": True}})
    assert bench.called == [("sheet.add_row", {"row": "one"})]
    assert bench.states() == {"applied": 1}


def test_what_was_never_approved_and_what_does_not_fit_is_refused_at_its_place(
    bench: AutomationBench,
) -> None:
    with pytest.raises(BadArgument, match="There is no tool 'add_row'"):
        bench.save(definition(ADD))
    bench.list_tool("sheet", "add_row")
    with pytest.raises(BadArgument, match="was never approved"):
        bench.save(definition(ADD))
    bench.approve_tool("sheet", "add_row")
    with pytest.raises(BadArgument, match="/plan/0/config/row"):
        bench.save(definition({**ADD, "config": {"row": 5}}))


def test_a_tool_that_changed_since_it_was_approved_stops_the_run(bench: AutomationBench) -> None:
    bench.approve_tool("sheet", "add_row")
    saved = bench.save(definition(ADD))
    bench.list_tool("sheet", "add_row", description="Adds a row, and tells everybody.")
    run = bench.finished(bench.fire(saved).run)
    assert run.status == "failed" and "is not what you approved any more" in run.error
    assert bench.called == []


def test_one_that_may_destroy_something_asks_in_every_run(bench: AutomationBench) -> None:
    bench.approve_tool("sheet", "delete_row", annotations={})
    run = bench.result(definition({**ADD, "action": "sheet.delete_row"}))
    assert run.status == "waiting" and bench.called == []
    (question,) = bench.questions()
    assert question.asked.fields["risk"] == "destructive"
    assert '"row": "one"' in str(question.asked.fields["text"]) and "sheet.delete_row" in str(
        question.asked.fields["dry_run"]
    )
    bench.answer(yes=True)
    assert bench.finished(run).status == "succeeded" and len(bench.called) == 1


def test_a_yes_outlives_another_program_that_acts_on_the_account(bench: AutomationBench) -> None:
    bench.approve_tool("sheet", "delete_row", annotations={})
    run = bench.result(definition({**ADD, "action": "sheet.delete_row"}))
    bench.answer(yes=True)
    with locked_account(home(bench.environ), ME):
        told = advance(bench.engine, run.run_id)
    assert (told.status, bench.called) == ("running", [])
    assert bench.finished(run).status == "succeeded" and len(bench.called) == 1


@pytest.mark.parametrize("annotations", [{"destructiveHint": False}, {"readOnlyHint": True}])
def test_words_of_strangers_reach_a_server_by_a_yes_or_a_saved_flow(
    bench: AutomationBench, annotations: dict[str, bool]
) -> None:
    name = "find_row" if "readOnlyHint" in annotations else "add_row"
    bench.approve_tool("sheet", name, annotations=annotations)
    step = {**FROM_MAIL, "action": f"sheet.{name}"}
    asked = bench.result(definition(step), payload={"subject": "Invoice"})
    assert asked.status == "waiting" and bench.called == []
    allowed = bench.result(definition(step, name="Allowed"), flows=[LINE], payload={"subject": "Invoice"})
    assert (allowed.status, bench.called) == ("succeeded", [(f"sheet.{name}", {"row": "Invoice"})])


def test_an_unclear_end_is_not_tried_again(bench: AutomationBench) -> None:
    bench.approve_tool("sheet", "add_row")
    bench.server_answers = [ProviderError("The connection broke.")]
    run = bench.result(definition(ADD, execution={"max_retries": 5}))
    assert (run.status, run.error, len(bench.called)) == ("failed", UNKNOWN, 1)


def test_what_was_not_called_is_tried_again_and_what_a_tool_refuses_is_not(bench: AutomationBench) -> None:
    bench.approve_tool("sheet", "add_row")
    execution = {"max_retries": 1, "retry_backoff": "none"}
    bench.server_answers = [NotDone("It cannot be started.")]
    assert bench.result(definition(ADD, execution=execution)).status == "succeeded"
    bench.server_answers = [BadArgument("sheet.add_row says: full")]
    run = bench.result(definition(ADD, name="Full", execution=execution))
    assert (run.error, len(bench.called)) == ("sheet.add_row says: full", 3)


def test_a_reading_tool_leaves_no_row(bench: AutomationBench) -> None:
    bench.approve_tool("sheet", "find_row", annotations={"readOnlyHint": True})
    run = bench.result(definition({**ADD, "action": "sheet.find_row"}))
    assert run.status == "succeeded" and bench.states() == {}


@pytest.fixture
def sheet(bench: AutomationBench, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Lists a server that is started for each call; the file that it writes."""
    monkeypatch.setenv("GAIA_HOME", str(bench.home))
    path = servers_file(bench.environ)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = bench.home / "sheet.txt"

    def listed(description: str) -> Path:
        arguments = [str(Path(__file__).with_name("sheet_server.py")), str(written), description]
        entry = {"command": sys.executable, "args": arguments}
        path.write_text(json.dumps({"mcpServers": {"sheet": entry}}))
        return written

    bench.engine = replace(bench.engine, call_server=engine_on(bench.ledger, bench.environ).call_server)
    return listed


@pytest.mark.timeout(120)
def test_a_real_server_is_started_called_and_not_called_again(
    bench: AutomationBench, sheet: Callable[[str], Path]
) -> None:
    written = sheet("Adds a row.")
    app = App(environ=bench.environ)
    look_at(app, find_servers(app), within_s=60)
    server, shown = to_approve(app, "sheet.add_row", None)
    approve(app, server, shown, None)
    form = shown[0].seen
    bench.approve_tool(
        "sheet", "add_row", **{name: getattr(form, name) for name in form.__dataclass_fields__}
    )

    def result(row: str) -> StoredAutomationRun:
        step = {**ADD, "config": {"row": row}, "output_as": "added"}
        return bench.result(definition(step, name=row, execution={"max_retries": 2, "retry_backoff": "none"}))

    assert result("one").output == {"added": {"rows": 1}}
    assert "The sheet is full" in result("full").error
    assert result("die").error == UNKNOWN
    assert written.read_text().split("\n") == ["one", "die"]
    sheet("Adds a row, and mails it to everybody.")
    assert "is not what you approved any more" in result("after").error
    assert written.read_text().split("\n") == ["one", "die"]
