"""Sentences about how the mail itself is to be handled, whoever is made to say them. Entry: `weight`.

A person writes about a matter; who writes for a machine writes about the message, its place and its summary, about
earlier instructions and permissions, or in the voice of a system, a tool or the mailbox's owner. No list of phrases is
needed to see that: a sentence gets points for the party it speaks to or in whose voice it is, and for each thing it
wants done with mail. Points of two kinds are a sign, of one kind hardly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.lazy import lazy_pattern

SURE, FOREIGN, UNCLEAR = 3.0, 1.5, 0.75
"""From which weight a sentence is meant for a machine beyond doubt, is left out of all else, and may be either."""

_MACHINE = (
    r"(?:ais?|a\.i\.|ai (?:assistants?|agents?|models?|systems?)|(?:large )?language models?|llms?|(?:mail|e-?mail"
    r"|coding) agents?"
    r"|(?:chat)?bots?|copilots?|robots?|classifiers?|parsers?|crawlers?|automatic readers?|(?:automated|digital"
    r"|virtual|mail"
    r"|e-?mail|triage) (?:\w+ )?(?:systems?|readers?|processors?|assistants?|tools?|agents?|helpers?|secretar(?:y"
    r"|ies)"
    r"|workflows?|services?|engines?|programs?)|ki(?:-\w+)?|sprachmodelle?|assistente|asistente)"
)
_PROGRAM = (
    r"(?:assistants?|models?|agents?|machines?|software|programs?|scripts?|algorithms?|filters?|readers?"
    r"|systems?)"
)
_MAIL = (
    r"(?:e-?mails?|messages?|mails?|letters?|threads?|conversations?|items?|texts?|one|nachricht(?:en)?|correos?"
    r"|courriel)"
)
_THIS = (
    r"(?:this|the present|the above|the following|these|those|such|present|my|all|every|any|each|it"
    r"|diese\w*|ce|este)"
)
_PLACE = (
    r"(?:urgent|actionable|informational|low[-_ ]?priority|(?:high|low|top|highest|lowest|critical"
    r"|maximum) (?:priority"
    r"|importance|urgency)|as (?:important|critical|read|done|safe|trusted)|spam|junk|promotions?|newsletters?"
    r"|handled|unread"
    r"|harmless|vip|archived?|very top|the top|first section|inbox|trash|category|label|bucket|priority|importance"
    r"|urgency"
    r"|classification|whitelist|allow-?list)"
)
_HANDLE = (
    r"(?:mark|label|classif\w+|categori[sz]\w*|flag|treat|rank|rate|sort|file|archive|move|set|assign"
    r"|prioriti[sz]\w*|escalate"
    r"|raise|lower|put|place|hide|skip|tag|triage|upgrade|downgrade|delete|remove|change|keep|leave|appear|shown?"
    r"|display"
    r"|pin|route|drop|markiere?n?|einordnen|klassifizier\w*|lösch\w*|archivier\w*|classer|marquer|clasific\w+|marcar)"
)
_HANDLING = lazy_pattern(
    rf"\b{_HANDLE}\b(?: \S+){{0,6}}? (?:as |to |in |into |at |under |on |with |of |als |comme |como )?(?:the |an? "
    rf"|very )*\b{_PLACE}\b"
    rf"|\b{_HANDLE} (?:\w+ ){{0,2}}?{_THIS} {_MAIL}\b|\b{_HANDLE} (?:it|this|everything|them"
    rf"|dies\w*)(?: \w+)? (?:here )?(?:as|to"
    r"|under|first|on top|at once|without|unread|silently|quietly|rest)\b"
    rf"|\b(?:category|bucket|label|priority|importance|classification|verdict|urgency|status|needs_reply"
    rf"|confidence)\b"
    r"(?: \w+){0,5}? ?(?:[:=]|is|was|are|must be|should be|has to be)\s?(?:now )?[\"'{\w]"
    rf"|\b(?:rate|rank) (?:it|this|them)\b|\b(?:on|at|to) (?:the )?very top\b|\bon top\b|\bput mails? like this\b"
    rf"|\b(?:correct|only|right|true|proper|final) (?:classification|label|category|answer|verdict|bucket|priority)\b"
    r"|\b(?:before|above|ahead of) (?:all|any|every)(?: the)? (?:other|else)s?\b"
)
_SUMMARY = lazy_pattern(
    r"\b(?:in|for|to|of|when (?:you )?(?:write|writing)) (?:your|the|any|its) (?:\w+ )?(?:summary|summaries|digest"
    r"|brief(?:ing)?"
    r"|response|output|report|overview|classification|draft|zusammenfassung|résumé|resumen)\b"
    r"|\bsummari[sz]e (?:it|this|the|them|everything)\b(?: \w+){0,3} (?:as|with|by|in)\b|\b(?:respond|answer|reply"
    r"|output)"
    r" (?:only|just|exactly|solely|with the (?:word|phrase|text))\b|\bdescribe (?:it|this|the)\b(?: \w+){0,3} as\b"
    r"|\bonly (?:with|output|answer|print|return)\b|\btranslate (?:it|this|the)\b"
)
_EARLIER = lazy_pattern(
    r"\b(?:ignore|disregard|forget|override|overrid\w+|bypass|drop|discard|skip|suspend|replace|supersede\w*"
    r"|do not follow"
    r"|don't follow|stop following|cancel|void|vergiss|ignoriere?n?|oublie[rz]?"
    r"|olvid\w+)\b(?: \S+){0,6}? (?:instructions?"
    r"|rules?|guidelines?|prompts?|directives?|orders?|settings?|polic(?:y|ies)|constraints?|context|told|checks?"
    r"|review"
    r"|confirmations?|warnings?|safety|filters?|above|below|before|everything|anweisung\w*|instruc\w+|consignes?"
    r"|regeln)\b"
    r"|\b(?:previous|prior|earlier|former|usual|existing|original) (?:instructions?|rules?|guidelines?|prompts?"
    r"|directives?"
    r"|orders)\b|\b(?:new|updated|additional|following) (?:instructions?|task|directives?|role|objective|prompt)\b"
    r"|\bsystem (?:prompt|message|notice|instruction|override|note|update)\b|\bsafety (?:check|review|filter)s?\b"
    r"|\byou are (?:now|no longer|from now)\b|\bfrom (?:now|here|this point) on,? (?:you|the|all|every)\b"
    r"|\byour (?:new )?(?:task|role"
    r"|objective"
    r"|instructions?|tool permissions?|rules) (?:is|are|were|was|has|have|now)\b|\bact as\b|\bpretend\b"
)
_OWNER = lazy_pattern(
    r"\b(?:the|your|this|my|a)? ?(?:user|(?:mail ?box |account |inbox )?owner|account holder|principal|operator"
    r"|administrator"
    r"|human|employer|boss|person you work for|developer)(?:'s)? (?:has|have|had|wants?|wishes|would|asked"
    r"|approve[sd]?"
    r"|authori[sz]e[sd]?|confirm(?:ed|s)|requests?|prefers?|instructs?|says?|said|remark|note|order|request|wish"
    r"|message"
    r"|instruction|here|speaking)\b|\b(?:on|in) (?:the )?(?:behalf|name) of (?:the|your) (?:user|owner|account)\b"
    r"|\b(?:approved|authori[sz]ed|confirmed|overridden|requested|ordered) by (?:the |your |an? )?(?:user|owner"
    r"|operator|admin\w*"
    r"|account|developer|system)\b|\b(?:i am|i'm|this is)\b[^.!?]{0,30}\b(?:your (?:user|owner|principal|operator"
    r"|creator"
    r"|developer|admin\w*|human|boss and user)|the (?:owner|user|operator|person you work for|account holder"
    r"|administrator))\b"
    r"|\b(?:note|message|remark|instruction|hint|memo|word) (?:from|by|of|to|for) (?:the |your |my "
    r"|an? )?(?:mail ?box |account "
    r"|inbox )?(?:owner|user|operator|system|assistant|agent|ai|bot|admin\w*|developer|mail assistant|software)\b"
    r"|\bdem (?:nutzer|besitzer)\b|\bl'utilisateur\b|\bel usuario\b"
)
_PROCESSING = (
    r"(?:process\w*|summari[sz]\w*|classif\w+|categori[sz]\w*|sort\w*|triag\w+|draft\w*|evaluat\w+|handling"
    r"|indexing)"
)
_BEFORE = lazy_pattern(
    rf"\b(?:before|prior to|ahead of|instead of) (?:(?:you|your|the|any) )*{_PROCESSING}\b|\bprior to any (?:other"
    rf"|further)\b"
    r"|\bdo the following (?:first|before)\b|\bbefore (?:you (?:do|go|read|continue|proceed)|reading on"
    r"|anything else)\b[^.!?]*,"
    r" ?(?:first|please|you must|make sure|note|forget|open|send|forward|take|reply)\b"
    r"|\bbefore (?:doing )?anything else\b"
    r"|\bproceed with (?:the )?(?:deletion|archiving|forwarding|transfer)\b|\bnext (?:call|action):"
)
_TOOLS = lazy_pattern(
    r"\b(?:tools?|functions?|api|plugin|classifier|scanner|filter|triage(?: engine)?|engine|gateway|workflow"
    r"|spam check"
    r"|security (?:check|scan)|mcp(?: server)?|model|server)(?: message)?[ _-]?(?:calls?|results?|outputs?"
    r"|responses?|returned"
    r"|says|verdict|score|status|notice|permissions?|result)\b|\b[a-z]+_[a-z_]+(?:\(| ?[:=])|\b\w+ ?= ?(?:true"
    r"|false|high|low"
    r"|urgent|critical|promotions|low_priority|this|inbox|all)\b|[{,] ?\"\w+\" ?: ?|\bverdict\b|\boverridden\b"
    r"|(?:->|=>) ?(?:urgent|actionable|informational|low|spam|archive|delete)"
)
_LABEL = lazy_pattern(
    r"^[\W_]*(?:system|assistant|developer|admin(?:istrator)?|root|instructions?|directive|prompt|gaia|automated"
    r"|ai|llm"
    r"|anweisung|instrucción)\b[^.!?]{0,40}?[:\]>*|]|<\|\w+\|>|</?\w*(?:inst|system|prompt|task|order|directive"
    r"|policy|assistant|user|override)\w*>"
    r"|\[/?(?:inst|sys\w*|admin)\b|```"
)
_FIELD = lazy_pattern(
    r"^[\W_]*(?:tool|operator|function|task|command|policy|agent|bot|model|note|notice|hint|attention"
    r"|achtung)"
    r"\b[^.!?]{0,40}?[:\]>*|]|^\W*#{2,}|^\W*\*{3}|^\W*-{3,} ?(?:begin|end|system|new)\b"
)
_TO_MACHINE = lazy_pattern(
    rf"\b(?:to|for|dear|hey|hello|attention|any|all|every|each|whichever|whatever|if you are an?|if you're an?"
    rf"|you,? the|note to"
    rf"|reminder to|by|when|as) (?:the |an? |my |your |any |all |other |large )?{_MACHINE}\b"
    rf"|\b(?:any|every|all|each|whichever|whatever|if you are an?|if you're an?|attention|dear"
    rf"|my mail) (?:other )?{_PROGRAM}\b"
    rf"|^\W*{_MACHINE}(?: and {_MACHINE})?(?: \w+ing)?(?: \S+){{0,3}}? ?(?:[:,]|should|must|shall|may|are|is to"
    rf"|have to|has to"
    rf"|will|need)|\b{_MACHINE} (?:that|which|who|reading|processing|handling|sorting|parsing)\b"
    rf"|\bread(?:ing)? (?:\w+ ){{0,2}}?by (?:an? |the )?(?:{_MACHINE}|{_PROGRAM})\b"
)
_SEND = lazy_pattern(
    r"\b(?:send|forward|copy|reply|share|upload|post|paste|append|include|attach|list|reveal|print|disclose|repeat"
    r"|fetch|open"
    r"|visit|look up)\b[^.!?]{0,80}?(?:@|https?:|\b(?:contacts|calendar|password|credentials|tokens?|codes?|inbox"
    r"|mailbox"
    r"|(?:last|recent|latest|older|other|all|every) (?:\w+ ){0,2}(?:messages?|mails?|e-?mails?)|contents?|free slots"
    r"|everything that))\b"
)
_ORDER = lazy_pattern(
    r"^\W*(?:please |kindly |just |now |then |and |so )*(?:do not|don't|never|always|must|mark|label|classif\w+"
    r"|treat|rank|rate"
    r"|sort|file|archive|move|set|assign|put|place|hide|skip|tag|delete|forward|send|ignore|disregard|forget|reply"
    r"|respond"
    r"|answer|say|state|claim|write|output|add|include|open|visit|describe|summari[sz]e|translate|act|proceed"
    r"|carry|use|call"
    r"|apply|approve|confirm|list|raise|lower|change|keep|leave|show|display|report)\b"
    r"|\b(?:must|should|has to|have to|shall|is to|are to|will be|needs? to) (?:be |appear|receive|get)\b"
    r"|\b(?:you|bots?|agents?|assistants?|models?|readers?) (?:must|should|shall|have to|are to"
    r"|are (?:kindly )?asked to|need to)\b"
)
_WORDS = (
    lazy_pattern(
        r"\b(?:this|the|these|present|all|my|our|your|other|newest|last|any) (?:e-?mails?|messages?|mails?"
        r"|letters?|notes?|threads?"
        r"|conversations?|paragraphs?|texts?|senders?|items?)\b|\binbox(?:es)?\b|\bmail ?box(?:es)?\b|\bmails\b"
        r"|\bmessages with\b"
        r"|\b(?:diese|ce|este|questo|dit) (?:nachricht|mail|message|correo|mensaje|messaggio|bericht)\b"
    ),
    lazy_pattern(
        r"\b(?:priority|urgent|importance|important|pin(?:ned)?|section|scores?|scale|categor\w+|classif\w+"
        r"|triage|labels?"
        r"|bucket|spam|phishing|verified|trusted|quarantine\w*|warnings?|highlight\w*|prominent\w*|promot\w+"
        r"|unread|archiv\w*"
        r"|pressing|attention|dringend|wichtig|importante?|urgente?)\b"
    ),
    lazy_pattern(
        r"\b(?:assistants?|agents?|helpers?|systems?|tools?|functions?|models?|ais?|automat\w+|processors?"
        r"|processing|readers?"
        r"|index(?:ing|es|er)|administrators?|gateway|scan report|scanner|software|sys|robots?|bots?|smart|machines?"
        r"|evaluat\w+"
        r"|summaris\w+|summariz\w+|overview|digest|ki-\w+|assistent\w*|asistente|automatique)\b"
    ),
    lazy_pattern(
        r"\b(?:users?|owner|instruct\w*|guidelines?|rules?|(?:grant|have|has|your|tool) permissions?|grant(?:ed)?"
        r"|authori[sz]\w*|approved"
        r"|confirmation"
        r"|confirm=\w+|instructed|told|whose (?:mail ?box|inbox)|on (?:his|her|my|their) behalf|utilisateur"
        r"|usuario|nutzer)\b"
    ),
    lazy_pattern(
        r"\b(?:before|prior to) you\b|\bprior to\b|\bfirst step\b|\bfirst (?:move|have to|of all)\b"
        r"|\bthe following step\b"
        r"|\bonly\b[^.!?]{0,40}\bafter\b|\bthe (?:text|real|actual) (?:above|below|so far|content|job|task"
        r"|instruction)\b"
        r"|\bthe remainder\b|\brepeat after me\b|\bwhoever or whatever\b"
    ),
)
"""Words of mail as a thing, of ranking, of who works on it, of who has a say in that, and of the order of steps."""
_BY_WORDS = (0.0, 0.0, 0.75, 1.5, 2.0, 2.0)
"""What it weighs that so many kinds of them stand in one sentence."""
_HINTS = Literals(
    "mail", "message", "priorit", "urgent", "categor", "classif", "label", "bucket", "importan", "inbox", "summar",
    "instruct", "rule", "guideline", "prompt", "system", "assistant", "agent", "model", "bot", "machine", "software",
    "program", "script", "automat", "user", "owner", "principal", "operator", "administrator", "developer",
    "account holder", "before", "prior to", "tool", "function", "verdict", "archive", "delete", "you are ",
    "your task", "task", "from now on", "digest", "respond", "forward", "copy", "reply", "ki-", "sprachmodell",
    "nachricht", "correo", "courriel", "{", "<", "[", "###", "```", "***", "->", "=", "on top", "first", "letter",
    "thread", "ai ", "a.i.", "llm", "reader", "act as", "pretend", "work for", "answer", "output", "rest", "step",
    "text", "whatever", "permission", "grant", "confirm", "section", "score", "scale", "pin", "attention",
    "importante", "asistente", "told", "verified", "trusted", "quarantine", "warning", "scan", "sys", "remainder",
    "note", "sender", "list", "here", "folder", "spam", "junk", "safety", "check",
)  # fmt: skip
"""One of these stands in all that two of the expressions find."""
_POINTS = (
    (_LABEL, 2.0),
    (_TO_MACHINE, 2.0),
    (_FIELD, 1.0),
    (_OWNER, 2.0),
    (_EARLIER, 1.5),
    (_HANDLING, 1.5),
    (_SUMMARY, 1.5),
    (_TOOLS, 1.5),
    (_BEFORE, 1.5),
)
"""What each kind of sign is worth: voices and addressees more than what is wanted."""
_BESIDE = ((_SEND, 1.0), (_ORDER, 0.5))
"""What is ordinary by itself and adds to a sign."""
_CHARS = 500


def weight(sentence: str) -> float:
    """How surely a folded sentence is about the handling of mail by a machine; 0 without any sign of it."""
    text = " ".join(sentence[:_CHARS].split())
    if not _HINTS.stand_in(text):
        return 0.0
    signs = max(_sum(_POINTS, text), _BY_WORDS[sum([kind.search(text) is not None for kind in _WORDS])])
    return signs + _sum(_BESIDE, text) if signs else 0.0


def is_order(sentence: str) -> bool:
    """Whether a folded sentence tells somebody to do something, or what something must be."""
    return _ORDER.search(" ".join(sentence[:_CHARS].split())) is not None


def _sum(kinds: Sequence[tuple[re.Pattern[str], float]], text: str) -> float:
    return sum([points for pattern, points in kinds if pattern.search(text) is not None])
