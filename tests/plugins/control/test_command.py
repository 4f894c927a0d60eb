"""`control`: what is printed of agents, conversations, flights and events, and what takes a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.interfaces.cli import person
from gaia_email_control.service import opened_control
from tests.cli.printed import Run, document
from tests.plugins.control.brokering import conversation, message
from tests.plugins.control.test_http import here
from tests.runs.mailbox import ME, Box


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    return Box(tmp_path)


def scripts_say_nothing(app: App) -> bool:
    return False


def test_an_agent_is_granted_listed_and_revoked(run: Run, box: Box) -> None:
    granted = document(run, "control-grant", "control", "grant", "notes", "--may", "status")
    assert granted["key"].startswith("gaia-agent_")
    listed = document(run, "control-agents", "control", "agents")["agents"]
    assert {one["id"]: one["actions"] for one in listed} == {"gaia-email": [], "notes": ["status"]}
    assert granted["key"] not in run("control", "agents").out
    document(run, "control-revoke", "control", "revoke", "notes")
    assert run("control", "revoke", "notes").code == 1
    for wrong in ("owner", "gaia-email", "api-token", "Upper", "../x"):
        assert "The id of an agent" in run("control", "grant", wrong).err


def test_granting_and_running_take_a_person(run: Run, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "scripts_may_answer", scripts_say_nothing)
    assert run("control", "grant", "notes").code == 5
    words = ("control", "invoke", "execute", "--task", "triage", "--maildir", box.place.path)
    assert run(*words).code == 5
    assert document(run, "control-agents", "control", "agents")["shown"] == 1


def test_what_was_invoked_said_and_told_is_printed(run: Run, box: Box) -> None:
    where = ("--maildir", box.place.path, "--user", ME)
    (flight,) = document(run, "control-flights", "control", "invoke", "status", *where)["flights"]
    assert (flight["state"], flight["requester"]) == ("completed", "owner")
    refused = run("control", "invoke", "execute", "--task", "rm", *where)
    assert "execute takes the task triage" in refused.err
    with opened_control(App()) as service:
        for command in (conversation("plans", "owner"), message("m1", "plans", "owner", body="a\x1b[31mb")):
            service.broker.execute(here(command, service.who.node_id), service.person())
    said = run("control", "conversations", "--messages", "plans")
    assert "m1" in said.out
    assert "\x1b" not in said.out
    assert document(run, "control-conversations", "control", "conversations")["shown"] == 2
    assert document(run, "control-flights", "control", "flights", "--state", "failed")["flights"] == []
    told = document(run, "control-tail", "control", "tail", "--limit", "2")
    assert [one["kind"] for one in told["events"]] == ["conversation.upserted", "message.posted"]
    after = document(run, "control-tail", "control", "tail", "--after", str(told["reached"]))
    assert after["events"] == []
