"""The twelve starters and the seed's examples, each run end to end on the sample mailbox."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from gaia_email.actions.one_call import read_once
from gaia_email.app import App
from gaia_email.app.services.acting import writable_mailbox
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import EventFilter
from gaia_email_automations import slack
from gaia_email_automations.artifacts import ArtifactStore, StoredArtifact
from gaia_email_automations.authoring.starters import NAMES, starter_named
from gaia_email_automations.details import AutomationDetails
from gaia_email_automations.dispatching import AutomationFiring, dispatch
from gaia_email_automations.draft_use_cases import (
    ABOUT,
    DraftWish,
    propose,
    propose_from_habits,
    refine,
    save_draft,
)
from gaia_email_automations.flows import flows_of
from gaia_email_automations.hosting import engine_on
from gaia_email_automations.running import advance
from gaia_email_automations.store import AutomationStore, StoredAutomationRun, StoredStep
from gaia_email_automations.triggers import look
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import NotFound

ANSWERS: Mapping[str, Any] = {
    "zone": "Europe/Berlin",
    "finance": "finance@example.com",
    "sender": "ann@example.com",
    "webhook": "team",
}


@dataclass
class Sample:
    """The sample mailbox with a ledger of its own."""

    app: App
    source: SourceSpec
    mail: Mapping[str, Any]

    def saved(self, wish: DraftWish) -> AutomationDetails:
        """A draft, saved by a person who allowed every flow."""
        draft = propose(self.app, wish)
        whole = {name: ANSWERS[name] for name in draft.template.missing}
        read = draft.template.check().definition
        assert read is not None
        return save_draft(
            self.app,
            self.source,
            draft.draft_id,
            values=whole,
            flows=[flow.line for flow in flows_of(read)],
            replaces="",
            actor="tests",
        )

    def run(self, saved: AutomationDetails) -> tuple[StoredAutomationRun, dict[str, StoredStep]]:
        """A run as its first trigger would set it off, to its end."""
        trigger = saved.triggers[0] if saved.triggers else None
        with self.app.ledger() as ledger:
            made = dispatch(
                ledger,
                saved.automation.automation_id,
                AutomationFiring(
                    trigger=trigger,
                    type=trigger.type if trigger else "manual",
                    payload=self.payload(trigger.type if trigger else "manual", saved),
                ),
            ).run
            engine = engine_on(ledger, self.app.environ)
            for _ in range(40):
                if not advance(engine, made.run_id).goes_on:
                    break
            with ledger.read() as tx:
                run = AutomationStore.of(ledger).run(tx, made.run_id)
                assert run is not None
                return run, {one.step_id: one for one in AutomationStore.of(ledger).steps(tx, run.run_id)}

    def payload(self, kind: str, saved: AutomationDetails) -> dict[str, Any]:
        if kind == "webhook":
            return {"repository": "gaia", "status": "failure", "url": "https://ci.example/1"}
        if kind != "event":
            return {}
        wanted = saved.triggers[0].config["event_type"]
        payload = {"name": "Report.md", "kind": "document", "bucket": "urgent"}
        return {
            "type": wanted,
            "run_id": "r-1",
            "message_id": self.mail["id"],
            "sender": self.mail["from"]["address"],
            "subject": self.mail["subject"],
            "payload": payload,
        }

    def artifacts(self, run: StoredAutomationRun) -> list[StoredArtifact]:
        return ArtifactStore(self.app.environ, self.app.clock).all(run.run_id)

    def waiting(self) -> list[str]:
        with self.app.ledger(read_only=True) as ledger, ledger.read() as tx:
            return [str(one.proposal["targets"]) for one in ledger.pending.select(tx, type="notify")]


@pytest.fixture(scope="module")
def sample() -> Iterator[Sample]:
    with sample_source(App()) as (app, source):
        place = writable_mailbox(source)
        call = ToolCall.of(
            "me", "search_emails", {"query": "in:inbox subject:lunch OR in:inbox", "maxResults": 1}
        )
        found: Any = asyncio.run(read_once(place.reading(app.environ), call))
        speaks = f"{sys.executable} -c \"import sys; sys.stdout.write('RIFF' + sys.stdin.read())\""
        environ = {**app.environ, "GAIA_SPEECH_COMMAND": speaks}
        yield Sample(app=App(environ=environ, clock=app.clock), source=source, mail=found["emails"][0])


@pytest.mark.parametrize("name", [name for name in NAMES if name != "urgent_to_slack"])
def test_every_starter_runs_to_its_end_on_the_sample_mailbox(sample: Sample, name: str) -> None:
    saved = sample.saved(DraftWish(starter=name))
    run, steps = sample.run(saved)
    sends = name == "invoice_note"
    assert run.status == ("waiting" if sends else "succeeded"), (run.error, steps)
    assert [one.step_id for one in steps.values() if one.state == "failed"] == []


def test_the_digest_lists_what_is_unread(sample: Sample) -> None:
    saved = sample.saved(
        DraftWish(words="every weekday at 7:30, list unread mail of the last 30 days", zone="UTC")
    )
    run, steps = sample.run(saved)
    assert run.status == "succeeded"
    listed = run.output["found"]["emails"]
    assert listed and listed[0]["from"]["address"] in steps["tell"].config["text"]


def test_a_build_that_fails_is_told_by_its_webhook(sample: Sample) -> None:
    run, steps = sample.run(_again(sample, "ci_webhook"))
    assert run.inputs == {"repository": "gaia", "status": "failure", "url": "https://ci.example/1"}
    assert steps["tell"].config["text"] == "gaia: failure https://ci.example/1"


def _again(sample: Sample, starter: str) -> AutomationDetails:
    """Another automation of a starter under another name."""
    draft = propose(sample.app, DraftWish(starter=starter, zone="UTC"))
    refine(sample.app, draft.draft_id, words=f"call it {starter} again", model="never")
    return save_draft(
        sample.app, sample.source, draft.draft_id, values={}, flows=[], replaces="", actor="tests"
    )


def test_a_file_that_a_run_keeps_sets_off_another_automation(sample: Sample) -> None:
    listening = _again(sample, "file_added")
    with sample.app.ledger() as ledger:
        look(ledger)
    run, steps = sample.run(_again(sample, "weekly_brief"))
    assert run.status == "succeeded"
    (kept,) = sample.artifacts(run)
    assert (kept.name, kept.kind, kept.id) == (
        "Weekly brief.md",
        "document",
        steps["document"].output["value"]["artifact_id"],
    )
    assert (
        ArtifactStore(sample.app.environ, sample.app.clock).content(kept).decode()
        == run.output["brief"]["text"]
    )
    with sample.app.ledger() as ledger:
        look(ledger)
        with ledger.read() as tx:
            (fired,) = AutomationStore.of(ledger).runs(tx, automation_id=listening.automation.automation_id)
            events = ledger.events.page(tx, 0, EventFilter(kinds=("file.added",)), limit=100).events
        assert advance(engine_on(ledger, sample.app.environ), fired.run_id).goes_on
    assert fired.inputs == {"file": "Weekly brief.md", "kind": "document"}
    assert fired.chain == [run.automation_id, listening.automation.automation_id]
    assert [event.run_id for event in events if event.run_id == run.run_id] == [run.run_id]


def test_the_week_is_spoken_and_kept(sample: Sample) -> None:
    saved = sample.saved(
        DraftWish(words="every friday at 4 pm, give me a spoken summary of the week", zone="UTC")
    )
    run, _ = sample.run(saved)
    assert run.status == "succeeded", run.error
    (kept,) = sample.artifacts(run)
    assert (kept.kind, kept.media_type) == ("audio", "audio/wav")
    assert ArtifactStore(sample.app.environ, sample.app.clock).content(kept).startswith(b"RIFF")


def test_urgent_mail_is_posted_where_its_line_was_allowed(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[tuple[str, str]] = []

    async def post(address: str, text: str) -> tuple[int, float]:
        posted.append((address, text))
        return 200, 0.0

    monkeypatch.setattr(slack, "_posted", post)
    with sample.app.ledger() as ledger:
        slack.keep_webhook(ledger, sample.app.environ, "team", "https://hooks.example/secret")
    run, _ = sample.run(sample.saved(DraftWish(starter="urgent_to_slack")))
    assert run.status == "succeeded", run.error
    text = f"Urgent: {sample.mail['subject']} (from {sample.mail['from']['address']})"
    assert posted == [("https://hooks.example/secret", text)]


def test_habits_that_the_mailbox_shows_become_questions_and_nothing_else(sample: Sample) -> None:
    with sample.app.ledger() as ledger, ledger.read() as tx:
        before = len(AutomationStore.of(ledger).all(tx))
    found = propose_from_habits(sample.app, sample.source)
    again = propose_from_habits(sample.app, sample.source)
    assert "Newsletter sweep" in {one.words[0] for one in found} and len(again) == len(found)
    with sample.app.ledger() as ledger, ledger.read() as tx:
        assert len(AutomationStore.of(ledger).all(tx)) == before
        asked = [one for one in ledger.pending.select(tx, type="notify") if one.account_id.startswith(ABOUT)]
    assert len(asked) == len(found)


def test_where_nothing_speaks_the_run_says_so(sample: Sample) -> None:
    environ = {name: value for name, value in sample.app.environ.items() if name != "GAIA_SPEECH_COMMAND"}
    mute = Sample(app=App(environ=environ, clock=sample.app.clock), source=sample.source, mail=sample.mail)
    saved = mute.saved(DraftWish(words="every monday at 9:00, give me the brief aloud", zone="UTC"))
    run, _ = mute.run(saved)
    assert run.status == "failed" and "No program speaks here" in run.error
    assert mute.artifacts(run) == []


def test_an_invoice_from_a_sentence_is_labelled_and_the_mail_to_finance_waits(sample: Sample) -> None:
    words = "when an invoice arrives, label it Bills and tell finance@example.com"
    saved = sample.saved(DraftWish(words=words, model="never"))
    run, steps = sample.run(saved)
    assert run.status == "waiting", run.error
    assert steps["put"].state == "succeeded"
    assert steps["send"].config["to"] == ["finance@example.com"] and steps["send"].state == "waiting"


def test_a_starter_that_there_is_not_is_told_with_those_that_there_are() -> None:
    with pytest.raises(NotFound, match="vip_alert"):
        starter_named("nothing")
