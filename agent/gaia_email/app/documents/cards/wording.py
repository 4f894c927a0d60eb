"""The text of cards in every interface: headings, plans and facts in words, and their order.

Entries: `card_lines`, `HEADINGS`.
"""

from __future__ import annotations

from gaia_email.app.documents.mail_types import SectionName
from gaia_email.app.languages.speaking import N_, _
from gaia_email.policy.model import Mode, PlannedAction
from gaia_mail.printable import visible
from gaia_understanding.cascade.verdict import Category, SpeechAct

HEADINGS: dict[SectionName, tuple[str, str]] = {
    "urgent": ("🔥", N_("Urgent")),
    "actionable": ("📬", N_("Needs you")),
    "informational": ("ℹ️", N_("Worth knowing")),
    "suspicious": ("⚠️", N_("Suspicious")),
    "low_priority": ("🗃️", N_("Low priority")),
}
"""Emoji and heading of each bucket, and of suspected fraud in any bucket."""

TELLING = 40
"""Characters of a summary that are compared with the reason."""

_UNITS = (
    (86400 * 365, N_("{n} y")),
    (86400 * 30, N_("{n} mo")),
    (86400 * 7, N_("{n} w")),
    (86400, N_("{n} d")),
    (3600, N_("{n} h")),
    (60, N_("{n} min")),
)

PLAN_TEXT = {
    "reply": "draft a reply",
    "do": "keep it on your list",
    "label": "label it",
    "archive": "archive it",
    "warn": "leave it, with a warning",
    "keep": "leave it",
}
MODE_TEXT = {
    "apply": "would do, with undo",
    "review": "would put up for review",
    "suggest": "would suggest",
    "leave": "would leave it alone",
}


ACTS: dict[SpeechAct, str] = {
    "request": N_("asks you for something"),
    "commit": N_("promises something"),
    "deliver": N_("hands something over"),
    "propose": N_("proposes something"),
    "meet": N_("is about a meeting"),
    "amend": N_("changes or corrects something"),
    "fyi": N_("tells you something"),
}
KINDS: dict[Category, str] = {
    "primary": N_("personal or work mail"),
    "newsletters": N_("newsletter"),
    "notifications": N_("notification"),
    "promotions": N_("advertising"),
    "receipts": N_("receipt"),
    "social": N_("social network"),
}
COHORTS: dict[str, str] = {
    "vip": N_("from one of your VIPs"),
    "newsletters": N_("sent to a list"),
    "social": N_("from a social network"),
    "transactional": N_("from a shop, bank or service"),
    "first_contact": N_("first mail from this address"),
    "intra_org": N_("from your own organisation"),
    "cross_org": N_("from another organisation"),
    "default": N_("from somebody you know"),
}


TIERS = {
    "T0": N_("rules and the model that ships (T0)"),
    "T1": N_("rules and a language model of this machine (T1)"),
    "T2": N_("rules and a language model of this machine (T2)"),
}


def priority_number(score: float) -> int:
    """Return a priority as a number of at most two digits: the value in JSON times a hundred."""
    return round(100 * round(score, 2))


def age(seconds: float | None) -> str:
    """Return an age in one unit: `12 min`, `3 h`, `2 d`; empty if unknown."""
    if seconds is None:
        return ""
    if seconds < -60:
        return _("ahead")
    for size, unit in _UNITS:
        if seconds >= size:
            return _(unit).format(n=int(seconds // size))
    return _("now")


def one_line(text: str) -> str:
    """Return untrusted text as one visible line."""
    return visible(" ".join(text.split()))


def card_lines(subject: str, reason: str, summary: str) -> tuple[str, str]:
    """Return the reason and summary to show below a subject, without repeating it."""
    shown = beside_subject(one_line(deadline_first(reason)), one_line(subject))
    told = one_line(summary)
    return shown, "" if _repeats(told, subject, shown) else told


def deadline_first(reason: str) -> str:
    """Move a deadline at the end of a reason to its front: `Due Friday. Ann asks …`.

    A deadline is a day or an hour ("wanted at 3:30"), even if it has passed.
    """
    told, found, when = reason.rpartition("; ")
    when = when.rstrip(".")
    if not found or not when.startswith(_DEADLINES) or (told.count('"') % 2):
        return reason
    return f"{when[0].upper()}{when[1:]}. {told}{'' if told.endswith('.') else '.'}"


_DEADLINES = ("due ", "wanted ", "the date passed ", "no answer for ", "it has waited ")


def beside_subject(reason: str, subject: str) -> str:
    """Return a reason without the quoted words that the subject repeats, unless nothing else would be left."""
    lead, opened, rest = reason.partition('"')
    said, closed, tail = rest.partition('"')
    if not (opened and closed) or '"' in tail or said.rstrip("…").casefold() not in subject.casefold():
        return reason
    lead, tail = lead.rstrip(), tail.lstrip(";., ")
    if lead.endswith(" says"):
        lead = f"{lead.rpartition('. ')[0]}." if ". " in lead else ""
    elif lead.endswith(":"):
        lead = f"{lead[:-1]}."
    else:
        return reason
    shown = " ".join(filter(None, (lead, f"{tail[:1].upper()}{tail[1:]}")))
    says_more = any(not part.lower().startswith(_DEADLINES) for part in shown.split(". ") if part)
    return shown if says_more else reason


def _repeats(summary: str, subject: str, reason: str) -> bool:
    """True if the summary only repeats the subject or the reason."""
    start = summary[:TELLING].rstrip(" .?!…").casefold()
    return start in one_line(reason).casefold() or summary.casefold() == one_line(subject).casefold()


def plan_text(mode: Mode, action: PlannedAction) -> str:
    """Return a plan in a few words, such as `would archive it, with undo`."""
    return MODE_TEXT["leave"] if mode == "leave" else f"{MODE_TEXT[mode]}: {PLAN_TEXT[action]}"
