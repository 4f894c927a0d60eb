"""Extract what a message asks of its reader and what its writer promises. Entry: `note_of`.

Works for received and sent mail: the owner's own mail is read from its recipient's point of view.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gaia_email.triage.followups.message_note import MessageNote
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks.needs_reply import is_closing, is_owner_named
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import fold
from gaia_understanding.cascade.priority import RuleFindings
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.extract.requests import RequestSpan
from gaia_understanding.prepare.model import Prepared

_TABLE = WordTable("gaia_email.triage.followups", "promises.txt")
_PROMISE = _TABLE.pattern("promise", r"(?:^|[\s,;:(—–-])(?:", r")")
_CONDITION = _TABLE.pattern("condition")
_RECURRING = _TABLE.pattern("recurring")
_OFFER = _TABLE.pattern("offer")
_GROUP, _EVERYBODY = _TABLE.pattern("group"), _TABLE.pattern("everybody")
_FORBIDDING, _NOTICE = _TABLE.pattern("forbidding"), _TABLE.pattern("notice")
_ASKING = _TABLE.pattern("asking")
_ANSWER = _TABLE.pattern("answer")
_WISH = _TABLE.pattern("wish")
_ABSENCE = _TABLE.pattern("absence", r"^\W*(?:re:\s*)?(?:", r")")

_ANSWERABLE = frozenset({"question", "directive", "need"})
_ASKED, _ASKED_FIRST, _ASKED_OF_MANY = 0.5, 0.7, 0.9
"""Minimum strength of a request: to this reader, to the first of many recipients, to everyone addressed."""
_MANY, _FEW = 12, 5
"""A question to more than `_MANY` recipients expects no one to answer; a promise has at most `_FEW` recipients."""
_PARTS = lazy_pattern(r"[._+-]")
_FIRST_WORDS, _CALLED = lazy_pattern(r"[^\w'-]+"), 4
_WORDS = 3
"""Minimum number of words in a sentence that is not a greeting."""
_NAME = 3
"""Minimum length of a name."""
_QUOTED_CHARS = 200
_SENTENCES = 40
_YES = 0.5


def note_of(
    prepared: Prepared,
    context: Context,
    *,
    verdict: Verdict | None = None,
    tier: BuiltinTier | None = None,
) -> MessageNote:
    """Return the note on one message.

    Args:
        prepared: The message.
        context: The reader's context; `owner` has the reader's addresses.
        verdict: The verdict on a message to the owner. None for a message from the owner: then every request counts,
            whether it asks for an answer or for an action.
        tier: The rules; None for the built-in ones.
    """
    found = (tier or BuiltinTier()).findings(prepared, context)
    message, facts = prepared.message, found.facts
    meeting = facts.entities.meeting
    event = MessageNote()
    if meeting is not None and meeting.source == "ics" and meeting.method and _is_safe(found):
        event = MessageNote(
            invitation=meeting.method,
            starts=meeting.start,
            ends=meeting.end,
            title=_quoted(meeting.summary or message.subject),
            place=_quoted(meeting.location),
            uid=meeting.uid[:_QUOTED_CHARS],
        )
    categories = {found.category.category, verdict.content_category if verdict else found.category.category}
    if "primary" not in categories or _is_automatic(found, message):
        return replace(event, automatic=not event.invitation)
    if any(removal.how == "bare_forward" for removal in prepared.removed):
        return event
    closes = is_closing(facts, found.acts) or bool(found.waivers.nothing)
    asked = None if closes else _asked(found, verdict)
    promise = _promise(found)
    return replace(
        event,
        asks=_quoted(asked.text if asked else ""),
        promises=_quoted(promise),
        due=_due(found, (asked.text if asked else "", promise)),
        closes=closes and asked is None,
    )


def reader_of(message: ParsedMessage, own: Collection[str]) -> frozenset[str]:
    """Return the first recipient of the owner's message who is not the owner; empty for a note to oneself."""
    for mailbox in (*message.to, *message.cc):
        if mailbox.address and mailbox.address.lower() not in own:
            return frozenset({mailbox.address.lower()})
    return frozenset()


def _is_automatic(found: RuleFindings, message: ParsedMessage) -> bool:
    lists = found.facts.lists
    if lists.automatic or lists.bulk or lists.auto_reply or not found.facts.sender.address:
        return True
    if _ABSENCE.search(fold(message.subject)) is not None:
        return True
    return not _is_safe(found)


def _is_safe(found: RuleFindings) -> bool:
    return found.phishing.score < _YES and found.spam < _YES and found.injection.score < _YES


def _asked(found: RuleFindings, verdict: Verdict | None) -> RequestSpan | None:
    """Return the strongest sentence that asks this reader, or None if the sender does not expect an answer."""
    span, facts = _request(found), found.facts
    audience = facts.sender.audience
    if verdict is None:
        return span
    if span is None:
        emergency = verdict.bucket == "urgent" and audience == "me" and facts.sender.kind == "person"
        waited_for = emergency or (verdict.needs_reply and audience in ("me", "few"))
        if not waited_for or _is_to_all(facts) or (facts.entities.meeting and facts.entities.meeting.method):
            return None
        return _strongest(found)
    folded = _folded(span)
    answer = _ANSWER.search(folded) is not None or _WISH.search(folded) is not None
    by_name = audience == "many" and _calls(_names(facts), folded)
    known = facts.shares_domain or facts.context.owner_in_thread or facts.context.written_to > 0
    question = known and span.kind == "question" and span.strength >= _ASKED_FIRST
    errand = verdict.bucket in ("urgent", "actionable") and _is_errand(found, span)
    return span if verdict.needs_reply or answer or by_name or question or errand else None


def _is_errand(found: RuleFindings, span: RequestSpan) -> bool:
    """Return True if the request is for this reader alone and asks for an action, not for an answer."""
    if found.pastime is not None:
        return False
    return (
        span.kind == "directive" and span.strength >= _ASKED_OF_MANY and found.facts.sender.audience == "me"
    )


def _strongest(found: RuleFindings) -> RequestSpan | None:
    """Return the most certain request, or else the first sentence, if no sentence clearly asks."""
    subject, view = found.facts.message.subject, found.facts.view
    spans = [
        span
        for span in found.acts.requests
        if span.text != subject and span.strength >= _ASKED and not _asks_nothing(_folded(span))
    ]
    if spans:
        return max(spans, key=lambda span: span.strength)
    if not view.sentences or found.acts.requests:
        return None
    text = next((one for one in view.sentences if len(one.split()) >= _WORDS), view.sentences[0])
    return RequestSpan(text=text, normal=text, place=0, kind="directive", strength=_ASKED)


def _request(found: RuleFindings) -> RequestSpan | None:
    facts = found.facts
    recipients = len(facts.message.to) + len(facts.message.cc)
    names = _names(facts)
    owner = facts.context.owner
    to_all = _is_to_all(facts)
    to_many = to_all or facts.sender.audience == "many"
    leads = not to_all and bool(facts.message.to) and facts.message.to[0].address.lower() in owner
    is_copy = facts.sender.audience in ("copy", "unknown")
    opened = is_owner_named(facts) and not is_copy
    best: RequestSpan | None = None
    for span in found.acts.requests:
        if span.kind not in _ANSWERABLE or span.strength < _ASKED:
            continue
        folded = _folded(span)
        if span.text == facts.message.subject or _asks_nothing(folded) or not _ASKING.search(folded):
            continue
        called = opened or _calls(names, folded)
        if is_copy and not called:
            continue
        meant = called or (leads and span.strength >= _ASKED_FIRST)
        if to_many and not meant and not _is_for_each(span, folded, recipients):
            continue
        if best is None or span.strength > best.strength:
            best = span
    return best if best is not None or is_copy else _wished(found)


def _wished(found: RuleFindings) -> RequestSpan | None:
    """Return a sentence that asks indirectly, by saying what would be welcome."""
    facts = found.facts
    if len(facts.message.to) + len(facts.message.cc) > _MANY:
        return None
    for index, sentence in enumerate(facts.view.sentences[:_SENTENCES]):
        folded = " ".join(facts.view.folded_sentence(index).split())
        if _WISH.search(folded) is not None and _OFFER.search(folded) is None:
            return RequestSpan(text=sentence, normal=folded, place=index, kind="directive", strength=_ASKED)
    return None


def _is_to_all(facts: RuleFacts) -> bool:
    """Return True if the text addresses a group or everyone, even if its recipients are individuals."""
    body = facts.view.folded_body
    return _GROUP.search(body[:_QUOTED_CHARS]) is not None or _EVERYBODY.search(body) is not None


def _folded(span: RequestSpan) -> str:
    return " ".join(fold(span.text).split())


def _asks_nothing(folded: str) -> bool:
    """Return True if a sentence that looks like a request is an offer, a notice, or a prohibition."""
    return any(one.search(folded) for one in (_OFFER, _FORBIDDING, _NOTICE))


def _calls(names: frozenset[str], folded: str) -> bool:
    """Return True if a sentence addresses one of these names: in its first words, or after an `@`."""
    first = _FIRST_WORDS.split(folded, maxsplit=_CALLED)[:_CALLED]
    return not names.isdisjoint(first) or any(f"@{name}" in folded for name in names)


def _is_for_each(span: RequestSpan, folded: str, recipients: int) -> bool:
    """Return True if a request to several people wants an answer from each, and there are at most `_MANY`."""
    return span.strength >= _ASKED_OF_MANY and recipients <= _MANY and _ANSWER.search(folded) is not None


def _names(facts: RuleFacts) -> frozenset[str]:
    """Return the possible names of the reader: the parts of their addresses, and their first name."""
    owner = facts.context.owner
    parts = {part for address in owner for part in _PARTS.split(address.partition("@")[0])}
    for mailbox in (*facts.message.to[:_MANY], *facts.message.cc[:_MANY]):
        if mailbox.address.lower() in owner and mailbox.name:
            parts.add(fold(mailbox.name.split()[0].strip(",\"'")))
    return frozenset(part for part in parts if len(part) >= _NAME)


def _promise(found: RuleFindings) -> str:
    """Return the first sentence in which the writer promises the reader something; empty for none."""
    facts = found.facts
    recipients = len(facts.message.to) + len(facts.message.cc)
    if recipients > _FEW or facts.sender.audience == "copy" or _is_to_all(facts):
        return ""
    view = facts.view
    for index, sentence in enumerate(view.sentences[:_SENTENCES]):
        if sentence.rstrip().endswith("?"):
            continue
        folded = " ".join(view.folded_sentence(index).split())
        match = _PROMISE.search(folded)
        if (
            match is None
            or _CONDITION.search(folded, 0, match.end()) is not None
            or _RECURRING.search(folded)
        ):
            continue
        return sentence
    return ""


def _due(found: RuleFindings, sentences: tuple[str, str]) -> str:
    """Return the date named for the request or the promise: in its sentence, or for its task."""
    entities = found.facts.entities
    for sentence in sentences:
        if not sentence:
            continue
        for item in entities.action_items:
            if item.text == sentence and item.due:
                return item.due
        for date in entities.dates:
            if date.text in sentence:
                return date.value
    deadlines = [date.value for date in entities.dates if date.deadline]
    return deadlines[0] if any(sentences) and deadlines else ""


def _quoted(sentence: str) -> str:
    return " ".join(sentence.split())[:_QUOTED_CHARS]
