"""The word lists of the cascade: feature → language → phrases. Entry: `tables`.

Phrases are folded (see `phrases.fold`) and separated by `;`. A feature's name says what seeing one of its
phrases suggests, and is used by one rule file only where possible.
"""

from __future__ import annotations

from gaia_email.cascade.phrases import Table


def tables() -> tuple[Table, ...]:
    """Every list; imported here so that start-up does not pay for them."""
    from gaia_email.cascade.lexicon import (
        acts,
        alerts,
        assistant,
        categories,
        deception,
        orders,
        solicitation,
        spam,
        tone,
    )

    return (
        acts.ACTS,
        alerts.ALERTS,
        assistant.ASSISTANT,
        categories.CATEGORIES,
        deception.DECEPTION,
        orders.ORDERS,
        solicitation.SOLICITATION,
        spam.SPAM,
        tone.TONE,
    )
