"""One question to one model: proof before mail, forms that are learned, broken and endless answers."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.models.choice import ModelChoice, TrustedModel
from gaia_email.models.client import ModelClient, ModelQuestion, ModelReply, QuestionTooLarge, Unanswered
from gaia_email.models.refused import GuardRefused
from gaia_email.models.servers import find
from tests.models import model_server
from tests.models.model_server import Answer, ModelServer, serving, streamed

SECRET = "the mail's own words"
QUESTION = ModelQuestion(
    system="Sort.",
    user=SECRET,
    name="sorted",
    schema={"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]},
    most_tokens=64,
)


def ask(
    server: ModelServer,
    model: str = "qwen3-4b",
    *,
    trusted: bool = False,
    call_s: float = 5.0,
    times: int = 1,
) -> list[ModelReply]:
    async def run() -> list[ModelReply]:
        async with serving(server):
            (found,) = await find(server.address)
            trust = (TrustedModel(place=found.address.place, model=model),) if trusted else ()
            async with ModelClient(found, model, ModelChoice(trusted=trust), call_s=call_s) as client:
                return [await client.ask(QUESTION) for _ in range(times)]

    return asyncio.run(run())


def says(text: str) -> Callable[[Any], Answer]:
    return lambda _: streamed(text)


def in_turn(*answers: Answer) -> Callable[[Any], Answer]:
    left = list(answers)
    return lambda _: left.pop(0)


def test_an_answer_comes_with_what_it_took() -> None:
    server = ModelServer(pages=model_server.llama_cpp(), chat=says('{"ok":true}'))
    (reply,) = ask(server)
    assert reply.text == '{"ok":true}'
    assert (reply.tokens_in, reply.tokens_out) == (11, 7)
    assert reply.sent == len(server.asked[-1].body)
    (sent,) = server.chats
    assert sent["response_format"]["json_schema"]["schema"] == QUESTION.schema
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}


def test_without_the_servers_count_tokens_are_estimated() -> None:
    server = ModelServer(pages=model_server.llama_cpp(), chat=lambda _: streamed('{"ok":true}', usage=False))
    (reply,) = ask(server)
    assert (reply.tokens_in, reply.tokens_out) == (-(-len(QUESTION.system + SECRET) // 4), 3)


def test_nothing_of_the_environment_goes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "sk-of-the-user")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://192.0.2.1:3128")
    server = ModelServer(pages=model_server.llama_cpp(), chat=says('{"ok":true}'))
    ask(server)
    assert server.chats
    for one in server.asked:
        assert set(one.headers) <= {"host", "accept", "content-type", "content-length", "connection"}
        assert "sk-of-the-user" not in str(one)


@pytest.mark.parametrize(
    ("pages", "model"),
    [
        (model_server.lemonade(("gpt-oss-120b", "cloud")), "gpt-oss-120b"),
        (model_server.ollama({"gpt-oss:120b-cloud": model_server.CLOUD_TAG}), "gpt-oss:120b-cloud"),
        (model_server.ollama({"alias": model_server.CLOUD_TAG}), "alias"),
        (model_server.lm_studio("a"), "a"),
        ({"/v1/models": {"data": [{"id": "gateway"}]}}, "gateway"),
    ],
)
def test_a_model_that_is_not_proved_to_run_here_is_shown_no_mail(pages: dict[str, Any], model: str) -> None:
    server = ModelServer(pages=pages, chat=says('{"ok":true}'))
    with pytest.raises(GuardRefused, match="is not shown mail") as refused:
        ask(server, model)
    assert refused.value.hint and f"gaia email models trust {model}" in refused.value.hint
    assert not server.holds(SECRET)


def test_trust_by_name_lets_that_model_read_and_no_other() -> None:
    server = ModelServer(pages=model_server.lm_studio("a", "b"), chat=says('{"ok":true}'))
    assert ask(server, "a", trusted=True)

    async def other() -> None:
        async with serving(server):
            (found,) = await find(server.address)
            trust = (TrustedModel(place=found.address.place, model="a"),)
            async with ModelClient(found, "b", ModelChoice(trusted=trust)) as client:
                await client.ask(QUESTION)

    before = len(server.chats)
    with pytest.raises(GuardRefused):
        asyncio.run(other())
    assert len(server.chats) == before


def test_a_list_that_changes_after_the_probe_is_noticed_before_the_next_mail() -> None:
    shown = {"q": model_server.LOCAL_TAG}
    server = ModelServer(pages=model_server.ollama(shown), chat=says('{"ok":true}'))

    async def run() -> None:
        async with serving(server):
            (found,) = await find(server.address)
            async with ModelClient(found, "q", ModelChoice()) as client:
                await client.ask(QUESTION)
                shown["q"] = model_server.CLOUD_TAG
                with pytest.raises(GuardRefused, match="forwards it"):
                    await client.ask(QUESTION)

    asyncio.run(run())
    assert len(server.chats) == 1


def test_a_redirect_is_not_followed() -> None:
    async def run() -> tuple[ModelServer, ModelServer]:
        async with serving(ModelServer(pages=model_server.llama_cpp(), chat=says("{}"))) as other:
            target = f"{other.address.base_url}/chat/completions"
            for status in (301, 302, 303, 307, 308):
                moved = Answer(status=status, json={}, headers={"Location": target})
                server = ModelServer(pages=model_server.llama_cpp(), chat=in_turn(moved))
                async with serving(server):
                    (found,) = await find(server.address)
                    async with ModelClient(found, "qwen3-4b", ModelChoice()) as client:
                        with pytest.raises(GuardRefused, match="redirect"):
                            await client.ask(QUESTION)
            return server, other

    server, other = asyncio.run(run())
    assert server.chats and not other.asked


def test_a_form_that_a_server_refuses_is_not_tried_twice() -> None:
    def chat(body: Any) -> Answer:
        if body.get("response_format", {}).get("type") == "json_schema":
            return Answer(status=400, json={"error": {"message": "response_format json_schema is unknown"}})
        return streamed('{"ok":true}')

    server = ModelServer(pages=model_server.llama_cpp(), chat=chat)
    ask(server, times=2)
    forms = [body["response_format"]["type"] for body in server.chats]
    assert forms == ["json_schema", "json_object", "json_object"]
    assert server.chats[1]["response_format"]["schema"] == QUESTION.schema


def test_a_server_without_any_form_is_told_the_schema_in_words() -> None:
    def chat(body: Any) -> Answer:
        if "response_format" in body:
            return Answer(status=422, json={"detail": "extra field"})
        return streamed('{"ok":true}')

    server = ModelServer(pages=model_server.llama_cpp(), chat=chat)
    ask(server)
    assert '"required": ["ok"]' in server.chats[-1]["messages"][0]["content"]


def test_a_template_that_knows_no_thinking_is_not_told_of_it_again() -> None:
    def chat(body: Any) -> Answer:
        if "chat_template_kwargs" in body:
            return Answer(status=400, json={"error": {"message": "unknown field chat_template_kwargs"}})
        return streamed('{"ok":true}')

    server = ModelServer(pages=model_server.llama_cpp(), chat=chat)
    ask(server, times=2)
    assert len(server.chats) == 3
    assert all("response_format" in body for body in server.chats)


def test_a_question_beyond_the_context_says_how_long_it_is() -> None:
    error = {
        "code": 400,
        "type": "exceed_context_size_error",
        "message": "request exceeds the available context size",
        "n_ctx": 512,
    }
    server = ModelServer(
        pages=model_server.llama_cpp(), chat=lambda _: Answer(status=400, json={"error": error})
    )
    with pytest.raises(QuestionTooLarge) as refused:
        ask(server)
    assert refused.value.context == 512
    assert len(server.chats) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failing_server_is_asked_once_more(status: int) -> None:
    failed = Answer(status=status, json={"error": {"message": "busy"}})
    server = ModelServer(pages=model_server.llama_cpp(), chat=in_turn(failed, streamed('{"ok":true}')))
    assert ask(server)[0].text == '{"ok":true}'
    server = ModelServer(pages=model_server.llama_cpp(), chat=lambda _: failed)
    with pytest.raises(Unanswered, match=str(status)):
        ask(server)
    assert len(server.chats) == 2


def test_a_connection_that_breaks_halfway_is_tried_once_more() -> None:
    broken = Answer(raw=b'data: {"choices"', breaks=True)
    server = ModelServer(pages=model_server.llama_cpp(), chat=lambda _: broken)
    with pytest.raises(Unanswered):
        ask(server)
    assert len(server.chats) == 2


def test_an_answer_that_its_own_server_cannot_read_counts_as_empty_and_is_not_asked_for_again() -> None:
    error = {
        "error": {"code": 500, "message": "The model produced output that does not match the expected format"}
    }
    raw = f"data: {json.dumps(error)}\n\n".encode()
    cut = Answer(raw=raw, headers={"Content-Type": "text/event-stream"})
    server = ModelServer(pages=model_server.llama_cpp(), chat=lambda _: cut)
    (reply,) = ask(server)
    assert reply.text == ""
    assert len(server.chats) == 1


def test_a_server_that_says_nothing_is_given_up_after_the_deadline() -> None:
    server = ModelServer(pages=model_server.llama_cpp(), chat=lambda _: Answer(hangs=True))
    with pytest.raises(Unanswered, match="did not answer within"):
        ask(server, call_s=0.3)


@pytest.mark.parametrize(
    "endless",
    [
        b'data: {"id":"x","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"aaaaaaaa"}}]}\n\n',
        b": " + b"x" * 4000 + b"\n",
        b"x" * 4096,
    ],
)
def test_an_answer_without_end_is_ended(endless: bytes) -> None:
    answer = Answer(raw=b"", endless=endless, headers={"Content-Type": "text/event-stream"})
    server = ModelServer(pages=model_server.llama_cpp(), chat=lambda _: answer)
    with pytest.raises(Unanswered):
        ask(server, call_s=20.0)


def test_the_library_is_imported_only_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    code = (
        "import sys, gaia_email.models.client, gaia_email.models.servers; sys.exit('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=50, check=False).returncode == 0
