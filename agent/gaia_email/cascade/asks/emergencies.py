"""An emergency that is told, whether or not anybody is asked for anything. Entry: `told`.

People in trouble report: what failed, leaks or burns, or who was hurt. What is over, might happen one day or is
practised, is none.
"""

from __future__ import annotations

from gaia_email.cascade.view import View
from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.lazy import lazy_pattern

_READ = 1_500
"""An emergency is told at once; further down it is an example or history."""
_SENTENCES = 12

_THING = (
    r"(?:data|databases?|records?|files?|backups?|credentials|passwords?|accounts|servers?|systems?|sites?|websites?"
    r"|services?|platform|apps?|applications?|apis?|portal|production|prod|live environment|checkout|payments?"
    r"|gateway"
    r"|network|internet|e-?mail|vpn|phones?|phone lines|power|line|machines?|plant|cluster|logins?|dashboard|pipeline"
    r"|server room|data cent(?:er|re)|firewall|pumps?|freezer|fridge|boiler|elevator|lift|roof|basement|house|flat)"
)
_FAILS = (
    r"(?:down|offline|unavailable|unreachable|inaccessible|failing|crashing|breached|compromised|exposed|leaked"
    r"|leaking|stolen|lost|gone|deleted|wiped|encrypted|corrupted|hacked|overheating|on fire|burning|flooded|flooding"
    r"|not working|not responding|not loading|standing still|at a standstill|dead|under attack|being attacked)"
)
_NOW = (
    r"(?:is|are|was|were|went|goes|has|have|had|been|being|be|just|may|might|seems?|keeps?|possibly|all|completely"
    r"|totally|currently|still|now|again|suddenly)"
)
_STATES = (
    rf"\b{_THING}(?: \w+){{0,3}}? (?:{_NOW} ){{1,5}}{_FAILS}\b"
    rf"|\b{_THING} (?:{_NOW} )*(?:crashed|failed|collapsed|went down|stopped (?:working|responding))\b"
    r"|\b(?:water|smoke|gas|oil|sewage) (?:is |keeps? )?(?:pouring|running|coming|dripping|leaking|gushing"
    r"|spreading)\b"
    r"|\b(?:went|gone|go|goes) (?:blank|black|dark|dead|silent)\b"
    r"|\b(?:nobody|no ?one|none of|customers?|clients?|users?|agents|staff|patients|members|people|they"
    r"|we)(?: \w+){0,3}?"
    r" (?:cannot|can't|can not|can no longer|are unable to|is unable to|is able to|are locked out"
    r"|can)(?: \w+)? (?:log|sign"
    r"|access|take|work|pay|order|process|ship|deliver|reach|call|get in|check out|breathe|print)\b"
    r"|\b(?:data|files|records) (?:is |are )?(?:leaving|being copied|disappearing)\b"
)
_EVENTS = (
    r"\b(?:data|security|privacy|customer) (?:breach|leak|incident)\b|\bbreach (?:of|in|detected)\b"
    r"|\bintru(?:sion|der)s?\b|\bransomware\b|\bunauthori[sz]ed (?:access|transfer|person)\b"
    r"|\bexfiltrat\w+|\bddos\b|\b(?:total|major|complete|full|widespread) (?:outage|failure|blackout)\b|\boutage\b"
    r"|\b(?:critical|severe|serious|blocking) (?:bug|failure|fault|defect|error|incident|outage|malfunction)\b"
    r"|\bshow-?stopper\b|\bgas leak\b|\bbomb threat\b|\bburst pipe\b|\bbreak-?in\b|\bstopped breathing\b"
    r"|\b(?:copied|stole|accessed|downloaded|deleted) (?:\w+ ){0,2}(?:sensitive|confidential|customer|personal|our)\b"
    r"|\bdatenleck\b|\bdatenpanne\b|\btotalausfall\b|\bsicherheitsvorfall\b|\bfuite de données\b|\bintrusion\b"
    r"|\bpanne (?:totale|générale)\b|\bbrecha de (?:datos|seguridad)\b|\bcaída total\b|\bviolazione dei dati\b"
)
_HURT = (
    r"\b(?:had|has had|was in|been in|in) an? (?:\w+ )?(?:accident|crash|collision|seizure|stroke|heart attack)\b"
    r"|\b(?:is|was|got|been|badly|seriously|are|were) (?:hurt|injured|unconscious|hospitali[sz]ed|missing|bleeding)\b"
    r"|\bhurt (?:his|her|their) \w+|\b(?:collapsed|fainted|passed out)\b|\bambulance\b|\bintensive care\b"
    r"|\b(?:taken|rushed|brought|going) to (?:the )?(?:hospital|a&e|emergency)"
)
_TROUBLE = lazy_pattern(f"{_STATES}|{_EVENTS}|{_HURT}")
_HINTS = Literals(
    "down", "offline", "unavailable", "unreach", "inaccess", "failing", "failed", "failure", "fault", "defect",
    "crash", "breach", "compromis", "expos", "leak", "stolen", "stole", "lost", "gone", "delete", "wiped", "encrypt",
    "corrupt", "hacked", "overheat", "fire", "burn", "flood", "not working", "respon", "not loading", "still", "dead",
    "attack", "collaps", "stopped", "leaving", "copied", "water", "smoke", "gas ", "oil ", "sewage", "blank", "black",
    "dark", "silent", "nobody", "no one", "noone", "none of", "cannot", "can't", "can not", "can no", "unable",
    "disappear", "incident", "intru", "ransom", "unauthori", "exfiltrat", "ddos", "outage", "blackout", "bug",
    "error", "malfunction", "stopper", "bomb", "burst", "break-in", "breakin", "accessed", "downloaded", "datenleck",
    "datenpanne", "ausfall", "vorfall", "fuite", "panne", "brecha", "caída", "violazione", "accident", "seizure",
    "stroke", "hurt", "injur", "unconscious", "hospital", "missing", "bleed", "faint", "passed out", "ambulance",
    "intensive",
)  # fmt: skip
"""One of these stands in all that `_TROUBLE` finds."""
_OVER = lazy_pattern(
    r"\b(?:resolved|restored|recovered|mitigated|repaired|rolled back|reverted|false alarm|all[- ]clear|under control"
    r"|behoben|résolu|resuelto|risolto|opgelost)\b"
    r"|\b(?:is|are|was|were|been|got) (?:now |all |already )?(?:fixed|closed|solved|over|found|stable|fine|ok|okay"
    r"|safe"
    r"|well|healthy|released|home)\b|\bback (?:up|online|to normal|home|in service|again)\b|\b(?:home|fine) again\b"
    r"|\bno (?:data|customer data|records?|one|body|damage|injuries) (?:was|were|has|have|is|got)\b"
    r"|\bnobody (?:was|is|got)\b"
    r"|\b(?:drill|exercise|rehearsal|simulation|simulated|tabletop|post-?mortem|retrospective|lessons learned"
    r"|root cause"
    r"|last (?:week|month|quarter|year)|yesterday|the other day|months? ago|years? ago|article|newsletter|webinar"
    r"|blog"
    r"|podcast|seminar|statistics|survey|insurance|policy|training|course|study|film|movie|novel|game|joke)\b"
)
"""It has passed, or it is only spoken about."""
_SUPPOSED = lazy_pattern(
    r"\b(?:if|unless|in case|in the event|would|could|should|how to|prevent\w*|avoid\w*|protect\w*|against|risk of"
    r"|potential|planned|scheduled|never|no|not|without|whether|suppose|imagine|falls|wenn|si|se|als)\b"
)


def told(view: View) -> str:
    """The words that tell of an emergency, as written; empty where there is none, or it is over."""
    for text, low in ((view.subject, view.folded_subject), *_sentences(view)):
        if not _HINTS.stand_in(low):
            continue
        match = _TROUBLE.search(low)
        if match is None or _SUPPOSED.search(low, 0, match.start()) is not None:
            continue
        if is_over(view):
            return ""
        return text[match.start() : match.end()]
    return ""


def is_over(view: View) -> bool:
    """Whether it says of what it tells that it has passed, or only speaks about such things."""
    return any(map(_OVER.search, (view.folded_subject, view.folded_body[:_READ])))


def _sentences(view: View) -> list[tuple[str, str]]:
    """The first sentences as written and folded."""
    return [
        (view.sentences[index], view.folded_sentence(index))
        for index, start in enumerate(view.starts[:_SENTENCES])
        if start < _READ
    ]
