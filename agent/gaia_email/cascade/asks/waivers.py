"""A mail's own word that nothing is to be done, or that it does not matter whether. Entry: `read`.

Told by what is denied and by who is denied to have to do it, so that it need not be one of the phrases of a list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gaia_email.cascade.view import View
from gaia_mail.lazy import lazy_pattern

_READ = 2_500
_DOING = r"(?:do|act|reply|respond|answer|worry|call|come|write|react|take|change|attend|confirm|follow|bother|lift)"
_NOTHING = lazy_pattern(
    r"\bno (?:further |immediate |other |additional |specific )?(?:action|response|reply|answer|steps?"
    r"|intervention|input"
    r"|follow-?up|decision|work|effort|changes?)(?: (?:or \w+|on|from|of|by|at|your|you|part|side|end|is|are|will|be"
    r"|being|this|time|now|currently))* (?:needed|required|necessary|expected|requested|wanted|called for)\b"
    r"|\bno (?:further |immediate )?(?:action|response|reply|answer)(?: is)? (?:needed|required|necessary|expected)\b"
    r"|\b(?:no (?:action|response|reply|answer)|nothing)(?: is)? (?:needed |required |expected |necessary )?"
    r"(?:from|on|by|of) (?:you|your|our (?:users|customers))\b"
    r"|\bnothing(?: (?:else|more|further))? (?:for you )?to do\b|\bnothing (?:that )?you (?:need|have|must"
    r"|should)(?: to)? do\b"
    r"|\bnothing (?:is |else is )?(?:needed|required|expected)\b"
    rf"|\byou (?:do not|don't|needn't|need not|won't|will not|don't even)(?: (?:need|have"
    rf"|having)(?: to)?)? {_DOING}\b"
    rf"|\b(?:there is |there's )?(?:really |absolutely )?no need (?:for you )?to {_DOING}\b"
    rf"|\bno need (?:for )?(?:any )?"
    r"(?:action|reply|answer|response)\b"
    r"|\b(?:purely|just|only|solely|merely|strictly|simply) (?:for (?:your )?(?:information|awareness|reference)"
    r"|for the record|informational|an? fyi|fyi|to (?:let you know|inform you|keep you (?:posted|informed)))\b"
    r"|\bfor (?:your )?information only\b|\bfor your awareness only\b|\binformational only\b|\bjust so you(?: a"
    r"|'re| k)"
    r"|\bcarry on (?:as (?:normal|usual|before))\b|\b(?:i|we)(?:'ve| have| had)?(?: already| just)? (?:dealt with"
    r"|taken care"
    r" of|took care of|handled|sorted|settled|got it under control)\b|\byou (?:can|may) (?:safely |just "
    r"|simply )?(?:ignore"
    r"|disregard|delete)\b|\b(?:it's|it is|that's|everything's|everything is) (?:all )?(?:sorted|taken care of"
    r"|settled)\b"
    r"|\bsimply (?:ignore|delete|disregard) (?:this|it)\b|\bnothing for you\b"
    r"|\bkein(?:e|en)? (?:\w+ )?(?:handlungsbedarf|aktion|antwort|reaktion|rückmeldung)\b|\bnur (?:zur|als"
    r"|zu (?:deiner"
    r"|ihrer)) (?:info|information|kenntnis)\w*|\b(?:du|ihr|sie) (?:musst|müsst|müssen|brauchst|braucht"
    r"|brauchen) nichts\b"
    r"|\baucune (?:action|réponse|démarche)\b|\b(?:simplement|juste|uniquement) pour (?:info|information"
    r"|votre information)\b"
    r"|\bvous n'avez rien à\b|\btu n'as rien à\b|\bninguna acción\b|\bno (?:hace falta|es necesario) (?:que )?\w+"
    r"|\bsolo para (?:tu|su) información\b|\bnessuna azione\b|\bnon (?:serve|occorre|è necessario) \w+"
    r"|\bsolo per (?:tua|sua)?"
    r" ?(?:conoscenza|informazione)\b|\bnenhuma ação\b|\bgeen (?:actie|antwoord|reactie) (?:nodig|vereist)\b"
    r"|\bter informatie\b"
)
_TURNS = lazy_pattern(
    r"\b(?:but|however|unless|except|if|until|once|otherwise|though|provided|should|aber|sondern|falls|wenn|sofern"
    r"|mais"
    r"|sauf|si|pero|salvo|ma|però|se|mas|maar|tenzij|als)\b"
)
"""In a sentence with one of these it holds under a condition, or something is wanted after all."""
_FREE = lazy_pattern(
    r"\b(?:no (?:worries|pressure|problem|obligation|big deal|biggie|stress|rush|hurry|drama) (?:at all )?(?:if"
    r"|either way"
    r"|whatsoever)|no (?:pressure|obligation|worries)\b(?=[\s,.!)-]*(?:$|\n))"
    r"|(?:totally|perfectly|completely|absolutely|entirely|quite|also|all|is|it's|that's) (?:fine|ok|okay|good|cool"
    r"|understandable|alright|all right|optional|voluntary|up to you) (?:if|when|to skip|otherwise|either way|too)"
    r"|(?:totally|perfectly|completely|entirely|purely) (?:optional|voluntary|up to you)|(?:is|are"
    r"|it's) (?:optional|voluntary)"
    r"|if you (?:want(?! us| me| to)|feel like|fancy|like|care to|happen to|are (?:around|up for|in the mood"
    r"|interested|bored)"
    r"|'re (?:around"
    r"|up for|in the mood|interested)|have (?:nothing better|a (?:spare )?(?:moment|minute|second)|(?:two|five"
    r"|some) minutes"
    r"|time))|if not,? (?:another|some other|next|no) \w+|if you're too busy|don't worry if|understand if you"
    r"|whenever (?:you (?:like|want|can|feel|have|get)"
    r"|it suits"
    r"|is (?:good|convenient))|(?:wenn|falls) (?:du|sie|ihr) (?:lust|zeit|magst|mögen|wollen|willst)"
    r"|kein problem,? wenn"
    r"|kein muss|ganz (?:entspannt|unverbindlich)|si (?:tu veux|ça te dit|vous voulez|tu as envie)|pas grave si"
    r"|si (?:te apetece|quieres|puedes)|no pasa nada si|se (?:ti va|vuoi|hai voglia)|als je (?:zin|tijd) hebt)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waivers:
    """The words as written: `nothing` is to be done, without a condition; `free` to leave it. Empty without any."""

    nothing: str = ""
    free: str = ""


NO_WAIVERS = Waivers()


def read(view: View) -> Waivers:
    """What a mail says of how little it wants."""
    return Waivers(nothing=_nothing(view), free=_found(_FREE, view))


def _nothing(view: View) -> str:
    for index, start in enumerate(view.starts):
        if start > _READ:
            break
        low = view.folded_sentence(index)
        match = _NOTHING.search(low)
        if match is not None and _TURNS.search(low) is None:
            return view.sentences[index][match.start() : match.end()]
    match = _NOTHING.search(view.folded_subject)
    return "" if match is None else view.subject[match.start() : match.end()]


def _found(pattern: re.Pattern[str], view: View) -> str:
    match = pattern.search(view.folded_body, 0, _READ)
    return "" if match is None else view.body[match.start() : match.end()]
