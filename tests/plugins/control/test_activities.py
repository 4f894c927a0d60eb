"""Runs and channels of other plug-ins are flights and bindings of the owner, and no agent sees them."""

from __future__ import annotations

import pytest

from gaia_email.app import App
from gaia_email.runs.activities import PluginActivities, PluginChannels
from gaia_email.runs.status import RunStatus
from gaia_email_control import reading
from gaia_email_control.reading import ControlReading
from gaia_email_control.service import grant_agent, opened_control

RUN = RunStatus(
    id="p1",
    kind="automation",
    mailbox="ann@example.com",
    state="failed",
    scheduled=True,
    created_at=None,
    started_at=None,
    finished_at=None,
    reason="No answer.",
)
ACTIVITIES = PluginActivities(
    run_kind="automation", events="parcel.*", states={}, newest=lambda ledger, tx, limit: [RUN]
)
CHANNELS = PluginChannels(
    platform="pager",
    title="pager",
    names=lambda ledger: ["night"],
    action_type="page",
    posted="page.sent",
    added="pager.added",
)


def test_runs_and_channels_of_plugins_are_listed_to_the_owner_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "all_activities", lambda: [ACTIVITIES])
    monkeypatch.setattr(reading, "all_channels", lambda: [CHANNELS])
    grant_agent(App(), "notes", ["status"], by="cli")
    with opened_control(App()) as service:
        ours = ControlReading(service, service.program())
        (flight,) = ours.flights()
        (binding,) = ours.bindings()
        theirs = ControlReading(service, service.agent("notes"))
        assert theirs.flights() == theirs.bindings() == []
    assert (flight["id"], flight["state"], flight["error"]) == ("p1", "failed", "No answer.")
    assert (binding["id"], binding["platform"]) == ("pager:night", "pager")
