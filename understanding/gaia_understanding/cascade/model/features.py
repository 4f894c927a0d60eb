"""The learned model's features: names of what a message contains. Entries: `features_of`, `sentence_features`.

Words alone say too little from a few hundred examples, so most features are what the rules found: who speaks,
to whom, what the new text asks, by when. A feature is present or absent; numbers become steps ("more than
3").
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import MailboxAddress
from gaia_understanding.cascade.facts import RuleFacts, days_until
from gaia_understanding.cascade.phrases import QUESTION, STOP, fold, text_of, tokens_of
from gaia_understanding.cascade.priority import RuleFindings
from gaia_understanding.cascade.sender.sender import Audience
from gaia_understanding.cascade.traps.generators import marks
from gaia_understanding.cascade.traps.origin import signs
from gaia_understanding.cascade.traps.spam import SCHEMES
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.extract.requests import RequestSpan

WORDS_READ = 160
"""The words of the body that the model reads, the ends of sentences among them."""

_SUBJECT_WORDS = 24
_SENTENCE_WORDS = 60
_NAME_BYTES = 3
_SIGNED, _GREETED = 90, 45
_LENGTHS = (40, 120, 300, 700, 1500, 4000)
_COUNTS = (1, 2, 4, 8, 16)
_DAYS = (0.5, 1.5, 2.5, 7.5, 31.5)
_CLOCK = lazy_pattern(r"\d(?:[:.h]\d\d\b| ?(?:am|pm|a\.m|p\.m|uhr|heures|uur|o'clock)\b)")
_CLOCK_CHARS = 1_500
_ASKED = 0.5
_MANY = 6
_HOURS = frozenset("noon midday midnight half mittags midi mezzogiorno mediodía".encode().split())


class _Named(dict[str, str]):
    """Features of the word lists and their names here, each name built once."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def __missing__(self, feature: str) -> str:
        name = self[feature] = f"{self._kind}:{feature}"
        return name


_IN_SUBJECT, _SAYS = _Named("in subject"), _Named("says")


class Features(NamedTuple):
    """The features of one message, by group; a group's names are unique within it."""

    facts: list[str]
    """Findings of rules and headers, as `kind:value`."""
    sender: list[bytes]
    """Words of the sender's name and local part."""
    subject: list[bytes]
    body: list[bytes]
    text: list[bytes]
    """The body's beginning in order, with its sentence ends (see `phrases.text_of`)."""


def features_of(found: RuleFindings, bucket: Bucket) -> Features:
    """Return all features of a message; `bucket` is the rules' own."""
    view = found.facts.view
    subject = tokens_of(view.folded_subject, _SUBJECT_WORDS)
    text = text_of(view.folded_body[: WORDS_READ * 12], WORDS_READ, view.wide)
    body = dict.fromkeys(text)
    body.pop(STOP, None)
    body.pop(QUESTION, None)
    named = _name_features(found, subject)
    audience = _judge_audience(found, named)
    return Features(
        facts=[
            f"bucket:{bucket}",
            *_sender(found),
            *_audience(found, audience),
            *_rules(found),
            *_when(found.facts, text),
            *_shape(found),
            *named,
            *signs(found.facts),
            *marks(found.facts),
            *_soliciting(found),
            *_list_waivers(found),
            *_crosses(found, bucket, audience),
            *map(_IN_SUBJECT.__getitem__, view.subject_hits),
            *map(_SAYS.__getitem__, view.body_hits),
        ],
        sender=_sender_words(found),
        subject=list(dict.fromkeys(subject)),
        body=list(body),
        text=text,
    )


def sentence_features(sentence: str, span: RequestSpan | None) -> list[bytes]:
    """Return the features of one sentence: its words, pairs of words, and the request that the rules found in it."""
    words = tokens_of(fold(sentence), _SENTENCE_WORDS)
    names = [*words, *(first + b" " + second for first, second in pairwise((b"^", *words, b"$")))]
    if "?" in sentence:
        names.append(b"?")
    if span is not None:
        names.append(b"rule %d" % bisect_right((0.2, 0.4, 0.5, 0.6, 0.8), span.strength))
        names.append(b"kind " + span.kind.encode())
    return list(dict.fromkeys(names))


def _crosses(found: RuleFindings, bucket: Bucket, audience: Audience) -> list[str]:
    """Return pairs of facts that mean more together than each alone."""
    facts, category = found.facts, found.category.category
    asks = bisect_right((0.4, 0.6), found.acts.probabilities["request"])
    pressing = bisect_right((0.2, 0.5), found.urgency.score)
    return [
        f"asks {asks}, urgency {pressing}",
        f"asks {asks}, {facts.sender.kind}",
        f"asks {asks}, {audience}",
        f"{bucket}, {facts.sender.kind}",
        f"{category}, {facts.sender.kind}",
        f"{category}, urgency {pressing}",
        f"{category}, alert {found.alert.kind}",
    ]


def _list_waivers(found: RuleFindings) -> list[str]:
    """Return the mail's own statements that it wants little."""
    waived = {"nothing wanted": found.waivers.nothing, "as you please": found.waivers.free}
    return [name for name, words in waived.items() if words]


def _soliciting(found: RuleFindings) -> list[str]:
    """Count the schemes of unsolicited mail in the text, and add what makes them less or more likely."""
    facts = found.facts
    schemes = min(4, len(SCHEMES.intersection(facts.view.counts)))
    known = facts.context.written_to > 0 or facts.context.received_before > 0 or facts.lists.discussion
    listed = facts.lists.unsubscribe is not None or facts.lists.bulk
    return [
        f"schemes:{schemes}",
        f"schemes {schemes}, {'known' if known else 'listed' if listed else 'strange'}",
    ]


def _sender(found: RuleFindings) -> list[str]:
    facts = found.facts
    who, context, lists = facts.sender, facts.context, facts.lists
    names = [f"sender:{who.kind}", f"category:{found.category.category}", f"cohort:{found.cohort}"]
    names.append(f"machine:{bisect_right((0.2, 0.35, 0.5, 0.75), found.category.machine)}")
    flags = {
        "own organisation": facts.shares_domain,
        "free mail": who.free_mail,
        "first contact": context.first_contact is True,
        "written to": context.written_to > 0,
        "own thread": context.owner_in_thread,
        "unsubscribe": lists.unsubscribe is not None,
        "list id": bool(lists.list_id),
        "automatic": lists.automatic,
        "bulk": lists.bulk,
        "discussion": lists.discussion,
        "service": lists.service,
        "personal name": who.kind == "person" and len(who.name.split()) in (2, 3),
        "no name": not who.name,
        "imitates": facts.imitates is not None,
        "dmarc fail": facts.authentication.dmarc == "fail",
        "dmarc pass": facts.authentication.trusted and facts.authentication.dmarc == "pass",
    }
    names += [name for name, there in flags.items() if there]
    return names


def _name_features(found: RuleFindings, subject: list[bytes]) -> list[str]:
    """Return the features of names: people have theirs in their address and sign with it, firms in their domain."""
    facts = found.facts
    who, body = facts.sender, facts.view.folded_body
    local, host = who.address.partition("@")[0].encode(), who.organisation.partition(".")[0].encode()
    words = _names(who.name)
    firm = {word for word in words if word in host}
    own = who.kind == "person" and any(map(local.__contains__, words - firm))
    named = f"named:{'address' * own}{'domain' * bool(firm)}"
    end = f"{body[-_SIGNED:]} {fold(facts.prepared.signature[:_SIGNED])}"
    signed = "signed:1" if _stand_in(words, end) else "signed:0"
    users, others = _recipients(facts)
    opening = body[:_GREETED]
    greets = "greets:1" if _stand_in(users, opening) else "greets:0"
    names = [named, signed, f"{signed}, {named}", greets]
    if others and greets == "greets:0" and _stand_in(others, opening):
        names.append("greets another")
    return names if users.isdisjoint(subject) else [*names, "subject names you"]


def _stand_in(words: frozenset[bytes], text: str) -> bool:
    """Return True if a folded text contains one of the words; a quick search for parts of words comes first."""
    octets = text.encode("utf-8", "replace")
    return any(map(octets.__contains__, words)) and not words.isdisjoint(tokens_of(text))


def _recipients(facts: RuleFacts) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the names of the user and those of the other recipients; the first recipient is the user if unknown."""
    to, owner = facts.message.to, facts.context.owner
    if len(to) == 1 and not facts.message.cc:
        return _read_name(to[0]), frozenset()
    both = (*to[:_MANY], *facts.message.cc[:_MANY])
    mine = next((mailbox for mailbox in both if mailbox.address.lower() in owner), to[0] if to else None)
    users = _read_name(mine) if mine else frozenset[bytes]()
    others = frozenset[bytes]().union(*[_read_name(mailbox) for mailbox in both if mailbox is not mine])
    return users, others - users


def _read_name(mailbox: MailboxAddress) -> frozenset[bytes]:
    """Return the words of a mailbox's name, or of its address if it has none."""
    return _names(mailbox.name or mailbox.address.partition("@")[0])


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[bytes]:
    """Return the words of a display name, without initials and the like."""
    return frozenset(word for word in tokens_of(fold(text)) if len(word) >= _NAME_BYTES)


def _judge_audience(found: RuleFindings, named: list[str]) -> Audience:
    """Return the audience; a user who is greeted by name counts as addressed, whatever other recipients there are."""
    audience = found.facts.sender.audience
    return "me" if audience in ("few", "many", "copy") and "greets:1" in named else audience


def _audience(found: RuleFindings, audience: Audience) -> list[str]:
    facts = found.facts
    names = [f"to:{audience}"]
    if facts.is_reply:
        names.append("reply")
    if facts.prepared.quoted:
        names.append("quotes")
    return names


def _rules(found: RuleFindings) -> list[str]:
    facts, acts = found.facts, found.acts
    names = [
        f"alert:{found.alert.kind}",
        f"urgency:{bisect_right((0.01, 0.2, 0.4, 0.5, 0.7), found.urgency.score)}",
    ]
    names += [f"cue:{cue.name}" for cue in found.urgency.cues]
    names += [
        f"act:{act}:{bisect_right((0.2, 0.4, 0.5, 0.6, 0.8), value)}"
        for act, value in acts.probabilities.items()
        if value >= 0.2
    ]
    names.append(f"asks:{min(len(acts.requests), 3)}")
    names += [f"request:{span.kind}" for span in acts.requests]
    names.append(f"act:{acts.main}")
    names.append("reply:yes" if found.needs_reply else "reply:no")
    if found.urgency.days is not None:
        names.append(f"due:{bisect_right(_DAYS, found.urgency.days)}")
    names.append(f"spam:{bisect_right((0.1, 0.3, 0.5, 0.7), found.spam)}")
    names.append(f"phishing:{bisect_right((0.1, 0.3, 0.5, 0.7), found.phishing.score)}")
    entities = facts.entities
    present = {
        "money": entities.money,
        "code": entities.codes,
        "phone": entities.phones,
        "receipt": entities.receipt,
        "journey": entities.itinerary,
        "parcel": entities.tracking,
        "action": entities.action_items,
        "date": entities.dates,
    }
    names += [f"names a {name}" for name, there in present.items() if there]
    if entities.meeting is not None:
        names.append(f"meeting:{entities.meeting.source}:{entities.meeting.method}")
    return names


def _when(facts: RuleFacts, text: list[bytes]) -> list[str]:
    """Return the nearest day that is named at all, and if a time of day is."""
    sent = facts.message.date
    names = ["clock"] if _names_time(facts.view, text) else []
    if sent is None:
        return names
    days = [
        found
        for date in facts.entities.dates
        if (found := days_until(date.value, sent)) is not None and found >= 0
    ]
    near = bisect_right(_DAYS, min(days)) if days else "none"
    wanted = _wanted_by(facts, sent)
    return [
        *names,
        f"when:{near}",
        *(f"{name}, when:{near}" for name in names),
        f"asks by:{wanted}, when:{near}",
    ]


def _wanted_by(facts: RuleFacts, sent: datetime) -> int | str:
    """Return the nearest day named in a sentence that asks for something; other sentences are often about others."""
    asking = [span.text for span in facts.reading.requests if span.strength >= _ASKED]
    if not asking:
        return "nobody"
    days = [
        found
        for date in facts.entities.dates
        if (found := days_until(date.value, sent)) is not None
        and found >= 0
        and any(date.text in text for text in asking)
    ]
    return bisect_right(_DAYS, min(days)) if days else "none"


def _names_time(view: PhraseView, words: list[bytes]) -> bool:
    """Return True if the text names a time of day."""
    if view.digits and _CLOCK.search(view.folded_body, 0, _CLOCK_CHARS) is not None:
        return True
    return not _HOURS.isdisjoint(words)


def _shape(found: RuleFindings) -> list[str]:
    facts = found.facts
    prepared, view = facts.prepared, facts.view
    text, subject = prepared.normalized, view.subject
    names = [
        f"length:{bisect_right(_LENGTHS, len(text))}",
        f"links:{bisect_right(_COUNTS, len(prepared.links))}",
        f"questions:{min(3, view.body.count('?'))}",
        f"shouts:{min(3, view.body.count('!'))}",
        f"language:{prepared.language}",
        f"text:{prepared.text_from}",
    ]
    flags = {
        "subject asks": "?" in subject,
        "subject shouts": "!" in subject,
        "subject tagged": subject.startswith("["),
        "subject capitals": bool([word for word in subject.split() if len(word) > 3 and word.isupper()]),
        "percent": "%" in view.body or "%" in subject,
        "first link": "http" in view.body[:600],
        "attachment": bool(facts.message.attachments),
        "signature": bool(prepared.signature),
        "greeting": view.folded_body[:40].startswith(("hi ", "hello", "hey", "dear ")),
    }
    return names + [name for name, there in flags.items() if there]


def _sender_words(found: RuleFindings) -> list[bytes]:
    who = found.facts.sender
    return list(dict.fromkeys(tokens_of(f"{who.name.lower()} {who.address.partition('@')[0]}")[:8]))
