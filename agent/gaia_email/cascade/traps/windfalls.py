"""A fortune that a stranger offers a share of: an inheritance, a prize, funds to be moved abroad. Entry: `clues`.

Advance-fee fraud is told in a thousand stories. What they share: a sum that nobody gives away, or where it is said to
come from; the reader's help or account; and an appeal to trust, secrecy or God. The three do not come together in
honest letters of strangers.
"""

from __future__ import annotations

from gaia_email.cascade.facts import Facts
from gaia_email.cascade.sender.lookalikes import is_home_of
from gaia_email.cascade.traps.evidence import Evidence
from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.lazy import lazy_pattern

_READ, _MOST_LINKS = 4_000, 3
_MARKS = Literals(
    "million", "billion", "millon", "milion", "mio", ",000", ".000", "000 ", "inherit", "kin", "deceased", "widow",
    "lottery", "beneficiar", "fund", "erbe", "hérit", "heren",
)  # fmt: skip
_CURRENCY = (
    r"(?:us\s?\$|usd?\b|[$€£]|eur(?:os?)?\b|gbp\b|pounds?\b|dollars?\b|united states|american dollars|sterling"
    r"|u\.s\.)"
)
_FORTUNE = lazy_pattern(
    rf"{_CURRENCY}\s?\.?\s?\d[\d.,]*\s?(?:million|billion|milli?ón|millones|millionen|millions|m\b)"
    rf"|{_CURRENCY}\s?\.?\s?\d{{1,3}}(?:[.,]\d{{3}}){{2,}}|\b\d{{1,3}}(?:[.,]\d{{3}}){{2,}}(?:[.,]\d\d)?\s?\(?{_CURRENCY}"
    rf"|\b(?:\d[\d.,]*|\w+)\s?(?:million|billion|millones|millionen|millions)\b[^.!?]{{0,40}}?{_CURRENCY}"
)
_ORIGIN = lazy_pattern(
    r"\bnext[- ]of[- ]kin\b|\binherit\w*|\b(?:my|our|the|of) late (?:\w+ )?(?:husband|father|mother|wife|president|head"
    r"|client|general|chief|dr|mr|engr)\b|\b(?:widow|wife|son|daughter) (?:of|to) (?:the )?late\b|\bdeceased\b"
    r"|\bdied\b[^.!?]{0,60}\b(?:crash|accident|cancer|illness|intestate|poison|war|without)\b|\bkilled (?:by|in)\b"
    r"|\b(?:dormant|unclaimed|abandoned|domiciliary|suspense) (?:\w+ )?(?:account|fund|deposit|sum)s?\b"
    r"|\bover[- ]?invoic\w+|\bcontract (?:review|award|sum|payment)\b|\b(?:trunk|consignment|metal) box\w*"
    r"|\b(?:security|finance|vault) (?:company|firm)\b|\bbeneficiary\b|\blottery\b|\bjackpot\b|\bsweepstakes?\b"
    r"|\bfor (?:charity|the less privileged|the work of god)\b|\bforeign (?:account|partner|contractor)\b"
    r"|\b(?:political|civil) (?:crisis|unrest|asylum|war)\b|\brefugees?\b|\berbschaft\b|\bnachlass\b|\bhéritage\b"
    r"|\bherencia\b|\beredità\b"
)
_HELP = lazy_pattern(
    r"\byour (?:kind |urgent |full |utmost |sincere |maximum )?(?:assistance|co-?operation|partnership|consent|custody"
    r"|bank account|account|bank details|help in|indication of interest|willingness|capability)\b"
    r"|\b(?:assist|help) (?:me|us|my family)\b|\b(?:great |of )assistance\b|\bon (?:my|our|your) behalf\b|\bstand as\b"
    r"|\b(?:transfer|move|remit|invest|secure|receive|claim|release)\w*\b[^.!?]{0,60}\b(?:fund|money|sum|amount|account"
    r"|overseas|abroad|country|custody|prize|winning)s?\b"
    r"|\b(?:business|mutual) (?:proposal|relationship|transaction|benefit)\b"
    r"|\bihre (?:hilfe|unterstützung)\b|\bvotre (?:aide|assistance)\b|\bsu ayuda\b"
)
_TRUST = lazy_pattern(
    r"\b(?:strict(?:est)?|utmost|absolute|complete|full)\w* (?:\w+ )?(?:confiden|secre|trust|private)\w*"
    r"|\bin confidence\b|\bconfidential\w*\b|\b(?:top )?secret\b|\btrust ?worthy\b|\bhonest (?:and|person|partner)\b"
    r"|\bgod\b|\bin the lord\b|\balmighty\b|\b(?:as|be|with) (?:a |great )?surprise\b|\bsurprising to you\b"
    r"|\b(?:do not|don't) know (?:me|you|each)\b|\brisk[- ]?free\b"
    r"|\burgent (?:reply|response|business|assistance|help)\b|\bsolicit\w*\b|\b(?:betray|expose)\b"
    r"|\bvertraulich\w*|\bconfidentiel\w*|\bconfianza\b"
)


def clues(facts: Facts) -> list[Evidence]:
    """The offer in its own words; nothing from who had an answer, from a mailing, or from the house."""
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
