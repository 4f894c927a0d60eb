"""One sentence that says why a message stands where it stands. Entry: `sentence_for`.

It names the signals that decided, in words a person would use, and quotes only what the message says. It says what was
seen; that nothing is asked of the user it says only in the message's own words.
"""

from __future__ import annotations

from gaia_email.cascade.asks.denials import own_words
from gaia_email.cascade.asks.needs_reply import is_closing, on_a_list
from gaia_email.cascade.asks.requests import leaves_open, substance
from gaia_email.cascade.kinds.category import is_outreach
from gaia_email.cascade.phrases import fold, locate
from gaia_email.cascade.priority import Ranking, RuleFindings, asked_of_user, warns
from gaia_email.cascade.tables import NUMBER_WORDS, word_list
from gaia_email.cascade.traps.evidence import ANSWERS_ELSEWHERE, DEEDS, UNPROVED
from gaia_email.cascade.traps.pastime import PastimeKind
from gaia_email.cascade.verdict import CONVENTION_WORDS, SpeechAct
from gaia_email.cascade.wording import timing
from gaia_email.cascade.wording.lines import (
    cut,
    full_name,
    is_persons_name,
    is_salutation,
    key_sentence,
    linked_host,
    one_line,
    quotable,
    quote,
    says_nothing,
    tag,
    topic,
    who,
)

LIMIT = 140
_NUMBERS = ("none", *NUMBER_WORDS)
_QUOTE = 88
_SHORT_QUOTE = 52
_SCHEMES = word_list(
    "spam_tagged spam_pills spam_adult spam_casino spam_crypto spam_money spam_credit spam_bulk_tools "
    "spam_advance_fee spam_removal_strong spam_hype spam_salutation spam_removal"
)
_REQUESTED = 0.5
_MAILINGS = frozenset({"newsletters", "promotions", "social"})
_NOTICES = frozenset({"notifications", "receipts"})


def sentence_for(found: RuleFindings, ranking: Ranking) -> str:
    """The reason, at most about 140 characters, always one sentence."""
    said, ending = parts_for(found, ranking)
    set_for = f"As you set for {CONVENTION_WORDS[found.convention]}: " if found.convention else ""
    return fit(f"{set_for}{said}", ending)


def parts_for(found: RuleFindings, ranking: Ranking) -> tuple[str, str]:
    """The same uncut, without what the owner has to do with it, and its ending."""
    return _say(found, ranking), _ending(found, ranking)


def counted(number: int) -> str:
    """A small number as a word."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def _ending(found: RuleFindings, ranking: Ranking) -> str:
    """What is said last: what is over, that the mail itself says that nothing is needed, or a day that it names."""
    if ranking.late is not None:
        return timing.late(ranking.late)
    if ranking.needed or found.needs_reply or warns(found) or found.spam >= 0.5 or _asks_plainly(found):
        return ""
    if found.category.category in _MAILINGS or found.facts.sender.is_owner or found.facts.context.answered:
        return ""
    words = own_words(found.facts.view)
    if words:
        return f'; it says "{one_line(words)}"'
    return timing.named(found) if found.category.category in _NOTICES else ""


def _asks_plainly(found: RuleFindings) -> bool:
    return found.acts.probabilities["request"] >= _REQUESTED


def fit(text: str, ending: str = "") -> str:
    """`text` within `LIMIT`, on one line, with a full stop; `ending` is kept, unless the text has its words already."""
    text = one_line(text).replace(" from The sender", " from the sender")
    if '"' in ending and ending.split('"')[1].lower() in text.lower():
        ending = ""
    if len(text) + len(ending) > LIMIT:
        text = cut(text, LIMIT - len(ending) - 2)
        text += '"…' if text.count('"') % 2 else "…"
    text += ending
    return text if text.endswith((".", "!", "?", '."', '"…')) else f"{text}."


def _say(found: RuleFindings, ranking: Ranking) -> str:
    facts = found.facts
    if warns(found):
        return f"Looks like phishing: {_suspicion(found.phishing.reasons)}"
    if found.spam >= 0.5:
        return _spam(found)
    if facts.sender.is_owner:
        return "You wrote this yourself"
    if facts.lists.auto_reply:
        return _automatic(found)
    if found.pastime is not None:
        return _passed_on(found, found.pastime.kind)
    if found.category.category == "primary":
        return _person(found, ranking)
    return _machine(found, ranking)


def _suspicion(reasons: tuple[str, ...]) -> str:
    """The heaviest clue; with the next one where the first alone would say too little."""
    if not reasons:
        return "the sender is not who it says"
    first = reasons[0].replace("“", '"').replace("”", '"')
    if first.startswith(DEEDS):
        first = f"it {first}"
    if len(reasons) > 1 and first.startswith(UNPROVED):
        if reasons[1].startswith(ANSWERS_ELSEWHERE):
            return reasons[1]
        both = f"{first}, and it {reasons[1].removeprefix('it ')}"
        return both if len(both) < LIMIT - 24 else first
    return first


def _spam(found: RuleFindings) -> str:
    view = found.facts.view
    for feature in _SCHEMES:
        if view.has(feature):
            return f'Looks like spam: it says "{one_line(view.quote(feature))}"'
    return f"Looks like spam from {full_name(found.facts)}"


def _automatic(found: RuleFindings) -> str:
    name, words = full_name(found.facts), quote(key_sentence(found.facts), _QUOTE)
    if "daemon" in found.facts.sender.address or "postmaster" in found.facts.sender.address:
        return f"{name} says {words}" if words else f"A mail of yours came back from {name}"
    return f"Automatic answer from {name}: {words}" if words else f"Automatic answer from {name}"


def _machine(found: RuleFindings, ranking: Ranking) -> str:
    facts = found.facts
    name = full_name(facts)
    if found.alert.kind != "none" and (ranking.needed or found.alert.kind in ("know", "check")):
        return _alert(found, name, ranking)
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method:
        return _meeting(found, name, ranking)
    if ranking.needed:
        return _needed(found, name, ranking)
    category = found.category.category
    subject = quote(topic(facts.message.subject), _QUOTE)
    if category == "newsletters":
        return f"Newsletter from {name}: {subject}" if subject else f"Newsletter from {name}"
    if category == "promotions":
        return _advertising(found, name)
    if category == "social":
        return f"Social update from {name}: {subject}" if subject else f"Social update from {name}"
    if category == "receipts":
        return _receipt(found, name)
    words = subject or _around(found, "cat_notification")
    if _written_by_person(found):
        return f"{name} writes on {facts.sender.domain[:40]} about {words}" if words else f"Notice by {name}"
    return f"Automatic notice from {name}: {words}" if words else f"Automatic notice from {name}"


def _needed(found: RuleFindings, name: str, ranking: Ranking) -> str:
    """A machine's or an office's mail that wants something of the user."""
    sentence = found.acts.sentences["request"]
    words = quote(sentence if substance(sentence) else "", _QUOTE) or quote(
        topic(found.facts.message.subject), _QUOTE
    )
    if not words:
        return f"{name} {'wanted' if ranking.late else 'needs'} something from you{ranking.hurry}"
    return f"{name} says {words}{_wanted_when(found, ranking, words)}"


def _wanted_when(found: RuleFindings, ranking: Ranking, words: str) -> str:
    """By when the user is needed, else that he is; what is over gets its ending from `_ending`."""
    if ranking.late is not None:
        return ""
    return timing.due(found, words) or f"; it needs you{ranking.hurry}"


def _written_by_person(found: RuleFindings) -> bool:
    """A service that puts its user's name before its own address: code forges, shared documents."""
    sender = found.facts.sender
    return sender.kind == "machine" and is_persons_name(sender.name)


def _advertising(found: RuleFindings, name: str) -> str:
    if is_outreach(found.facts):
        request = found.acts.sentences["request"]
        words = quote(request if substance(request) else key_sentence(found.facts), _QUOTE)
        return (
            f"Unasked-for sales mail from {name}: {words}" if words else f"Unasked-for sales mail from {name}"
        )
    words = _around(found, "cat_promotion")
    if not words and found.facts.sender.kind == "person" and not found.facts.lists.bulk:
        words = quote(topic(found.facts.message.subject), _room(name, 24))
        return f"Looks like an offer from {name}: {words}" if words else f"Looks like an offer from {name}"
    return f"Advertising from {name}: {words}" if words else f"Advertising from {name}"


def _receipt(found: RuleFindings, name: str) -> str:
    facts, view = found.facts, found.facts.view
    if view.in_subject("cat_delivery") or (facts.entities.tracking and view.has("cat_delivery")):
        return f"Delivery news from {name}: {_around(found, 'cat_delivery')}"
    if facts.entities.itinerary is not None:
        words = quote(topic(facts.message.subject), _QUOTE)
        return f"Travel papers from {name}: {words}" if words else f"Travel papers from {name}"
    total = total_text(found)
    words = "" if total else quote(topic(facts.message.subject), _room(name, 30))
    if words:
        return f"{name} sends {words}"
    return f"Receipt from {name} for {total}" if total else f"Receipt from {name}"


def total_text(found: RuleFindings) -> str:
    """The total as the message writes it: the stated one, else the only amount there is; empty when unclear."""
    entities = found.facts.entities
    stated = entities.receipt.total if entities.receipt is not None else ""
    if stated:
        same = [money.text for money in entities.money if _amount(money.amount) == _amount(stated)]
        return one_line(same[-1]) if same else ""
    amounts = {money.amount for money in entities.money}
    if len(amounts) == 1 or (entities.money and found.facts.view.in_subject("cat_receipt")):
        return one_line(entities.money[0].text)
    return ""


def _amount(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _alert(found: RuleFindings, name: str, ranking: Ranking) -> str:
    facts, kind = found.facts, found.alert.kind
    if kind == "code":
        brief = "" if ranking.late else ", which is short-lived"
        return f"{name} sent you the code {facts.entities.codes[0]}{brief}"
    words = quote(topic(facts.message.subject), _QUOTE) or quote(
        _around_text(found, found.alert.evidence), _QUOTE
    )
    if kind == "know":
        return f"Your plans change: {name} says {quote(key_sentence(facts), 90) or words}"
    if kind == "check":
        return f"{name} says {words}" + ("" if ranking.late else "; check whether that was you")
    if kind == "signup" and ranking.late is None:
        return f"{name} waits for you: {words}"
    return f"{name} says {words}{_wanted_when(found, ranking, words)}"


def _meeting(found: RuleFindings, name: str, ranking: Ranking) -> str:
    facts = found.facts
    meeting = facts.entities.meeting
    title = one_line(meeting.summary)[:_QUOTE] if meeting is not None and meeting.summary else ""
    if title and title not in one_line(facts.message.subject) and not _stands_in_calendar(found, title):
        title = ""
    title = (title or quotable(topic(facts.message.subject), _QUOTE)).replace('"', "'")
    method = meeting.method if meeting is not None else ""
    inviting = "invited you to" if ranking.late else "invites you to"
    verb = {"CANCEL": "called off", "REPLY": "answered the invitation"}.get(method, inviting)
    when = timing.on_day(found, meeting.start) if meeting is not None and ranking.late is None else ""
    if meeting is not None and meeting.recurrence and method != "REPLY":
        when = f"{when}, {meeting.recurrence}"
    return f'{name} {verb} "{title}"{when}' if title else f"{name} {verb} a meeting{when}"


def _stands_in_calendar(found: RuleFindings, title: str) -> bool:
    return any(title in one_line(text[:20_000]) for text in found.facts.message.calendars[:3])


def _person(found: RuleFindings, ranking: Ranking) -> str:
    facts, view, acts = found.facts, found.facts.view, found.acts
    name = who(facts)
    if facts.context.answered:
        return f"You have answered {name} already"
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method:
        return _meeting(found, name, ranking)
    if ranking.needed:
        return _asks(found, name, ranking)
    if on_a_list(facts):
        return _on_a_list(found, name)
    if is_closing(facts, acts):
        first = next((sentence for sentence in view.sentences if not is_salutation(sentence)), "")
        words = quote(first, _QUOTE)
        return f"{name} says {words}" if words else f"{name} says thanks"
    if facts.sender.audience == "copy" and _asks_plainly(found):
        words = quote(acts.sentences["request"], _room(name, 28))
        return f"You are copied in; {name} asks {words}" if words else f"You are copied in by {name}"
    return _tells(found, name)


_PASSED_ON: dict[PastimeKind, str] = {
    "chain": "passes on a chain letter",
    "fun": "passes on something for fun",
    "sale": "has something to give or sell",
    "event": "tells everybody of an event",
}


def _passed_on(found: RuleFindings, kind: PastimeKind) -> str:
    """What people hand on to each other; the subject says what it is, else its first words."""
    told = f"{who(found.facts)} {_PASSED_ON[kind]}"
    words = quote(topic(found.facts.message.subject), _QUOTE) or quote(key_sentence(found.facts), _QUOTE)
    return f"{told}: {words}" if words else told


def _room(name: str, rest: int) -> int:
    """How long a quotation may be beside a name and so many other characters."""
    return max(30, min(_QUOTE, LIMIT - len(name) - rest - 4))


def _on_a_list(found: RuleFindings, name: str) -> str:
    facts = found.facts
    identifier = facts.lists.list_id.rpartition("<")[2].strip("<> ")
    where = tag(facts.message.subject) or identifier.partition(".")[0]
    place = f" {cut(one_line(where), 30)}" if where and where.isprintable() else ""
    asked = found.acts.sentences["request"] if _asks_plainly(found) else ""
    words = quote(topic(asked) if asked == facts.view.subject else asked, _room(name, 16 + len(place)))
    if words:
        return f"{name} asks the list{place} {words}"
    words = quote(topic(facts.message.subject), _QUOTE) if found.acts.main == "amend" else ""
    words = words or quote(key_sentence(facts), _QUOTE) or quote(topic(facts.message.subject), _QUOTE)
    return f"{name} writes to the list{place}: {words}" if words else f"{name} writes to the list{place}"


def _asks(found: RuleFindings, name: str, ranking: Ranking) -> str:
    view = found.facts.view
    sentence = found.acts.sentences["request"] if asked_of_user(found) else ""
    asking = _is_asking(found, sentence)
    if not asking and says_nothing(sentence):
        sentence = key_sentence(found.facts)
    about = _about(found, sentence)
    if sentence == view.subject:
        sentence = topic(sentence)
    words = quote(sentence, _SHORT_QUOTE if about else _room(name, 34))
    if not words:
        return _hints(found, name, ranking)
    extra = "" if ranking.late else _pressing(found, words + about)
    needs = "" if ranking.late else f"; it needs you{ranking.hurry}"
    if found.cohort == "vip":
        extra += ", and you know each other well"
    if not asking or (found.acts.main not in _WANTING and not found.needs_reply):
        return f"{name} writes {words}{about}{extra or needs}"
    return f"{name} asks {words}{about}{extra}"


def _pressing(found: RuleFindings, words: str) -> str:
    """By when it is wanted, or the word of hurry, where the quoted words do not say so themselves."""
    view, folded, extra = found.facts.view, words.lower(), timing.due(found, words)
    if extra:
        return extra
    if view.has("urgent_word") and locate(folded, view.quote("urgent_word").lower()) < 0:
        return f'; it says "{one_line(view.quote("urgent_word"))}"'
    if found.urgency.score >= 0.3 and view.has("due_today"):
        day = one_line(view.quote("due_today"))
        return timing.dated(found, "wanted", day) if locate(folded, day.lower()) < 0 else ""
    return ""


def _is_asking(found: RuleFindings, sentence: str) -> bool:
    """Whether a sentence has the form of a question or request; others only show that something is wanted."""
    if "?" in sentence or "？" in sentence:
        return True
    return any(
        span.strength >= _REQUESTED and span.kind != "need" and span.text == sentence
        for span in found.acts.requests
    )


def _about(found: RuleFindings, sentence: str) -> str:
    """The subject, for a request that does not say what it is about."""
    if not sentence or sentence == found.facts.view.subject or not leaves_open(sentence):
        return ""
    if len(one_line(sentence)) > _SHORT_QUOTE + 8:
        return ""
    folded = fold(sentence)
    told = topic(found.facts.message.subject)
    subject = "" if told.endswith(":") else quote(told, _SHORT_QUOTE)
    return f" about {subject}" if subject and subject.strip('"…').lower() not in one_line(folded) else ""


def _hints(found: RuleFindings, name: str, ranking: Ranking) -> str:
    """Why something is wanted although no sentence asks."""
    view, over = found.facts.view, ranking.late is not None
    needs = "" if over else f"; it needs you{ranking.hurry}"
    if found.alert.kind != "none":
        words = quote(topic(found.facts.message.subject), _QUOTE)
        words = words or quote(_around_text(found, found.alert.evidence), _QUOTE)
        wants = "; to be paid" if view.has("alert_pay") else "; it may need you"
        return f"{name} says {words}" + ("" if over else timing.due(found, words) or wants)
    if view.has("rsvp"):
        return f"{name} invites you: {quote(view.sentence_with('rsvp') or view.quote('rsvp'), _QUOTE)}"
    cues = [cue for cue in found.urgency.cues if cue.name != "shouting"]
    if cues:
        heaviest = max(cues, key=lambda cue: cue.weight)
        return f"{name} writes {quote(_around_text(found, heaviest.evidence), _QUOTE)}{needs}"
    words = quote(key_sentence(found.facts), _QUOTE) or quote(topic(found.facts.message.subject), _QUOTE)
    if words:
        return f"{name} writes {words}{needs}"
    return f"{name} {'wanted' if over else 'wants'} something from you"


_WANTING: tuple[SpeechAct, ...] = ("request", "propose", "meet")
_VERBS: dict[SpeechAct, str] = {"amend": "brings a change", "commit": "promises", "propose": "suggests"}


def _tells(found: RuleFindings, name: str) -> str:
    facts, acts = found.facts, found.acts
    files = [
        attachment.filename
        for attachment in facts.message.attachments
        if attachment.filename and not attachment.inline
    ]
    if acts.main == "deliver" and files:
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        return f"{name} sends {cut(files[0], 60)}{more}"
    verb = _VERBS.get(acts.main, "")
    told = acts.sentences[acts.main] or (
        topic(facts.message.subject) if facts.view.in_subject(f"act_{acts.main}") else ""
    )
    words = quote(told, _room(name, 20))
    if verb and words:
        return f"{name} {verb}: {words}"
    if facts.message.encrypted:
        return f"Encrypted mail from {name}; only its headers can be read here"
    if not facts.prepared.normalized.strip():
        return f"Mail from {name} without text of its own"
    room = _room(name, 10)
    wanted = acts.sentences["request"] if _asks_plainly(found) else ""
    if wanted and wanted != facts.view.subject and not says_nothing(wanted):
        return f"{name} {'asks' if _is_asking(found, wanted) else 'writes'} {quote(wanted, room)}"
    key = key_sentence(facts)
    words = quote(key, room) or quote(topic(facts.message.subject), room)
    host = linked_host(key or facts.prepared.normalized or facts.message.subject)
    if host:
        return f"{name} sends a link to {host}"
    return f"{name} writes {words}" if words else f"Mail from {name}"


def _around(found: RuleFindings, feature: str) -> str:
    """In quotation marks the subject when it holds the phrase, else the sentence around it, else the phrase."""
    view = found.facts.view
    if view.in_subject(feature):
        return quote(topic(found.facts.message.subject), _QUOTE)
    sentence = view.sentence_with(feature)
    around = "" if says_nothing(sentence) else quote(sentence, _QUOTE)
    return around or quote(view.quote(feature), _QUOTE)


def _around_text(found: RuleFindings, evidence: str) -> str:
    view = found.facts.view
    if evidence and evidence in view.subject:
        return topic(view.subject)
    return next((sentence for sentence in view.sentences if evidence in sentence), evidence)
