"""Choose the tiers that judge mail, by the user's settings. Entries: `default_tier`, `models_for_uncertain`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from gaia_email_registry import settings
from gaia_email_registry.extras import install_command
from gaia_email_registry.paths import home
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Tier

if TYPE_CHECKING:
    from gaia_email.triage.uncertain import UncertainMessages


def default_tier(*, summaries: bool = True, lessons: bool = True, environ: Mapping[str, str]) -> Tier:
    """Return the tiers that need no model server: currently tier 0.

    Without `summaries` it makes no one-line summaries; without `lessons` no lesson can change its verdicts.
    `GAIA_AUTHSERV_IDS` names the servers that write Authentication-Results into the user's mail.
    """
    return BuiltinTier(summaries=summaries, lessons=lessons, trusted_servers=settings.authserv_ids(environ))


def has_models(environ: Mapping[str, str]) -> bool:
    """Return True if the user chose a model server, without importing, opening or asking anything."""
    return bool(environ.get("GAIA_MODEL_BASE_URL")) or (home(environ) / "email" / "models.json").exists()


def models_for_uncertain(
    *,
    tell: Callable[[str], None] = lambda said: None,
    keep: bool = True,
    interactive: bool = True,
    ask: bool = True,
    environ: Mapping[str, str],
) -> UncertainMessages | None:
    """Return language models for messages tier 0 is unsure of; None if the user chose none.

    Args:
        tell: Receives messages for a waiting user.
        keep: True to store answers in the ledger; False for temporary mail, such as a demo's.
        interactive: True if a user waits; their model goes before background work.
        ask: True to ask models; otherwise only earlier answers count.
        environ: The environment that the choice is read from.

    Raises:
        BadArgument: The choice cannot be read, or names a host that is not this machine.
    """
    if not has_models(environ):
        return None
    from gaia_email.models.choice import read_choice

    chosen = read_choice(environ)
    if "T2" not in chosen.tiers:
        return None
    if find_spec("openai") is None:
        tell(
            f"A language model is chosen, but not asked: its client is missing. {install_command('models')} adds it."
        )
        return None
    from gaia_email.models.answer_store import LedgerAnswers, MemoryAnswers
    from gaia_email.models.asking import AskingMeans, ModelAsker
    from gaia_email.models.broker import broker_of
    from gaia_email.models.measured import weights_for
    from gaia_email.models.prompts import PROMPT_VERSION
    from gaia_email.triage.uncertain import UncertainMessages

    means = AskingMeans(
        chosen=chosen,
        store=LedgerAnswers(environ) if keep else MemoryAnswers(),
        broker=broker_of(environ),
        interactive=interactive,
        tell=tell,
    )
    models = "+".join(model for _, model in sorted(chosen.tiers.items()))
    return UncertainMessages(
        asker=ModelAsker(means),
        name=f"{models}@{PROMPT_VERSION}",
        weights=weights_for(chosen, environ),
        tell=tell,
        recalls_only=not ask,
    )
