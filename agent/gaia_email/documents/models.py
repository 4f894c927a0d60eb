"""The documents of `gaia email models`. Entries: `look_document`, `model_rows`, `models_document`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email.documents.classify import Json, clean
from gaia_email.models.choice import Chosen
from gaia_email.models.choosing import Look
from gaia_email.models.servers import Model, Server

MODELS_COLUMNS = ("server", "place", "model", "where", "chosen_for", "trusted", "why")


def look_document(found: Look, rows: Sequence[Json]) -> Json:
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


def model_rows(found: Look) -> list[Json]:
    """One row a model."""
    return [_row(found.chosen, server, model) for server in found.servers for model in server.models]


def models_document(chosen: Chosen) -> Json:
    """The user's choice as JSON."""
    return {
        "address": None if chosen.address is None else clean(str(chosen.address)),
        **{tier: clean(chosen.tiers[tier]) if tier in chosen.tiers else None for tier in ("T1", "T2", "T3")},
        "trusted": [{"place": clean(one.place), "model": clean(one.model)} for one in chosen.trusted],
    }


def chosen_for(chosen: Chosen, server: Server, model: Model) -> list[str]:
    """The tiers that this model is chosen for."""
    if chosen.address is not None and chosen.address.place != server.address.place:
        return []
    return sorted(tier for tier, name in chosen.tiers.items() if name == model.name)


def _row(chosen: Chosen, server: Server, model: Model) -> Json:
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
