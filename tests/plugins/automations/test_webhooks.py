"""Webhooks of automations: a token of their own, once a key, and nothing beyond their one path."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from gaia_email.mailbox.ref import MailboxRef
from gaia_email_automations.hosting import engine_on
from gaia_email_automations.interfaces.webhook_endpoint import BY_TOKEN, MOST_BYTES
from gaia_email_automations.running import advance
from gaia_email_automations.saving import SavedBy, save
from gaia_email_automations.signatures import sign
from gaia_email_automations.store import AutomationStore, StoredAutomation
from gaia_email_automations.use_cases import make_token
from tests.http.conftest import Sample


def hook(sample: Sample, folder: Path, **more: Any) -> tuple[StoredAutomation, str]:
    """An automation with a webhook, and its token."""
    definition = {
        "schema_version": 1,
        "name": "CI",
        "inputs": {"schema": {"properties": {"branch": {"type": "string"}}}},
        "triggers": [{"type": "webhook", "inputs": {"branch": "$.ref.name"}, **more}],
        "plan": [{"step_id": "tell", "action": "notification", "config": {"text": "{{ inputs.branch }}"}}],
        "execution": {"concurrency": "allow_parallel"},
    }
    place = MailboxRef(kind="maildir", path=str(folder))
    with sample.app.ledger() as ledger:
        by = SavedBy(account_id="me@example.org", place=place, owner=("me@example.org",), actor="cli")
        saved = save(ledger, definition, by)
    return make_token(sample.app, saved.automation_id)


def fired(sample: Sample, id_: str, token: str, body: object = None, **headers: str) -> Any:
    given = {"authorization": f"Bearer {token}", **headers}
    return sample.program.answer("POST", f"/v1/automations/{id_}/fire", body, headers=given)


def test_a_request_with_the_token_makes_a_run_and_says_where_it_is(sample: Sample, tmp_path: Path) -> None:
    saved, token = hook(sample, tmp_path)
    answer = fired(sample, saved.automation_id, token, {"ref": {"name": "main"}})
    assert answer.status_code == 202
    told = answer.json()
    found = sample.program.ok("GET", told["url"])
    assert (found["inputs"], found["tainted_inputs"]) == ({"branch": "main"}, ["branch"])
    assert found["run"]["status"] == "pending" and "webhook" in found["run"]["why"]
    with sample.app.ledger() as ledger, ledger.read() as tx:
        (trigger,) = AutomationStore.of(ledger).triggers(tx, automation_id=saved.automation_id)
    assert token not in str(trigger) and trigger.secret_hash is not None


def test_a_key_in_header_or_body_gives_the_same_run(sample: Sample, tmp_path: Path) -> None:
    saved, token = hook(sample, tmp_path)
    first = fired(sample, saved.automation_id, token, {}, **{"idempotency-key": "k"}).json()
    again = fired(sample, saved.automation_id, token, {"idempotency_key": "k"}).json()
    assert (again["run_id"], first["is_new"], again["is_new"]) == (first["run_id"], True, False)
    assert fired(sample, saved.automation_id, token, {}).json()["run_id"] != first["run_id"]


def test_a_token_that_is_rotated_opens_nothing_more_and_what_it_was_taken_for_still_runs(
    sample: Sample, tmp_path: Path
) -> None:
    saved, token = hook(sample, tmp_path)
    told = fired(sample, saved.automation_id, token, {"ref": {"name": "main"}}).json()
    _, other = make_token(sample.app, saved.automation_id)
    assert fired(sample, saved.automation_id, token, {}).status_code == 401
    assert fired(sample, saved.automation_id, other, {}).status_code == 202
    with sample.app.ledger() as ledger:
        advance(engine_on(ledger, sample.app.environ), told["run_id"])
        with ledger.read() as tx:
            (step,) = AutomationStore.of(ledger).steps(tx, told["run_id"])
    assert (step.state, step.config) == ("succeeded", {"text": "main"})


def test_no_other_credential_opens_a_webhook_and_its_token_opens_nothing_else(
    sample: Sample, tmp_path: Path
) -> None:
    saved, token = hook(sample, tmp_path)
    for wrong in ("x", sample.token, token[:-1], token + "x"):
        assert fired(sample, saved.automation_id, wrong).status_code in (401, 429)
    for path in ("/v1/automations", f"/v1/automations/{saved.automation_id}", "/v1/email/status"):
        headers = {"authorization": f"Bearer {token}"}
        assert sample.program.answer("GET", path, headers=headers).status_code in (401, 429)


def test_a_new_token_voids_the_one_before(sample: Sample, tmp_path: Path) -> None:
    saved, old = hook(sample, tmp_path)
    _, new = make_token(sample.app, saved.automation_id)
    assert fired(sample, saved.automation_id, old, {}).status_code == 401
    assert fired(sample, saved.automation_id, new, {}).status_code == 202


def test_what_is_too_large_too_often_or_switched_off_is_refused(sample: Sample, tmp_path: Path) -> None:
    saved, token = hook(sample, tmp_path)
    assert fired(sample, saved.automation_id, token, {"x": "y" * MOST_BYTES}).status_code == 413
    with sample.app.ledger() as ledger, ledger.write() as tx:
        AutomationStore.of(ledger).set_status(tx, saved.automation_id, "paused")
    asked = (fired(sample, saved.automation_id, token, {}).status_code for _ in range(10 * BY_TOKEN.at_once))
    statuses = list(takewhile(lambda status: status != 429, asked))
    assert set(statuses) == {409}
    assert BY_TOKEN.at_once - 2 <= len(statuses) < 10 * BY_TOKEN.at_once


@pytest.mark.parametrize("wrong", ["", "time", "body"])
def test_a_signature_is_checked_where_the_trigger_wants_one(
    sample: Sample, tmp_path: Path, wrong: str
) -> None:
    saved, token = hook(sample, tmp_path, signature="standard-webhooks")
    body = json.dumps({"ref": {"name": "main"}}).encode()
    at = str(int(sample.app.clock()) - (1000 if wrong == "time" else 0))
    headers = {
        "authorization": f"Bearer {token}",
        "webhook-id": "m1",
        "webhook-timestamp": at,
        "webhook-signature": f"v1,{sign(token.encode(), 'm1', at, b'{}' if wrong == 'body' else body)}",
    }
    path = f"/v1/automations/{saved.automation_id}/fire"
    answer = sample.program.client.post(path, content=body, headers=headers)
    assert answer.status_code == (401 if wrong else 202), answer.text


def test_a_hostile_path_and_payload_leave_the_server_answering(sample: Sample, tmp_path: Path) -> None:
    saved, token = hook(sample, tmp_path, inputs={"branch": "$[?match(@.x, '(d|d)*e')]"})
    answer = fired(sample, saved.automation_id, token, {"p": {"x": "d" * 10_000}})
    assert answer.status_code == 202
    with sample.app.ledger() as ledger, ledger.read() as tx:
        (run,) = AutomationStore.of(ledger).runs(tx, automation_id=saved.automation_id)
    assert run.status == "failed" and "takes too long" in run.error
    assert sample.program.answer("GET", "/v1/email/status").status_code == 200
