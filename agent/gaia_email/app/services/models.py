"""Documents of local models and the user's choice. Entries: `describe_models`, `models_chosen`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.document import Count, Document
from gaia_email.models.servers import Where

if TYPE_CHECKING:
    from gaia_email.models.choice import ModelChoice
    from gaia_email.models.choosing import ModelsOverview
    from gaia_email.models.servers import Model, ModelServer


class NamedModel(Document, frozen=True, kw_only=True):
    """A model at an address that the user trusts explicitly."""

    place: str
    model: str


class ChosenModels(Document, frozen=True, kw_only=True):
    """The user's choice: one model per tier, and the trusted ones."""

    address: str | None
    T1: str | None
    T2: str | None
    T3: str | None
    trusted: list[NamedModel]


class FoundServer(Document, frozen=True, kw_only=True):
    """A model server on this machine."""

    server: str
    kind: str
    place: str


class FoundModel(Document, frozen=True, kw_only=True):
    """A model, its location, and the tiers it is chosen for."""

    server: str
    place: str
    model: str
    where: Where
    why: str
    chosen_for: list[str]
    trusted: bool
    context: Count | None


class MissingPart(Document, frozen=True, kw_only=True):
    """A missing part, and the command that installs it."""

    what: str
    command: str


class FoundModels(Document, frozen=True, kw_only=True):
    """The servers on this machine with their models, the user's choice, and what is missing."""

    chosen: ChosenModels
    servers: list[FoundServer]
    models: list[FoundModel]
    missing: list[MissingPart]


def describe_models(found: ModelsOverview) -> FoundModels:
    """Describe the servers that answered, and the user's choice."""
    return FoundModels(
        chosen=models_chosen(found.chosen),
        servers=[
            FoundServer(server=one.title, kind=one.kind, place=one.address.place) for one in found.servers
        ],
        models=[_model(found.chosen, server, model) for server in found.servers for model in server.models],
        missing=[MissingPart(what=what, command=command) for what, command in found.missing],
    )


def models_chosen(chosen: ModelChoice) -> ChosenModels:
    """Describe the user's choice."""
    tiers = chosen.tiers
    return ChosenModels(
        address=None if chosen.address is None else str(chosen.address),
        T1=tiers.get("T1"),
        T2=tiers.get("T2"),
        T3=tiers.get("T3"),
        trusted=[NamedModel(place=one.place, model=one.model) for one in chosen.trusted],
    )


def chosen_for(chosen: ModelChoice, server: ModelServer, model: Model) -> list[str]:
    """Return the tiers that this model is chosen for."""
    if chosen.address is not None and chosen.address.place != server.address.place:
        return []
    return sorted(tier for tier, name in chosen.tiers.items() if name == model.name)


def _model(chosen: ModelChoice, server: ModelServer, model: Model) -> FoundModel:
    return FoundModel(
        server=server.title,
        place=server.address.place,
        model=model.name,
        where=model.where,
        why=model.why,
        chosen_for=chosen_for(chosen, server, model),
        trusted=chosen.trusts(server.address.place, model.name),
        context=model.context,
    )
