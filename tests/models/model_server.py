"""A scripted model server on loopback, with the ways of the real ones; it keeps every request that it was sent."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from gaia_email.models.address import ModelServerAddress


@dataclass(slots=True, kw_only=True)
class Asked:
    """One request that came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True, kw_only=True)
class Answer:
    """What is sent back: a status and JSON, or raw bytes with or without an end."""

    status: int = 200
    json: Any = None
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hangs: bool = False
    endless: bytes = b""
    breaks: bool = False
    until: threading.Event | None = None
    """Set before the second half of `raw` is sent."""
    sent_at: list[float] = field(default_factory=list[float])
    """When the first half was sent, by `time.perf_counter`."""
    went_on: list[bool] = field(default_factory=list[bool])
    """Whether that was set before 20 seconds were over."""


Chat = Callable[[Any], Answer]


def streamed(text: str, *, usage: bool = True, model: str = "m") -> Answer:
    """An answer as OpenAI streams it."""
    lines: list[dict[str, Any]] = [
        {"model": model, "choices": [{"index": 0, "delta": {"content": part}}]}
        for part in (text[:7], text[7:])
        if part
    ]
    if usage:
        lines.append(
            {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}
        )
    sent = "".join(
        f"data: {json.dumps({'id': 'x', 'object': 'chat.completion.chunk', 'created': 1, 'model': model, **line})}\n\n"
        for line in lines
    )
    return Answer(raw=(sent + "data: [DONE]\n\n").encode(), headers={"Content-Type": "text/event-stream"})


def refuses(_: Any) -> Answer:
    return Answer(status=500, json={"error": {"message": "not scripted"}})


@dataclass(slots=True, kw_only=True)
class ModelServer:
    """Answers GET and POST by path, and chats by `chat`; all that came is in `asked`."""

    pages: dict[str, Any] = field(default_factory=dict[str, Any])
    chat: Chat = refuses
    delay_s: float = 0.0
    asked: list[Asked] = field(default_factory=list[Asked])
    address: ModelServerAddress = field(default_factory=ModelServerAddress)
    open: int = 0
    most_open: int = 0

    @property
    def chats(self) -> list[Any]:
        """The bodies of all chats that came."""
        return [one.json for one in self.asked if one.path.endswith("/chat/completions")]

    def holds(self, text: str) -> bool:
        """Whether any request carried this text, escaped or not."""
        plain, escaped = text.encode(), json.dumps(text)[1:-1].encode()
        return any(
            plain in one.body or escaped in one.body or plain in one.path.encode() for one in self.asked
        )

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (line := await reader.readline()).strip():
                await self._exchange(line, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _exchange(
        self, line: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        method, path, _ = line.decode().split(" ", 2)
        headers: dict[str, str] = {}
        while header := (await reader.readline()).decode().strip():
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        one = Asked(method=method, path=path, headers=headers, body=body)
        self.asked.append(one)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            if self.delay_s and path.endswith("/chat/completions"):
                await asyncio.sleep(self.delay_s)
            await _send(self._answer(one), writer)
        finally:
            self.open -= 1

    def _answer(self, one: Asked) -> Answer:
        if one.path.endswith("/chat/completions"):
            return self.chat(one.json)
        page = self.pages.get(one.path)
        page = page(one) if callable(page) else page
        if page is None:
            return Answer(status=404, json={"error": "not found"})
        return page if isinstance(page, Answer) else Answer(json=page)


async def _send(answer: Answer, writer: asyncio.StreamWriter) -> None:
    if answer.hangs:
        await asyncio.Event().wait()
    body = answer.raw if answer.raw is not None else json.dumps(answer.json).encode()
    head = {"Content-Type": "application/json", **answer.headers}
    if not answer.endless:
        head["Content-Length"] = str(len(body) + 1000 * answer.breaks)
    lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in head.items())]
    half = len(body) if answer.until is None else body.rindex(b"data: ", 0, len(body) // 2)
    answer.sent_at.append(perf_counter())
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body[:half])
    await writer.drain()
    if answer.until is not None:
        answer.went_on.append(await asyncio.to_thread(answer.until.wait, 20))
        writer.write(body[half:])
        await writer.drain()
    if answer.breaks:
        writer.close()
    while answer.endless:
        writer.write(answer.endless)
        await writer.drain()


@asynccontextmanager
async def serving(server: ModelServer, *, socket: str = "", api: str = "/v1") -> AsyncGenerator[ModelServer]:
    """The server listens, at a port that was free or at a Unix socket."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await server._serve(reader, writer)  # pyright: ignore[reportPrivateUsage]

    if socket:
        listening = await asyncio.start_unix_server(serve, socket)
        server.address = ModelServerAddress(socket=socket, api=api)
    else:
        listening = await asyncio.start_server(serve, "127.0.0.1", 0)
        server.address = ModelServerAddress(
            host="127.0.0.1", port=listening.sockets[0].getsockname()[1], api=api
        )
    try:
        yield server
    finally:
        listening.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def lemonade(*models: tuple[str, str], loaded: str | None = None) -> dict[str, Any]:
    """Lemonade's pages: models as (name, recipe)."""
    listed = {
        "object": "list",
        "data": [{"id": name, "recipe": recipe, "downloaded": True} for name, recipe in models],
    }
    return {
        "/api/v1/health": {"status": "ok", "version": "9.1.4", "model_loaded": loaded},
        "/api/v1/models": listed,
        "/api/version": {"version": "0.0.1"},
        "/v1/models": listed,
    }


def llama_cpp(
    path: str = "/models/qwen3-4b.gguf", name: str = "qwen3-4b", n_ctx: int = 8192
) -> dict[str, Any]:
    """llama.cpp's pages."""
    return {
        "/props": {
            "default_generation_settings": {"n_ctx": n_ctx},
            "total_slots": 1,
            "model_path": path,
            "build_info": "b8681",
        },
        "/v1/models": {"object": "list", "data": [{"id": name}]},
    }


LOCAL_TAG: dict[str, Any] = {"details": {"format": "gguf", "family": "qwen3"}}
CLOUD_TAG: dict[str, Any] = {
    "remote_host": "https://ollama.com:443",
    "remote_model": "gpt-oss:120b",
    "details": {"format": ""},
}


def ollama(shown: dict[str, Any]) -> dict[str, Any]:
    """Ollama's pages: what `/api/show` says of each model; it is looked up at every call."""

    def show(one: Asked) -> Any:
        return shown.get(one.json.get("model"))

    def tags(_: Asked) -> Any:
        return {"models": [{"name": name, **told} for name, told in shown.items()]}

    def listed(_: Asked) -> Any:
        return {"object": "list", "data": [{"id": name} for name in shown]}

    return {
        "/api/version": {"version": "0.12.6"},
        "/api/tags": tags,
        "/api/show": show,
        "/v1/models": listed,
    }


def lm_studio(*names: str) -> dict[str, Any]:
    """LM Studio's pages."""
    entry = {"type": "llm", "compatibility_type": "gguf", "state": "not-loaded", "max_context_length": 4096}
    return {
        "/api/v0/models": {"data": [{"id": name, **entry} for name in names]},
        "/v1/models": {"object": "list", "data": [{"id": name} for name in names]},
    }
