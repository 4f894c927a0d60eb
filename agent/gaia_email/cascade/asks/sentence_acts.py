"""Promises, meetings and proposals, sentence by sentence. Entry: `with_sentences`.

A mail asks for one thing and promises another: each act has its own sentence as evidence, whatever the mail mainly is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gaia_email.cascade.asks.acts import Acts
from gaia_email.cascade.verdict import SpeechAct
from gaia_email.cascade.view import View
from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.lazy import lazy_pattern

SURE, PERFORMED = 0.6, 0.55
"""How likely an act is that a sentence plainly performs, and at least where the model doubts every act."""
_SENTENCES = 25

_WHEN = (
    r"(?:\b(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tues?|wed|thurs?|fri"
    r"|(?:next|this) (?:week|month|morning|afternoon"
    r"|evening|weekend)|later|noon|midday|lunch ?time|january|february|march|april|may|june|july|august|september"
    r"|october"
    r"|november|december|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|demain|lundi|mardi|mercredi"
    r"|jeudi|vendredi"
    r"|mañana|lunes|martes|jueves|viernes|domani)\b|\b\d{1,2}(?::\d\d|\s?(?:am|pm|a\.m|p\.m|uhr|h\b|o'clock))"
    r"|\b\d{1,2}/\d{1,2}\b|\bat \d{1,2}\b|\bon the \d{1,2})"
)
_COMMIT = lazy_pattern(
    r"\b(?:i|we)(?:'?ll| will| shall|'m going to| am going to|'re going to| are going to| promise(?: to| you)?"
    r"| plan to"
    r"| intend to| agree to)(?! (?:not|never|be (?:able|happy|glad|delighted|out|away|in|at|here|there"
    r"|back|on leave|pleased|honou?red"
    r"|busy|sorry)"
    r"|need|like|love|miss|have to|appreciate|assume|admit|say|know|always|regret|believe|understand|want|probably"
    r"|be \w+ing"
    r"|all|lose|die|remember|never)\b)(?: (?:also|then|just|try to|definitely|certainly|gladly|personally|both"
    r"|be sure to))*"
    r" [a-z]{2,}|\byou have my word\b|\byou (?:get|will get|'ll get) (?:it|them|this) from (?:me|us)\b|\bpromised\b"
    r"|\bkeep you (?:posted|updated|informed)\b"
    r"|\b(?:you'll|you will|you should) (?:have|get|receive|hear)\b[^.!?]{0,60}\b(?:from me|from us|by)\b"
    r"|\bconsider it done\b"
    r"|\bwill do\b|\bcount on (?:me|us)\b|\bi(?:'ve| have) (?:put|made) a note to\b|\bleave it (?:to|with) me\b"
    r"|\bi(?:'m| am) on it\b"
    r"|\bich (?:werde|schicke|sende|melde mich|kümmere mich|rufe|bringe|mache)\b|\bje (?:vais|vous envoie|t'envoie"
    r"|m'en occupe)\b"
    r"|\bje (?:vous|te) \w+erai\b|\b(?:te|le|os) (?:envío|enviaré|mando|llamaré)\b|\bme encargo\b|\bti (?:mando"
    r"|invio|chiamo)\b"
)
_MEETING = (
    r"(?:meet(?:ing)?s?|get together|gather(?:ing)?|sit down|catch up|(?:conference |video |phone )?calls?|lunch"
    r"|dinner|breakfast"
    r"|coffee|drinks?|beers?|appointment|interview|visit|workshop|party|session|huddle|demo|presentation|treffen"
    r"|besprechung"
    r"|termin|réunion|rendez-vous|déjeuner|reunión|cita|comida|riunione|pranzo|afspraak|vergadering)"
)
_TALK = (
    r"(?:meet|discuss|talk|speak|chat|catch up|get together|sit down|touch base|connect|(?:have|grab|do|get) (?:a "
    r"|an |some )?(?:\w+ )?(?:lunch|dinner|breakfast|coffee|drinks?|beers?|call|chat|conversation|meeting))\b"
)
_TOGETHER = (
    rf"\b(?:let'?s|let us|shall we|why don't we|(?:maybe|perhaps) we (?:can|could|should)"
    rf"|(?:do )?you want to(?: try to)?|would you like to|(?:i|we)(?:'d| would)(?: really| also)? (?:like|love)"
    rf"(?: us)? to|\w+ and i would like to|(?:worthwhile|good|helpful|useful|great) (?:for us )?(?:to|if we (?:could"
    rf"|can))|(?<!so )we (?:can|could)|time to"
    rf"|if you(?:'d| would) like to)(?: \w+){{0,3}} {_TALK}"
)
"""A wish to be together or to talk, though it names no time yet."""
_CLOCK = (
    r"(?:\b\d{1,2}(?:[:.h]\d\d|\s?(?:am|pm|a\.m|p\.m|uhr|h\b|o'clock))|\bnoon\b"
    r"|\bat (?:\d{1,2}|one|two|three|four|five|six|seven)\b)"
)
_DAY = (
    r"\b(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd"
    r"|th)?(?: of)? (?:jan|feb|mar"
    r"|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d{1,2}"
    r"|the \d{1,2}"
    r"(?:st|nd|rd|th))\b"
)
_MEET = lazy_pattern(
    rf"{_DAY}[^!?\n]{{0,40}}?{_CLOCK}|{_CLOCK}[^!?\n]{{0,30}}?{_DAY}|\b(?:invited|invite|invites) you (?:all )?to\b|"
    rf"\b(?:let's|let us|can we|could we|shall we|we (?:can|could|should|need to|will|are going to|plan to)|i(?:'d"
    rf"| would) like to"
    rf"|want to|would like to|happy to|able to|to|please|you)\b[^.!?]{{0,40}}?\b{_MEETING}\b[^.!?]{{0,80}}?{_WHEN}"
    rf"|\b{_MEETING}\b[^.!?]{{0,60}}?\b(?:is|will be|has been|are|scheduled|set|held|planned|at|on|for|starts?"
    rf"|takes place)\b"
    rf"[^.!?]{{0,50}}?{_WHEN}|{_WHEN}[^.!?]{{0,60}}\b(?:for|is the|we have|there is|there's) (?:a |an |the "
    rf"|our )?(?:\w+ )?{_MEETING}\b"
    rf"|\b(?:discuss|talk|speak|go (?:over|through)|catch (?:up|me)|touch base)\b[^.!?]{{0,60}}?{_WHEN}"
    rf"|\b(?:available|free) (?:to (?:discuss|talk|speak|meet)|for a (?:\w+ )?{_MEETING})\b"
    rf"|\b(?:hope|want|like) (?:that )?you (?:can|could|will|all)? ?(?:to )?join us\b"
    rf"|\b(?:join us|come (?:over|by|to)|are you (?:free|available|around)|you(?:'re| are) invited"
    rf"|see you)\b[^.!?]{{0,60}}?{_WHEN}"
    rf"|{_TOGETHER}|\b(?:when|if) you (?:can spare|have|get) (?:a (?:few|couple of)|some|\d+|five|ten|fifteen) min"
    rf"|\bare you (?:free|available) (?:that|on that|on the|then|any)\b"
    rf"|{_WHEN}[^.!?]{{0,30}}\bworks?(?: (?:well|best|fine|great))?(?: for me| for us)?\b"
)
_PROPOSE = lazy_pattern(
    r"\b(?:how|what) about\b|\bwhy (?:don't|not|do not) (?:we|you|i)\b|\b(?:i|we)(?:'d| would| do|'m"
    r"| am)? (?:like to )?(?:suggest\w*"
    r"|propos\w+|recommend\w*)\b|\bshall (?:we|i)\b|\b(?:maybe|perhaps) (?:we|you|i) (?:can|could|should|might)\b"
    r"|\bwe (?:could|might)"
    r" (?:also )?(?:\w+ )?(?:try|do|use|meet|go|move|make|have|start|offer|ask|split|share|take|set|add|put)\b"
    r"|\bwhat if (?:we|i|you)\b"
    r"|\b(?:does|would|will|could)\b[^.!?]{0,60}\b(?:work|suit|fit|be (?:ok|okay|fine|convenient|possible"
    r"|good))\b[^.!?]{0,40}\?"
    r"|\bwould you (?:be )?(?:like|open|interested|willing|prefer|mind if)\b|\b(?:my|our|one"
    r"|another) (?:suggestion|proposal|option"
    r"|recommendation|idea)\b|^(?:do )?you want (?:me )?to [^.!?]{0,80}\?|\bworthwhile (?:for us )?to\b"
    r"|(?<!so )\bwe can [^.!?]{0,40}\b(?:discuss|talk|meet|catch up)\b|\b(?:available|free) to meet\b"
    r"|\bif you(?:'d| would) like to (?:have a|talk|meet)\b|\b(?:let's|lets (?!you|me|us|your|users?|the))\b"
    r"|\bi(?:'m| am| was)? think(?:ing)? (?:we|you) (?:should|could|might|can)\b"
    r"|\bit might be"
    r" (?:better|good|worth|best|helpful)\b|\bwie wäre(?:'s| es)\b|\bich schlage vor\b|\bet si (?:on|nous)\b"
    r"|\bje (?:propose|suggère)\b"
    r"|\b(?:qué tal si|propongo|sugiero|che ne dici|propongo|e se)\b"
)
_HINTS = Literals(
    "day", "noon", "o'clock", " pm", " am", " uhr", "tonight", "tomorrow", "'ll", " will", "shall", "going to",
    "promise", "plan to", "intend", "agree to", "can certainly", "consider it", "count on", "note to", "leave it",
    "on it", "meet", "together", "gather", "sit down", "catch up", "call", "lunch", "dinner", "breakfast", "coffee",
    "drink", "beer", "appointment", "interview", "visit", "workshop", "party", "session", "huddle", "demo",
    "presentation", "discuss", "talk", "speak", "go over", "go through", "touch base",
    "join us", "come ", "are you", "invited", "see you", "about", "why ", "suggest", "propos",
    "recommend", "maybe", "perhaps", "could", "might", "what if", "work", "suit", "fit", "would", "option", "idea",
    "let's", "lets ", "let us", "minutes", "available", "free ", "worth", "you want",
    "think", "should", "ich ", "je ", "envío", "enviaré", "mando", "encargo", "invio", "treffen",
    "besprechung", "termin", "réunion", "rendez", "déjeuner", "reunión", "cita", "comida", "riunione", "pranzo",
    "afspraak", "vergadering", "wie wäre", "et si", "qué tal", "sugiero", "che ne", "e se",
)  # fmt: skip
_NOT_YET = lazy_pattern(r"\b(?:if|unless|whether|would have|could have)\b")
"""Before these words it is only supposed."""
_OVER = lazy_pattern(
    r"\b(?:by|until|before|due|deadline|since|closes?|ends?|expires?|arrives?|delivered|sent|met|was held"
    r"|were held|cancel\w*|postponed|moved to|minutes of|last (?:week|night|month))\b"
)
"""A meeting that was, or will not be."""


def acts_in(view: View) -> dict[SpeechAct, str]:
    """The acts that sentences of a mail plainly perform, each with the first sentence that does."""
    found: dict[SpeechAct, str] = {}
    for index, sentence in enumerate(view.sentences[:_SENTENCES]):
        if index >= len(view.starts):
            break
        folded = view.folded_sentence(index)
        if len(found) == len(_ACTS) or not _HINTS.stand_in(folded):
            continue
        for act, pattern in _ACTS:
            if act not in found and _performs(act, pattern, folded):
                found[act] = sentence
    return found


def with_sentences(acts: Acts, view: View) -> Acts:
    """The acts with those that a sentence performs beside the main one, which stays the likeliest."""
    performed = acts_in(view)
    if not performed:
        return acts
    most = max(acts.probabilities[acts.main], PERFORMED)
    probabilities = {
        act: most if act == acts.main else max(value, min(SURE, most)) if act in performed else value
        for act, value in acts.probabilities.items()
    }
    return replace(acts, probabilities=probabilities, sentences={**acts.sentences, **performed})


def _performs(act: SpeechAct, pattern: re.Pattern[str], folded: str) -> bool:
    match = pattern.search(folded)
    if match is None:
        return False
    if act == "propose":
        return True
    clause = folded.rfind(",", 0, match.start()) + 1 if act == "meet" else 0
    return _NOT_YET.search(folded, clause, match.start()) is None and (
        act != "meet" or not _OVER.search(folded)
    )


_ACTS: tuple[tuple[SpeechAct, re.Pattern[str]], ...] = (
    ("commit", _COMMIT),
    ("meet", _MEET),
    ("propose", _PROPOSE),
)
