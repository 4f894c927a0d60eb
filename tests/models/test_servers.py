"""Which model servers are found, in which order, and what each says about where its models run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gaia_email.models.address import ModelServerAddress
from gaia_email.models.refused import GuardRefused
from gaia_email.models.servers import USUAL, find, prove
from tests.models import model_server
from tests.models.model_server import Answer, ModelServer, serving


@pytest.mark.parametrize(
    ("pages", "kind", "version"),
    [
        (model_server.lemonade(("Qwen3-4B-GGUF", "llamacpp")), "lemonade", "9.1.4"),
        (model_server.llama_cpp(), "llama.cpp", "b8681"),
        (model_server.ollama({"qwen3:4b": model_server.LOCAL_TAG}), "ollama", "0.12.6"),
        (model_server.lm_studio("qwen3-4b"), "lmstudio", ""),
        ({"/v1/models": {"object": "list", "data": [{"id": "x"}]}}, "other", ""),
    ],
)
def test_each_server_is_told_by_what_it_answers(pages: dict[str, Any], kind: str, version: str) -> None:
    async def run() -> None:
        async with serving(ModelServer(pages=pages)) as server:
            (found,) = await find(server.address)
            assert (found.kind, found.version) == (kind, version)
            assert len(found.models) == 1

    asyncio.run(run())


def test_what_is_no_model_server_is_not_found() -> None:
    async def run() -> None:
        async with serving(ModelServer(pages={"/": {"hello": 1}})) as server:
            assert await find(server.address) == []
        assert await find(server.address) == []

    asyncio.run(run())


def test_servers_that_hang_keep_no_other_from_being_found_in_the_order_of_their_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hanging = {
        path: Answer(hangs=True)
        for path in ("/props", "/v1/models", "/api/version", "/api/v1/health", "/api/v0/models")
    }

    # Long enough for the two that answer while other tests hold the processors, short for the two that never do.
    monkeypatch.setattr("gaia_email.models.servers.PROBE_S", 2.0)

    async def run() -> None:
        async with (
            serving(ModelServer(pages=hanging)) as silent,
            serving(ModelServer(pages=hanging)) as silent_too,
            serving(ModelServer(pages=model_server.lm_studio("a"))) as last,
            serving(ModelServer(pages=model_server.llama_cpp())) as first,
        ):
            places = [one.address for one in (silent, first, silent_too, last)]
            found = await find(usual=places)
            assert [one.kind for one in found] == ["llama.cpp", "lmstudio"]
            assert silent.asked and silent_too.asked

    asyncio.run(run())


def test_the_usual_places_are_those_of_the_four_servers() -> None:
    assert [(one.port, one.api) for one in USUAL] == [
        (13305, "/api/v1"),
        (8000, "/api/v1"),
        (8080, "/v1"),
        (11434, "/v1"),
        (1234, "/v1"),
    ]


def where(pages: dict[str, Any], name: str) -> str:
    async def run() -> str:
        async with serving(ModelServer(pages=pages)) as server:
            (found,) = await find(server.address)
            return (await prove(found, name)).where

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("pages", "name", "expected"),
    [
        (model_server.lemonade(("a", "llamacpp"), ("b", "cloud")), "a", "here"),
        (model_server.lemonade(("a", "llamacpp"), ("b", "cloud")), "b", "elsewhere"),
        (model_server.lemonade(("a", "flm"), ("a", "openai-cloud")), "a", "elsewhere"),
        (model_server.lemonade(("a", "a-recipe-of-tomorrow")), "a", "elsewhere"),
        (model_server.lemonade(("a", "")), "a", "unknown"),
        (model_server.lemonade(("a", "llamacpp")), "not-there", "unknown"),
        (model_server.llama_cpp("/m/x.gguf"), "qwen3-4b", "here"),
        (model_server.llama_cpp(""), "qwen3-4b", "unknown"),
        (model_server.llama_cpp("https://models.example/x.gguf"), "qwen3-4b", "unknown"),
        (model_server.ollama({"q": model_server.LOCAL_TAG}), "q", "here"),
        (model_server.ollama({"q": model_server.CLOUD_TAG}), "q", "elsewhere"),
        (
            model_server.ollama({"gpt-oss:120b-cloud": model_server.LOCAL_TAG}),
            "gpt-oss:120b-cloud",
            "elsewhere",
        ),
        (
            model_server.ollama({"mine": {**model_server.LOCAL_TAG, "remote_model": "gpt-oss:120b"}}),
            "mine",
            "elsewhere",
        ),
        (model_server.ollama({"q": {"details": {}}}), "q", "unknown"),
        (model_server.lm_studio("a"), "a", "unknown"),
        ({"/v1/models": {"data": [{"id": "gateway"}]}}, "gateway", "unknown"),
    ],
)
def test_a_model_runs_here_only_when_its_server_says_so(
    pages: dict[str, Any], name: str, expected: str
) -> None:
    assert where(pages, name) == expected


def test_garbage_in_place_of_lists_is_no_proof() -> None:
    wrong: tuple[Any, ...] = (
        [],
        1,
        "x",
        None,
        {"data": {"id": 1}},
        {"data": [1, None, {"id": 3, "recipe": 7}]},
    )
    for broken in wrong:
        pages = {**model_server.lemonade(), "/api/v1/models": broken}
        assert where(pages, "a") == "unknown"


def test_a_server_of_the_user_that_lies_elsewhere_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def elsewhere(address: ModelServerAddress) -> object:
        raise GuardRefused(
            "The model server's connection ends at 192.0.2.1, not on this machine; nothing was sent."
        )

    monkeypatch.setattr("gaia_email.models.guard.connect", elsewhere)
    with pytest.raises(GuardRefused, match="not on this machine"):
        asyncio.run(find(ModelServerAddress(host="127.0.0.1", port=9)))
