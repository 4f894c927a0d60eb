"""One sentence that says why a message stands where it stands. Entry: `sentence_for`.

It names the signals that decided, in words a person would use, and quotes only what the message says.
"""

from __future__ import annotations

from gaia_email.cascade import needs_reply as replies
from gaia_email.cascade.model import SpeechAct
from gaia_email.cascade.phrases import locate
from gaia_email.cascade.priority import Findings, Standing, asked_of_user, warns
from gaia_email.cascade.tables import word_list
from gaia_email.cascade.wording import cut, full_name, one_line, quotable, who

LIMIT = 140
_QUOTE = 70
_SCHEMES = word_list(
    "spam_tagged spam_pills spam_adult spam_casino spam_crypto spam_money spam_credit spam_bulk_tools "
    "spam_advance_fee spam_removal_strong spam_hype spam_salutation spam_removal"
)


def sentence_for(found: Findings, standing: Standing) -> str:
    """The reason, at most about 140 characters, always one sentence."""
    return fit(_say(found, standing))


def fit(text: str) -> str:
    """`text` within `LIMIT`, on one line, with a full stop."""
    text = one_line(text)
    if len(text) > LIMIT:
        text = cut(text, LIMIT - 1)
        if text.count('"') % 2:
            text += '"'
    return text if text.endswith((".", "!", "?", '."')) else f"{text}."


def _say(found: Findings, standing: Standing) -> str:
    facts = found.facts
    if warns(found):
        reasons = found.phishing.reasons or ("the sender is not who it says",)
        return f"Looks like phishing: {reasons[0]}"
    if found.spam >= 0.5:
        return _spam(found)
    if facts.sender.is_owner:
        return "You wrote this yourself"
    if facts.lists.auto_reply:
        return f"Automatic answer from {full_name(facts)}; nothing to do"
    category = found.category.category
    if category in _MACHINE_SAYS:
        return _machine(found)
    return _person(found, standing)


_MACHINE_SAYS = frozenset({"newsletters", "promotions", "social", "receipts", "notifications"})


def _spam(found: Findings) -> str:
    view = found.facts.view
    for feature in _SCHEMES:
        if view.has(feature):
            return f'Looks like spam: it says "{one_line(view.quote(feature))}"'
    return f"Looks like spam from {full_name(found.facts)}"


def _machine(found: Findings) -> str:
    facts, alert = found.facts, found.alert
    name = full_name(facts)
    if alert.kind != "none":
        return _alert(found, name)
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method:
        return _meeting(found, name)
    category = found.category.category
    if category == "newsletters":
        return f"Newsletter from {name}; nothing is asked of you"
    if category == "promotions":
        words = _around(found, "cat_promotion")
        return f'Advertising from {name}: "{words}"' if words else f"Advertising from {name}"
    if category == "social":
        subject = quotable(facts.message.subject, _QUOTE)
        return f'Social update from {name}: "{subject}"' if subject else f"Social update from {name}"
    if category == "receipts":
        return _receipt(found, name)
    words = quotable(facts.message.subject, _QUOTE) or _around(found, "cat_notification")
    return (
        f'Automatic notice from {name}: "{words}"; nothing to do'
        if words
        else f"Automatic notice from {name}; nothing to do"
    )


def _receipt(found: Findings, name: str) -> str:
    facts, view = found.facts, found.facts.view
    if view.in_subject("cat_delivery") or (facts.entities.tracking and view.has("cat_delivery")):
        return f'Delivery news from {name}: "{_around(found, "cat_delivery")}"'
    if facts.entities.itinerary is not None:
        words = quotable(facts.message.subject, _QUOTE)
        return (
            f'Travel papers from {name}: "{words}"' if words else f"Travel papers from {name}; nothing to do"
        )
    money = facts.entities.money
    shown = f" over {one_line(money[0].text)}" if money else ""
    return f"Receipt from {name}{shown}; nothing to do"


def _alert(found: Findings, name: str) -> str:
    facts, alert = found.facts, found.alert
    subject = quotable(facts.message.subject, _QUOTE)
    if alert.kind == "code":
        return f"{name} sent you the code {facts.entities.codes[0]}, which is short-lived"
    if alert.kind == "signup":
        return f'{name} waits for you: "{subject or one_line(alert.evidence)}"'
    words = subject or one_line(alert.evidence)
    today = " today" if found.urgency.score >= 0.5 else ""
    due = _due(found, words)
    return (
        f'{name} says "{words}"{due or ";"} it needs you{today}' if not due else f'{name} says "{words}"{due}'
    )


def _meeting(found: Findings, name: str) -> str:
    meeting = found.facts.entities.meeting
    title = one_line(meeting.summary)[:_QUOTE] if meeting is not None and meeting.summary else ""
    if title and title not in one_line(found.facts.message.subject) and not _stands_in_calendar(found, title):
        title = ""
    title = title or quotable(found.facts.message.subject, _QUOTE)
    method = meeting.method if meeting is not None else ""
    verb = {"CANCEL": "called off", "REPLY": "answered the invitation"}.get(method, "invites you to")
    return f'{name} {verb} "{title}"' if title else f"{name} {verb} a meeting"


def _stands_in_calendar(found: Findings, title: str) -> bool:
    return any(title in one_line(text[:20_000]) for text in found.facts.message.calendars[:3])


def _person(found: Findings, standing: Standing) -> str:
    facts, view, acts = found.facts, found.facts.view, found.acts
    name = who(facts)
    if facts.context.answered:
        return f"You have answered {name} already"
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method:
        return _meeting(found, name)
    if standing.bucket in ("urgent", "actionable"):
        return _asks(found, name)
    if facts.lists.discussion:
        return f"Mail on a list, written by {name}; nothing is asked of you"
    if replies.is_closing(facts, acts):
        return f'{name} says "{one_line(view.quote("thanks_only"))}"; no answer is needed'
    if view.has("no_reply_needed"):
        return f'{name} says "{one_line(view.quote("no_reply_needed"))}"'
    if facts.sender.audience == "copy" and acts.probabilities["request"] >= 0.5:
        return f"You are only copied in; {name} asks somebody else"
    return _tells(found, name)


def _asks(found: Findings, name: str) -> str:
    view, acts = found.facts.view, found.acts
    words = quotable(acts.sentences["request"], _QUOTE) if asked_of_user(found) else ""
    if not words:
        cues = [cue for cue in found.urgency.cues if cue.name not in ("shouting",)]
        if found.alert.kind != "none":
            return f'{name} says "{one_line(found.alert.evidence)}"; it may need you'
        if view.has("rsvp"):
            return f'{name} invites you: "{one_line(view.quote("rsvp"))}"'
        if cues:
            heaviest = max(cues, key=lambda cue: cue.weight)
            return f'{name} writes "{_around_text(found, heaviest.evidence)}"'
        return f"{name} wants something from you"
    extras: list[str] = []
    due = _due(found, words)
    if due:
        extras.append(due)
    elif view.has("urgent_word") and locate(words.lower(), view.quote("urgent_word").lower()) < 0:
        extras.append(f', marked "{one_line(view.quote("urgent_word"))}"')
    elif (
        view.has("due_today")
        and found.urgency.score >= 0.3
        and locate(words.lower(), view.quote("due_today").lower()) < 0
    ):
        extras.append(f', wanted "{one_line(view.quote("due_today"))}"')
    if found.cohort == "vip":
        extras.append(", and you know each other well")
    return f'{name} asks "{words}"' + "".join(extras[:2])


def _due(found: Findings, words: str) -> str:
    deadline = one_line(found.urgency.deadline).rstrip(".,;")
    if (
        not deadline
        or found.urgency.days is None
        or found.urgency.days > 14
        or deadline.lower() in words.lower()
    ):
        return ""
    return f'; due "{deadline}"'


_VERBS: dict[SpeechAct, str] = {"amend": "brings a change", "commit": "promises", "propose": "suggests"}


def _tells(found: Findings, name: str) -> str:
    facts, acts = found.facts, found.acts
    files = [
        attachment.filename
        for attachment in facts.message.attachments
        if attachment.filename and not attachment.inline
    ]
    if acts.main == "deliver" and files:
        return f"{name} sends {cut(files[0], 60)}; nothing is asked of you"
    verb = _VERBS.get(acts.main, "")
    words = quotable(acts.sentences[acts.main] or facts.message.subject, _QUOTE)
    if verb and words:
        return f'{name} {verb}: "{words}"'
    if facts.message.encrypted:
        return f"Encrypted mail from {name}; only its headers can be read here"
    if not facts.prepared.normalized.strip():
        return f"Mail from {name} without text of its own"
    return f"{name} tells you something; nothing is asked of you"


def _around(found: Findings, feature: str) -> str:
    """The subject when it holds the phrase, else the sentence around it, else the phrase."""
    view = found.facts.view
    if view.in_subject(feature):
        return quotable(found.facts.message.subject, _QUOTE)
    return quotable(view.sentence_with(feature), _QUOTE) or one_line(view.quote(feature))


def _around_text(found: Findings, evidence: str) -> str:
    view = found.facts.view
    if evidence and evidence in view.subject:
        return quotable(view.subject, _QUOTE)
    for sentence in view.sentences:
        if evidence in sentence:
            return quotable(sentence, _QUOTE)
    return one_line(evidence)
