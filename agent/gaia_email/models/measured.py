"""Weigh a model's answers by measurements of `gaia email eval --models --keep`. Entry: `weights_for`.

The file holds figures of one model with one prompt, on one machine. Another model or prompt counts as unmeasured, with
the cautious default; and no measurement ever lets a model raise confidence, on which autonomy depends.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from gaia_email.models.choice import ModelChoice
from gaia_email.models.prompts import PROMPT_VERSION
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_email_registry.paths import home
from gaia_email_registry.private_file import write_private
from gaia_understanding.cascade.agree import CAUTIOUS, Weights

ENOUGH = 100
"""Minimum number of messages for a meaningful measurement."""

SURE = 0.05
"""The p of McNemar's test below which a difference counts."""

BETTER = Weights(ask_below=0.75)
"""With the model, more verdicts are right: it is asked about more messages."""

WORSE = Weights(ask_below=0.45, alone=0, twice=1)
"""With the model, fewer verdicts are right: it is asked less, and moves a message only if both passes agree."""


class MeasuredModels(BaseModel):
    """The content of `models-measured.json`.

    Attributes:
        only_rules: Messages that the rules alone got right.
        only_agreed: Messages that only the product with the model's answers got right.
        p: McNemar's exact p of the two.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    model: str
    prompt: str
    messages: int
    only_rules: int
    only_agreed: int
    p: float


def measured_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the file."""
    return home(environ) / "email" / "models-measured.json"


def keep(measured: MeasuredModels, environ: Mapping[str, str]) -> Path:
    """Store a measurement, replacing the previous one.

    Raises:
        BadArgument: It covers too few messages.
        ProviderError: It cannot be written.
    """
    if measured.messages < ENOUGH:
        raise BadArgument(
            f"{measured.messages} messages say too little of a model; {ENOUGH} are needed to weigh its word by them."
        )
    path = measured_file(environ)
    try:
        write_private(path, measured.model_dump_json(indent=2).encode())
    except OSError as error:
        raise ProviderError(f"{path} cannot be written: {error.strerror}.") from None
    return path


def weights_for(chosen: ModelChoice, environ: Mapping[str, str]) -> Weights:
    """Return the weights of the chosen model's answers; cautious if it was not measured with this prompt.

    Raises:
        BadArgument: The file cannot be read.
    """
    path = measured_file(environ)
    try:
        found = MeasuredModels.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return CAUTIOUS
    except (OSError, ValidationError):
        raise BadArgument(
            f"{path} cannot be read.", hint="gaia email eval --models --keep writes it anew; or remove it."
        ) from None
    return (
        weights_of(found)
        if (found.model, found.prompt) == (chosen.tiers.get("T2"), PROMPT_VERSION)
        else CAUTIOUS
    )


def weights_of(found: MeasuredModels) -> Weights:
    """Return the weights that a measurement justifies."""
    if found.messages < ENOUGH or found.p >= SURE or found.only_agreed == found.only_rules:
        return CAUTIOUS
    return BETTER if found.only_agreed > found.only_rules else WORSE
