"""Machine mail that needs the user: a failed payment, a code to type in, an outage. Entry: `find`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.asks.requests import duty, requests_in
from gaia_understanding.cascade.asks.times_today import coming
from gaia_understanding.cascade.asks.waivers import NO_WAIVERS, Waivers
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.kinds.category import CategoryFinding
from gaia_understanding.cascade.tables import phrase_list
from gaia_understanding.cascade.view import PhraseView

AlertKind = Literal["none", "do", "now", "code", "signup", "check", "know"]

_MINUTES = lazy_pattern(
    r"(?:link|button|lien|enlace|collegamento|knop)\b[^.!?]{0,60}?(?:expires?|valid|works|gültig|valable|expire|válido|"
    r"caduca|valido|scade|expira|geldig|verloopt)[^.!?]{0,25}?\b\d{1,2}\s?minut(?:es|en|os|i)\b"
)
_HOURS = lazy_pattern(
    r"\b(?:expires?|ends?|runs out|läuft|expire|caduca|scade|expira|verloopt)\b\D{0,12}(?P<hours>\d{1,2}) ?"
    r"(?:hours?|h|stunden?|heures?|horas?|ore|uur)\b"
)
_DAY = 24
_EARLY = 700
"""The characters of the body after which a need is small print."""

_QUIET_CATEGORIES = frozenset({"promotions", "newsletters", "social"})
_ACCOUNT_EVENTS = phrase_list(
    "new sign-in; new login; new device signed; new device sign-in; from a new device; "
    "new device added; "
    "sign-in attempt; login attempt; neue anmeldung; nouvelle "
    "connexion; nuevo inicio de sesión; nuovo accesso; novo início de sessão; nieuwe aanmelding; "
    "password was changed; password has been changed; passwort wurde geändert; mot de passe a été modifié; "
    "contraseña ha sido cambiada; password è stata modificata; senha foi alterada; wachtwoord is gewijzigd"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """The need of a machine.

    `code` is a number to type, `signup` a confirmation, `check` an account to check, `do` something to do
    some day, `now` something to do today; `know` asks for nothing but changes the user's plans.
    """

    kind: AlertKind
    evidence: str


_NONE = Alert(kind="none", evidence="")
_MACHINE_FROM = 0.3


def find(facts: RuleFacts, category: CategoryFinding, waivers: Waivers = NO_WAIVERS) -> Alert:
    """Return the strongest need of machine mail; `none` for people, for advertising, and if all is well.

    A need that the mail itself waives (`waivers`) is `none`.
    """
    alert = _find_alert(facts, category)
    return _NONE if waivers.cover(facts.view, alert.evidence) else alert


def _find_alert(facts: RuleFacts, category: CategoryFinding) -> Alert:
    view = facts.view
    if category.category in _QUIET_CATEGORIES:
        return _NONE
    if category.category == "primary" and category.machine < _MACHINE_FROM:
        return _payment(facts)
    if view.has("alert_code") and facts.entities.codes:
        return Alert(kind="code", evidence=view.quote("alert_code"))
    once = _once(facts)
    if once:
        return Alert(kind="signup", evidence=once)
    security = _security(view)
    if security is not None:
        return security
    if any(map(view.folded_subject.__contains__, _ACCOUNT_EVENTS)):
        if view.has("alert_calm"):
            return _NONE
        evidence = view.quote("alert_do") or view.quote("alert_now") or view.quote("cat_notification")
        return Alert(kind="check", evidence=evidence)
    calm = view.in_subject("alert_calm") or (
        view.has("alert_calm") and not view.in_subject("alert_do") and not view.in_subject("alert_now")
    )
    if calm:
        return _NONE
    return _pressing(facts) or _in_the_text(facts, category)


def _once(facts: RuleFacts) -> str:
    """Return the text by which an account link expires in minutes: its reader has only just asked for it."""
    view = facts.view
    if not facts.prepared.links or "minut" not in view.folded_body[:_EARLY]:
        return ""
    match = _MINUTES.search(view.folded_body[:_EARLY])
    return view.body[match.start() : match.end()] if match else ""


def _ends_today(facts: RuleFacts) -> str:
    """Return the subject's text about what runs out within a day, if the body says that the renewal has failed."""
    view = facts.view
    if not view.has("renewal_failed"):
        return ""
    match = _HOURS.search(view.folded_subject)
    within = match is not None and int(match["hours"]) <= _DAY
    return view.subject[match.start() : match.end()] if match is not None and within else ""


def _pressing(facts: RuleFacts) -> Alert | None:
    """Return the need that the subject names, or one that cannot wait wherever the mail names it."""
    view = facts.view
    if view.in_subject("alert_now"):
        return Alert(kind="now", evidence=view.quote("alert_now"))
    ending = _ends_today(facts)
    if ending:
        return Alert(kind="now", evidence=ending)
    if view.has("alert_today"):
        return Alert(kind="now", evidence=view.quote("alert_today"))
    if view.has("alert_cancelled") and coming(facts):
        return Alert(kind="now", evidence=view.quote("alert_cancelled"))
    if view.in_subject("alert_signup"):
        return Alert(kind="signup", evidence=view.quote("alert_signup"))
    if view.in_subject("alert_do") or view.has("alert_now"):
        return Alert(kind="do", evidence=view.quote("alert_do") or view.quote("alert_now"))
    return None


def _security(view: PhraseView) -> Alert | None:
    """Return the alert that someone may be in the user's account: `check` if the mail is otherwise calm, else `now`."""
    if not view.has("alert_account"):
        return None
    if view.has("alert_security"):
        return Alert(kind="now", evidence=view.quote("alert_security"))
    if view.has("alert_unless"):
        kind: AlertKind = "check" if view.has("alert_calm") else "now"
        return Alert(kind=kind, evidence=view.quote("alert_unless"))
    return None


def _in_the_text(facts: RuleFacts, category: CategoryFinding) -> Alert:
    """Return a need that only the text names."""
    view = facts.view
    if view.has("alert_pickup") and any(mention.deadline for mention in facts.entities.dates):
        return Alert(kind="do", evidence=view.quote("alert_pickup"))
    payment = _payment(facts)
    if payment.kind != "none":
        return payment
    if view.has("alert_do") and category.category != "receipts" and not facts.lists.discussion:
        evidence = view.quote("alert_do")
        if view.body.find(evidence) < _EARLY:
            return Alert(kind="do", evidence=evidence)
    asked = "" if facts.lists.discussion else duty(requests_in(facts, machine=True), view)
    if asked:
        return Alert(kind="do", evidence=asked)
    if view.has("alert_change"):
        return Alert(kind="know", evidence=view.quote("alert_change"))
    return _NONE


def _payment(facts: RuleFacts) -> Alert:
    """Return an open bill from any sender: words of paying, an amount, and nothing that says that it is paid."""
    view = facts.view
    if not view.has("alert_pay") or view.has("already_paid") or facts.is_reply or facts.lists.discussion:
        return _NONE
    if not facts.entities.money or not (view.has("bill") or facts.entities.receipt is not None):
        return _NONE
    evidence = view.quote("alert_pay")
    early = view.in_subject("alert_pay") or 0 <= view.body.find(evidence) < _EARLY
    return Alert(kind="do", evidence=evidence) if early else _NONE
