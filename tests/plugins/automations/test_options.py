"""Every option that a definition can state is enforced: each has a check that fails once its enforcement is taken out.

The table of options is made from the published schema, so an option without a check fails here.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from gaia_email_automations import (
    dispatching,
    inputs,
    matching,
    running,
    signatures,
    stepping,
    triggers,
    validating,
)
from gaia_email_automations.definition import AutomationDefinition
from gaia_email_automations.inputs import ResolvedInputs
from gaia_email_automations.matching import EventSubscription
from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.running import advance
from gaia_email_automations.schemas import automation_schema
from gaia_email_automations.store import AutomationStore, StoredAutomation, StoredTrigger
from gaia_email_automations.triggers import fire_missed, look
from gaia_email_registry.errors import BadArgument, MailError, ProviderError
from tests.plugins.automations.bench import AutomationBench
from tests.plugins.automations.samples import definition, tell

Check = Callable[[AutomationBench], object]

LOOK = {"step_id": "look", "action": "list_emails"}
MAIL = {"to": ["a@acme.example"], "subject": "s", "body": "b"}
DRAFT = {"step_id": "draft", "action": "draft_email", "config": MAIL}
EVENT = {"type": "event", "event_type": "message.triaged"}
DAILY = {"type": "schedule", "cron": "0 7 * * *"}
HOOK = {"type": "webhook"}
ONE_INPUT = {"schema": {"properties": {"x": {"type": "string", "maxLength": 3}}}}

FOR_PEOPLE = {"goal", "metadata"}
"""What only people read."""


def options() -> set[str]:
    """Every option of a definition, such as `execution.budget.calls`; triggers by their type."""
    schema = automation_schema("definition")
    found: set[str] = set()

    def walk(name: str, at: str) -> None:
        properties: dict[str, Any] = schema["$defs"][name].get("properties", {})
        for option, value in properties.items():
            items = value.get("items", {})
            parts = [*value.get("anyOf", ()), *value.get("allOf", ()), value, items, *items.get("anyOf", ())]
            inner = [one["$ref"].rpartition("/")[2] for one in parts if "$ref" in one]
            for title in inner:
                if title.endswith("Trigger"):
                    walk(title, title.removesuffix("Trigger").lower())
                elif title not in ("filter", "AutomationStep") or option == "plan":
                    walk(title, f"{at}.{option}")
            if option != "type" and (not inner or option in ("filters", "on_failure")):
                found.add(f"{at}.{option}".removeprefix("."))

    walk("AutomationDefinition", "")
    return found - FOR_PEOPLE


def refused(value: Mapping[str, Any]) -> None:
    with pytest.raises(BadArgument):
        validating.read_definition(value).require()


def trigger_of(bench: AutomationBench, saved: StoredAutomation) -> StoredTrigger:
    with bench.ledger.read() as tx:
        return AutomationStore.of(bench.ledger).triggers(tx, automation_id=saved.automation_id)[0]


def same(bench: AutomationBench) -> None:
    bench.save(definition())
    refused_save(bench, definition())


def refused_save(bench: AutomationBench, value: Mapping[str, Any]) -> None:
    with pytest.raises(BadArgument):
        bench.save(value)


def input_schema(bench: AutomationBench) -> None:
    run = bench.fire(bench.save(definition(inputs=ONE_INPUT)), given={"x": "overlong"}).run
    assert run.status == "failed"


def in_zone(bench: AutomationBench) -> None:
    bench.save(definition(triggers=[{**DAILY, "missed": "once", "timezone": "Asia/Tokyo"}]))
    bench.now += dt.timedelta(days=1)
    fire_missed(bench.ledger)
    assert bench.runs()[0].trigger_payload["scheduled_for"] == "2026-03-31T22:00:00+00:00"


def missed(bench: AutomationBench) -> None:
    bench.save(definition(name="skip", triggers=[DAILY]))
    bench.save(definition(name="once", triggers=[{**DAILY, "missed": "once"}]))
    bench.now += dt.timedelta(days=2)
    assert fire_missed(bench.ledger) == 1


def switched_off(kind: dict[str, Any]) -> Check:
    def check(bench: AutomationBench) -> None:
        saved = bench.save(definition(triggers=[{**kind, "enabled": False}]))
        with pytest.raises(MailError):
            bench.fire(saved, trigger=trigger_of(bench, saved), type=kind["type"])

    return check


def not_fired(kind: str, filters: dict[str, Any]) -> Check:
    def check(bench: AutomationBench) -> None:
        bench.save(definition(triggers=[{**EVENT, "filters": filters}]))
        bench.event(kind, subject="Hello")
        assert look(bench.ledger).fired == 0

    return check


def mapped(kind: dict[str, Any]) -> Check:
    def check(bench: AutomationBench) -> None:
        saved = bench.save(definition(inputs=ONE_INPUT, triggers=[{**kind, "inputs": {"x": "$.a[0]"}}]))
        given = {"trigger": trigger_of(bench, saved), "type": kind["type"], "payload": {"a": ["yes"]}}
        run = bench.fire(saved, **given).run
        assert (run.inputs, run.tainted) == ({"x": "yes"}, ["x"])

    return check


def signed(bench: AutomationBench) -> None:
    headers = {"webhook-id": "m", "webhook-timestamp": "0", "webhook-signature": "v1,wrong"}
    with pytest.raises(MailError):
        signatures.check_signature(b"secret", headers, b"{}", now=0.0)


def skipped(bench: AutomationBench) -> None:
    assert bench.steps(bench.result(definition(tell(when="false"))))["tell"].state == "skipped"


def configured(bench: AutomationBench) -> None:
    long = {"schema": {"properties": {"x": {"default": "x" * 5000}}}}
    assert bench.result(definition(tell(text="{{ inputs.x }}"), inputs=long)).status == "failed"


def output(bench: AutomationBench) -> None:
    first = {"step_id": "a", "action": "transform_data", "config": {"value": "5"}, "output_as": "five"}
    run = bench.result(definition(first, tell(text="{{ steps.five }}")))
    assert bench.steps(run)["tell"].config == {"text": "5"}


def tries(bench: AutomationBench, step: dict[str, Any], execution: dict[str, Any]) -> int:
    seen: list[int] = []

    async def fail(*_: object, **__: object) -> None:
        seen.append(1)
        raise ProviderError("Away.")

    setattr(bench.box, "create_draft", fail)  # noqa: B010
    bench.result(definition({**DRAFT, **step}, execution=execution))
    return len(seen)


def retried(step: dict[str, Any], execution: dict[str, Any], count: int) -> Check:
    def check(bench: AutomationBench) -> None:
        assert tries(bench, step, execution) == count

    return check


def backoff(bench: AutomationBench) -> None:
    tries(bench, {}, {"max_retries": 2, "retry_backoff": "linear"})
    assert bench.waited == [5.0, 10.0]


def step_timeout(bench: AutomationBench) -> None:
    async def hang(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    setattr(bench.box, "create_draft", hang)  # noqa: B010
    run = bench.result(definition({**DRAFT, "timeout_seconds": 1}))
    assert (run.status, run.error) == ("timed_out", stepping.TIMED_OUT)


def run_timeout(bench: AutomationBench) -> None:
    run = bench.fire(bench.save(definition(tell("a"), tell("b"), execution={"timeout_seconds": 5}))).run
    advance(bench.engine, run.run_id)
    bench.now += dt.timedelta(seconds=6)
    assert bench.finished(run).status == "timed_out"


def budgeted(name: str, most: float) -> Check:
    def check(bench: AutomationBench) -> None:
        run = bench.fire(bench.save(definition(LOOK, tell("b"), execution={"budget": {name: most}}))).run
        if run.status == "pending":
            advance(bench.engine, run.run_id)
            bench.now += dt.timedelta(seconds=30)
            with bench.ledger.write() as tx:
                AutomationStore.of(bench.ledger).count_use(tx, run.run_id, calls=0, tokens=100, usd=1.0)
            run = bench.finished(run)
        assert run.status == "failed" and name in run.error

    return check


def dropped(bench: AutomationBench) -> None:
    saved = bench.save(definition())
    bench.fire(saved)
    assert bench.fire(saved).run.status == "cancelled"


def after_failure(bench: AutomationBench) -> None:
    told = [tell("told", "{{ run.error.message }}")]
    run = bench.result(definition(tell(text="{{ trigger.x }}"), execution={"on_failure": told}))
    assert bench.steps(run)["told"].state == "succeeded"


def giving(value: object) -> Callable[..., Any]:
    """What holds nothing: it gives that, whatever it is asked."""

    def give(*_: object, **__: object) -> Any:
        return value

    return give


nothing, empty, no_words = giving(None), giving(()), giving("")
no_inputs = giving(ResolvedInputs(values={}))


def every(**changed: Any) -> Callable[..., EventSubscription]:
    def subscribed(**given: Any) -> EventSubscription:
        return EventSubscription(**{**given, **changed})

    return subscribed


def never_again(engine: Any, at: Any, stored: Any, error: MailError) -> Any:
    return stepping.end_step(engine, stored, "failed", error.message)


long_ago = giving(dt.datetime(1970, 1, 1, tzinfo=dt.UTC))


def first_only(known: AutomationDefinition, steps: Any, *, failing: bool) -> Any:
    """The next step of a plan of one, and none once it has failed."""
    return None if failing or steps else (0, known.plan[0])


TABLE: dict[str, tuple[Check, object, str, object]] = {
    "schema_version": (
        lambda _: refused({**definition(), "schema_version": 2}),
        validating,
        "errors_in_process",
        empty,
    ),
    "name": (same, AutomationStore, "all", empty),
    "inputs.schema": (input_schema, inputs, "need_fitting", nothing),
    "schedule.cron": (
        lambda _: refused(definition(triggers=[{**DAILY, "cron": "0 7 * *"}])),
        validating,
        "is_cron",
        giving(True),
    ),
    "schedule.timezone": (in_zone, triggers, "ZoneInfo", giving(dt.UTC)),
    "schedule.missed": (missed, triggers, "last_due", long_ago),
    "schedule.enabled": (switched_off(DAILY), dispatching, "_need_on", nothing),
    "event.event_type": (
        not_fired("message.read", {}),
        matching,
        "EventSubscription",
        every(event_type="message.*"),
    ),
    "event.filters": (
        not_fired("message.triaged", {"subject": {"equals": "Bye"}}),
        matching,
        "EventSubscription",
        every(filters={}),
    ),
    "event.inputs": (mapped(EVENT), dispatching, "resolved_inputs", no_inputs),
    "event.enabled": (switched_off(EVENT), dispatching, "_need_on", nothing),
    "webhook.inputs": (mapped(HOOK), dispatching, "resolved_inputs", no_inputs),
    "webhook.signature": (signed, signatures, "sign", giving("wrong")),
    "webhook.enabled": (switched_off(HOOK), dispatching, "_need_on", nothing),
    "plan.step_id": (lambda _: refused(definition(tell(), tell())), validating, "_steps", empty),
    "plan.action": (
        lambda _: refused(definition({"step_id": "a", "action": "fly"})),
        validating,
        "_steps",
        empty,
    ),
    "plan.when": (skipped, TemplateRenderer, "condition", giving(True)),
    "plan.config": (configured, stepping, "need_fitting", nothing),
    "plan.output_as": (output, stepping, "outputs_of", giving({})),
    "plan.max_retries": (retried({"max_retries": 1}, {}, 2), stepping, "_after_error", never_again),
    "plan.timeout_seconds": (step_timeout, running, "_seconds", giving(-1)),
    "execution.timeout_seconds": (run_timeout, running, "_seconds", giving(60)),
    "execution.max_retries": (retried({}, {"max_retries": 2}, 3), stepping, "_after_error", never_again),
    "execution.retry_backoff": (backoff, stepping, "backoff_s", giving(0.0)),
    "execution.concurrency": (dropped, dispatching, "_dropped", no_words),
    "execution.budget.calls": (budgeted("calls", 0), dispatching, "_too_expensive", no_words),
    "execution.budget.tokens": (budgeted("tokens", 50), stepping, "_over_budget", no_words),
    "execution.budget.seconds": (budgeted("seconds", 10), stepping, "_over_budget", no_words),
    "execution.budget.usd": (budgeted("usd", 0.5), stepping, "_over_budget", no_words),
    "execution.on_failure": (
        after_failure,
        running,
        "_todo",
        first_only,
    ),
}
"""By option: its check, and what enforces it, by the name under which something that holds nothing is put instead."""


def test_every_option_of_the_schema_has_a_check() -> None:
    assert set(TABLE) == options()


@pytest.mark.parametrize("option", TABLE)
def test_an_option_is_enforced_and_its_check_fails_without(
    option: str, bench: AutomationBench, other: AutomationBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, owner, name, stand_in = TABLE[option]
    check(bench)
    usual = validating.read_definition(definition()).require()
    lenient = SimpleNamespace(convert=giving(usual), ValidationError=ValueError)
    more: dict[str, tuple[object, str, object]] = {
        "execution.budget.calls": (stepping, "_over_budget", no_words),
        "schema_version": (validating, "msgspec", lenient),
    }
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, stand_in)
        if option in more:
            patched.setattr(*more[option])
        try:
            check(other)
        except (Exception, pytest.fail.Exception):
            return
    raise AssertionError(f"the check of {option} does not notice that it is not enforced")
