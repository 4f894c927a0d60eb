"""Reasons for mail of machines, offices and mailings. Entries: `machine_sentence`, `meeting_sentence`.

The reason for a notice that needs the user quotes the sentence that says what to do, or what happens
otherwise.
"""

from __future__ import annotations

from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks.requests import substance
from gaia_understanding.cascade.kinds.category import is_outreach
from gaia_understanding.cascade.phrases import fold
from gaia_understanding.cascade.priority import Ranking, RuleFindings
from gaia_understanding.cascade.tables import word_list
from gaia_understanding.cascade.wording import timing
from gaia_understanding.cascade.wording.lines import (
    FORWARDS,
    LIMIT,
    QUOTE,
    is_heading,
    key_sentence,
    one_line,
    quotable,
    quote,
    says_nothing,
    topic,
)
from gaia_understanding.cascade.wording.names import full_name, is_persons_name

_TABLE = WordTable("gaia_understanding.cascade", "wording/notices.txt")

_ASKED, _TELLING = 0.5, 2.0
_SENTENCES, _EARLY = 14, 1_500
_LEANING = word_list(
    "it this that they these es dies das il elle cela ça esto eso lo questo ciò isso het dit dat"
)
"""A sentence that begins with one of these depends on the one before."""
_OTHERWISE = _TABLE.pattern("otherwise")
"""Says what happens if nothing is done."""
_ASIDE = _TABLE.pattern("aside")
"""Small print, or a help line: not a reason."""
_VALID = _TABLE.pattern("valid")
"""Says how long a code works."""


def machine_sentence(found: RuleFindings, ranking: Ranking) -> str:
    """Return the reason for a notice, a receipt or a mailing."""
    facts = found.facts
    name = full_name(facts)
    if found.alert.kind != "none" and (ranking.needed or found.alert.kind in ("know", "check")):
        return _alert(found, name, ranking)
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method:
        return meeting_sentence(found, name, ranking)
    if ranking.needed:
        return _describe_demand(found, name, ranking)
    category = found.category.category
    subject = quote(topic(facts.message.subject), QUOTE)
    if category == "newsletters":
        return f"Newsletter from {name}: {subject}" if subject else f"Newsletter from {name}"
    if category == "promotions":
        return _advertising(found, name)
    if category == "social":
        return f"Social update from {name}: {subject}" if subject else f"Social update from {name}"
    if category == "receipts":
        return _receipt(found, name)
    words = _dated_words(found) or subject or around(found, "cat_notification")
    if _written_by_person(found):
        return f"{name} writes on {facts.sender.domain[:40]} about {words}" if words else f"Notice by {name}"
    return f"Automatic notice from {name}: {words}" if words else f"Automatic notice from {name}"


def _describe_demand(found: RuleFindings, name: str, ranking: Ranking) -> str:
    """Return the reason for mail of a machine or an office that wants something of the user."""
    words = telling_words(found)
    if not words:
        return f"{name} {'wanted' if ranking.late else 'wants'} something from you"
    return f"{name} says {words}{'' if ranking.late else timing.due(found, words)}"


def telling_words(found: RuleFindings) -> str:
    """Quote what a notice asks or what happens if nothing is done, else its subject or its first news."""
    view = found.facts.view
    deadline = one_line(found.urgency.deadline).rstrip(".,; ")
    asked = {one_line(span.text) for span in found.acts.requests if span.strength >= _ASKED}
    best, chosen = 0.0, ""
    for place, (start, sentence) in enumerate(zip(view.starts, view.sentences, strict=False)):
        if place >= _SENTENCES or start > _EARLY:
            break
        text, folded = one_line(sentence), view.folded_sentence(place)
        if says_nothing(sentence) or _ASIDE.search(folded):
            continue
        points = 3.0 * (_OTHERWISE.search(folded) is not None) + 2.0 * (text in asked and substance(text) > 0)
        points += 2.0 * (bool(deadline) and deadline in text)
        points += 1.0 * (bool(found.alert.evidence) and found.alert.evidence in sentence)
        if folded.partition(" ")[0] in _LEANING:
            points = 0.0 if deadline and deadline in found.facts.message.subject else points - 1.0
        words = quote(sentence, QUOTE) if points > best else ""
        if words:
            best, chosen = points, words
    if best >= _TELLING:
        return chosen
    subject = topic(found.facts.message.subject)
    news = key_sentence(found.facts)
    leans = fold(news).partition(" ")[0] in _LEANING
    if (
        news
        and not _names_alarm(found, news)
        and substance(news) > 1
        and not leans
        and not is_heading(news)
        and fold(news) not in fold(subject)
    ):
        return quote(news, QUOTE)
    return quote(subject, QUOTE) or chosen or quote(news, QUOTE)


def _names_alarm(found: RuleFindings, news: str) -> bool:
    """Return True if the subject raises the alarm and names it, while the text only gives details."""
    subject, evidence = topic(found.facts.message.subject), found.alert.evidence
    raised = found.alert.kind == "now" and bool(evidence) and evidence in subject and evidence not in news
    return raised and not is_heading(subject) and substance(subject) > 1


def _written_by_person(found: RuleFindings) -> bool:
    """Return True for a service that puts its user's name before its own address: code forges, shared documents."""
    sender = found.facts.sender
    return sender.kind == "machine" and is_persons_name(sender.name)


def _advertising(found: RuleFindings, name: str) -> str:
    if is_outreach(found.facts):
        request = found.acts.sentences["request"]
        words = quote(request if substance(request) else key_sentence(found.facts), QUOTE)
        return (
            f"Unasked-for sales mail from {name}: {words}" if words else f"Unasked-for sales mail from {name}"
        )
    facts = found.facts
    if facts.sender.kind == "person" and not facts.lists.bulk:
        words = quote(topic(facts.message.subject), room(name, 24)) or around(found, "cat_promotion")
        if words and FORWARDS.match(one_line(facts.message.subject)):
            return f"{name} forwards {words}, which looks like advertising"
        return f"Looks like an offer from {name}: {words}" if words else f"Looks like an offer from {name}"
    words = around(found, "cat_promotion")
    return f"Advertising from {name}: {words}" if words else f"Advertising from {name}"


def _receipt(found: RuleFindings, name: str) -> str:
    facts, view = found.facts, found.facts.view
    if view.in_subject("cat_delivery") or (facts.entities.tracking and view.has("cat_delivery")):
        return f"Delivery news from {name}: {around(found, 'cat_delivery')}"
    if facts.entities.itinerary is not None:
        words = quote(topic(facts.message.subject), QUOTE)
        return f"Travel papers from {name}: {words}" if words else f"Travel papers from {name}"
    total = total_text(found)
    words = _dated_words(found) or ("" if total else quote(topic(facts.message.subject), room(name, 30)))
    if words:
        return f"{name} sends {words}"
    return f"Receipt from {name} for {total}" if total else f"Receipt from {name}"


def total_text(found: RuleFindings) -> str:
    """Return the total as the message writes it: the stated one, else the only amount; empty if unclear."""
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
        held = _VALID.search(facts.view.folded_body)
        valid = f", valid for {held['span']}" if held and not ranking.late else ""
        asked = "" if ranking.late else "; use it if you just asked for it"
        return f"Code {facts.entities.codes[0]} from {name}{valid}{asked}"
    if kind == "know":
        words = quote(key_sentence(facts), QUOTE) or quote(topic(facts.message.subject), QUOTE)
        return f"Your plans change: {name} says {words}"
    if kind == "check":
        words = quote(key_sentence(facts), QUOTE) or quote(topic(facts.message.subject), QUOTE)
        return f"{name} says {words}" + ("" if ranking.late else "; check whether that was you")
    return _describe_demand(found, name, ranking)


def _dated_words(found: RuleFindings) -> str:
    """Quote the sentence that names a deadline within two weeks; empty if there is none."""
    deadline, days = found.urgency.deadline, found.urgency.days
    if not deadline or days is None or days > timing.SOON or deadline in found.facts.message.subject:
        return ""
    held = next((one for one in found.facts.view.sentences[:_SENTENCES] if deadline in one), "")
    return "" if says_nothing(held) else quote(held, QUOTE)


def meeting_sentence(found: RuleFindings, name: str, ranking: Ranking) -> str:
    """Return the reason for an invitation, its cancellation or an answer to it."""
    facts = found.facts
    meeting = facts.entities.meeting
    title = one_line(meeting.summary)[:QUOTE] if meeting is not None and meeting.summary else ""
    if title and title not in one_line(facts.message.subject) and not _stands_in_calendar(found, title):
        title = ""
    title = (title or quotable(topic(facts.message.subject), QUOTE)).replace('"', "'")
    method = meeting.method if meeting is not None else ""
    inviting = "invited you to" if ranking.late else "invites you to"
    verb = {"CANCEL": "called off", "REPLY": "answered the invitation"}.get(method, inviting)
    when = timing.on_day(found, meeting.start) if meeting is not None and ranking.late is None else ""
    if meeting is not None and meeting.recurrence and method != "REPLY":
        when = f"{when}, {meeting.recurrence}"
    return f'{name} {verb} "{title}"{when}' if title else f"{name} {verb} a meeting{when}"


def _stands_in_calendar(found: RuleFindings, title: str) -> bool:
    return any(title in one_line(text[:20_000]) for text in found.facts.message.calendars[:3])


def room(name: str, rest: int) -> int:
    """Return the most characters of a quotation next to a name and `rest` other characters."""
    return max(60, min(QUOTE, LIMIT - len(name) - rest - 4))


def around(found: RuleFindings, feature: str) -> str:
    """Quote the subject if it contains the phrase, else the sentence around it, else the phrase."""
    view = found.facts.view
    if view.in_subject(feature):
        return quote(topic(found.facts.message.subject), QUOTE)
    sentence = view.sentence_with(feature)
    around = "" if says_nothing(sentence) else quote(sentence, QUOTE)
    return around or quote(view.quote(feature), QUOTE)


def around_text(found: RuleFindings, evidence: str) -> str:
    """Return the sentence around a text of the message, or the subject that contains it."""
    view = found.facts.view
    if evidence and evidence in view.subject:
        return topic(view.subject)
    return next((sentence for sentence in view.sentences if evidence in sentence), evidence)
