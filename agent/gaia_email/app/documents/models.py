"""The documents of `gaia email models`. Entries: `look_document`, `model_rows`, `models_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.document import Count, Version, clean

if TYPE_CHECKING:
    from gaia_email.models.choice import ModelChoice
    from gaia_email.models.choosing import ModelsOverview
    from gaia_email.models.servers import Model, ModelServer

MODELS_COLUMNS = ("server", "place", "model", "where", "chosen_for", "trusted", "why")


class TrustedRow(TypedDict):
    """A model at an address that the user trusts by name."""

    place: str
    model: str


class ChosenRow(TypedDict):
    """The user's choice: one model a tier, and which are trusted."""

    address: str | None
    T1: str | None
    T2: str | None
    T3: str | None
    trusted: list[TrustedRow]


class ModelServerRow(TypedDict):
    """A model server of this machine."""

    server: str
    kind: str
    place: str


class ModelRow(TypedDict):
    """A model, where it runs, and what it is chosen for."""

    server: str
    place: str
    model: str
    where: Literal["here", "elsewhere", "unknown"]
    why: str
    chosen_for: list[str]
    trusted: bool
    context: Count | None


class MissingRow(TypedDict):
    """What is missing, and the command that gets it."""

    what: str
    command: str


class ModelsDocument(TypedDict):
    """What `models` prints."""

    schema_version: Version
    chosen: ChosenRow
    servers: list[ModelServerRow]
    models: list[ModelRow]
    missing: list[MissingRow]


MODELS_DOCUMENTS: dict[str, object] = {"models": ModelsDocument}


def look_document(found: ModelsOverview, rows: Sequence[ModelRow]) -> ModelsDocument:
    """The servers of this machine, what the user chose, and what is missing, around the rows of `model_rows`."""
    return {
        "schema_version": 1,
        "chosen": models_document(found.chosen),
        "servers": [
            {"server": clean(server.title), "kind": server.kind, "place": clean(server.address.place)}
            for server in found.servers
        ],
        "models": list(rows),
        "missing": [{"what": clean(what), "command": command} for what, command in found.missing],
    }


def model_rows(found: ModelsOverview) -> list[ModelRow]:
    """One row a model."""
    return [_row(found.chosen, server, model) for server in found.servers for model in server.models]


def models_document(chosen: ModelChoice) -> ChosenRow:
    """The user's choice as JSON."""
    return {
        "address": None if chosen.address is None else clean(str(chosen.address)),
        "T1": _chosen_name(chosen, "T1"),
        "T2": _chosen_name(chosen, "T2"),
        "T3": _chosen_name(chosen, "T3"),
        "trusted": [{"place": clean(one.place), "model": clean(one.model)} for one in chosen.trusted],
    }


def _chosen_name(chosen: ModelChoice, tier: Literal["T1", "T2", "T3"]) -> str | None:
    return clean(chosen.tiers[tier]) if tier in chosen.tiers else None


def chosen_for(chosen: ModelChoice, server: ModelServer, model: Model) -> list[str]:
    """The tiers that this model is chosen for."""
    if chosen.address is not None and chosen.address.place != server.address.place:
        return []
    return sorted(tier for tier, name in chosen.tiers.items() if name == model.name)


def _row(chosen: ModelChoice, server: ModelServer, model: Model) -> ModelRow:
    return {
        "server": clean(server.title),
        "place": clean(server.address.place),
        "model": clean(model.name),
        "where": model.where,
        "why": clean(model.why),
        "chosen_for": chosen_for(chosen, server, model),
        "trusted": chosen.trusts(server.address.place, model.name),
        "context": model.context,
    }
