"""The forms of requests, by language (`data/requests/`). Entry: `request_rules`.

A section is a rule: the place of its expressions, the kind of request, and its strength. Its entries:

- `says`: the expressions, written as in a `WordTable`.
- `hint`: words of which the sentence must contain one; `_` is a space.
- `first`: words of which the sentence must begin with one, if that is known. `{verbs}` is the first words of that
  list.

A `words` section is a list, a `part` section an expression; `{name}` inserts their alternatives into an
expression.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from gaia_email_registry.tables import read_sections
from gaia_mail.word_table import expressions
from gaia_understanding.prepare.extract.request_rule import RequestRule, rule_of
from gaia_understanding.prepare.extract.wordlists import alternatives

FOREIGN = ("de", "fr", "es", "it", "pt", "nl", "ja", "zh")
"""The languages other than English that have rules."""

_PART = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRules:
    """The rules of a language.

    Attributes:
        rules: In order: the first that matches decides.
        parts: The expressions that replace names in the rules.
    """

    rules: tuple[RequestRule, ...]
    parts: dict[str, str] = field(default_factory=dict[str, str])


@cache
def request_rules(language: str) -> RequestRules:
    """Return the rules of English or one of `FOREIGN`."""
    parts: dict[str, str] = {}
    firsts: dict[str, str] = {}
    rules: list[RequestRule] = []
    for title, entries in read_sections("gaia_understanding.prepare.extract", f"requests/{language}.txt"):
        kind, _, name = title.partition(" ")
        if kind == "words":
            parts[name] = alternatives(entries["words"])
            firsts[f"{{{name}}}"] = " ".join(one.partition("_")[0] for one in entries["words"].split())
        elif kind == "part":
            parts[name] = "|".join(expressions(entries["says"]))
        else:
            first = entries.get("first", "")
            said = _PART.sub(lambda match: parts[match[1]], "|".join(expressions(entries["says"])))
            rules.append(rule_of(title, said, hint=entries.get("hint", ""), first=firsts.get(first, first)))
    return RequestRules(rules=tuple(rules), parts=parts)
