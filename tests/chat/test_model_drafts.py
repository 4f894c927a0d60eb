"""Replies that a model writes: what it is shown, what is marked, what is left out, and nothing is sent."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.app import App
from gaia_email.app.services import memory
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.drafting import DraftedReply, ReplyRequest, written_draft
from gaia_email.app.services.reading import read_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.templates import templates_directory
from gaia_email.interfaces.chat.words import draft_notes
from gaia_email.models.claims import facts_not_in
from gaia_email.policy.document import BUILT_IN
from gaia_email_registry.errors import BadArgument, ProviderError
from tests.chat.scripted_model import scripted
from tests.chat.test_conversations import Talk, applied
from tests.cli.printed import Run
from tests.models import model_server
from tests.models.model_server import Answer, Chat, ModelServer, streamed


@pytest.fixture(scope="module")
def sample() -> Iterator[SourceSpec]:
    with sample_source(App()) as (_, source):
        yield source


@pytest.fixture(scope="module")
def locked_out(sample: SourceSpec) -> str:
    """Sam's message: the key was left at home; can they come home by 3:30?"""
    items = read_inbox(App(), sample).buckets["urgent"]
    return next(item.summary["id"] for item in items if "locked out" in item.summary["subject"])


def is_draft(body: Any) -> bool:
    return "You write for the owner of a mailbox" in body["messages"][0]["content"]


def writes(sentences: Sequence[str] | str) -> Chat:
    """A model that writes these sentences, or exactly this text."""
    said = sentences if isinstance(sentences, str) else json.dumps({"sentences": list(sentences)})

    def chat(body: Any) -> Answer:
        return streamed(said) if is_draft(body) else model_server.refuses(body)

    return chat


def drafted(
    sample: SourceSpec,
    message: str,
    sentences: Sequence[str] | str,
    wish: ReplyRequest | None = None,
    **more: Any,
) -> tuple[DraftedReply, str]:
    """The draft, and what the model was shown."""
    with scripted(writes(sentences)) as server:
        draft = written_draft(App(), sample, message, wish or ReplyRequest(), os.environ, **more)
        return draft, shown_to(server)


def shown_to(server: ModelServer) -> str:
    return "\n".join(part["content"] for body in server.chats if is_draft(body) for part in body["messages"])


def test_the_models_sentences_stand_between_the_users_greeting_and_sign_off(
    sample: SourceSpec, locked_out: str
) -> None:
    draft, asked = drafted(sample, locked_out, ["Poor you.", "The key is a matter for tonight at home."])
    assert draft.by == "qwen3-4b"
    assert "Poor you." in draft.body
    assert draft.body.index("Sam") < draft.body.index("Poor you.")
    assert draft.to_check == ("The key is a matter for tonight at home.",)
    assert "left my key at home" in asked
    assert applied() == 0


@pytest.mark.parametrize(
    "sentence",
    [
        "I will be there by 3:30.",
        "We agree.",
        "That works for me.",
        "Look at https://evil.example/pay now.",
        "Write to eve@evil.example instead.",
        "x" * 401,
        "Odd \x1b[31m sentence.",
    ],
)
def test_a_promise_or_a_link_is_left_out(sample: SourceSpec, locked_out: str, sentence: str) -> None:
    draft, _ = drafted(sample, locked_out, ["Poor you.", sentence])
    assert sentence not in draft.body
    assert draft.withheld == 1
    assert "Poor you." in draft.body


@pytest.mark.parametrize(
    "sentence",
    ["The train is at 17:45.", "Is Thursday better?", "It costs 900 euros.", "Ask Henrik about it."],
)
def test_what_stands_nowhere_is_marked(sample: SourceSpec, locked_out: str, sentence: str) -> None:
    draft, _ = drafted(sample, locked_out, ["Poor you.", sentence])
    assert f"[check] {sentence}" in draft.body
    assert draft.to_check == (sentence,)


def test_what_the_message_or_the_user_says_is_not_marked(sample: SourceSpec, locked_out: str) -> None:
    wish = ReplyRequest(answer="Yes, I will come on Thursday at 17:45.")
    draft, asked = drafted(
        sample,
        locked_out,
        ["Yes, I will come on Thursday at 17:45.", "Is 3:30 still right?"],
        wish,
        task="improve",
    )
    assert draft.to_check == ()
    assert draft.withheld == 0
    assert "The owner's own words: Yes, I will come" in asked
    assert "better put" in asked


def test_there_have_to_be_words_to_shorten(sample: SourceSpec, locked_out: str) -> None:
    with pytest.raises(BadArgument, match="nothing to shorten"):
        drafted(sample, locked_out, ["Short."], task="shorten")


@pytest.mark.parametrize("said", ["", "no JSON", '{"sentences": []}', '{"body": "x"}', "[" * 9_000])
def test_what_is_no_reply_is_an_error_with_the_way_without(
    sample: SourceSpec, locked_out: str, said: str
) -> None:
    with pytest.raises(ProviderError) as raised:
        drafted(sample, locked_out, said)
    assert "--no-model" in str(raised.value.hint)


def test_what_the_user_wants_remembered_and_wrote_is_shown_to_the_model(
    sample: SourceSpec, locked_out: str
) -> None:
    memory.remember(App(), "Never use exclamation marks.", said_in="cli")
    try:
        _, asked = drafted(
            sample, locked_out, ["Poor you."], ReplyRequest(tone="formal", length="short", language="de")
        )
    finally:
        memory.forget(App(), 1, said_in="cli")
    assert "The owner asked to remember: Never use exclamation marks." in asked
    assert "a mail that the owner sent" in asked
    assert "Be formal." in asked
    assert "language 'de'" in asked
    assert "At most 2 sentences" in asked


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Ich komme am Donnerstag.", ["Donnerstag"]),
        ("Das Treffen ist klar.", []),
        ("Das kostet 40 €.", ["€", "40"]),
        ("You may march on.", []),
    ],
)
def test_facts_are_found_in_other_languages(sentence: str, found: list[str]) -> None:
    assert facts_not_in("nothing of it", sentence, names=False) == found


def test_the_command_writes_with_the_chosen_model_and_says_what_to_check(
    run: Run, sample: SourceSpec, locked_out: str
) -> None:
    with scripted(writes(["Poor you.", "I will pay 900 euros.", "Is Thursday better?"])):
        shown = run("draft", locked_out, "--demo", "--fields", "body")
        document = json.loads(run("draft", locked_out, "--demo", "--json").out)
        plain = json.loads(run("draft", locked_out, "--demo", "--json", "--no-model").out)
    assert shown.code == 0, shown.err
    assert "[check] Is Thursday better?" in shown.out
    assert "900" not in shown.out
    notes = "\n".join(draft_notes(document))
    assert "something that the conversation does not" in notes
    assert "only you can write that" in notes
    assert "Written by qwen3-4b" in notes
    assert draft_notes(plain) == []
    assert (document["by"], document["withheld"]) == ("qwen3-4b", 1)
    assert plain["by"] == "rules, no model"
    assert run("draft", locked_out, "--demo", "--shorten", "--no-model", "--answer", "x").code == 2


def test_a_draft_in_a_conversation_is_the_models_where_it_helps(sample: SourceSpec) -> None:
    with scripted(writes(["Poor you."])):
        talk = Talk(sample)
        talk.say("search locked out")
        assert "Poor you." in talk.say("draft a reply to 1").text
        own = talk.say("draft a reply to 1 saying On my way.").text
    with scripted(model_server.refuses):
        without = talk.say("draft a reply to 1")
    assert "On my way." in own
    assert "Poor you." not in own
    assert "> Can you come home by 3:30" in without.text
    assert any("did not help" in str(event.get("message")) for event in without.events)


TEMPLATE = """\
---
cohorts: {cohorts}
---
Hello {{{{requester_name}}}},
{{{{ack: max=20_words, grounding=thread}}}}
"""


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Your note about the key at home was read.", "Your note about the key at home was read."),
        ("I will be there.", "nothing to fill ack with"),
        ("See you on Thursday.", "nothing to fill ack with"),
        (" ".join(["word"] * 21) + ".", "at most 20 words"),
    ],
)
def test_the_sentence_slot_of_a_template_is_filled_by_the_model_and_commits_to_nothing(
    sentence: str, said: str, sample: SourceSpec, locked_out: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def can_send(*_: object) -> None:
        """Mail files send nothing; what is made is the same."""

    monkeypatch.setattr("gaia_email.app.services.answering.require_answerable", can_send)
    folder = templates_directory(App())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ack.md").write_text(TEMPLATE.format(cohorts=", ".join(BUILT_IN)))
    with scripted(writes([sentence])):
        shown = run("answer", locked_out, "--template", "ack", "--dry-run", "--maildir", sample.path)
    assert said in shown.out + shown.err
