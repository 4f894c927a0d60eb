"""A mail's own word that nothing is to be done, or that it does not matter whether. Entry: `read`.

Told by what is denied and by who is denied to have to do it, so that it need not be one of the phrases of a list. The
sentence that says so is all of one meaning: "no urgent action required by 5" has no hour and asks nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gaia_email.cascade.view import View
from gaia_mail.lazy import lazy_pattern

_READ, _FEW_WORDS = 2_500, 3
_DOING = r"(?:do|act|reply|respond|answer|worry|call|come|write|react|take|change|attend|confirm|follow|bother|lift)"
_DENIED = lazy_pattern(
    r"\b(?:no|nor any) (?:(?!one\b)\w+ ){0,2}?(?:action|response|reply|answer|steps?|intervention|input|follow-?up"
    r"|decision|work|effort|changes?)(?: (?:or \w+|on|from|of|by|at|your|you|part|side|end|is|are|will|be|being|this"
    r"|time|now|currently))* (?:needed|required|necessary|expected|requested|wanted|called for)\b"
    r"|\b(?<!got )(?<!had )(?<!have )(?<!was )(?<!been )(?<!heard )(?<!received )"
    r"(?:no (?:action|response|reply|answer)|nothing)(?: is)? (?:needed |required |expected |necessary )?"
    r"(?:from|on|by|of) (?:you|your|our (?:users|customers))\b"
    r"|\bnothing(?: (?:else|more|further))? (?:for you )?(?:is )?to (?:do|be done|worry about)\b"
    r"|\bnothing (?:that )?you (?:need|have|must|should)(?: to)? do\b|\byou (?:need|have to|must) do nothing\b"
    r"|\bnothing (?:(?:else|more|further) )?(?:is |will be )?(?:needed|required|expected|wanted)\b"
    rf"|\byou (?:do not|don't|needn't|need not|won't|will not|don't even)(?: (?:need|have|having)(?: to)?)? {_DOING}\b"
    rf"|\b(?:there is |there's )?(?:really |absolutely )?no need (?:for you )?to {_DOING}\b"
    r"|\bno need (?:for )?(?:any )?(?:action|reply|answer|response)\b|\bnothing for you\b"
    r"|\bkein(?:e|en)? (?:\w+ )?(?:handlungsbedarf\b|(?:aktion|antwort|reaktion|rückmeldung)\b(?: \w+){0,3}?"
    r" (?:nötig|notwendig|erforderlich|erwartet|gebraucht))"
    r"|\b(?:du|ihr|sie) (?:musst|müsst|müssen|brauchst|braucht|brauchen) nichts\b"
    r"|\baucune (?:action|réponse|démarche)\b(?: [\w']+){0,4}? (?:nécessaire|requise|attendue|demandée)\b"
    r"|\b(?:vous n'avez|tu n'as) rien à\b"
    r"|\bninguna acción\b|\bno (?:hace falta|es necesario) (?:que )?\w+"
    r"|\bnessuna azione\b|\bnon (?:serve|occorre|è necessario) \w+|\bnenhuma ação\b"
    r"|\bgeen (?:actie|antwoord|reactie) (?:nodig|vereist)\b"
)
"""Nothing at all is to be done."""
_TOLD = lazy_pattern(
    r"\b(?:purely|just|only|solely|merely|strictly|simply) (?:for (?:your )?(?:information|awareness|reference)"
    r"|for the record|informational|an? fyi|fyi|to (?:let you know|inform you|keep you (?:posted|informed)))\b"
    r"|\bfor (?:your )?information only\b|\bfor your awareness only\b|\binformational only\b"
    r"|\bjust so you(?: a|'re| k)|\bcarry on (?:as (?:normal|usual|before))\b"
    r"|\b(?:i|we)(?:'ve| have| had)?(?: already| just)? (?:dealt with|taken care of|took care of|handled|sorted"
    r"|settled|got it under control)\b"
    r"|\b(?:it's|it is|that's|everything's|everything is) (?:all )?(?:sorted|taken care of|settled)\b"
    r"|\byou (?:can|may) (?:safely |just |simply )?(?:ignore|disregard|delete)\b"
    r"|\bsimply (?:ignore|delete|disregard) (?:this|it)\b"
    r"|\bnur (?:zur|als|zu (?:deiner|ihrer)) (?:info|information|kenntnis)\w*"
    r"|\b(?:simplement|juste|uniquement) pour (?:info|information|votre information)\b"
    r"|\bsolo para (?:tu|su) información\b|\bsolo per (?:tua|sua)? ?(?:conoscenza|informazione)\b"
    r"|\bter informatie\b"
)
"""It is told for information, or done already."""
_SPARED = lazy_pattern(
    r"\b(?:no (?:longer any )?need (?:for (?:you|anyone|anybody) )?to|(?:you|we|they|nobody|no one)(?: all)?"
    r" (?:do not|don't|needn't|need not|will not|won't|no longer) (?:need |have )?to|you (?:needn't|need not))"
    r" (?!(?:wait|miss|lose|panic)\b)[a-z]{2,}"
    r"|\b(?:du|ihr|sie) (?:musst|müsst|müssen|brauchst|braucht|brauchen) (?:\w+ ){0,4}?(?:nicht|nichts|kein\w*)\b"
    r"|\b(?:pas besoin de|inutile de|no hace falta|no es necesario|non serve|non occorre|non è necessario"
    r"|não precisa|não é preciso|je hoeft|u hoeft)\b"
)
"""Something particular need not be done; whether anything else must is said elsewhere."""
_SUPPOSED = lazy_pattern(
    r"\b(?:until (?!\d|noon|midnight|today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"|if|unless|once|provided|should|except|otherwise|falls|wenn|sofern|sobald|sonst|si|sauf|salvo|se"
    r"|als|tenzij)\b"
)
"""It holds under a condition."""
_TURNS = lazy_pattern(r"\b(?:but|however|though|aber|sondern|mais|pero|però|ma|mas|maar)\b")
"""Behind it, something is wanted after all."""
_ANSWERS = lazy_pattern(r"repl|respon|répon|answer|antwoord|antwort|reage|reaktion|rückmeld|rispo|write|call")
"""Only an answer is spared the reader; what else the sentence says holds."""
_BESIDES = lazy_pattern(
    r"\b(?:just|only|nur|seulement|solo|apenas|alleen) (?!(?:for|so|to|an?|fyi|wanted|letting|keeping|informing"
    r"|zur|pour|para|per|ter)\b)"
    r"|\b(?:please|bitte|merci de|por favor|per favore|graag) (?!(?:ignore|disregard|delete|do not|don't|never"
    r"|be aware|note|ignorier\w*)\b)"
)
"""Behind it, something else may be asked in the same sentence."""
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
    """The words as written: `nothing` is to be done, without a condition; `free` to leave it. Empty without any.

    Attributes:
        spans: Where in the body the sentences stand that say that something need not be done.
        subject: Whether the subject says so.
    """

    nothing: str = ""
    free: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    subject: bool = False

    def cover(self, view: View, words: str) -> bool:
        """Whether words as written stand in such sentences and nowhere else."""
        if not words or not (self.spans or self.subject) or (words in view.subject and not self.subject):
            return False
        place, inside = view.body.find(words), words in view.subject
        while place >= 0:
            if not any(start <= place < end for start, end in self.spans):
                return False
            place, inside = view.body.find(words, place + 1), True
        return inside


NO_WAIVERS = Waivers()


def read(view: View) -> Waivers:
    """What a mail says of how little it wants."""
    nothing, spans = "", list[tuple[int, int]]()
    for index, start in enumerate(view.starts):
        if start > _READ:
            break
        low = view.folded_sentence(index)
        denied = _unconditional(_DENIED, low)
        spared = denied or _unconditional(_SPARED, low)
        if spared is not None and not (_ANSWERS.search(spared[0]) or _BESIDES.search(low, spared.end())):
            spans.append((start, start + len(view.sentences[index])))
        alone = spared if _is_all(view, index) else None
        told = denied or _unconditional(_TOLD, low) or alone
        if told is not None and not nothing:
            nothing = view.sentences[index][told.start() : told.end()]
    denied = _unconditional(_DENIED, view.folded_subject)
    told = denied or _unconditional(_TOLD, view.folded_subject)
    if told is not None and not nothing:
        nothing = view.subject[told.start() : told.end()]
    return Waivers(nothing=nothing, free=_found(_FREE, view), spans=tuple(spans), subject=denied is not None)


def _is_all(view: View, index: int) -> bool:
    """Whether a sentence is all that a mail says, but for a few words."""
    others = (sentence for number, sentence in enumerate(view.sentences) if number != index)
    return all(len(sentence.split()) <= _FEW_WORDS for sentence in others)


def _unconditional(pattern: re.Pattern[str], sentence: str) -> re.Match[str] | None:
    """What denies in a sentence, where nothing in it makes a condition and nothing behind takes it back."""
    match = pattern.search(sentence)
    if match is None or _SUPPOSED.search(sentence) or _TURNS.search(sentence, match.end()):
        return None
    return match


def _found(pattern: re.Pattern[str], view: View) -> str:
    match = pattern.search(view.folded_body, 0, _READ)
    return "" if match is None else view.body[match.start() : match.end()]
