"""One question outside the sorting of mail: in free text, through the same guard and lease, and written down."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.app import App
from gaia_email.app.services.status import overall_status
from gaia_email.ledger import open_ledger
from gaia_email.models.choice import use
from gaia_email.models.client import ModelQuestion, ModelReply
from gaia_email.models.one_question import ask_one
from gaia_email.models.refused import GuardRefused
from gaia_email_registry.errors import NotFound
from tests.models import model_server
from tests.models.model_server import ModelServer, serving, streamed

FREE = ModelQuestion(system="Answer.", user="What is on Friday?", name="chat", schema={}, most_tokens=200)


def asked(environ: dict[str, str], pages: dict[str, Any], model: str) -> tuple[ModelReply, ModelServer]:
    async def work() -> tuple[ModelReply, ModelServer]:
        chat = ModelServer(pages=pages, chat=lambda _: streamed("The lease."))
        async with serving(chat) as server:
            use(server.address, {"T2": model}, environ)
            try:
                return await ask_one(FREE, environ, why="a question", account="me@example.org"), server
            except GuardRefused:
                assert not server.chats
                raise

    return asyncio.run(work())


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"GAIA_HOME": str(tmp_path), "HOME": str(tmp_path)}


def test_without_a_schema_the_answer_is_free_text_and_what_left_is_written_down(
    environ: dict[str, str],
) -> None:
    reply, server = asked(environ, model_server.llama_cpp(), "qwen3-4b")
    assert reply.text == "The lease."
    (body,) = server.chats
    assert "response_format" not in body
    assert body["messages"][0]["content"] == "Answer."
    with open_ledger(environ=environ) as ledger, ledger.read() as tx:
        (event,) = ledger.events.since(tx, kind="model.asked")
    assert event.payload["why"] == "a question"
    assert event.payload["bytes"] == reply.sent


def test_a_model_that_runs_elsewhere_is_asked_nothing_and_status_says_so(environ: dict[str, str]) -> None:
    with pytest.raises(GuardRefused) as refused:
        asked(environ, model_server.ollama({"big": model_server.CLOUD_TAG}), "big")
    with open_ledger(environ=environ) as ledger, ledger.read() as tx:
        (event,) = ledger.events.since(tx, kind="model.refused")
    assert event.payload == {"reason": refused.value.message, "why": "a question"}
    assert overall_status(App(environ=environ)).problems == [refused.value.message]


def test_without_a_choice_the_next_step_is_named(environ: dict[str, str]) -> None:
    with pytest.raises(NotFound, match="No language model is chosen"):
        asyncio.run(ask_one(FREE, environ, why="a question"))
