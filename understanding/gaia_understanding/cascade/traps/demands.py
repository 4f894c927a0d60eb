"""Money demanded by an unknown sender: in secret, to a new place, or out of distress. Entry: `clues`.

The combination gives it away, not the phrases of one story: money to be moved, and a reason that forbids
questions. The number of earlier letters proves nothing; a fraud who gets no answer writes again.
"""

from __future__ import annotations

from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.sender.lookalikes import is_home_of
from gaia_understanding.cascade.traps.evidence import Evidence
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.literal_scanner import Literals

_TABLE = WordTable("gaia_understanding.cascade", "traps/demands.txt")

_READ = 1_500

_MONEY = _TABLE.pattern("money")
_MONEY_MARKS = Literals.from_table(_TABLE, "money_marks")
_SECRET = _TABLE.pattern("secret")
_ELSEWHERE = _TABLE.pattern("elsewhere")
_DISTRESS = _TABLE.pattern("distress", r"\b(?:", r")\b")
_HASTE = _TABLE.pattern("haste", r"\b(?:", r")\b")
_OFFICE = _TABLE.pattern("office", r"\b(?:", r")\b")


def clues(facts: RuleFacts) -> list[Evidence]:
    """Return what is wanted and the reason not to ask; nothing for a correspondent, a mailing or a service."""
    if not _may_be(facts):
        return []
    view = facts.view
    folded = f"{view.folded_subject} . {view.folded_body[:_READ]}"
    text = f"{view.subject} . {view.body[:_READ]}"
    if not _MONEY_MARKS.stand_in(folded):
        return []
    money = _MONEY.search(folded)
    if money is None:
        return []
    secret, elsewhere, distress = _SECRET.search(folded), _ELSEWHERE.search(folded), _DISTRESS.search(folded)
    haste, office = (
        _HASTE.search(folded),
        _OFFICE.search(f"{facts.sender.name.lower()} {facts.sender.address} {folded}"),
    )
    reason = (
        elsewhere
        or (secret if secret and (haste or office) else None)
        or (distress if distress and (haste or secret) else None)
    )
    if reason is None:
        return []
    wants = " ".join(text[money.start() : money.end()].split())
    why = " ".join(text[reason.start() : reason.end()].split())
    return [
        Evidence("ask", 1.9, f"wants money moved: “{wants}”, and: “{why}”"),
        Evidence("claim", 1.3, f"you never wrote to {facts.sender.address}"),
    ]


def wants_money(view: PhraseView) -> bool:
    """Return True if money is to be moved, for anyone and any reason."""
    folded = view.folded_body[:_READ]
    return _MONEY_MARKS.stand_in(folded) and _MONEY.search(folded) is not None


def _may_be(facts: RuleFacts) -> bool:
    """Return True if the sender is unknown, and nothing places them in the user's organisation."""
    who, lists, context = facts.sender, facts.lists, facts.context
    if context.written_to or context.owner_in_thread or not who.domain or is_home_of(who.domain):
        return False
    if lists.bulk or lists.discussion or lists.automatic or lists.service or lists.unsubscribe is not None:
        return False
    return not facts.shares_domain
