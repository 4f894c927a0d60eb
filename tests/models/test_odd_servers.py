"""Replies as local model servers really send them: what is usable is used; what is not is told, not remembered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from gaia_email.models.answer_store import MemoryAnswers
from gaia_email.models.reply_text import answer_in
from tests.models import model_server
from tests.models.model_server import Answer, Chat, ModelServer
from tests.models.stand_ins import constant, doubtful
from tests.models.test_client import ask

JSON = '{"ok":true}'
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"ok": {}}, "required": ["ok"]}


def chunk(delta: object, **more: object) -> dict[str, object]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, **more}]}


def events(*chunks: object, end: str = "\n\n", before: str = "") -> Answer:
    lines = [*(f"data: {json.dumps(one)}" for one in chunks), "data: [DONE]"]
    raw = before + "".join(line + end for line in lines)
    return Answer(raw=raw.encode(), headers={"Content-Type": "text/event-stream"})


def completion(message: object, **more: object) -> Answer:
    return Answer(json={"object": "chat.completion", "choices": [{"index": 0, "message": message}], **more})


NOTHING: list[object] = [None, 7, {}]
ANSWER = chunk({"content": JSON})
USED = {
    "choices null": events(ANSWER, {"choices": None, "usage": None}),
    "choices empty": events({"choices": []}, ANSWER),
    "choices missing": events(ANSWER, {"usage": {"prompt_tokens": None, "completion_tokens": None}}),
    "choices of nothing": events({"choices": NOTHING}, ANSWER),
    "chunk null": events(None, [], "text", ANSWER),
    "delta null": events(chunk(None), ANSWER, chunk(None, finish_reason="stop")),
    "delta missing": events({"choices": [{"index": 0}]}, ANSWER),
    "content null": events(chunk({"role": "assistant", "content": None}), ANSWER),
    "content in parts": events(chunk({"content": [{"type": "text", "text": JSON}]})),
    "usage odd": events(ANSWER, {"choices": [], "usage": {"prompt_tokens": "7", "completion_tokens": -1}}),
    "calls null": events(chunk({"content": JSON, "tool_calls": None})),
    "message in the stream": events({"choices": [{"message": {"content": JSON}}]}),
    "two choices": events(ANSWER, {"choices": [{"index": 1, "delta": {"content": "no"}}]}),
    "carriage returns": events(ANSWER, end="\r\n\r\n"),
    "only carriage returns": events(ANSWER, end="\r\r"),
    "comments": events(ANSWER, before=": ping\n\n: PROCESSING\n\nretry: 10\nid: 1\n\n"),
    "separator in a string": Answer(
        raw='data: {"choices":[{"delta":{"content":"{\\"ok\\":true}","x":"\u2028\x85"}}]}\n\n'.encode()
    ),
    "not streamed": completion({"role": "assistant", "content": JSON}),
    "not streamed, over lines": Answer(
        raw=json.dumps({"choices": [{"message": {"content": JSON}}]}, indent=1).encode()
    ),
    "reasoning alone": events(
        chunk({"content": "", "reasoning_content": JSON}), chunk({}, finish_reason="stop")
    ),
    "reasoning alone, not streamed": completion({"content": None, "reasoning": f"```json\n{JSON}\n```"}),
}


@pytest.mark.parametrize("answer", USED.values(), ids=USED.keys())
def test_an_answer_is_read_whatever_the_server_leaves_out(answer: Answer) -> None:
    (reply,) = ask(ModelServer(pages=model_server.llama_cpp(), chat=lambda _: answer))
    assert (reply.text, reply.is_usable) == (JSON, True)
    assert reply.tokens_in >= 0 and reply.tokens_out >= 0


WRAPPED = (
    f'<think>maybe {{"ok":false}}</think>\n{JSON}',
    f"thoughts whose beginning the template wrote\n</think>\n\n{JSON}",
    f"<think>a <think>b</think> c</think>{JSON}",
    f"<thinking>hm</thinking>\n```json\n{JSON}\n```\nThat is my answer.",
    f"[THINK]hm[/THINK]{JSON}</s>",
    f"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{JSON}<|return|>",
    f"<|channel|>final <|constrain|>json<|message|>{JSON}",
    f"```\n{JSON}\n```",
    f"Sure {{as asked}}:\n~~~\n{JSON}\n~~~\nand again {JSON}",
    f"<think>\n{JSON}",
)


@pytest.mark.parametrize("text", WRAPPED)
def test_the_answer_is_found_behind_thoughts_in_a_fence_and_in_prose(text: str) -> None:
    assert answer_in(text, "", SCHEMA).text == JSON


@pytest.mark.parametrize(
    "text",
    [
        '<think>{"ok":true} or {"ok":false}',
        f"<think>{JSON}</think>nothing more",
        f'{JSON} or rather {{"ok":false}}',
        '{"answer": {"ok":true}} is it',
        f'The answer is {{"broken": yes, "inner": {JSON}}}',
        'I say {"ok":true, "run":"rm"}',
        "I say {}",
        '{"ok":tru',
        "{" * 40_000,
    ],
)
def test_two_answers_other_fields_and_thoughts_are_no_answer(text: str) -> None:
    assert answer_in(text, "", SCHEMA).text == ""


def calls(*parts: dict[str, object]) -> Answer:
    return events(*(chunk({"tool_calls": [part]}) for part in parts))


def part(name: str, arguments: object, **more: object) -> dict[str, object]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


TWO = {
    "no index": calls(part("search", '{"q":1}', id="a"), part("read", '{"q":2}', id="b")),
    "no index, no id": calls(part("search", '{"q":1}'), part("read", '{"q":2}')),
    "same index": calls(part("search", '{"q":1}', id="a", index=0), part("read", '{"q":2}', id="b", index=0)),
    "same index, no id": calls(part("search", '{"q":1}', index=0), part("read", '{"q":2}', index=0)),
    "in parts": calls(
        part("search", '{"q"', id="a", index=0),
        part("", ":1}", index=0),
        part("read", "", id="b", index=1),
        part("read", '{"q":2}', id="b", index=1),
    ),
    "in turn": calls(
        part("search", '{"q"', id="a"),
        part("read", '{"q"', id="b"),
        part("", ":1}", id="a"),
        part("", ":2}", id="b"),
    ),
    "arguments as an object": calls(part("search", {"q": 1}, id="a"), part("read", {"q": 2}, id="b")),
}


@pytest.mark.parametrize("answer", TWO.values(), ids=TWO.keys())
def test_two_calls_stay_two(answer: Answer) -> None:
    (reply,) = ask(ModelServer(pages=model_server.llama_cpp(), chat=lambda _: answer))
    found = [json.loads(one.removesuffix("</tool_call>")) for one in reply.text.split("<tool_call>")[1:]]
    assert found == [{"name": "search", "arguments": {"q": 1}}, {"name": "read", "arguments": {"q": 2}}]


EVENTS = {"Content-Type": "text/event-stream"}
UNUSABLE = {
    "reported an error": Answer(
        raw=b'event: error\ndata: {"error":{"message":"crashed"}}\n\n', headers=EVENTS
    ),
    "reported an error ": Answer(raw=b'data: {"error":"boom"}\n\n', headers=EVENTS),
    "reported an error in": Answer(json={"object": "error", "message": "no such model"}),
    "not an answer of a model": Answer(raw=b"<html>Log in</html>", headers={"Content-Type": "text/html"}),
    "not an answer": Answer(raw=b"data: {nonsense\n\n", headers=EVENTS),
    "an empty answer": Answer(raw=b"", headers=EVENTS),
    "an empty answer. See": completion({"content": None}),
    "wrote thoughts and no answer": events(chunk({"reasoning_content": "Let me see."})),
    "wrote thoughts and": events(chunk({"content": "<think>Let me"}, finish_reason="length")),
    "not with the JSON": events(chunk({"content": "It is urgent, I think."})),
}


@pytest.mark.parametrize(("said", "answer"), UNUSABLE.items(), ids=UNUSABLE.keys())
def test_a_reply_without_an_answer_is_told_and_not_remembered(
    said: str, answer: Answer, tmp_path: Path
) -> None:
    store, messages = MemoryAnswers(), [doubtful(1), doubtful(2)]
    asked = run(messages, lambda _: answer, tmp_path, store)
    assert asked.answers == {}
    assert said.strip() in asked.cost.said
    assert "gaia email models" in asked.cost.said
    assert set(run(messages, constant("informational"), tmp_path, store).answers) == {"k1", "k2"}


def run(messages: Any, chat: Chat, folder: Path, store: MemoryAnswers) -> Any:
    from tests.models.test_asking import run as run_once

    return run_once(messages, chat, folder, store=store)[0]


def test_an_odd_reply_that_is_used_is_told_once(tmp_path: Path) -> None:
    def whole(body: Any) -> Answer:
        raw = constant("urgent")(body).raw or b""
        parts = [json.loads(line[6:]) for line in raw.split(b"\n\n") if line.startswith(b"data: {")]
        said = "".join(each["delta"].get("content", "") for one in parts for each in one["choices"])
        return completion({"content": said})

    asked = run([doubtful(1)], whole, tmp_path, MemoryAnswers())
    assert asked.answers and "answered in one piece" in asked.cost.said
