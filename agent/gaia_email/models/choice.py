"""The models that the user chose and trusts: `models.json` in the data directory. Entry: `read_choice`.

While that file does not exist and GAIA_MODEL_BASE_URL is not set, no model is looked for and nothing is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from gaia_email.models.address import ModelServerAddress, read_address
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_email_registry.paths import ensure_private_directory, home
from gaia_email_registry.private_file import lock_file, write_private

TIERS = ("T1", "T2", "T3")


class TrustedModel(BaseModel):
    """A model at an address that the user lets read mail, although its server does not report that it runs here."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: str
    model: str


class _File(BaseModel):
    """The content of `models.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    address: str = ""
    tiers: dict[str, str] = {}
    trusted: tuple[TrustedModel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """The user's choice.

    Attributes:
        address: The server's address; None to try the usual ones.
        tiers: The model of each of T1, T2 and T3 that has one. Without one for T2 no model is asked.
        trusted: Models that may read mail on the user's word.
    """

    address: ModelServerAddress | None = None
    tiers: Mapping[str, str] = field(default_factory=dict[str, str])
    trusted: tuple[TrustedModel, ...] = ()

    def trusts(self, place: str, model: str) -> bool:
        """Return True if the user trusts this model at this address."""
        return TrustedModel(place=place, model=model) in self.trusted


def choice_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the file."""
    return home(environ) / "email" / "models.json"


def read_choice(environ: Mapping[str, str]) -> ModelChoice:
    """Return the user's choice; GAIA_MODEL_BASE_URL and GAIA_MODEL_T1, _T2 and _T3 override the file.

    Raises:
        BadArgument: The file or a setting cannot be read, or names a host that is not this machine.
    """
    kept = _read(choice_file(environ))
    url = environ.get("GAIA_MODEL_BASE_URL", "").strip() or kept.address
    named = {tier: environ.get(f"GAIA_MODEL_{tier}", "").strip() for tier in TIERS}
    return ModelChoice(
        address=read_address(url) if url else None,
        tiers={tier: name for tier in TIERS if (name := named[tier] or kept.tiers.get(tier, ""))},
        trusted=kept.trusted,
    )


def use(address: ModelServerAddress, tiers: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Store the models to be asked."""
    _change(environ, address=str(address), tiers=dict(tiers))


def use_none(environ: Mapping[str, str]) -> bool:
    """Stop asking models, and return True if one was asked before; trust is kept."""
    before = _read(choice_file(environ))
    if before.tiers or before.address:
        _change(environ, address="", tiers={})
    return bool(before.tiers)


def trust(place: str, model: str, environ: Mapping[str, str]) -> None:
    """Let one model at one address read mail."""
    kept = _read(choice_file(environ)).trusted
    given = TrustedModel(place=place, model=model)
    if given not in kept:
        _change(environ, trusted=(*kept, given))


def distrust(model: str, environ: Mapping[str, str]) -> int:
    """Withdraw trust in a model at every address; return the number of addresses."""
    kept = _read(choice_file(environ)).trusted
    left = tuple(one for one in kept if one.model != model)
    if left != kept:
        _change(environ, trusted=left)
    return len(kept) - len(left)


def _read(path: Path) -> _File:
    try:
        return _File.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return _File()
    except OSError as error:
        raise ProviderError(f"{path} cannot be read: {error.strerror}.") from None
    except ValidationError:
        raise BadArgument(
            f"{path} is damaged; no model is asked.", hint="move it away, then gaia email models use"
        ) from None


def _change(environ: Mapping[str, str], **changed: object) -> None:
    path = choice_file(environ)
    try:
        ensure_private_directory(path.parent)
        with lock_file(path):
            kept = _read(path).model_copy(update=changed)
            write_private(path, (kept.model_dump_json(indent=2) + "\n").encode())
    except OSError as error:
        raise ProviderError(f"{path} cannot be written: {error.strerror}.") from None
