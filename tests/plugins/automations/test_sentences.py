"""Automations from sentences, without a model: what is understood, what is asked, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_email_automations.authoring.sentences import LEAVE_OUT, SentenceRead, grammar, read_sentence
from gaia_email_automations.authoring.template import AutomationTemplate
from gaia_email_registry.errors import BadArgument

ZONE = "Europe/Berlin"


def read(said: str) -> SentenceRead:
    found = read_sentence(said, zone=ZONE)
    assert found.template.check().errors == (), said
    return found


def trigger(said: str) -> Any:
    (one,) = read(said).template.definition["triggers"]
    return one


def actions(said: str) -> list[str]:
    return [step["action"] for step in read(said).template.definition["plan"]]


@pytest.mark.parametrize("said", grammar()["examples"])
def test_every_example_is_understood_whole(said: str) -> None:
    assert read(said).unclear == ()


@pytest.mark.parametrize(
    ("said", "cron"),
    [
        ("every weekday at 7:30, send me a digest", "30 7 * * 1-5"),
        ("send me a digest every weekday at 7.30", "30 7 * * 1-5"),
        ("every friday at 4 pm, give me the weekly brief", "0 16 * * 5"),
        ("on mondays and thursdays at 12 am sync", "0 0 * * 1,4"),
        ("every evening at 8, give me the brief", "0 20 * * *"),
        ("every day evening at 8, give me the brief", "0 20 * * *"),
        ("every weekend at noon, resync my mail", "0 12 * * 0,6"),
        ("every 20 minutes, sync", "*/20 * * * *"),
        ("hourly, sync", "0 * * * *"),
        ("every 6 hours sync", "0 */6 * * *"),
        ("on the first of every month at 9:00 give me the brief", "0 9 1 * *"),
        ("at 18:00 every day, give me the brief", "0 18 * * *"),
    ],
)
def test_clocks_in_words_become_cron_lines(said: str, cron: str) -> None:
    assert trigger(said) == {"type": "schedule", "cron": cron, "timezone": ZONE, "missed": "once"}


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("every friday at 4, give me the brief", {"time"}),
        ("every morning, give me the brief", {"time"}),
        ("every monday morning, give me the brief", {"time"}),
        ("weekly, give me the brief", {"time", "weekday"}),
        ("every 7 minutes, sync", {"minutes"}),
        ("when a mail from bob arrives, tell me", {"sender"}),
        ("when a contract arrives, tell me", {"about"}),
        ("when an invoice arrives, tell finance", {"recipient"}),
        ("when an invoice arrives, draft a reply", {"reply"}),
        ("when the webhook fires, post it to slack", {"webhook"}),
    ],
)
def test_what_is_left_open_is_asked_and_never_guessed(said: str, missing: set[str]) -> None:
    template = read(said).template
    assert set(template.missing) == missing
    with pytest.raises(BadArgument, match="is open"):
        template.fill()


def test_without_a_known_time_zone_it_is_asked() -> None:
    template = read_sentence("every day at 7:00, give me the brief").template
    assert template.missing == ("zone",)
    (clock,) = template.answer({"zone": "Asia/Tokyo"}).fill()["triggers"]
    assert clock["timezone"] == "Asia/Tokyo"


def test_a_time_that_was_taken_for_granted_is_told() -> None:
    assert "7 is taken for 07:00." in read("every day at 7, give me the brief").notes
    assert not [one for one in read("every day at 7 am, give me the brief").notes if "taken" in one]


@pytest.mark.parametrize(
    ("said", "filters"),
    [
        ("when a newsletter arrives, archive it", {"payload.category": {"equals": "newsletters"}}),
        ("when mail from my vips comes in, tell me", {"payload.cohort": {"equals": "vip"}}),
        ("if an urgent mail arrives, tell me", {"payload.bucket": {"equals": "urgent"}}),
        ("when ann@acme.example writes, star it", {"sender": {"regex": r"(?i)^ann@acme\.example$"}}),
        ("when I get mail from acme.example, star it", {"sender": {"regex": r"(?i)[@.]acme\.example$"}}),
        (
            'when a mail from ann@acme.example about "the lease" arrives, star it',
            {"sender": {"regex": r"(?i)^ann@acme\.example$"}, "subject": {"regex": r"(?i)the\ lease"}},
        ),
    ],
)
def test_mail_in_words_becomes_a_filter(said: str, filters: Any) -> None:
    one = trigger(said)
    assert (one["event_type"], one["filters"]) == ("message.triaged", filters)
    assert read(said).template.definition["execution"] == {"concurrency": "queue"}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("when a bill arrives, label it Bills and Receipts", ["get_or_create_label", "modify_email"]),
        (
            "when a bill arrives, mark it as read, star it and archive it",
            ["mark_read", "star_email", "archive_email"],
        ),
        ("when a bill arrives, forward it to ann@acme.example", ["forward_email"]),
        ("when a bill arrives, draft a reply saying thanks", ["reply_to_email"]),
        ("when a bill arrives, draft a mail to ann@acme.example", ["draft_email"]),
        ("every day at 8:00, give me a spoken summary of the day", ["brief_generation", "speech_generation"]),
        (
            "every day at 8:00, give me the brief and save it as a file",
            ["brief_generation", "notification", "document"],
        ),
        ("every day at 8:00, list unread mail of the last 3 days", ["search_emails", "notification"]),
        ("remind me to water the plants every sunday at 10:00", ["notification"]),
    ],
)
def test_what_is_done_becomes_steps(said: str, wanted: list[str]) -> None:
    assert actions(said) == wanted


def test_a_reply_that_is_drafted_is_not_sent() -> None:
    (step,) = read("when a bill arrives, draft a reply saying thanks").template.definition["plan"]
    assert step["config"]["draft"] is True


def test_of_what_is_not_understood_the_person_says_what_becomes_of_it() -> None:
    found = read("when an invoice arrives, note it in the sheet and tell finance@example.com")
    assert found.unclear == ("note it in the sheet",)
    assert found.template.missing == ("unclear_1",)
    left_out = found.template.answer({"unclear_1": LEAVE_OUT}).fill()
    assert [step["action"] for step in left_out["plan"]] == ["send_email"]
    told = found.template.answer({"unclear_1": "tell me instead"}).fill()
    assert [step["action"] for step in told["plan"]] == ["notification", "send_email"]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "what is the weather",
        "every weekday at 7",
        "x" * 2_000,
        "when {{ run }} arrives, tell me",
        "when <<a>> writes, tell me",
    ],
)
def test_what_is_no_automation_is_refused(said: str) -> None:
    with pytest.raises(BadArgument):
        read_sentence(said, zone=ZONE)


@pytest.mark.parametrize("value", ["{{ run.id }}", "{% if x %}", "<<other>>", "ann", "a b@c.example", 3])
def test_no_answer_is_a_template_or_unfit(value: object) -> None:
    template = read("when an invoice arrives, tell finance").template
    with pytest.raises(BadArgument):
        template.answer({"recipient": value})


def test_an_answer_never_becomes_part_of_an_expression() -> None:
    step = {"step_id": "tell", "action": "notification", "when": "<<name>>", "config": {"text": "x"}}
    template = AutomationTemplate(
        definition={"schema_version": 1, "name": "x", "plan": [step]}, fields={"name": {"type": "string"}}
    )
    with pytest.raises(BadArgument, match="expression"):
        template.answer({"name": "true"}).fill()
