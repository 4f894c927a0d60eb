"""Decide the content category of a message. Entry: `decide`.

The first question is whether a machine sent it. Headers, sender, words and structure each add to that, so
that machine mail without headers is still recognised and a person on a mailing list is still a person. Then
the kinds are scored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gaia_mail.domains import domain_of
from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.kinds.cohorts import NEWSLETTER_DOMAINS, SOCIAL_DOMAINS
from gaia_understanding.cascade.sender.sender import organisations
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.cascade.verdict import Category

_KIND_START = {"machine": 0.75, "role": 0.3, "person": 0.08}
_NEWSLETTER_SENDERS = ("news", "digest", "daily", "editor")
_PAPERS = (
    "letter", "lettre", "lettera", "weekly", "briefing", "magazin", "bulletin", "journal", "gazette", "dispatch",
    "redaktion", "redactie", "redazione", "redaccion", "redacao", "alumni",
)  # fmt: skip
"""The words that periodicals write into their addresses, before or after the `@`."""
_ISSUE = lazy_pattern(
    r"#\d{1,4}\b|\b(?:vol|no|nr|issue|ausgabe|numéro|número|nummer)\.? ?\d|第\d+号", re.IGNORECASE
)
_PROMOTION_SENDERS = ("marketing", "promo", "offers", "deals", "store", "shop", "campaign")
_MAILING_HOSTS = wordset(
    "newsletter newsletters news email e em mailer mailing mailings marketing lists list m go info notify "
    "notifications bounce updates reply click send edm crm campaign campaigns promo offers comms"
)
_ENCODED_DIGITS = 8
_PRIMARY_NEEDS = 0.5
_DOUBTFUL = 0.3
"""The likelihood below which not even a machine's plainest words make the mail a machine's."""
_OVERRULES = 4
_OUTREACH = 2.0
_OUTREACH_TOOL = lazy_pattern(r"sales|outreach|cadence|prospect|campaign", re.IGNORECASE)
_MANY_LINKS = 8
_ALERTING = frozenset({"alert_do", "alert_now", "alert_signup"})


@dataclass(slots=True, kw_only=True)
class CategoryFinding:
    """The category, its lead over the next one, and the likelihood that no person wrote the mail (0 to 1)."""

    category: Category
    margin: float
    machine: float


def decide(facts: RuleFacts) -> CategoryFinding:
    """Score every category and take the best; ties go to the first of `notifications` and its siblings."""
    machine = machine_likelihood(facts)
    if machine < _PRIMARY_NEEDS:
        if is_outreach(facts):
            return CategoryFinding(category="promotions", margin=0.5, machine=machine)
        if machine < _DOUBTFUL or facts.is_reply:
            return primary(machine)
    scores: dict[Category, float] = {
        "notifications": _notifications(facts),
        "receipts": _receipts(facts),
        "newsletters": _newsletters(facts),
        "promotions": _promotions(facts),
        "social": _social(facts),
    }
    best = max(scores, key=scores.__getitem__)
    if machine < _PRIMARY_NEEDS and scores[best] < _OVERRULES:
        return primary(machine)
    others = sorted(scores.values())
    margin = min(1.0, (others[-1] - others[-2]) / 3 + abs(machine - _PRIMARY_NEEDS) / 2)
    return CategoryFinding(category=best, margin=margin, machine=machine)


def primary(machine: float) -> CategoryFinding:
    """Return the finding for mail written to the user; the less a machine may have sent it, the surer."""
    return CategoryFinding(category="primary", margin=abs(_PRIMARY_NEEDS - machine), machine=machine)


def is_outreach(facts: RuleFacts) -> bool:
    """Return True for unasked-for selling by a sender whom the user never wrote to.

    Claims, approaches and a way out add up.
    """
    context, view = facts.context, facts.view
    claims = view.count("outreach_claim")
    if not claims:
        return False
    if (
        context.written_to
        or context.owner_in_thread
        or facts.lists.discussion
        or facts.prepared.quoted.strip()
    ):
        return False
    if facts.sender.organisation in organisations(context.owner):
        return False
    tool = _OUTREACH_TOOL.search(facts.lists.mailer[:80]) is not None
    score = claims + 0.5 * min(2, view.count("outreach_approach")) + view.has("outreach_optout") + 0.5 * tool
    return score >= _OUTREACH


def machine_likelihood(facts: RuleFacts) -> float:
    """Return the likelihood, 0 to 1, that a program sent this, to a list of many or because of an event."""
    lists, view, who = facts.lists, facts.view, facts.sender
    if not lists.automatic and _is_discussion(facts):
        return 0.45 if who.kind == "machine" else 0.1
    counts, subject = view.counts, view.subject_hits
    count = counts.get
    impersonal, answers = who.kind != "person", facts.is_reply
    score = _KIND_START[who.kind]
    if lists.automatic:
        score += 0.5
    if lists.bulk:
        score += 0.5
    if lists.service:
        score += 0.25
    if "machine_text" in counts:
        score += 0.35
    score += (0.0, 0.3, 0.45, 0.6)[min(3, count("bulk_text", 0))]
    score += 0.3 * _hints(who.address).program + 0.15 * (len(facts.prepared.links) > _MANY_LINKS)
    score += 0.5 * (" via " in who.name and not lists.bulk)
    if not answers and count("cat_receipt", 0) + count("cat_delivery", 0) >= 2:
        score += 0.45
    if "cat_newsletter" in subject and not answers:
        score += 0.2
    if impersonal and ("cat_newsletter" in subject or "cat_promotion" in subject):
        score += 0.3
    if who.organisation in SOCIAL_DOMAINS or who.organisation in NEWSLETTER_DOMAINS:
        score += 0.6
    if count("cat_promotion", 0) >= 3:
        score += 0.25
    if impersonal and ("cat_notification" in subject or "alert_do" in subject):
        score += 0.15
    return max(0.0, min(1.0, score * _human_traces(facts)))


class _AddressHints(NamedTuple):
    """The hints of a sender's address about its mail.

    `program`: a program made it, at a host kept for mailings or with a local part that encodes the recipient.
    """

    program: bool
    newsletter: bool
    promotion: bool
    notification: bool


@lru_cache(maxsize=4096)
def _hints(address: str) -> _AddressHints:
    local, host = address.partition("@")[0], domain_of(address)
    return _AddressHints(
        program=host.partition(".")[0] in _MAILING_HOSTS or sum(map(str.isdigit, local)) >= _ENCODED_DIGITS,
        newsletter=any(map(local.__contains__, _NEWSLETTER_SENDERS))
        or any(map(address.__contains__, _PAPERS)),
        promotion=any(map(local.__contains__, _PROMOTION_SENDERS)),
        notification=local.startswith("notif"),
    )


def _is_discussion(facts: RuleFacts) -> bool:
    """Return True if people write to each other over a list: list software, or `[tag]` and a person's name."""
    lists, tagged = facts.lists, facts.view.subject.startswith(("[", "Re: ["))
    return lists.discussion or (bool(lists.list_id) and tagged and facts.sender.kind == "person")


def _human_traces(facts: RuleFacts) -> float:
    """Return a factor below 1 for traits that only correspondence has."""
    factor = 1.0
    if facts.is_reply and not facts.lists.automatic:
        factor *= 0.7
    if facts.context.written_to and not facts.lists.bulk:
        factor *= 0.5
    if facts.context.owner_in_thread:
        factor *= 0.6
    return factor


def _receipts(facts: RuleFacts) -> float:
    view, entities = facts.view, facts.entities
    subject, count = view.subject_hits, view.counts.get
    score = 1.2 * ("cat_receipt" in subject) + 1.0 * ("cat_delivery" in subject)
    score += 0.5 * min(3, count("cat_receipt", 0)) + 0.5 * min(2, count("cat_delivery", 0))
    score += 1.5 * (entities.receipt is not None) + 0.8 * bool(entities.tracking)
    score += 0.8 * (bool(entities.money) and view.has("cat_receipt") and view.has("already_paid"))
    score += 0.8 * (entities.itinerary is not None)
    if facts.lists.unsubscribe is not None and entities.receipt is None:
        score *= 0.7
    return score


def _promotions(facts: RuleFacts) -> float:
    view, lists = facts.view, facts.lists
    score = 1.2 * view.in_subject("cat_promotion") + 0.55 * min(4, view.count("cat_promotion"))
    score += 0.8 * (lists.unsubscribe is not None) + 0.3 * lists.service + 0.2 * view.has("bulk_text")
    return score + 0.6 * _hints(facts.sender.address).promotion


def _newsletters(facts: RuleFacts) -> float:
    view, lists = facts.view, facts.lists
    score = 1.6 * view.in_subject("cat_newsletter") + 0.6 * min(3, view.count("cat_newsletter"))
    listed = lists.unsubscribe is not None or bool(lists.list_id)
    score += (0.4 + 0.9 * bool(_ISSUE.search(view.subject))) * listed + 0.3 * view.has("bulk_text")
    score += 1.0 * _hints(facts.sender.address).newsletter
    score -= 1.2 * facts.is_reply
    score += 0.3 * view.has("edition") + 0.3 * (len(facts.prepared.links) > _MANY_LINKS)
    return score + 1.5 * (facts.sender.organisation in NEWSLETTER_DOMAINS)


def _social(facts: RuleFacts) -> float:
    view = facts.view
    known = facts.sender.organisation in SOCIAL_DOMAINS
    return 2.8 * known + 1.3 * view.in_subject("cat_social") + 0.7 * min(2, view.count("cat_social"))


def _notifications(facts: RuleFacts) -> float:
    view, lists = facts.view, facts.lists
    counts, subject = view.counts, view.subject_hits
    score = 0.8 + 1.2 * ("cat_notification" in subject) + 0.45 * min(3, view.count("cat_notification"))
    score += 0.8 * lists.automatic + 0.8 * _hints(facts.sender.address).notification
    score += 0.9 * (not _ALERTING.isdisjoint(subject))
    score += 1.2 * ("alert_code" in counts) + 0.4 * ("alert_do" in counts)
    return score * (0.8 if lists.unsubscribe is not None and not lists.automatic else 1.0)
