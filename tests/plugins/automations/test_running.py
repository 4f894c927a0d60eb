"""Runs from their beginning to an end that the history explains."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from gaia_email.ledger.policy_store import PolicyStore
from gaia_email_automations.running import advance
from gaia_email_automations.saving import SavedBy, save
from gaia_email_registry.errors import ProviderError, RateLimited
from tests.ledger.test_stores import STATE
from tests.plugins.automations.bench import ME, PLACE, AutomationBench
from tests.plugins.automations.samples import definition, tell

DRAFT: dict[str, Any] = {
    "step_id": "draft",
    "action": "draft_email",
    "config": {"to": ["ann@acme.example"], "subject": "Hello", "body": "Text"},
}
FIND = {"step_id": "find", "action": "search_emails", "config": {"query": "subject:invoice"}}
SEND: dict[str, Any] = {**DRAFT, "step_id": "send", "action": "send_email"}


def test_steps_run_in_order_and_give_one_another_their_outputs(bench: AutomationBench) -> None:
    bench.put("Invoice 1")
    run = bench.result(
        definition(
            {**FIND, "output_as": "found"},
            tell(text="{{ steps.found.emails | length }} for {{ inputs.who }}, {{ run.trigger_type }}"),
            {**DRAFT, "when": "steps.found.emails | length > 5"},
            inputs={"schema": {"properties": {"who": {"type": "string", "default": "$creator"}}}},
        )
    )
    assert (run.status, run.error) == ("succeeded", "")
    steps = bench.steps(run)
    assert steps["tell"].config == {"text": f"1 for {ME}, manual"}
    assert {name: step.state for name, step in steps.items()} == {
        "find": "succeeded",
        "tell": "succeeded",
        "draft": "skipped",
    }
    assert run.output["found"]["emails"][0]["subject"] == "Invoice 1"
    assert bench.kinds()["automation.run.succeeded"] == 1


def test_a_write_is_done_because_a_person_saved_it_and_stands_in_the_ledger(bench: AutomationBench) -> None:
    run = bench.result(definition(DRAFT))
    assert run.status == "succeeded"
    assert bench.subjects("DRAFT") == ["Hello"]
    assert bench.states() == {"applied": 1}


def test_sending_waits_for_a_person_and_goes_on_with_their_yes(bench: AutomationBench) -> None:
    run = bench.result(definition(SEND, tell(text="sent")))
    assert run.status == "waiting"
    assert bench.subjects("SENT") == [] and bench.waiting() == []
    (question,) = bench.questions()
    assert question.asked.run_id == run.run_id
    assert "'Sample'" in str(question.asked.fields["why"]) and question.asked.arguments["to"] == [
        "ann@acme.example"
    ]
    assert bench.finished(run).status == "waiting"
    bench.answer(yes=True)
    assert bench.waiting() == [run.run_id]
    assert bench.finished(run).status == "succeeded"
    assert bench.subjects("SENT") == ["Hello"]


def test_a_no_ends_the_run_with_that_sentence(bench: AutomationBench) -> None:
    run = bench.result(definition(SEND))
    bench.answer(yes=False)
    run = bench.finished(run)
    assert run.status == "failed" and "said no" in run.error
    assert bench.subjects("SENT") == []


def test_words_of_strangers_in_a_recipient_need_a_yes_unless_exactly_that_was_saved(
    bench: AutomationBench,
) -> None:
    draft = {**DRAFT, "config": {**DRAFT["config"], "to": ["{{ trigger.sender }}"]}}
    asked = bench.result(definition(draft), payload={"sender": "eve@evil.example"})
    assert asked.status == "waiting"
    (question,) = bench.questions()
    assert "recipient of draft ← trigger.sender" in str(question.asked.fields["why"])
    bench.answer(yes=False)
    bench.finished(asked)
    line = "recipient of draft ← trigger.sender"
    allowed = bench.result(
        definition(draft, name="Allowed"), flows=[line], payload={"sender": "ann@acme.example"}
    )
    assert allowed.status == "succeeded"
    assert bench.subjects("DRAFT") == ["Hello"]


def test_a_saved_flow_lifts_no_tier(bench: AutomationBench) -> None:
    send = {**SEND, "config": {**SEND["config"], "to": ["{{ trigger.sender }}"]}}
    run = bench.result(
        definition(send),
        flows=["recipient of send ← trigger.sender"],
        payload={"sender": "eve@evil.example"},
    )
    assert run.status == "waiting" and bench.subjects("SENT") == []


def test_what_a_person_protected_is_asked_about(bench: AutomationBench) -> None:
    message = bench.put("Invoice")
    with bench.ledger.write() as tx:
        stored = PolicyStore(bench.ledger).read(tx)
        policy = stored.policy
        protected = replace(policy, protected=policy.protected.add("sender", "ann@acme.example"))
        PolicyStore(bench.ledger).save_policy(tx, protected, stored, change={})
    run = bench.result(
        definition({"step_id": "move", "action": "archive_email", "config": {"ids": [message]}})
    )
    assert run.status == "waiting"


def test_no_tool_is_used_on_what_looks_like_phishing(bench: AutomationBench) -> None:
    message = bench.put("Invoice")
    with bench.ledger.write() as tx:
        bench.ledger.verdicts.put(tx, [replace(STATE, account_id=ME, message_id=message, phishing=0.99)])
    step = {"step_id": "move", "action": "archive_email", "config": {"ids": [message]}}
    run = bench.result(definition(step))
    assert run.status == "failed" and "phishing" in run.error
    assert bench.questions() == [] and bench.subjects("INBOX") == ["Invoice"]


def failing(bench: AutomationBench, monkeypatch: pytest.MonkeyPatch, *errors: Exception) -> list[int]:
    """The mailbox answers a new draft with these errors, one after the other, and then with success."""
    real, left, tries = bench.box.create_draft, list(errors), [0]

    async def create(*given: Any, **more: Any) -> Any:
        tries[0] += 1
        if left:
            raise left.pop(0)
        return await real(*given, **more)

    monkeypatch.setattr(bench.box, "create_draft", create)
    return tries


def test_retries_are_as_many_and_as_far_apart_as_declared(
    bench: AutomationBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = failing(bench, monkeypatch, *[ProviderError("Away.")] * 3)
    run = bench.result(definition(DRAFT, execution={"max_retries": 2, "retry_backoff": "exponential"}))
    assert (run.status, run.error) == ("failed", "Away.")
    assert (tries, bench.waited) == ([3], [10.0, 20.0])
    tries = failing(bench, monkeypatch, ProviderError("Away."))
    again = bench.result(
        definition({**DRAFT, "max_retries": 1}, name="Own", execution={"retry_backoff": "linear"})
    )
    assert (again.status, tries, bench.waited[2:]) == ("succeeded", [2], [5.0])


def test_the_wait_that_a_server_asks_for_is_kept(
    bench: AutomationBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(bench, monkeypatch, RateLimited("Slow down.", retry_after_s=77))
    run = bench.result(definition(DRAFT, execution={"max_retries": 1, "retry_backoff": "none"}))
    assert (run.status, bench.waited) == ("succeeded", [77])


@pytest.mark.parametrize(
    "step",
    [
        tell(when="inputs.n"),
        tell(text="{{ trigger.missing }}"),
        {"step_id": "x", "action": "archive_email", "config": {"ids": ["nothing"]}},
        {"step_id": "x", "action": "read_email", "config": {"messageId": "nothing"}},
    ],
)
def test_errors_of_the_author_are_not_retried(bench: AutomationBench, step: dict[str, Any]) -> None:
    run = bench.result(
        definition(
            step,
            inputs={"schema": {"properties": {"n": {"default": 1}}}},
            execution={"max_retries": 5},
        )
    )
    assert run.status == "failed" and run.error and not bench.waited


def test_after_a_failure_its_steps_see_the_error_and_what_was_given(bench: AutomationBench) -> None:
    run = bench.result(
        definition(
            {"step_id": "first", "action": "transform_data", "config": {"value": "kept"}, "output_as": "one"},
            tell("second", "{{ trigger.missing }}"),
            tell("third", "never"),
            execution={
                "on_failure": [
                    tell("tell", "{{ run.failed_step_id }}: {{ run.error.message }} ({{ steps.one }})"),
                    tell("broken", "{{ trigger.missing }}"),
                    tell("last", "still"),
                ]
            },
        )
    )
    assert run.status == "failed" and run.failed_step_id == "second"
    steps = bench.steps(run)
    assert "third" not in steps
    assert steps["tell"].config["text"].startswith("second: The template at /text") and "kept" in str(
        steps["tell"].config
    )
    assert (steps["broken"].state, steps["last"].state) == ("failed", "succeeded")


def test_a_step_and_a_run_end_as_timed_out(bench: AutomationBench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(bench.box, "create_draft", hang)
    run = bench.result(definition({**DRAFT, "timeout_seconds": 1}, tell()))
    assert run.status == "timed_out" and bench.steps(run)["draft"].state == "timed_out"

    run = bench.fire(
        bench.save(definition(tell("a"), tell("b"), name="Slow", execution={"timeout_seconds": 5}))
    ).run
    advance(bench.engine, run.run_id)
    bench.now = bench.now.replace(minute=30)
    run = bench.finished(run)
    assert (run.status, run.failed_step_id) == ("timed_out", "b")


def test_a_stopped_agent_begins_nothing_and_ends_what_runs(bench: AutomationBench) -> None:
    bench.switches.stop = "You stopped the agent."
    run = bench.result(definition())
    assert (run.status, run.error) == ("cancelled", "You stopped the agent.")
    bench.switches.stop = ""
    run = bench.fire(bench.save(definition(tell("a"), tell("b"), name="Two"))).run
    advance(bench.engine, run.run_id)
    bench.switches.stop = "You stopped the agent."
    assert bench.finished(run).status == "cancelled"
    assert set(bench.steps(run)) == {"a"}


@pytest.mark.parametrize(
    ("budget", "status"),
    [
        ({"calls": 2}, "succeeded"),
        ({"calls": 1}, "failed"),
        ({"seconds": 1000}, "succeeded"),
        ({"seconds": 3}, "failed"),
    ],
)
def test_a_budget_is_held_before_and_during_a_run(
    bench: AutomationBench, budget: dict[str, Any], status: str
) -> None:
    look = {"step_id": "look", "action": "list_emails"}
    run = bench.fire(
        bench.save(
            definition(look, {**look, "step_id": "again", "when": "true"}, execution={"budget": budget})
        )
    ).run
    if run.status == "pending":
        advance(bench.engine, run.run_id)
        bench.now = bench.now.replace(second=30)
        run = bench.finished(run)
    assert run.status == status
    assert ("budget" in run.error) == (status == "failed")


def test_a_plan_over_its_budget_does_not_begin(bench: AutomationBench) -> None:
    look = {"step_id": "look", "action": "list_emails"}
    run = bench.fire(
        bench.save(definition(look, {**look, "step_id": "again"}, execution={"budget": {"calls": 1}}))
    ).run
    assert run.status == "failed" and "at least 2 calls" in run.error


def test_a_running_version_is_kept_when_another_is_saved(bench: AutomationBench) -> None:
    saved = bench.save(definition(tell("a", "old"), tell("b", "old")))
    run = bench.fire(saved).run
    advance(bench.engine, run.run_id)
    by = SavedBy(account_id=ME, place=PLACE, owner=(ME,), actor="cli")
    save(bench.ledger, definition(tell("a", "new")), by, automation_id=saved.automation_id)
    run = bench.finished(run)
    assert (run.version, run.status) == (1, "succeeded")
    assert bench.steps(run)["b"].config == {"text": "old"}
    assert bench.fire(saved).run.version == 2
