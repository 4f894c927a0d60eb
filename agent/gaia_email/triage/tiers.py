"""Who judges mail, by the user's settings. Entries: `default_tier`, `models_for_uncertain`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from gaia_email.cascade.builtin_tier import BuiltinTier
from gaia_email.cascade.verdict import Tier
from gaia_email_registry import settings
from gaia_email_registry.extras import install_command
from gaia_email_registry.paths import home

if TYPE_CHECKING:
    from gaia_email.triage.uncertain import UncertainMessages


def default_tier(*, summaries: bool = True, lessons: bool = True, environ: Mapping[str, str]) -> Tier:
    """The tiers that need no model server: today tier 0; without one-line summaries where they are not shown.

    Without `lessons` its verdicts cannot be moved by any.

    `GAIA_AUTHSERV_IDS` names who writes Authentication-Results into the user's mail.
    """
    return BuiltinTier(summaries=summaries, lessons=lessons, trusted_servers=settings.authserv_ids(environ))


def has_models(environ: Mapping[str, str]) -> bool:
    """Whether the user chose a model server. Nothing of it is imported, opened or asked to find out."""
    return bool(environ.get("GAIA_MODEL_BASE_URL")) or (home(environ) / "email" / "models.json").exists()


def models_for_uncertain(
    *,
    tell: Callable[[str], None] = lambda said: None,
    keep: bool = True,
    interactive: bool = True,
    ask: bool = True,
    environ: Mapping[str, str],
) -> UncertainMessages | None:
    """Language models for what tier 0 is unsure of; None where the user chose none.

    Args:
        tell: Given what a person who waits may want to know.
        keep: Whether answers are kept in the ledger; not for mail that is gone afterwards, as a demo's.
        interactive: A person waits; their model comes before that of background work.
        ask: Whether anybody is asked; otherwise what was answered earlier counts, and nothing else.
        environ: Where the choice is looked up.

    Raises:
        BadArgument: The choice cannot be read, or names a place that is not on this machine.
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
