"""Fortunes that an unknown sender offers to share: an inheritance, a prize, funds to move abroad. Entry: `clues`.

Advance-fee fraud tells a thousand stories. They share: a sum that nobody gives away, or its alleged origin;
the reader's help or account; and an appeal to trust, secrecy or God. The three do not come together in honest
letters of unknown senders.
"""

from __future__ import annotations

from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.sender.lookalikes import is_home_of
from gaia_understanding.cascade.traps.evidence import Evidence
from gaia_understanding.prepare.literal_scanner import Literals

_TABLE = WordTable("gaia_understanding.cascade", "traps/windfalls.txt")

_READ, _MOST_LINKS = 4_000, 3
_MARKS = Literals.from_table(_TABLE, "marks")
_FORTUNE = _TABLE.pattern("fortune")
_ORIGIN = _TABLE.pattern("origin")
_HELP = _TABLE.pattern("help")
_TRUST = _TABLE.pattern("trust")


def clues(facts: RuleFacts) -> list[Evidence]:
    """Return the offer in its own words; nothing for correspondents, mailings, or the user's organisation."""
    who, context = facts.sender, facts.context
    if context.written_to or context.owner_in_thread or facts.shares_domain or is_home_of(who.domain):
        return []
    if len(facts.prepared.links) > _MOST_LINKS or (facts.lists.unsubscribe and not facts.lists.discussion):
        return []
    view = facts.view
    folded = f"{view.folded_subject} . {view.folded_body[:_READ]}"
    if not _MARKS.stand_in(folded):
        return []
    offer = _FORTUNE.search(folded) or _ORIGIN.search(folded)
    if offer is None or not _HELP.search(folded) or not _TRUST.search(folded):
        return []
    text = f"{view.subject} . {view.body[:_READ]}"
    said = " ".join(text[offer.start() : offer.end()].split())
    return [
        Evidence("ask", 2.0, f"wants your help with a fortune: “{said}”"),
        Evidence("claim", 1.6, f"you never wrote to {who.address}"),
    ]
