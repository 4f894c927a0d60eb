"""Definitions by a language model: what it is shown, what is checked, and what an obedient one cannot do."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import pytest

from gaia_email_automations.store import AutomationStore
from tests.origins import PERSON

pytest.importorskip("openai")

from gaia_email.app import App
from gaia_email.document import json_of
from gaia_email.ledger import NewLedgerEvent, Selection
from gaia_email_automations.authoring.drafts import AutomationDraft
from gaia_email_automations.draft_documents import describe_draft
from gaia_email_automations.draft_use_cases import DraftWish, propose, propose_to_person, refine
from gaia_email_registry.errors import BadArgument, ProviderError
from tests.chat.scripted_model import scripted
from tests.models.model_server import Answer, Chat, ModelServer, streamed
from tests.plugins.automations.samples import definition, tell

ASKED = "Whatever bob does, let the team know about the outcome of things"
"""A sentence that the grammar does not know."""

REVIEWED = {"summary": "It tells you.", "remarks": [{"topic": "trigger", "says": "Only by hand."}]}
EVE = "eve@evil.example"
Written = Mapping[str, Any] | str


def is_review(body: Any) -> bool:
    return "You read an automation" in body["messages"][0]["content"]


def writes(*answers: Written, reviews: Written = REVIEWED) -> Chat:
    """A model that gives these answers one after another, the last one for ever."""
    left = list(answers)

    def chat(body: Any) -> Answer:
        said = reviews if is_review(body) else left.pop(0) if len(left) > 1 else left[0]
        return streamed(said if isinstance(said, str) else json.dumps(said))

    return chat


def whole(*plan: dict[str, Any], questions: tuple[Any, ...] = (), **more: Any) -> dict[str, Any]:
    return {"definition": definition(*plan, **more), "questions": list(questions)}


def proposed(chat: Chat, words: str = ASKED, **more: Any) -> tuple[AutomationDraft, ModelServer]:
    with scripted(chat) as server:
        return propose(App(), DraftWish(words=words, zone="UTC", **more)), server


def asked_of(server: ModelServer) -> list[str]:
    """What was said to the model, a text a call, without what it is told of the format."""
    return [str(body["messages"][-1]["content"]) for body in server.chats if not is_review(body)]


def saved() -> list[str]:
    with App().ledger(read_only=True) as ledger, ledger.read() as tx:
        return [one.name for one in AutomationStore.of(ledger).all(tx)]


def test_what_the_grammar_does_not_know_the_model_writes_and_nothing_is_saved() -> None:
    draft, server = proposed(writes(whole(tell())))
    assert (draft.by, draft.template.definition["plan"]) == ("qwen3-4b", [tell()])
    (shown,) = asked_of(server)
    assert ASKED in shown
    assert saved() == []


def test_what_the_grammar_knows_no_model_is_asked() -> None:
    draft, server = proposed(writes(whole()), "when a newsletter arrives, archive it")
    assert draft.by == "grammar" and server.chats == []


def test_without_a_model_the_grammar_asks_and_says_what_it_knows() -> None:
    with pytest.raises(BadArgument, match="not understood"):
        propose(App(), DraftWish(words=ASKED))
    draft = propose(App(), DraftWish(words="when an invoice arrives, note it in the sheet and tell me"))
    assert draft.template.missing == ("unclear_1",)


def test_errors_are_told_to_the_model_and_a_mended_answer_is_taken() -> None:
    wrong = whole({"step_id": "fly", "action": "fly", "config": {}})
    draft, server = proposed(writes("no JSON", wrong, whole(tell())))
    assert draft.template.definition["plan"] == [tell()]
    first, second, third = asked_of(server)
    assert "cannot be used" not in first
    assert "no definition" in second
    assert "There is no action 'fly'" in third


def test_after_three_tries_the_person_is_told_why() -> None:
    with pytest.raises(ProviderError, match="no action 'fly'"):
        proposed(writes(whole({"step_id": "fly", "action": "fly", "config": {}})))
    with pytest.raises(ProviderError, match="No question is named 'who'"):
        proposed(writes(whole(tell(text="<<who>>"))))
    with pytest.raises(ProviderError, match="not with the JSON that was asked for") as raised:
        proposed(writes("no JSON"))
    assert "automations propose --help" in str(raised.value.hint)


def test_questions_of_the_model_have_to_be_answered() -> None:
    send = {"to": ["<<team>>"], "subject": "s", "body": "b"}
    question = {"name": "team", "asks": "Who is the team?\x1b[2J", "kind": "email"}
    draft, _ = proposed(
        writes(whole({"step_id": "send", "action": "send_email", "config": send}, questions=(question,)))
    )
    assert draft.template.missing == ("team",)
    title = draft.template.fields["team"]["title"]
    assert title.startswith("Who is the team?") and title.isprintable()
    with pytest.raises(BadArgument):
        draft.template.answer({"team": "nobody"})


def test_a_review_stands_beside_the_checks_and_decides_nothing() -> None:
    draft, _ = proposed(writes(whole(tell())), model="always")
    document = json_of(describe_draft(draft))
    assert document["review"] == {"by": "qwen3-4b", "summary": "It tells you."}
    assert document["checks"][0]["remark"] == "Only by hand."
    assert len(document["checks"]) == 7
    unreadable, _ = proposed(writes(whole(tell()), reviews="fine, save it"), model="always")
    assert describe_draft(unreadable).review is None


def test_a_change_in_words_is_a_patch_of_the_model_and_shown_as_a_difference() -> None:
    patch = [{"op": "replace", "path": "/plan/0/config/text", "value": "Changed."}]
    with scripted(writes(whole(tell()), {"patch": patch, "questions": []})) as server:
        draft = propose(App(), DraftWish(words=ASKED))
        changed = refine(App(), draft.draft_id, words="say it otherwise")
    assert changed.changes == (patch,)
    assert "<<draft" in asked_of(server)[-1]
    assert changed.words == (ASKED, "say it otherwise")


def send_to(address: str) -> dict[str, Any]:
    return {
        "step_id": "send",
        "action": "send_email",
        "config": {"to": [address], "subject": "s", "body": "b"},
    }


HIDING: tuple[dict[str, Any], ...] = (
    whole(send_to(EVE)),
    whole(send_to(EVE.upper())),
    whole(send_to('{{ "eve" ~ "@" ~ "evil.example" }}')),
    whole(send_to('{% set at = "@" %}eve{{ at }}evil.example')),
    whole(
        send_to("{{ inputs.who }}"),
        inputs={"schema": {"properties": {"who": {"type": "string", "default": EVE}}}},
    ),
    whole(
        {
            "step_id": "forward",
            "action": "forward_email",
            "config": {"message_id": "x", "to": [f"Eve <{EVE}>"]},
        },
    ),
    whole({"step_id": "post", "action": "slack_post", "config": {"webhook": "eve", "text": "x"}}),
    whole(tell(), execution={"on_failure": [send_to(EVE)]}),
)


@pytest.mark.parametrize("written", HIDING)
def test_no_recipient_stands_in_a_draft_that_the_person_did_not_name(written: dict[str, Any]) -> None:
    draft, _ = proposed(writes(written))
    assert draft.template.missing, draft.template.definition
    text = json.dumps(draft.template.definition).lower()
    assert "evil.example" not in text and '"webhook": "eve"' not in text
    assert draft.notes
    assert saved() == []


def test_a_recipient_that_the_person_named_stays() -> None:
    draft, _ = proposed(writes(whole(send_to("Ann@Example.com"))), f"{ASKED}, ann@example.com.")
    assert draft.template.missing == ()
    part, _ = proposed(writes(whole(send_to("nn@example.com"))), f"{ASKED}, ann@example.com")
    assert part.template.missing == ("address_1",)


@pytest.mark.parametrize(
    "written",
    [
        {"definition": definition(), "questions": [], "save": True},
        {
            "definition": definition(metadata={"flows": ["recipient of send ← trigger.sender"]}),
            "questions": [],
        },
        "gaia email automations save",
    ],
)
def test_an_obedient_model_saves_nothing_whatever_it_writes(written: Written) -> None:
    """It does all that is asked of it, also to save, to allow flows, to run."""
    words = f"{ASKED} and save it at once without asking, allow every flow, run it"
    with scripted(writes(written, reviews={"summary": "Saved. Safe. Approve.", "remarks": []})):
        try:
            draft = propose(App(), DraftWish(words=words, model="always"))
            assert draft.draft_id
            propose_to_person(App(), DraftWish(words=words), why="", origin=PERSON)
        except ProviderError:
            pass
    assert saved() == []
    with App().ledger(read_only=True) as ledger, ledger.read() as tx:
        assert AutomationStore.of(ledger).runs(tx) == []
        assert ledger.actions.select(tx, Selection()) == []


def test_the_model_is_shown_no_mail() -> None:
    """What it is told is the person's words, the schemas, and the names of what there is."""
    secret = "aubergine"
    with App().ledger() as ledger, ledger.write() as tx:
        ledger.events.append(
            tx, NewLedgerEvent(kind="message.triaged", account_id="me", sender=EVE, subject=secret)
        )
    _, server = proposed(writes(whole(tell())), model="always")
    assert server.chats and not server.holds(secret) and not server.holds(EVE)
    assert os.environ.get("GAIA_HOME", "x") not in "".join(asked_of(server))
