"""Decide if a letter sells something. Entries: `unless_letter`, `sells`.

To put a person's own words away unread is the worst mistake: a letter is not a promotion unless it sells.
"""

from __future__ import annotations

from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.kinds.category import CategoryFinding, primary
from gaia_understanding.cascade.kinds.letters import is_letter, is_passed_on
from gaia_understanding.cascade.traps.spam import TELLING_SCHEMES

_SOLD = ("cat_promotion", "outreach_claim", *sorted(TELLING_SCHEMES))
_CHARS = 1_000
"""The characters in which one phrase of sellers may occur by chance."""
_SHORT = 2_500
"""The most characters of a sales letter to an unknown reader; longer text is an article or a discussion."""
_PLAIN, _SUSPECT = 0.8, 0.3
_NO_MACHINE = 0.49


def unless_letter(
    kind: CategoryFinding, facts: RuleFacts, spam: float, likely: float = 0.0
) -> CategoryFinding:
    """Return the kind, or `primary` for a letter that does not sell."""
    if kind.category != "promotions" or not is_letter(facts) or sells(facts, spam, likely):
        return kind
    return primary(min(kind.machine, _NO_MACHINE))


def sells(facts: RuleFacts, spam: float, likely: float) -> bool:
    """Return True if a letter sells: by its words, or because the learned model says so of a stranger's page.

    Args:
        facts: The letter.
        spam: The likelihood of spam.
        likely: The learned model's likelihood that it sells; 0 if the model was not asked.
    """
    view, length, discussed = facts.view, len(facts.prepared.normalized), facts.lists.discussion
    addressed = (
        "bulk_text" in view.counts and not discussed
    )  # a list tells below every letter how to leave it
    if spam >= _SUSPECT or addressed or view.in_subject("cat_promotion"):
        return True
    phrases = sum(view.count(feature) for feature in _SOLD)
    if phrases > length // _CHARS:
        return True
    known = facts.context.written_to or facts.shares_domain or facts.is_reply or is_passed_on(facts)
    return likely >= _PLAIN and not (known or discussed) and length <= _SHORT
