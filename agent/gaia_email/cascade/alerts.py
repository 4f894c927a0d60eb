"""Machine mail that needs a person: a failed payment, a code to type in, an outage. Entry: `find`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaia_email.cascade.category import CategoryFinding
from gaia_email.cascade.facts import Facts
from gaia_email.cascade.tables import phrase_list

AlertKind = Literal["none", "do", "now", "code", "signup"]

_EARLY = 700
"""A need named further down is small print."""

_QUIET_CATEGORIES = frozenset({"promotions", "newsletters", "social"})
_SIGN_IN = phrase_list(
    "new sign-in; new login; new device; sign-in attempt; login attempt; neue anmeldung; nouvelle "
    "connexion; nuevo inicio de sesión; nuovo accesso; novo início de sessão; nieuwe aanmelding"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """What a machine wants: `code` a number to type, `signup` a confirmation, `do` some day, `now` today."""

    kind: AlertKind
    evidence: str


def find(facts: Facts, category: CategoryFinding) -> Alert:
    """The strongest need a machine mail names; `none` for people, for advertising, and where all is well."""
    view = facts.view
    if category.category in _QUIET_CATEGORIES or (category.category == "primary" and category.machine < 0.3):
        return Alert(kind="none", evidence="")
    if view.has("alert_code") and facts.entities.codes:
        return Alert(kind="code", evidence=view.quote("alert_code"))
    if _is_sign_in(facts):
        return Alert(
            kind="do",
            evidence=view.quote("alert_do") or view.quote("alert_now") or view.quote("cat_notification"),
        )
    calm = view.in_subject("alert_calm") or (
        view.has("alert_calm") and not view.in_subject("alert_do") and not view.in_subject("alert_now")
    )
    if calm:
        return Alert(kind="none", evidence="")
    if view.in_subject("alert_now"):
        return Alert(kind="now", evidence=view.quote("alert_now"))
    if view.in_subject("alert_signup"):
        return Alert(kind="signup", evidence=view.quote("alert_signup"))
    if view.in_subject("alert_do") or view.has("alert_now"):
        return Alert(kind="do", evidence=view.quote("alert_do") or view.quote("alert_now"))
    if view.has("alert_do") and category.category != "receipts" and not facts.lists.discussion:
        evidence = view.quote("alert_do")
        if view.body.find(evidence) < _EARLY:
            return Alert(kind="do", evidence=evidence)
    return Alert(kind="none", evidence="")


def _is_sign_in(facts: Facts) -> bool:
    return any(phrase in facts.view.folded_subject for phrase in _SIGN_IN)
