"""How the user writes, counted, and replies made of it without a model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from gaia_email.app import App
from gaia_email.app.documents.schemas import schema
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.drafting import ReplyRequest, draft_for, first_name
from gaia_email.app.services.reading import read_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.voice import SentMessage, Voice, greeting_line, sign_off_lines, voice_of
from gaia_email_registry.errors import NeedsApproval
from tests.cli.printed import Run, runner


@pytest.fixture(scope="module")
def sample() -> Iterator[SourceSpec]:
    with sample_source(App()) as (_, source):
        yield source


def urgent(source: SourceSpec) -> str:
    return read_inbox(App(), source).buckets["urgent"][0].summary["id"]


def sent(text: str, language: str = "en") -> SentMessage:
    return SentMessage(text=text, language=language)


def test_the_most_frequent_greeting_and_sign_off_are_the_users() -> None:
    voice = voice_of(
        [
            sent("Hey Ann,\n\nsure.\n\nCheers,\nAlex"),
            sent("Hey Bob,\n\nno.\n\nCheers,\nAlex"),
            sent("Dear Dr Cole,\n\nplease.\n\nKind regards,\nAlex Rivera"),
        ]
    )
    assert (voice.greeting, voice.sign_off, voice.signed) == ("Hey {name}", "Cheers", "Alex")
    assert greeting_line(voice, "Dana", "en", "usual") == "Hey Dana,"
    assert sign_off_lines(voice, "en", "usual", "") == ["Cheers,", "Alex"]


def test_what_was_written_once_is_no_habit() -> None:
    assert voice_of([sent("Dear Ann,\n\nyes.\n\nCheers,\nAlex")]).greeting == ""


@pytest.mark.parametrize(
    ("language", "tone", "expected"),
    [("de", "formal", "Guten Tag Eva,"), ("fr", "casual", "Salut Eva,"), ("xx", "casual", "Hi Eva,")],
)
def test_a_tone_that_is_asked_for_wins_over_the_habit(language: str, tone: str, expected: str) -> None:
    habit = Voice(greeting="Hey {name}", language="en")
    assert tone in ("formal", "casual")
    assert greeting_line(habit, "Eva", language, "formal" if tone == "formal" else "casual") == expected


def test_nobody_to_name_leaves_no_gap() -> None:
    assert greeting_line(Voice(), "", "en", "casual") == "Hi,"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Dana Kim", "Dana"),
        ("Kim, Dana", "Dana"),
        ("", ""),
        ("NASA News", ""),
        ("the team", ""),
        ("no-reply", ""),
    ],
)
def test_only_a_persons_first_name_is_greeted(name: str, expected: str) -> None:
    assert first_name(name) == expected


def test_a_draft_quotes_what_is_asked_and_promises_nothing(sample: SourceSpec) -> None:
    draft = draft_for(App(), sample, urgent(sample), ReplyRequest(), own_words=True)
    assert draft.questions
    assert all(f"> {question}" in draft.body for question in draft.questions)
    assert not draft.answered


def test_the_users_own_answer_stands_in_the_draft_and_a_models_promise_does_not(sample: SourceSpec) -> None:
    wish = ReplyRequest(answer="Yes, I will come on Thursday.")
    message = urgent(sample)
    assert "Thursday" in draft_for(App(), sample, message, wish, own_words=True).body
    with pytest.raises(NeedsApproval, match="promises"):
        draft_for(App(), sample, message, wish, own_words=False)


def test_the_command_prints_a_draft_and_says_that_nothing_was_sent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, sample: SourceSpec
) -> None:
    run: Run = runner(capsys, monkeypatch)
    said = run("draft", urgent(sample), "--demo", "--answer", "On my way.", "--json")
    assert said.code == 0, said.err
    document = json.loads(said.out)
    jsonschema.validate(document, schema("draft"))
    assert "On my way." in document["body"]
    assert run("draft", urgent(sample), "--demo", "--save").code == 2


def test_what_is_remembered_is_shown_changed_and_deleted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    run: Run = runner(capsys, monkeypatch)

    def known() -> list[str]:
        said = run("remember", "--json")
        document = json.loads(said.out)
        jsonschema.validate(document, schema("remember"))
        return [one["text"] for one in document["sentences"]]

    assert known() == []
    assert run("remember", "I sign with A.").code == 0
    assert run("remember", "Never on Fridays.").code == 0
    assert run("remember", "i sign  with a.").code == 0
    assert known() == ["I sign with A.", "Never on Fridays."]
    assert run("remember", "--edit", "2", "Rarely on Fridays.").code == 0
    assert run("remember", "--forget", "1").code == 0
    assert known() == ["Rarely on Fridays."]
    assert run("remember", "--forget", "7").code == 1
    assert run("remember", "x" * 301).code != 0
    assert run("remember", "--forget", "1", "and this").code == 2


def test_a_conversation_at_the_command_line_answers_each_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run: Run = runner(capsys, monkeypatch)
    said = run("chat", "--demo", "what is urgent", "why 2")
    assert said.code == 0, said.err
    assert re.search(r"\b1?\d threads are urgent, here are 5:", said.out)
    assert "is urgent: Sam asks" in said.out
    events = [json.loads(line) for line in run("chat", "--demo", "--jsonl", "why 2").out.splitlines()]
    assert [event["type"] for event in events] == ["final"]
    assert run("chat", "--demo", "undo").code == 1
