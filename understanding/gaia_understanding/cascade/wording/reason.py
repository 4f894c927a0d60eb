"""Give the reason for a verdict in one sentence. Entries: `parts_for`, `sentence_of`.

It names the signals that decided, in everyday words, and quotes only what the message says. It reports what
was seen; it says that nothing is asked of the user only in the message's own words.
"""

from __future__ import annotations

import re

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.asks.denials import own_words
from gaia_understanding.cascade.asks.needs_reply import is_closing, on_a_list
from gaia_understanding.cascade.asks.requests import leaves_open
from gaia_understanding.cascade.asks.scope import asks_anyone, is_title
from gaia_understanding.cascade.phrases import fold, locate
from gaia_understanding.cascade.priority import Ranking, RuleFindings, asked_of_user, warns
from gaia_understanding.cascade.tables import NUMBER_WORDS, word_list
from gaia_understanding.cascade.traps.evidence import ANSWERS_ELSEWHERE, DEEDS, UNPROVED
from gaia_understanding.cascade.traps.pastime import PastimeKind
from gaia_understanding.cascade.verdict import CONVENTION_WORDS, SpeechAct
from gaia_understanding.cascade.wording import timing
from gaia_understanding.cascade.wording.lines import (
    FIELD,
    FORWARDS,
    LIMIT,
    QUOTE,
    cut,
    is_courtesy,
    is_heading,
    is_salutation,
    key_sentence,
    linked_host,
    one_line,
    quote,
    says_nothing,
    tag,
    topic,
)
from gaia_understanding.cascade.wording.names import full_name, who
from gaia_understanding.cascade.wording.notices import around_text, machine_sentence, meeting_sentence, room

_NUMBERS = ("none", *NUMBER_WORDS)
_SHORTQUOTE = 52
_SCHEMES = word_list(
    "spam_tagged spam_pills spam_adult spam_casino spam_crypto spam_money spam_credit spam_bulk_tools "
    "spam_advance_fee spam_removal_strong spam_hype spam_salutation spam_removal"
)
_REQUESTED, _IN_FORM, _FEW = 0.5, 0.7, 40
_INVERTED = lazy_pattern(
    r"(?:[A-Z]\w+, )?(?:do|did|can|could|would|will|have|are|should) (?:you|we|i|they)\b", re.IGNORECASE
)
"""The beginning of a question, with or without its mark."""
_MAILINGS = frozenset({"newsletters", "promotions", "social"})


def sentence_of(found: RuleFindings, parts: tuple[str, str]) -> str:
    """Return the reason made of its `parts_for`: one sentence of at most `LIMIT` characters."""
    said, ending = parts
    set_for = f"As you set for {CONVENTION_WORDS[found.convention]}: " if found.convention else ""
    return fit(f"{set_for}{said}", ending)


def parts_for(found: RuleFindings, ranking: Ranking) -> tuple[str, str]:
    """Return the reason uncut, without the owner's setting, and its ending."""
    return _say(found, ranking), _ending(found, ranking)


def spell_number(number: int) -> str:
    """Return a small number as a word."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def _ending(found: RuleFindings, ranking: Ranking) -> str:
    """Return the ending: the past date, or the mail's own statement that nothing is needed."""
    if ranking.late is not None:
        return timing.late(ranking.late)
    if ranking.needed or found.needs_reply or warns(found) or found.spam >= 0.5 or _asks_plainly(found):
        return ""
    if found.category.category in _MAILINGS or found.facts.sender.is_owner or found.facts.context.answered:
        return ""
    words = own_words(found.facts.view)
    return f'; it says "{one_line(words)}"' if words else ""


def _asks_plainly(found: RuleFindings) -> bool:
    return found.acts.probabilities["request"] >= _REQUESTED


def fit(text: str, ending: str = "") -> str:
    """Fit `text` into `LIMIT`, on one line, with a full stop, and keep `ending` unless `text` already contains it."""
    text = one_line(text).replace(" from The sender", " from the sender")
    if '"' in ending and ending.split('"')[1].lower() in text.lower():
        ending = ""
    if len(text) + len(ending) > LIMIT:
        text = cut(text, LIMIT - len(ending) - 2)
        if text.count('"') % 2:  # a quotation is whole or absent
            text = text[: text.rindex('"')].rstrip(" ,;:")
    text += ending
    return text if text.endswith((".", "!", "?", '."')) else f"{text}."


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
    return machine_sentence(found, ranking)


def _suspicion(reasons: tuple[str, ...]) -> str:
    """Return the heaviest clue, with the next one if the first alone would say too little."""
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
    name, words = full_name(found.facts), quote(key_sentence(found.facts), QUOTE)
    if "daemon" in found.facts.sender.address or "postmaster" in found.facts.sender.address:
        return f"{name} says {words}" if words else f"A mail of yours came back from {name}"
    return f"Automatic answer from {name}: {words}" if words else f"Automatic answer from {name}"


def _person(found: RuleFindings, ranking: Ranking) -> str:
    facts, view, acts = found.facts, found.facts.view, found.acts
    name = who(facts)
    if facts.context.answered:
        return f"You have answered {name} already"
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method:
        return meeting_sentence(found, name, ranking)
    if ranking.needed:
        return _asks(found, name, ranking)
    if on_a_list(facts):
        return _on_a_list(found, name)
    if is_closing(facts, acts):
        first = next((sentence for sentence in view.sentences if not is_salutation(sentence)), "")
        words = quote(key_sentence(facts), QUOTE) or quote(first, QUOTE)
        return f"{name} says {words}" if words else f"{name} says thanks"
    if facts.sender.audience == "copy" and _asks_plainly(found):
        asked = acts.sentences["request"]
        verb = "asks" if _is_asking(found, asked) else "writes"
        words = quote(asked, room(name, 28)) or quote(key_sentence(facts), QUOTE)
        return f"You are copied in; {name} {verb} {words}" if words else f"You are copied in by {name}"
    return _tells(found, name)


_PASSED_ON: dict[PastimeKind, str] = {
    "chain": "passes on a chain letter",
    "fun": "passes on something for fun",
    "sale": "has something to give or sell",
    "event": "tells everybody of an event",
}


def _passed_on(found: RuleFindings, kind: PastimeKind) -> str:
    """Return the reason for mail that people pass on; its subject says what it is, else its first words."""
    told = f"{who(found.facts)} {_PASSED_ON[kind]}"
    words = quote(topic(found.facts.message.subject), QUOTE) or quote(key_sentence(found.facts), QUOTE)
    return f"{told}: {words}" if words else told


def _on_a_list(found: RuleFindings, name: str) -> str:
    facts = found.facts
    identifier = facts.lists.list_id.rpartition("<")[2].strip("<> ")
    where = tag(facts.message.subject) or identifier.partition(".")[0]
    place = f" {cut(one_line(where), 30)}" if where and where.isprintable() else ""
    asked = found.acts.sentences["request"]
    if not (_asks_plainly(found) or asks_anyone(fold(asked))):
        asked = ""
    words = quote(topic(asked) if asked == facts.view.subject else asked, room(name, 16 + len(place)))
    if words:
        return f"{name} asks the list{place} {words}"
    words = quote(topic(facts.message.subject), QUOTE) if found.acts.main == "amend" else ""
    words = words or quote(key_sentence(facts), QUOTE) or quote(topic(facts.message.subject), QUOTE)
    return f"{name} writes to the list{place}: {words}" if words else f"{name} writes to the list{place}"


def _asks(found: RuleFindings, name: str, ranking: Ranking) -> str:
    view = found.facts.view
    sentence = found.acts.sentences["request"] if asked_of_user(found) else ""
    names_work = sentence != view.subject and '"' in sentence and is_heading(sentence.strip('"“” .\n'))
    if names_work:
        sentence = _another_ask(found, QUOTE)[0] or sentence
    asking = _is_asking(found, sentence)
    if not asking and (says_nothing(sentence) or is_heading(sentence) or is_courtesy(sentence)):
        sentence = key_sentence(found.facts)
    about = _about(found, sentence)
    words = quote(topic(sentence) if sentence == view.subject else sentence, room(name, 34 + len(about)))
    if not words:
        sentence, words = _another_ask(found, room(name, 34))
        asking, about = bool(words), ""
    if not words:
        return _hints(found, name, ranking)
    due = "" if ranking.late else _pressing(found, words + about)
    if not asking or (found.acts.main not in _WANTING and not found.needs_reply):
        return f"{name} writes {words}{about}{due}"
    return f"{name} asks {words}{about}{due}"


def _another_ask(found: RuleFindings, limit: int) -> tuple[str, str]:
    """Return another sentence that asks, and its quotation, if the main one is too long to be quoted whole."""
    spans = sorted(found.acts.requests, key=lambda span: -span.strength)
    for span in spans:
        words = quote(span.text, limit)
        if span.strength >= _REQUESTED and words and not says_nothing(span.text):
            return span.text, words
    return "", ""


def _pressing(found: RuleFindings, words: str) -> str:
    """Return the time by which it is wanted, unless the quoted text says so."""
    view, folded, extra = found.facts.view, words.lower(), timing.due(found, words)
    if extra:
        return extra
    if found.urgency.score >= 0.3 and view.has("due_today"):
        day = one_line(view.quote("due_today"))
        return timing.format_day(found, "wanted", day) if locate(folded, day.lower()) < 0 else ""
    return ""


def _is_asking(found: RuleFindings, sentence: str) -> bool:
    """Return True if a sentence has the form of a question or request; others only show that something is wanted."""
    if "?" in sentence or "？" in sentence or _INVERTED.match(sentence):
        return True
    return any(
        span.strength >= _IN_FORM and span.kind != "need" and span.text == sentence
        for span in found.acts.requests
    )


def _about(found: RuleFindings, sentence: str) -> str:
    """Return the subject, for a request that does not say what it is about."""
    if not sentence or sentence == found.facts.view.subject or not leaves_open(sentence):
        return ""
    if len(one_line(sentence)) > _SHORTQUOTE + 8:
        return ""
    folded = fold(sentence)
    told = topic(found.facts.message.subject)
    subject = "" if told.endswith(":") else quote(told, _SHORTQUOTE)
    return f" about {subject}" if subject and subject.strip('"…').lower() not in one_line(folded) else ""


def _hints(found: RuleFindings, name: str, ranking: Ranking) -> str:
    """Return the reason why something is wanted although no sentence asks."""
    view, over = found.facts.view, ranking.late is not None
    subject = quote(topic(found.facts.message.subject), QUOTE)
    if found.alert.kind != "none":
        words = quote(around_text(found, found.alert.evidence), QUOTE) or subject
        return f"{name} says {words}" + ("" if over else timing.due(found, words))
    if view.has("rsvp"):
        return (
            f"{name} invites you: {quote(view.sentence_with('rsvp') or view.quote('rsvp'), QUOTE) or subject}"
        )
    cues = [cue for cue in found.urgency.cues if cue.name != "shouting"]
    heaviest = max(cues, key=lambda cue: cue.weight, default=None)
    pressing = quote(around_text(found, heaviest.evidence), QUOTE) if heaviest else ""
    words = pressing or quote(key_sentence(found.facts), QUOTE) or subject
    return f"{name} writes {words}" if words else f"{name} {'wanted' if over else 'wants'} something from you"


_WANTING: tuple[SpeechAct, ...] = ("request", "propose", "meet")
_VERBS: dict[SpeechAct, str] = {"commit": "promises", "propose": "suggests"}
_BEING = lazy_pattern(
    r"\b(?:will|shall|[i’']ll) (?:be|attend|spend)\b|\b(?:werde|bin)\b.*\b(?:sein|dort|da|weg)\b",
    re.IGNORECASE,
)
"""Says where someone will be: news, not a promise."""


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
    words = quote(told, room(name, 20))
    if verb and words and not (acts.main == "commit" and _BEING.search(told)):
        return f"{name} {verb}: {words}"
    if facts.message.encrypted:
        return f"Encrypted mail from {name}; only its headers can be read here"
    if not facts.prepared.normalized.strip():
        return f"Mail from {name} without text of its own"
    space = room(name, 10)
    wanted = acts.sentences["request"] if _asks_plainly(found) else ""
    if wanted and wanted != facts.view.subject and not says_nothing(wanted):
        return f"{name} {'asks' if _is_asking(found, wanted) else 'writes'} {quote(wanted, space)}"
    key = key_sentence(facts)
    host = linked_host(key or facts.prepared.normalized or facts.message.subject)
    if host:
        return f"{name} sends a link to {host}"
    words = quote(key, space)
    if words:
        asks = one_line(key).rstrip(".! ").endswith((f"{words[1:-1]}?", f"{words[1:-1]}？"))
        return f"{name} {'asks' if asks and not is_title(key) else 'writes'} {words}"
    return _says_little(found, name)


def _says_little(found: RuleFindings, name: str) -> str:
    """Return the reason for mail without a sentence of its own: its few words, or the mail that it forwards."""
    subject = one_line(found.facts.message.subject)
    about = quote(topic(subject), QUOTE)
    if FORWARDS.match(subject) and about:
        return f"{name} forwards {about}"
    text = found.facts.prepared.normalized
    few = "" if FIELD.match(text) else quote(text, _FEW)
    if few and few[1:2].isalpha() and few[1:-1] not in found.facts.sender.name:
        return f"{name} says {few}"
    return f"{name} sends {about}" if about else f"Mail from {name}"
