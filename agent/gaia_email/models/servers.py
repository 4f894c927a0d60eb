"""Find the model servers on this machine, and check that a model runs here. Entries: `find`, `prove`.

A loopback address alone proves nothing: Lemonade and Ollama also list models that run in a cloud. So each model has to
be proved by what its own server reports, and again each time before mail is shown to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import httpx2

from gaia_email.models.address import ModelServerAddress
from gaia_email.models.guard import LocalTransport, Redirected
from gaia_email.models.wire_values import count_of, object_of, objects_of, text_of

ServerKind = Literal["lemonade", "llama.cpp", "ollama", "lmstudio", "other"]
Where = Literal["here", "elsewhere", "unknown"]

NAMES: dict[ServerKind, str] = {
    "lemonade": "Lemonade",
    "llama.cpp": "llama.cpp",
    "ollama": "Ollama",
    "lmstudio": "LM Studio",
    "other": "an OpenAI-compatible server",
}

USUAL = (
    ModelServerAddress(host="127.0.0.1", port=13305, api="/api/v1"),
    ModelServerAddress(host="127.0.0.1", port=8000, api="/api/v1"),
    ModelServerAddress(host="127.0.0.1", port=8080),
    ModelServerAddress(host="127.0.0.1", port=11434),
    ModelServerAddress(host="127.0.0.1", port=1234),
)
"""Default addresses of Lemonade (newer and older), llama.cpp, Ollama and LM Studio, in order."""

PROBE_S = 0.3
"""Seconds for a server to identify itself."""

LIST_S = 5.0
"""Seconds for a server to list its models or to describe one."""

LOCAL_RECIPES = frozenset(
    [
        "llamacpp",
        "whispercpp",
        "flm",
        "ryzenai-llm",
        "oga-cpu",
        "oga-igpu",
        "oga-npu",
        "oga-hybrid",
        "hf-cpu",
        "hf-dgpu",
    ]
)
"""Lemonade's recipes that run a model on this machine; every other one counts as elsewhere."""

_SPEECH = ("whisper", "parakeet", "-transcribe")
_CLOUD = ("-cloud", ":cloud")
_FORMATS = ("gguf", "ggml", "safetensors")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model as its server lists it.

    Attributes:
        why: How `where` is known, as a sentence.
        context: Length of its context in tokens.
        transcribes: True if it transcribes speech, and so cannot answer questions.
    """

    name: str
    where: Where
    why: str
    context: int | None = None
    loaded: bool | None = None
    transcribes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """A server that answered.

    Attributes:
        slots: Number of requests it processes at once; None if unknown.
    """

    kind: ServerKind
    address: ModelServerAddress
    version: str = ""
    models: tuple[Model, ...] = ()
    slots: int | None = None

    @property
    def title(self) -> str:
        """A title such as `Ollama 0.12.3 at http://127.0.0.1:11434/v1`."""
        return f"{NAMES[self.kind]}{' ' + self.version if self.version else ''} at {self.address}"

    def model(self, name: str) -> Model | None:
        """Return the model with this name; None if the server does not list it."""
        return next((model for model in self.models if model.name == name), None)


async def find(
    first: ModelServerAddress | None = None, usual: Sequence[ModelServerAddress] = USUAL
) -> list[ModelServer]:
    """Return the servers that answer, in the order of their addresses; all are asked at once.

    Args:
        first: The address that the user set; None for none.
        usual: The addresses to try if the user set none.

    Raises:
        GuardRefused: The user's address is refused. A refused usual address is skipped.
    """
    if first is not None:
        found = await _ask(first)
        return [] if found is None else [found]
    answers = await asyncio.gather(*(_ask(address) for address in usual), return_exceptions=True)
    return [answer for answer in answers if isinstance(answer, ModelServer)]


async def prove(server: ModelServer, name: str) -> Model:
    """Return what the server reports about one model now; asked each time, because lists change.

    Raises:
        GuardRefused: The server's address is refused.
    """
    async with _client(server.address) as client:
        match server.kind:
            case "ollama":
                return await _shown_by_ollama(client, name)
            case "llama.cpp":
                models = _models_of_llama_cpp(await _json(client, "/props"), None)
                # It runs its one file, whatever name is requested.
                return replace(models[0], name=name) if models else _nothing(name)
            case "lemonade":
                listed = _models_of_lemonade(await _json(client, "/api/v1/models"))
            case _:
                listed = _models_of_any(await _json(client, f"{server.address.api}/models"))
    return next((model for model in listed if model.name == name), _nothing(name))


def _nothing(name: str) -> Model:
    return Model(name=name, where="unknown", why="its server does not list it")


def _client(address: ModelServerAddress) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=LocalTransport(address, connections=6),
        base_url=address.authority,
        trust_env=False,
        follow_redirects=False,
        timeout=LIST_S,
    )


async def _ask(address: ModelServerAddress) -> ModelServer | None:
    async with _client(address) as client:
        paths = ("/api/v1/health", "/props", "/api/version", "/api/v0/models", f"{address.api}/models")
        told = await asyncio.gather(*(_json(client, path, within_s=PROBE_S) for path in paths))
        return await _recognised(client, address, told)


async def _recognised(
    client: httpx2.AsyncClient, address: ModelServerAddress, told: Sequence[object]
) -> ModelServer | None:
    """Identify a server by its answers. Lemonade is checked first, since it also answers as Ollama and as llama.cpp."""
    health, props, version, studio, listed = (object_of(each) for each in told)
    if "model_loaded" in health:
        return ModelServer(
            kind="lemonade",
            address=replace(address, api="/api/v1"),
            version=text_of(health.get("version")),
            models=_models_of_lemonade(
                await _json(client, "/api/v1/models"), text_of(health.get("model_loaded"))
            ),
        )
    if "default_generation_settings" in props:
        return ModelServer(
            kind="llama.cpp",
            address=address,
            version=text_of(props.get("build_info")),
            models=_models_of_llama_cpp(props, listed),
            slots=count_of(props.get("total_slots")),
        )
    if text_of(version.get("version")):
        tags = await _json(client, "/api/tags")
        return ModelServer(
            kind="ollama",
            address=address,
            version=text_of(version["version"]),
            models=_models_of_ollama(tags),
        )
    if any("compatibility_type" in entry for entry in objects_of(object_of(studio).get("data"))):
        return ModelServer(kind="lmstudio", address=address, models=_models_of_any(studio))
    if "data" in listed:
        return ModelServer(kind="other", address=address, models=_models_of_any(listed))
    return None


async def _json(
    client: httpx2.AsyncClient, path: str, body: object = None, *, within_s: float = LIST_S
) -> object:
    """Return the JSON at a path; None for an error, a redirect, another status, or invalid JSON."""
    try:
        async with asyncio.timeout(within_s):
            answer = await (client.get(path) if body is None else client.post(path, json=body))
        return answer.json() if answer.status_code == 200 else None
    except (httpx2.HTTPError, Redirected, TimeoutError, ValueError, RecursionError):
        return None


def _models_of_lemonade(listed: object, loaded: str = "") -> tuple[Model, ...]:
    found: list[Model] = []
    for entry in objects_of(object_of(listed).get("data")):
        name, recipe = text_of(entry.get("id")), text_of(entry.get("recipe"))
        if entry.get("downloaded") is False:
            continue
        where: Where = "here" if recipe in LOCAL_RECIPES else "elsewhere" if recipe else "unknown"
        why = f"Lemonade runs it with the recipe {recipe}" if recipe else "Lemonade names no recipe for it"
        speech = recipe == "whispercpp" or _transcribes(name)
        found.append(Model(name=name, where=where, why=why, loaded=name == loaded, transcribes=speech))
    return _careful(found)


def _models_of_llama_cpp(props: object, listed: object) -> tuple[Model, ...]:
    told = object_of(props)
    if not told:
        return ()
    path = text_of(told.get("model_path"))
    context = count_of(object_of(told.get("default_generation_settings")).get("n_ctx"))
    names = [text_of(entry.get("id")) for entry in objects_of(object_of(listed).get("data"))]
    file = path.replace("\\", "/").rpartition("/")[2]
    name = next(iter(names), "") or text_of(told.get("model_alias")) or file or "the model"
    if name == path:  # the default name
        name = file
    if not path.lower().endswith(".gguf") or "://" in path:
        why = "llama.cpp names no file that it runs"
        return tuple(Model(name=each, where="unknown", why=why, context=context) for each in names or [name])
    why = f"llama.cpp runs it from the file {path.rpartition('/')[2][:80]}"
    return (Model(name=name, where="here", why=why, context=context, loaded=True),)


def _models_of_ollama(tags: object) -> tuple[Model, ...]:
    listed = objects_of(object_of(tags).get("models"))
    return _careful([_ollama_model(text_of(entry.get("name")), entry) for entry in listed])


async def _shown_by_ollama(client: httpx2.AsyncClient, name: str) -> Model:
    shown = object_of(await _json(client, "/api/show", {"model": name}))
    if not shown:
        return _nothing(name)
    info = object_of(shown.get("model_info"))
    lengths = (count_of(value) for key, value in info.items() if key.endswith(".context_length"))
    return replace(_ollama_model(name, shown), context=next(lengths, None))


def _ollama_model(name: str, told: dict[str, object]) -> Model:
    remote = text_of(told.get("remote_host")) or text_of(told.get("remote_model"))
    if remote or name.lower().endswith(_CLOUD):
        why = f"Ollama forwards it to {remote[:80] or 'its cloud'}"
        return Model(name=name, where="elsewhere", why=why)
    form = text_of(object_of(told.get("details")).get("format"))
    if form not in _FORMATS:
        return Model(name=name, where="unknown", why="Ollama names no file that it runs")
    return Model(name=name, where="here", why=f"Ollama runs it from a {form} file and names no other host")


def _models_of_any(listed: object) -> tuple[Model, ...]:
    why = "its server does not say where it runs"
    return tuple(
        Model(
            name=text_of(entry.get("id")),
            where="unknown",
            why=why,
            context=count_of(entry.get("max_context_length")),
            loaded=entry["state"] == "loaded" if "state" in entry else None,
            transcribes=_transcribes(text_of(entry.get("id"))),
        )
        for entry in objects_of(object_of(listed).get("data"))
        if entry.get("type") not in ("embeddings", "embedding")
    )


def _transcribes(name: str) -> bool:
    """Return True if a model transcribes speech, judged by its name, since the API's list does not report it."""
    return any(family in name.lower() for family in _SPEECH)


def _careful(models: Sequence[Model]) -> tuple[Model, ...]:
    """Return each model once; of duplicates, the least trustworthy one."""
    worst: dict[str, Model] = {}
    for model in models:
        if model.name and (model.name not in worst or model.where != "here"):
            worst[model.name] = model
    return tuple(worst.values())
