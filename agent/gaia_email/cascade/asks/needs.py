"""Needs that are told and not asked: "I was charged twice", "the report is due tomorrow". Entry: `told`.

Who writes so to one reader wants it put right, or wants the thing in time, though no word asks. What happened to
others, what is settled, and what the writer sees to is no need.
"""

from __future__ import annotations

from gaia_email.cascade.facts import Facts
from gaia_email.cascade.kinds.letters import is_own_word
from gaia_email.extract.requests import RequestSpan
from gaia_mail.lazy import lazy_pattern

_STRENGTH = 0.65
_READ, _SENTENCES = 1_500, 12

_GOODS = (
    r"(?:refund|money|order|parcel|package|delivery|goods|item|payment|replacement|invoice|contract|ticket|tickets"
    r"|confirmation|password|access|salary|pay|deposit|receipt|voucher|keys?|card|certificate|visa|statement|files?)"
)
_UTILITY = (
    r"(?:heating|hot water|running water|water|power|electricity|internet|gas|light|phone line|lift|network)"
)
_HARM = lazy_pattern(
    r"\b(?:i|we|me|us|my|our)\b[^.!?]{0,60}\b(?:charged|billed|debited|invoiced|deducted|taken)\b[^.!?]{0,50}\b(?:twice"
    r"|two times|three times|double|again|too much|wrongly|by mistake|in error|without)\b"
    r"|\b(?:double|doubly|twice|wrongly|over)[ -]?(?:charged|billed|debited) (?:me|us|my|our)\b"
    r"|\b(?:double|duplicate|wrong|incorrect|unauthori[sz]ed|unknown|unexplained"
    r"|unexpected) (?:\w+ )?(?:charges?|payments?"
    r"|debits?|withdrawals?|transactions?|deductions?|bills?|amounts?)\b[^.!?]{0,60}\b(?:my|our|me|us)\b"
    r"|\byou(?:'ve| have)? (?:still |again )?(?:take|took|charge|charged|bill|billed|debit"
    r"|debited)\b[^.!?]{0,60}\b(?:every"
    r"|twice|again|too much|although|after|wrong)\b|\bstill (?:being )?(?:take|charge|charged|bill|billed|debit)\b"
    r"|\b(?:my|our|the|it|they|one)\b[^.!?]{0,40}\b(?:arrived|came|was delivered|were delivered"
    r"|turned up)\b[^.!?]{0,20}"
    r"\b(?:broken|damaged|cracked|empty|torn|wet|incomplete|unusable|in pieces|faulty|defective|smashed)\b"
    rf"|\b(?:my|our) (?:\w+ ){{0,2}}?{_GOODS}\b[^.!?]{{0,30}}\b(?:never (?:came|arrived|turned up|reached)"
    rf"|(?:has|have|is)"
    r" (?:still )?(?:not|never) (?:come|arrived|been)|hasn't (?:come|arrived|been)|haven't (?:come|arrived|been)"
    r"|(?:is|are) (?:still )?missing)\b"
    r"|\b(?:i|we) (?:still )?(?:have not|haven't|did not|didn't|have never|never) (?:yet )?(?:got|gotten|received|get"
    rf"|receive|seen|had) (?:my|our|the|any) (?:\w+ ){{0,2}}?{_GOODS}\b"
    r"|\byou(?:'ve| have)? (?:sent|delivered|shipped|gave|given) (?:me|us) (?:the wrong|a wrong|only|somebody"
    r"|someone)\b"
    rf"|\b(?:there (?:is|has been|was) (?:still )?no|(?:i|we) (?:have|have had) no|(?:i|we) (?:am"
    rf"|are) without) {_UTILITY}\b"
    r"|\b(?:i|we) (?:still )?(?:cannot|can't|can not|could not|couldn't|am unable to|are unable to) (?:log|sign"
    r"|access|get into|open (?:my|our|the (?:file|attachment|link|account)))\b"
    r"|\b(?:charged|taken|debited|deducted)\b[^.!?]{0,40}\b(?:my|our)\b[^.!?]{0,20}\b(?:twice|two times|again|double)\b"
    r"|\b(?:mir|uns|meinem konto|meiner karte)\b[^.!?]{0,60}\b(?:zweimal|doppelt|zu viel"
    r"|zu unrecht) (?:abgebucht|berechnet"
    r"|belastet)\b|\b(?:kam|ist|sind|kamen)\b[^.!?]{0,40}\b(?:beschädigt|kaputt|zerbrochen|defekt) (?:an\b|angekommen)"
    r"|\bdébitée? deux fois\b|\bprélevée? deux fois\b|\bcobr\w+ dos veces\b|\baddebitat\w+ due volte\b"
    r"|\bcobr\w+ duas vezes\b|\b(?:twee keer|dubbel) (?:afgeschreven|betaald|in rekening)\b"
)
_THING = (
    r"(?:reports?|filings?|returns?|applications?|forms?|papers?|figures|slides|drafts?|budgets?|time ?sheets?"
    r"|proposals?"
    r"|reviews?|submissions?|registrations?|renewals?|tenders?|bids?|statements?|declarations?|decks?|presentations?"
    r"|abstracts?|essays?|assignments?|homework|deliverables?|forecasts?|answers?|replies|payments?|permits?|grants?"
    r"|berichte?|anträge|antrag|unterlagen|formulare?|abgabe|rapports?|dossiers?|informes?|relazion[ei]|relatórios?"
    r"|rapporten?)"
)
_SOON = (
    r"(?:today|tonight|tomorrow|in (?:a|one|1) day|in (?:the next )?(?:a few|an|\d{1,2}|two|three|24|48) hours?|within"
    r" (?:a|one|1) day|this (?:morning|afternoon|evening)|at noon|by (?:noon|tonight|end of (?:the )?day|eod)"
    r"|heute|morgen"
    r"|aujourd'hui|demain|hoy|mañana|oggi|domani|hoje|amanhã|vandaag)"
)
_DUE = lazy_pattern(
    rf"(?<!my )\b{_THING}\b(?: (?!my\b)\w+){{0,4}}? (?:is|are|falls?|closes?|must be in|ist|sind|est|sont|vence"
    rf"|scade|é)"
    rf" (?:still )?(?:due |fällig |à rendre )?(?:\w+ ){{0,2}}?{_SOON}\b"
)
_OWN = lazy_pattern(r"^(?:\W*\w+, )?(?:my|mine|mein\w*|mon|ma|mi|mio|mia|meu|minha|mijn)\b")
_SETTLED = lazy_pattern(
    r"\b(?:paid (?:it|me|us|them) back|gave (?:it|me|us) back|refunded|replaced|sent (?:me |us )?(?:a|the) new"
    r"|reimbursed"
    r"|sorted|fixed|solved|settled|resolved|repaired|mended|put right|turned out|found (?:it|them)|all (?:good"
    r"|fine|well)"
    r"|is here now|has (?:since )?arrived|automatically|direct debit|standing order|erstattet|behoben|erledigt"
    r"|remboursé\w*|réglé\w*|devuelto|risolto|rimborsat\w+|resolvido|opgelost|terugbetaald)\b"
)
_SEEN_TO = lazy_pattern(
    r"\b(?:i|i'm|i'll|i've|we|we're|we'll|we've)\b(?: \w+){0,2} (?:done|ready|sent|send|handle|finish\w*|submit\w*"
    r"|filed|filing|on it|take care|taking care|writing|working|nearly|almost|expect|have them|will)\b|\b(?:it"
    r"|that) is (?:done|ready|in)\b"
)


def told(facts: Facts) -> tuple[RequestSpan, ...]:
    """The first sentence of a letter to the reader that tells a need, as one that asks; none where it is settled."""
    view = facts.view
    if not is_own_word(facts) or facts.lists.discussion or _SETTLED.search(view.folded_body, 0, _READ):
        return ()
    for place, start in enumerate(view.starts[:_SENTENCES]):
        folded = view.folded_sentence(place)
        due = _DUE.search(folded) is not None and not (
            _OWN.match(folded) or _SEEN_TO.search(view.folded_body, 0, _READ)
        )
        if start < _READ and (due or _HARM.search(folded) is not None):
            return (
                RequestSpan(
                    text=view.sentences[place],
                    normal=folded,
                    place=place,
                    kind="need",
                    strength=_STRENGTH,
                    plain=" ".join(folded.split()),
                ),
            )
    return ()
