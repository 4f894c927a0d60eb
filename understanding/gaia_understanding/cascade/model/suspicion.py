"""Add the learned view of traps to the rules' own: a flag, or only caution. Entry: `add_suspicion`.

Rules know the tricks; the model knows how such mail sounds if the headers that would give it away are gone.
"""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.sender.lookalikes import is_home_of
from gaia_understanding.cascade.traps import demands
from gaia_understanding.cascade.traps.phishing import is_colleague
from gaia_understanding.cascade.verdict import Suspicion

FLAGGED = 0.75
"""The likelihood from which an unknown sender's mail is flagged.

Fewer than one in a thousand honest messages of unseen kinds reach it.
"""
WITHHELD = 0.4
"""The likelihood from which an unknown sender's mail is not urgent."""
_BACKED, _SEEN = 0.4, 0.3
"""The likelihood that the model needs if the rules see something themselves, and the rules' score for that."""
_FROM, _SPAN = 0.5, 0.45
_HOOKS = frozenset(
    {
        "ask_credentials",
        "own_data",
        "ask_money",
        "ask_gift_card",
        "ask_bank_change",
        "call_back",
        "stranded",
        "staff_data",
    }
    | {"moves_money", "scan_code", "extortion"}
)
_VAGUE = 240
"""The most characters of a threat that does not name what it is about."""
_NUMBERED = lazy_pattern(
    r"\d(?!\d*\s?-?(?:h\b|hrs?\b|hours?|days?|minutes?|stunden?|tagen?|heures?|jours?|horas?|d[ií]as?|ore\b|giorni|uur|dagen))"
)
"""A number that is not a span of time: of an account, an invoice, a sum."""
_REASON = "it reads like known traps"


def add_suspicion(facts: RuleFacts, rules: Suspicion, likely: float) -> Suspicion:
    """Return the rules' judgement, or a flag if the model is sure enough and the sender is not known to be honest."""
    needed = _BACKED if rules.score >= _SEEN else FLAGGED
    if rules.score >= _FROM or likely < needed or not may_be_trap(facts):
        return rules
    score = round(_FROM + _SPAN * (likely - needed) / (1 - needed), 3)
    return Suspicion(score=max(score, rules.score), reasons=(_REASON, *rules.reasons)[:5])


def may_be_trap(facts: RuleFacts) -> bool:
    """Return True if an unknown sender wants to be given something, or to have something opened.

    A trap has a hook.
    """
    if not is_strange(facts):
        return False
    baited = facts.prepared.links or facts.message.attachments or not _HOOKS.isdisjoint(facts.view.counts)
    return bool(baited) or demands.wants_money(facts.view)


def is_strange(facts: RuleFacts) -> bool:
    """Return True if nothing vouches for the sender: the user's own letters, a list, a proof, or a known domain."""
    context, result = facts.context, facts.authentication
    if context.written_to or context.owner_in_thread or facts.lists.discussion:
        return False
    return not (result.trusted and result.dmarc == "pass") and not is_home_of(facts.sender.domain)


def withholds(facts: RuleFacts, likely: float) -> bool:
    """Return True if an unknown sender's mail must not be urgent; `likely` is the likelihood of a trap.

    It may be a trap, or a threat that names nothing: an honest sender who suspends something says which, by a
    number, an amount, an address or a day.
    """
    if likely >= WITHHELD and may_be_trap(facts):
        return True
    view = facts.view
    if not view.has("threat_account") or len(view.body) > _VAGUE or not is_strange(facts):
        return False
    if _NUMBERED.search(view.folded_body):
        return False
    return not facts.entities.dates and not facts.prepared.links and not is_colleague(facts)
