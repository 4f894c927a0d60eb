"""Match rules of the user's cohorts, such as `from:ann@example.org subject:"final invoice"`.

A rule is a line of conditions that must all match; a cohort with several lines applies if any of them matches. Values
are compared as a whole or at word boundaries. Display names are not matched, because senders choose them freely.
Entry points: `parse_rule`, `PolicyRule.holds`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from gaia_email.policy.model import MessageFacts
from gaia_email_registry.errors import BadArgument
from gaia_mail.domains import domain_of
from gaia_understanding.cascade.verdict import CATEGORIES

RuleField = Literal["from", "domain", "to", "list", "header", "subject", "label", "category"]

FIELDS: tuple[RuleField, ...] = get_args(RuleField)

HELP = (
    "from:ADDRESS, domain:DOMAIN (with what is below it), to:ADDRESS, list:LIST-ID, header:NAME or "
    'header:NAME=WORDS, subject:WORD or subject:"SOME WORDS", label:NAME, category:NAME'
)

NEEDS_SENDER: frozenset[RuleField] = frozenset({"from", "domain"})
"""Conditions about the sender; they do not match if the sender cannot be trusted."""

MAX_VALUE, MAX_CONDITIONS, MAX_RULES = 200, 10, 200

_TOKEN = re.compile(r'\s*([A-Za-z]+):(?:"([^"]*)"|([^\s"]+))(?=\s|$)')
_ADDRESS = re.compile(r"[^\s@\"]+@[^\s@\"]+")
_DOMAIN = re.compile(r"[^\s@\"./]+(?:\.[^\s@\"./]+)+")
_HEADER = re.compile(r"[!-9;-<>-~]+(?:=.+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A field and the value it must have."""

    field: RuleField
    value: str

    def __str__(self) -> str:
        quoted = f'"{self.value}"' if " " in self.value else self.value
        return f"{self.field}:{quoted}"

    def holds(self, facts: MessageFacts, category: str) -> bool:
        """Return True if the message, which has this content category, matches."""
        value = self.value
        match self.field:
            case "from":
                return facts.sender == value
            case "domain":
                domain = domain_of(facts.sender)
                return domain == value or domain.endswith("." + value)
            case "to":
                return value in facts.recipients
            case "list":
                return facts.list_id == value
            case "header":
                name, _, words = value.partition("=")
                found = facts.headers.get(name.lower())
                return found is not None and words.casefold() in found.casefold()
            case "subject":
                return bool(_words(value.casefold()).search(" ".join(facts.subject.casefold().split())))
            case "label":
                return value.casefold() in facts.labels
            case "category":
                return value == category


@lru_cache(maxsize=1024)
def _words(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRule:
    """Conditions that must all match."""

    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.conditions))

    @property
    def needs_sender(self) -> bool:
        """True if the rule depends on the sender."""
        return any(condition.field in NEEDS_SENDER for condition in self.conditions)

    def holds(self, facts: MessageFacts, category: str) -> bool:
        """Return True if the message matches every condition, even if its sender may be forged."""
        return all(condition.holds(facts, category) for condition in self.conditions)


def parse_rule(text: str) -> PolicyRule:
    """Parse a rule.

    Raises:
        BadArgument: The text is not a rule; the message quotes the invalid part.
    """
    conditions: list[Condition] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _bad(
                f"{text[position : position + 60].strip()!r} is not a condition; conditions are {HELP}."
            )
        conditions.append(_condition(match[1].lower(), match[2] if match[2] is not None else match[3]))
        position = match.end()
    if not conditions or len(conditions) > MAX_CONDITIONS:
        raise _bad(f"A rule has from one to {MAX_CONDITIONS} conditions, such as domain:example.org.")
    return PolicyRule(conditions=tuple(conditions))


def _condition(name: str, value: str) -> Condition:
    value = " ".join(value.split())
    if name not in FIELDS:
        raise _bad(f"There is no condition {name[:40]!r}; conditions are {HELP}.")
    if name in ("from", "to", "domain", "list"):
        value = value.lower()
    if name == "domain":
        value = value.removeprefix("@").strip(".")
    if name == "list":
        value = value.strip("<>")
    if not value or len(value) > MAX_VALUE or not value.isprintable():
        raise _bad(f"{name}: needs a value of at most {MAX_VALUE} printable characters.")
    well = {
        "from": _ADDRESS.fullmatch(value),
        "to": _ADDRESS.fullmatch(value),
        "domain": _DOMAIN.fullmatch(value),
        "list": value,
        "header": _HEADER.fullmatch(value),
        "category": value in CATEGORIES,
    }
    if not well.get(name, True):
        raise _bad(f"{value[:80]!r} cannot be the value of {name}:; conditions are {HELP}.")
    return Condition(field=name, value=value)


def _bad(message: str) -> BadArgument:
    return BadArgument(message, argument="match")
