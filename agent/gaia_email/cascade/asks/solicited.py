"""Whether a mail wants its reader to take part in a survey, a draw, a giveaway or the like. Entry: `wish`.

Who is asked for an opinion or promised a prize loses nothing by not answering: the hour named is the asker's own, and
makes nothing urgent.
"""

from __future__ import annotations

from gaia_email.cascade.view import View
from gaia_mail.lazy import lazy_pattern

_SENTENCES = 12

_ASKED = (
    r"(?:surveys?|questionnaires?|polls?|feedback (?:forms?|requests?)|opinion (?:forms?|polls?)|(?:star )?ratings?"
    r"|umfragen?|fragebogen|fragebögen|befragung|sondages?|questionnaires?|enquête de satisfaction|encuestas?"
    r"|cuestionarios?|sondaggi[oe]?|questionari[oe]?|inquéritos?|pesquisas? de satisfação|enquêtes?|vragenlijst)"
)
_DRAWN = (
    r"(?:lotter(?:y|ies)|lotto|raffles?|sweepstakes?|prize draws?|giveaways?|give-aways?|airdrops?|jackpots?"
    r"|competitions?|contests?|tombola|gewinnspiele?|verlosung|loterie|tirage au sort|concours|lotería|sorteos?"
    r"|lotteria|concorso a premi|estrazione|loteria|sorteios?|loterij|prijsvraag|winactie)"
)
_STAKES = (
    r"(?:prizes?|rewards?|winnings?|bonus(?:es)?|tokens?|coins?|airdrops?|jackpots?|btc|bitcoins?|eth|usdt|crypto|nfts?"
    r"|free (?:gift|trip|entry)|gewinn|preis|prämie|gains?|prix|premios?|premio|prémios?|prêmios?|prijs)"
)
_INTO = (
    r"(?:take(?: part in)?|complete|fill (?:in|out)|answer|finish|do|start|respond to|reply to|participate in"
    r"|join|enter|click|open|return|submit|hand in"
    r"|teilnehmen|ausfüllen|beantwort\w+|nehmen sie|répond\w+|rempli\w+|particip\w+"
    r"|rellen\w+|complet\w+|respond\w+|compil\w+|partecip\w+|rispond\w+|preench\w+|invul\w*|vul|beantwoord\w*)"
)
_WISH = lazy_pattern(
    rf"\b{_INTO} (?:\w+ ){{0,6}}?(?:{_ASKED}|{_DRAWN})\b"
    rf"|\b{_ASKED}(?: (?:form|link|request|for \w+))?(?: (?:is|are|will(?: be)?|now|still|has|-)| ?[-–:,])*"
    r" ?(?:clos\w+|ends?|ending|expires?|open|takes?|waiting|pending|schließt|endet)\b"
    rf"|\b(?:vote in|take) (?:\w+ ){{0,3}}?polls?\b|\bpolls? clos\w+"
    rf"|\b(?:claim|redeem|collect|unlock|receive|win|secure|confirm|einlösen|réclam\w+|reclam\w+|riscuot\w+"
    rf"|resgat\w+)\b (?:\w+ ){{0,5}}?(?:{_STAKES}|{_DRAWN})\b"
    rf"|\b(?:crypto|bitcoin|coin|token|nft|cash|visa|green card|online|email|e-mail) {_DRAWN}\b"
    rf"|\b{_DRAWN} (?:entry|entries|ticket|closes|ends|is closing|draw|winner)\b"
    r"|\b(?:coin|token|crypto)\w* (?:pre-?sale|offering|ico)\b|\bpre-?sale of (?:our|the) (?:\w+ )?(?:coin|token)"
    r"|\byour (?:\w+ )?(?:wallet|address|e-?mail|ticket|number|name|entry|account) (?:was|has been|is|were) (?:drawn"
    r"|selected|chosen|picked)\b|\byou(?:'ve| have)?(?: just| been)* (?:won|drawn as|selected to (?:win|receive))\b"
    r"|\b(?:to be|be|still be|are) in (?:with a chance|the draw)\b|\bchance (?:to|of) win"
    r"|\byour (?:opinion|feedback|vote|voice|view) (?:matters|counts|is (?:very |really )?important)\b"
    r"|\b(?:please |kindly )?(?:rate|review) (?:us|our|your (?:\w+ )?(?:stay|visit|order|purchase|experience|trip"
    r"|delivery|call|ride|driver|meal))\b|\bleave (?:us )?an? (?:quick |short )?(?:review|rating)\b"
    r"|\bhow (?:would you rate|likely are you to recommend|did we do|was your (?:\w+ )?(?:stay|visit|order|purchase"
    r"|experience|delivery|ride|meal))\b|\btell us (?:what you think|how we did|about your (?:\w+ )?(?:stay|visit"
    r"|experience))\b|\bihre meinung (?:zählt|ist uns wichtig)\b|\bvotre avis (?:compte|nous intéresse)\b"
    r"|\bsu opinión (?:importa|cuenta)\b|\bla (?:sua|tua) opinione (?:conta|è importante)\b"
    r"|\ba sua opinião (?:conta|importa)\b|\buw mening (?:telt|is belangrijk)\b"
)


def wish(view: View, request: str) -> str:
    """The words as written by which the mail's own wish is to take part; empty where it wants something else.

    The wish is what its main `request` and its subject say; without a request, what its first sentences do.
    """
    match = _WISH.search(view.folded_subject)
    if match is not None:
        return view.subject[match.start() : match.end()]
    for index in range(min(_SENTENCES, len(view.starts))):
        sentence = view.sentences[index]
        if request and sentence != request:
            continue
        match = _WISH.search(view.folded_sentence(index))
        if match is not None:
            return sentence[match.start() : match.end()]
    return ""
