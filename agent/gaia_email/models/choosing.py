"""The user's commands for models: list, choose, trust. Entries: `look`, `choose`, `give_trust`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from gaia_email.models.address import ModelServerAddress, read_address
from gaia_email.models.choice import TIERS, ModelChoice, read_choice, trust, use
from gaia_email.models.servers import NAMES, Model, ModelServer, ServerKind, find, prove
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from gaia_email_registry.extras import install_command

GETS: Mapping[ServerKind, str] = {
    "lemonade": "lemonade pull Qwen3-4B-GGUF",
    "llama.cpp": "llama-server -hf ggml-org/Qwen3-4B-GGUF --port 8080",
    "ollama": "ollama pull qwen3:4b",
    "lmstudio": "lms get qwen/qwen3-4b",
}
"""Each server's command to get a model of four billion parameters, the size T2 is meant for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsOverview:
    """The user's choice, the servers that answered, and what is missing, each with the command that gets it."""

    chosen: ModelChoice
    servers: tuple[ModelServer, ...]
    missing: tuple[tuple[str, str], ...]


async def look(environ: Mapping[str, str]) -> ModelsOverview:
    """Return the servers that answer now, and what is missing before one can be asked.

    Raises:
        MailError: The choice cannot be read, or names an address that is refused.
    """
    chosen = read_choice(environ)
    servers = tuple(await find(chosen.address))
    return ModelsOverview(chosen=chosen, servers=servers, missing=tuple(_missing(chosen, servers)))


def _missing(chosen: ModelChoice, servers: Sequence[ModelServer]) -> list[tuple[str, str]]:
    missing: list[tuple[str, str]] = []
    if find_spec("openai") is None:
        missing.append(("The client for model servers is not installed.", install_command("models")))
    if not servers:
        where = f" at {chosen.address}" if chosen.address else " on this machine"
        missing.append((f"No model server answers{where}; any one of four will do.", ""))
        missing += [(f"With {NAMES[kind]}:", command) for kind, command in GETS.items()]
        return missing
    missing += [
        (f"{server.title} has no model yet.", GETS[server.kind])
        for server in servers
        if not server.models and server.kind in GETS
    ]
    for tier, name in chosen.tiers.items():
        if not any(server.model(name) for server in servers):
            gets = next((GETS[server.kind] for server in servers if server.kind in GETS), "")
            missing.append((f"{name}, chosen for {tier}, is not there.", gets))
    if "T2" not in chosen.tiers and any(server.models for server in servers):
        missing.append(("No model is chosen, so none is asked.", "gaia email models use"))
    return missing


async def choose(name: str, tier: str, at: str, environ: Mapping[str, str]) -> tuple[ModelServer, Model]:
    """Choose a model; without a name, the only one that runs here.

    Raises:
        BadArgument: The client is not installed, or no name was given and there are several.
        NotFound: No server has it.
        NeedsApproval: Its server does not report that it runs here, and the user does not trust it by name.
    """
    if find_spec("openai") is None:
        raise BadArgument(
            "Model servers need a part of gaia-email that is not installed.",
            hint=f"{install_command('models')}, then the same again.",
        )
    server, name = await _holder(name, at, environ)
    chosen, model = read_choice(environ), await prove(server, name)
    if model.where != "here" and not chosen.trusts(server.address.place, name):
        raise NeedsApproval(
            f"{name} was not chosen: {model.why}, so it could be that mail leaves this machine.",
            hint=f"gaia email models trust {name} if you know that it may read your mail",
        )
    tiers = dict(chosen.tiers) if chosen.address in (None, server.address) else {}
    use(server.address, tiers | {tier: name}, environ)
    return server, model


async def give_trust(name: str, at: str, environ: Mapping[str, str]) -> tuple[ModelServer, Model]:
    """Return the model with what its server reports; it is trusted once `store_trust` is called.

    Raises:
        NotFound: No server has it.
    """
    server, name = await _holder(name, at, environ)
    return server, await prove(server, name)


def store_trust(server: ModelServer, model: Model, environ: Mapping[str, str]) -> None:
    """Let this model at this address read mail, whatever its server reports."""
    trust(server.address.place, model.name, environ)


async def _holder(name: str, at: str, environ: Mapping[str, str]) -> tuple[ModelServer, str]:
    address = _address(at, environ)
    servers = await find(address)
    if not servers:
        raise NotFound(
            f"No model server answers{f' at {address}' if address else ' on this machine'}.",
            hint="gaia email models says how to get one",
        )
    if not name:
        return _only(servers)
    for server in servers:
        if server.model(name) is not None:
            return server, name
    there = ", ".join(model.name for server in servers for model in server.models) or "none"
    raise NotFound(
        f"No server here has a model {name[:80]!r}; there are: {there[:400]}.",
        hint=next((GETS[server.kind] for server in servers if server.kind in GETS), ""),
    )


def _address(at: str, environ: Mapping[str, str]) -> ModelServerAddress | None:
    """Return the given address, or else the setting's; the stored choice does not limit the search."""
    url = at or environ.get("GAIA_MODEL_BASE_URL", "").strip()
    return read_address(url) if url else None


def _only(servers: Sequence[ModelServer]) -> tuple[ModelServer, str]:
    local = [
        (server, model)
        for server in servers
        for model in server.models
        if model.where == "here" and not model.transcribes
    ]
    for found in (local, [(server, model) for server, model in local if model.loaded]):
        if len(found) == 1:
            return found[0][0], found[0][1].name
    named = ", ".join(model.name for _, model in local)
    if not named:
        raise NotFound(
            "No server here says of any model that it runs on this machine.",
            hint="gaia email models shows what each says of its own",
        )
    raise BadArgument(f"Several models run here: {named[:400]}.", hint="gaia email models use NAME")


__all__ = ["GETS", "TIERS", "ModelsOverview", "choose", "give_trust", "look", "store_trust"]
