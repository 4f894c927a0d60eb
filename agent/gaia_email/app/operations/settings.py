"""Operations on program-wide settings and on models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.app.services.models import FoundModels
    from gaia_email.ledger.user_settings import EffectiveSettings, SettingName

OnOffOrNot = Literal["", "on", "off"]
ModelName = Annotated[str, Meta(min_length=1, max_length=300, description="As `models` names it.")]
ServerAddress = Annotated[
    str, Meta(max_length=300, description="Address of its server; empty for the usual places.")
]


class ChangeSettingInput(OperationInput, frozen=True, kw_only=True):
    """One thing that is set."""

    page_keys: Annotated[OnOffOrNot, Meta(description="Single letters as keys on the pages.")] = ""
    weekly_look: Annotated[
        OnOffOrNot, Meta(description="Look once a week for new accounts of this machine.")
    ] = ""
    retention_days: Annotated[
        int,
        Meta(
            ge=-1,
            le=99_999,
            description="Days that events and how to undo what was done are kept; 0 for ever, -1 for as it is.",
        ),
    ] = -1


class UseModelInput(OperationInput, frozen=True, kw_only=True):
    """A model, and its tasks."""

    name: ModelName
    tier: Annotated[
        Literal["T1", "T2", "T3"],
        Meta(description="T1 drops what is not worth a look, T2 sorts, T3 sums up."),
    ] = "T2"
    at: ServerAddress = ""


class TrustModelInput(OperationInput, frozen=True, kw_only=True):
    """A model by its name."""

    name: ModelName
    at: ServerAddress = ""


class DistrustModelInput(OperationInput, frozen=True, kw_only=True):
    """A model by its name."""

    name: ModelName


@operation(output="ledger.user_settings.EffectiveSettings", path="GET /v1/email/settings")
def settings(app: App, call: OperationCall[NoInput]) -> EffectiveSettings:
    """List settings of the whole program, each with its source.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.user_settings import settings_now

    return settings_now(app)


@operation(
    output="ledger.user_settings.EffectiveSettings",
    path="PUT /v1/email/settings",
    example={"page_keys": "off"},
    risk="person",
)
def change_setting(app: App, call: OperationCall[ChangeSettingInput]) -> EffectiveSettings:
    """Set one thing for the whole program.

    Raises:
        BadArgument: It is none, or several, or a variable of the environment sets it.
        MailError: The ledger cannot be written.
    """
    from gaia_email.app.services import user_settings

    asked = call.asked
    given: list[tuple[SettingName, float]] = []
    if asked.page_keys:
        given.append(("page_keys", asked.page_keys == "on"))
    if asked.weekly_look:
        given.append(("weekly_look", asked.weekly_look == "on"))
    if asked.retention_days >= 0:
        given.append(("retention_days", asked.retention_days))
    if len(given) != 1:
        raise BadArgument("Change one thing at a time: page_keys, weekly_look, or retention_days.")
    user_settings.change_setting(app, *given[0], actor=call.actor)
    return user_settings.settings_now(app)


@operation(output="models", path="GET /v1/email/models")
def models(app: App, call: OperationCall[NoInput]) -> FoundModels:
    """The language models of this machine, where each runs, and which may read mail.

    Raises:
        MailError: The choice cannot be read, or names a place that is not to be talked to.
    """
    return _models(app)


@operation(output="models", path="POST /v1/email/models/use", example={"name": "qwen3"}, risk="person")
def use_model(app: App, call: OperationCall[UseModelInput]) -> FoundModels:
    """Have a model asked from now on about what the rules are unsure of.

    Raises:
        NotFound: No server of this machine has it.
        NeedsApproval: Its server does not say that it runs here, and it is not trusted.
    """
    import asyncio

    from gaia_email.models.choosing import choose

    asyncio.run(choose(call.asked.name, call.asked.tier, call.asked.at, app.environ))
    return _models(app)


@operation(output="models", path="POST /v1/email/models/trust", example={"name": "qwen3"}, risk="person")
def trust_model(app: App, call: OperationCall[TrustModelInput]) -> FoundModels:
    """Let a model read mail although its server does not say that it runs here: mail may leave this machine.

    Raises:
        NotFound: No server of this machine has it.
    """
    import asyncio

    from gaia_email.models.choosing import give_trust, store_trust

    server, model = asyncio.run(give_trust(call.asked.name, call.asked.at, app.environ))
    if model.where != "here":
        store_trust(server, model, app.environ)
    return _models(app)


@operation(output="models", path="POST /v1/email/models/distrust", example={"name": "qwen3"}, risk="restrain")
def distrust_model(app: App, call: OperationCall[DistrustModelInput]) -> FoundModels:
    """Take trust in a model back: it is shown no mail unless its server says that it runs here.

    Raises:
        NotFound: It was not trusted.
    """
    from gaia_email.models.choice import distrust
    from gaia_email_registry.errors import NotFound

    if not distrust(call.asked.name, app.environ):
        raise NotFound(f"{call.asked.name[:80]} was not trusted.", argument="name")
    return _models(app)


@operation(output="models", path="POST /v1/email/models/off", risk="restrain")
def models_off(app: App, call: OperationCall[NoInput]) -> FoundModels:
    """Ask no model any more; what was answered is kept, and trust too.

    Raises:
        MailError: The choice cannot be written.
    """
    from gaia_email.models.choice import use_none

    use_none(app.environ)
    return _models(app)


def _models(app: App) -> FoundModels:
    import asyncio

    from gaia_email.app.services.models import describe_models
    from gaia_email.models.choosing import look

    return describe_models(asyncio.run(look(app.environ)))
