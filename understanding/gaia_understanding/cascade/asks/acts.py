"""Find speech acts: what the sender does by writing. Entry: `find`.

Cohen, Carvalho and Mitchell (EMNLP 2004) name the acts; each gets a probability of its own. Requests come
from `requests`; the others from word lists, checked sentence by sentence if a word alone says too little ("I
will" in a sentence about another person's plans).
"""

from __future__ import annotations

from dataclasses import dataclass

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.asks.alerts import Alert
from gaia_understanding.cascade.asks.requests import main_request, requests_in
from gaia_understanding.cascade.asks.waivers import NO_WAIVERS, Waivers
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import fold, locate, positions
from gaia_understanding.cascade.tables import phrase_list
from gaia_understanding.cascade.verdict import SpeechAct
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.extract.requests import RequestSpan
from gaia_understanding.prepare.literal_scanner import Literals

_TIME = lazy_pattern(r"\d(?<!\w\d)\d?(?:[:.h]\d{2}|\s?(?:am|pm|uhr|h|heures?|u))\b")
"""The first digit precedes the lookbehind for a word's beginning, so that the search can skip quickly."""
_OCCURRENCES = 4
_PLAN = lazy_pattern(
    r"(?:does|do|would|will|could|is|are) [^?]{1,80}\b(?:work|suit|convenient|possible|ok|okay|all right|alright|fine"
    r"|acceptable|manage|be good)\b[^?]{0,40}\?|\bwhich (?:\w+ ){0,3}(?:suits?|works?|do you prefer|would you prefer)\b"
    r"|(?:let (?:me|us) know|tell (?:me|us)) (?:\w+ ){0,4}(?:if|whether|which) [^.!?]{0,50}\b(?:works?|suits?"
    r"|convenient"
    r"|prefer|option|ok|okay)\b"
)
"""A request that only asks for yes, no or a choice."""
_PLAN_WORDS = Literals(
    "work", "suit", "convenient", "possible", "ok", "right", "fine", "acceptable", "manage", "good", "prefer", "option"
)  # fmt: skip
"""Every match of `_PLAN` contains one of these."""
_PLANS = 8
_SURE = 0.97
_STEP = 0.02
_AMENDED = 0.6
_CALENDAR = 0.9
_ASKED = 0.5
_LONG = 700
_FAR = 350
_NEEDS = frozenset({"do", "signup"})
_DUTIES = ("alert_security", "alert_unless", "alert_today", "alert_cancelled", "alert_do")
_NEEDED = 0.7
_CHOICE = 0.85
"""The probability of an invitation, or of a plan left to the reader's choice; it outweighs the request with it."""
_ATTACHED_WORDS = phrase_list(
    "attach; enclos; anhang; anbei; angehängt; beigefügt; ci-joint; pièce jointe; adjunt; allegat; anexo; bijlage; "
    "bijgevoegd"
)


@dataclass(slots=True, kw_only=True)
class ActProbabilities:
    """The probability of every act, and the sentence that performs it (empty if no single one does).

    `main` is the most probable act; if two are equal, the one that comes first in the list of acts.
    """

    probabilities: dict[SpeechAct, float]
    sentences: dict[SpeechAct, str]
    requests: tuple[RequestSpan, ...]
    main: SpeechAct


def find(
    facts: RuleFacts, *, machine: bool, alert: Alert | None = None, waivers: Waivers = NO_WAIVERS
) -> ActProbabilities:
    """Return the probabilities of all seven acts.

    A machine's requests are calls to action and count for little, unless `alert` says that it needs the user.
    Anything that the mail itself says need not be done (`waivers`) is not a request.
    """
    view = facts.view
    spans = requests_in(facts, machine=machine, waivers=waivers)
    asked = main_request(spans, facts)
    request = max([span.strength for span in spans]) if spans else 0.0
    commit, commit_at = _commit(facts)
    propose, propose_at = _propose(view, spans)
    meet, meet_at = _meet(facts)
    amend, amend_at = _amend(facts)
    deliver, deliver_at = _deliver(facts)
    if amend >= _AMENDED and meet < _CALENDAR:
        meet, propose = min(meet, amend - _STEP), min(propose, amend - _STEP) if request < _ASKED else propose
    if propose >= _CHOICE:
        propose = min(_SURE, max(propose, request + _STEP))
    if meet >= _CHOICE:
        meet = min(_SURE, max(meet, request + _STEP, propose + _STEP))
    if machine:
        request, commit, propose, meet = (
            request * 0.45,
            commit * 0.4,
            propose * 0.3,
            _machine_meet(facts, meet),
        )
        if alert is not None and (
            alert.kind in _NEEDS or (alert.kind in ("now", "check") and _names_duty(view))
        ):
            request = max(request, _NEEDED)
            deliver = min(deliver, _NEEDED - _STEP)
    strongest = max(request, commit, propose, meet, amend, deliver)
    fyi = 0.75 if view.has("act_fyi") and strongest < 0.7 else max(0.05, 0.9 - strongest)
    probabilities: dict[SpeechAct, float] = {
        "request": round(request, 3),
        "commit": round(commit, 3),
        "deliver": deliver,
        "propose": round(propose, 3),
        "meet": round(meet, 3),
        "amend": amend,
        "fyi": round(fyi, 3),
    }
    return ActProbabilities(
        probabilities=probabilities,
        sentences={
            "request": asked.text if asked else "",
            "commit": commit_at,
            "propose": propose_at,
            "meet": meet_at,
            "amend": amend_at,
            "deliver": deliver_at,
            "fyi": "",
        },
        requests=spans,
        main=max(probabilities, key=probabilities.__getitem__),
    )


def _names_duty(view: PhraseView) -> bool:
    """Return True if an alarm says what the user has to do, rather than only what is broken."""
    return any(map(view.has, _DUTIES))


def _commit(facts: RuleFacts) -> tuple[float, str]:
    """Find a promise; an office's "we will", or one far down in a long letter, is rarely what the mail is about."""
    view = facts.view
    if not view.has("act_commit"):
        return 0.0, ""
    sentence = view.sentence_with("act_commit")
    aside = len(view.body) > _LONG and view.body.find(sentence) > _FAR
    office = facts.sender.kind != "person" or facts.sender.audience in ("many", "unknown")
    return (0.4 if aside or office else 0.72), sentence


def _propose(view: PhraseView, spans: tuple[RequestSpan, ...]) -> tuple[float, str]:
    """Find a plan put to the reader: a choice, else a word of proposing, surer if it asks or names a time."""
    for span in spans[:_PLANS]:
        normal = span.normal
        if _PLAN_WORDS.stand_in(normal) and _PLAN.search(normal):
            return _CHOICE, span.text
    if view.has("act_option"):
        return _CHOICE, view.sentence_with("act_option")
    if not view.has("act_propose"):
        return 0.0, ""
    sentence = view.sentence_with("act_propose")
    folded = fold(sentence)
    asks = "?" in sentence or any(span.text == sentence for span in spans)
    timed = bool(_TIME.search(folded)) or view.has("act_meet_time")
    return 0.5 + 0.2 * asks + 0.1 * timed, sentence


def _meet(facts: RuleFacts) -> tuple[float, str]:
    """Find a calendar object, a meeting in the text, or a word of meeting together with a word of time."""
    meeting = facts.entities.meeting
    if meeting is not None and meeting.source == "ics":
        return (0.97, "") if meeting.method != "REPLY" else (0.6, "")
    view = facts.view
    timed = view.has("act_meet_time") or bool(facts.entities.dates)
    if view.has("act_invite") and timed and not view.in_subject("report_words"):
        return _CHOICE, view.sentence_with("act_invite")
    both = view.has("act_meet") and view.has("act_meet_time")
    sentence = _meeting_sentence(view) if both else ""
    if meeting is None and view.in_subject("report_words"):
        return (0.3 if both else 0.0), sentence
    if sentence:
        return (0.8 if meeting is not None else 0.62), sentence
    if meeting is not None:
        return 0.75, ""
    if view.in_subject("act_meet") and view.has("act_meet_time"):
        return 0.5, ""
    return (0.2, "") if both else (0.0, "")


def _meeting_sentence(view: PhraseView) -> str:
    """Return the first sentence with a word of meeting and a word or a figure of time."""
    words = (*view.body_hits.get("act_meet", ()), *view.subject_hits.get("act_meet", ()))
    times = view.body_hits.get("act_meet_time", ())
    seen: set[int] = set()
    for word in words:
        position = -1
        for _ in range(_OCCURRENCES):
            position = locate(view.folded_body, word, position + 1)
            index = view.sentence_at(position) if position >= 0 else -1
            if index < 0:
                break
            if index not in seen:
                seen.add(index)
                folded = view.folded_sentence(index)
                if positions(folded, times) or (view.digits and _TIME.search(folded)):
                    return view.sentences[index]
    return ""


def _machine_meet(facts: RuleFacts, probability: float) -> float:
    """Lower the probability unless the machine sends an invitation: its prose about meetings is something else."""
    meeting = facts.entities.meeting
    return probability if meeting is not None and meeting.source in ("ics", "json-ld") else probability * 0.4


def _amend(facts: RuleFacts) -> tuple[float, str]:
    view, meeting = facts.view, facts.entities.meeting
    if meeting is not None and meeting.method == "CANCEL":
        return 0.9, ""
    calendars = facts.message.calendars[:3]
    if calendars and any("SEQUENCE:" in text and "SEQUENCE:0" not in text for text in calendars):
        return 0.75, ""
    if view.in_subject("act_amend"):
        return 0.8, ""
    if not view.has("act_amend"):
        return (0.35, view.sentence_with("act_amend_hint")) if view.has("act_amend_hint") else (0.0, "")
    sentence = view.sentence_with("act_amend")
    early = sentence in view.sentences[:3]
    return (0.6 if early and not facts.lists.bulk else 0.35), sentence


def _deliver(facts: RuleFacts) -> tuple[float, str]:
    """Find information or a file handed over; an attached file makes it sure."""
    view = facts.view
    attachments = facts.message.attachments[:50]
    files = bool(attachments) and not all(attachment.inline for attachment in attachments)
    said = view.has("act_deliver")
    sentence = view.sentence_with("act_deliver") if said else ""
    if said and files:
        return 0.9, sentence
    if files:
        return 0.6, ""
    if said:
        folded = fold(sentence)
        return (0.65 if any(map(folded.__contains__, _ATTACHED_WORDS)) else 0.5), sentence
    if facts.entities.receipt is not None or facts.entities.tracking or view.in_subject("cat_receipt"):
        return 0.7, ""
    return 0.0, ""
