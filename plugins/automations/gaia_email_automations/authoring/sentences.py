"""Turn a sentence into a definition, without a model. Entry: `read_sentence`.

"When an invoice arrives, label it Invoices and tell finance@example.com": a trigger, then the actions. The English
grammar is in `data/sentences.json`. A question is asked for each detail that the sentence leaves open and for each part
that was not understood; every assumption is noted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from gaia_email_automations.authoring.clock_words import schedule_of
from gaia_email_automations.authoring.template import (
    CHOOSE,
    AutomationTemplate,
    address_question,
    choice_question,
    text_question,
)
from gaia_email_automations.definition import JsonObject
from gaia_email_registry.errors import BadArgument

MOST_WORDS = 1000
"""Maximum length of a sentence in characters."""

LEAVE_OUT, TELL_ME = "leave it out", "tell me instead"
ADDRESS = re.compile(r"[^\s@,<>]+@[^\s@,<>]+\.[^\s@,<>]+")
_DOMAIN = re.compile(r"@?((?:[a-z0-9-]+\.)+[a-z]{2,})", re.IGNORECASE)
_BETWEEN = re.compile(r",? and then |,? then |,? and |; ?|, ", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRead:
    """The result of reading a sentence.

    Attributes:
        template: The definition with its questions.
        notes: The assumptions made, as sentences.
        unclear: The parts that were not understood.
    """

    template: AutomationTemplate
    notes: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()


@cache
def grammar() -> Mapping[str, Any]:
    """Return the grammar."""
    text = files("gaia_email_automations.authoring").joinpath("data/sentences.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def pattern(words: str) -> re.Pattern[str]:
    """Compile an expression of the grammar, with its parts expanded."""
    parts = {**grammar()["parts"], "THING": "|".join(one["words"] for one in grammar()["things"])}
    while (match := re.search(r"\{([A-Z_]+)\}", words)) is not None:
        words = words.replace(match[0], f"(?:{parts[match[1]]})")
    return re.compile(words, re.IGNORECASE)


def read_sentence(said: str, *, zone: str = "", name: str = "") -> SentenceRead:
    """Return the definition that a sentence asks for.

    Args:
        said: The sentence.
        zone: The user's time zone; asked for if needed and unknown.
        name: The automation's name; empty to use the sentence itself.

    Raises:
        BadArgument: No part was understood, or it is too long.
    """
    text = " ".join(said.split()).rstrip(".! ")
    if len(text) > MOST_WORDS or re.search(r"\{\{|\{%|\{#|<<|>>", text):
        raise BadArgument(
            f"A sentence has at most {MOST_WORDS:,} characters and no templates.", argument="words"
        )
    text = text[pattern("{LEAD}").match(text).end() :]  # type: ignore[union-attr]
    reading = _Reading(zone)
    rest = reading.trigger(text)
    clauses = reading.split(rest)
    if not any(clause.kind is not None for clause in clauses):
        known = "; ".join(grammar()["examples"][:3])
        raise BadArgument(
            "This was not understood as an automation.", argument="words", hint=f"Such as: {known}."
        )
    for clause in clauses:
        reading.add(clause)
    return reading.read(name or _name(rest if reading.context == "clock" else text))


def clause_steps(said: str, context: str, earlier: Sequence[Mapping[str, Any]]) -> SentenceRead | None:
    """Return the steps that another part of a sentence adds to a plan; None if it is not understood."""
    reading = _Reading("")
    reading.context = context
    for step in earlier:
        reading.taken.add(str(step["step_id"]))
        reading.given = {"find": "found", "brief": "brief"}.get(str(step["step_id"]), reading.given)
    clauses = reading.split(said.strip().rstrip("."))
    if any(clause.kind is None for clause in clauses):
        return None
    for clause in clauses:
        reading.add(clause)
    return reading.read("x")


def _name(text: str) -> str:
    short = text if len(text) <= 80 else text[:79].rsplit(" ", 1)[0] + "…"
    return short[:1].upper() + short[1:]


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence with its rule in the grammar; None if there is none."""

    text: str
    kind: Mapping[str, Any] | None
    said: Mapping[str, str] = field(default_factory=dict[str, str])


class _Reading:
    """The state of reading a sentence."""

    def __init__(self, zone: str) -> None:
        self._zone = zone
        self.context = "manual"
        self.given = ""
        self.taken: set[str] = set()
        self._triggers: list[Any] = []
        self._plan: list[Any] = []
        self._fields: JsonObject = {}
        self._notes: list[str] = []
        self._unclear: list[str] = []

    def trigger(self, text: str) -> str:
        """Read the trigger at the beginning of the sentence, or at its end; return the rest."""
        for kind in grammar()["triggers"]:
            match = pattern(kind["words"]).match(text)
            if match and (rest := re.match(r"\s*(?:[,:]|$|then\b|\b)\s*(?:then )?", text[match.end() :])):
                if match.end() < len(text) and text[match.end()] not in " ,:":
                    continue
                self._set_off(kind, _said(match))
                return text[match.end() + rest.end() :]
        for start in (one.end() for one in re.finditer(r"\s", text)):
            for kind in grammar()["triggers"]:
                match = pattern(kind["words"]).fullmatch(text[start:])
                if match:
                    self._set_off(kind, _said(match))
                    return text[:start].strip(" ,")
        self._notes.append("Nothing sets it off but you; say when, or run it by hand.")
        self._triggers = [{"type": "manual"}]
        return text

    def _set_off(self, kind: Mapping[str, Any], said: Mapping[str, str]) -> None:
        self.context = str(kind["context"])
        if note := kind.get("note"):
            self._notes.append(str(note))
        match self.context:
            case "clock":
                found = schedule_of(
                    said,
                    grammar()["weekdays"],
                    self._zone,
                    month=bool(kind.get("month")),
                    week=bool(kind.get("week")),
                )
                self._fields |= found.fields
                self._notes += found.notes
                self._triggers = [found.trigger]
            case "webhook":
                self._triggers = [{"type": "webhook"}]
            case "file" | "run":
                wanted = said.get("file", "").strip('"')
                rule = {"payload.name": {"equals": wanted}} if wanted else {}
                event = "file.added" if self.context == "file" else "automation.run.failed"
                self._triggers = [{"type": "event", "event_type": event, "filters": rule}]
            case _:
                rule = {**self._thing(said).get("filters", {}), **self._sender(said), **_about(said)}
                if other := said.get("other"):
                    self._fields["about"] = text_question(
                        f"Which words are in the subject of {other!r}?", other[:100]
                    )
                    rule["subject"] = {"contains": "<<about>>"}
                self._triggers = [{"type": "event", "event_type": "message.triaged", "filters": rule}]
                self._notes.append("Mail sets it off once it was sorted by a triage that acts.")

    def _thing(self, said: Mapping[str, str]) -> Mapping[str, Any]:
        thing = said.get("thing", "")
        for one in grammar()["things"] if thing else ():
            if pattern(one["words"]).fullmatch(thing):
                if one.get("only") == "query" and self.context == "message":
                    self._notes.append(f"No event says whether mail has files, so {thing!r} means any mail.")
                return dict(one)
        return {}

    def _sender(self, said: Mapping[str, str]) -> JsonObject:
        who = said.get("who", "").strip(' "')
        if not who:
            return {}
        if pattern("(?:my |the )?vips?").fullmatch(who):
            return {"payload.cohort": {"equals": "vip"}}
        return {"sender": sender_condition(who) or {"equals": self._asks_address("sender", who)}}

    def _asks_address(self, name: str, who: str) -> str:
        self._fields[name] = address_question(f"Which address is that of {who!r}?")
        return f"<<{name}>>"

    def split(self, text: str) -> list[_Clause]:
        """Split the actions into parts: as few unknown parts as possible, then as many parts as possible."""
        if not text.strip(" ,"):
            return []
        cuts = [
            (0, 0),
            *((one.start(), one.end()) for one in _BETWEEN.finditer(text)),
            (len(text), len(text)),
        ]
        best: dict[int, tuple[int, int, list[_Clause]]] = {0: (0, 0, [])}
        for end in range(1, len(cuts)):
            options = [
                (bad + (one.kind is None), -count - 1, [*before, one])
                for start, (bad, count_, before) in best.items()
                if start < end
                for count in (-count_,)
                for one in (self._clause(text[cuts[start][1] : cuts[end][0]]),)
            ]
            best[end] = min(options, key=lambda option: option[:2])
        return best[len(cuts) - 1][2]

    def _clause(self, text: str) -> _Clause:
        text = text.strip(" ,")
        for kind in grammar()["clauses"]:
            contexts = kind.get("in")
            if contexts and self.context not in contexts:
                continue
            if match := pattern(kind["words"]).fullmatch(text):
                return _Clause(text, kind, _said(match))
        return _Clause(text, None)

    def add(self, clause: _Clause) -> None:
        """Add the steps of a part."""
        if clause.kind is None:
            self._ask_about(clause.text)
            return
        if note := clause.kind.get("note"):
            self._notes.append(str(note))
        self._add_steps(clause.kind["steps"], clause.said)
        self.given = str(clause.kind.get("gives", self.given))
        if after := clause.kind.get("then"):
            spoken = bool(clause.said.get("spoken") or clause.said.get("aloud"))
            chosen = after.get("spoken", after[""]) if spoken else after[""]
            named = next(one for one in grammar()["clauses"] if one.get("name") == chosen)
            self._add_steps(named["steps"], {})

    def _add_steps(self, steps: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> None:
        for step in steps:
            whole: Any = self._put(step, said)
            whole["step_id"] = self._step_id(str(step["step_id"]))
            if self.given == "found" and _tells(step):
                whole["when"] = "steps.found.emails | length > 0"
            self._plan.append(whole)

    def _step_id(self, wanted: str) -> str:
        names = (wanted, *(f"{wanted}_{number}" for number in range(2, 100)))
        free = next(name for name in names if name not in self.taken)
        self.taken.add(free)
        return free

    def _ask_about(self, text: str) -> None:
        name = f"unclear_{len(self._unclear) + 1}"
        self._unclear.append(text)
        self._fields[name] = choice_question(
            f"Nothing here does {text[:100]!r}. What becomes of it?", [LEAVE_OUT, TELL_ME]
        )
        step = {"step_id": self._step_id("tell"), "action": "notification", "config": {"text": text}}
        self._plan.append({CHOOSE: name, "options": {LEAVE_OUT: None, TELL_ME: step}})

    def _put(self, value: Any, said: Mapping[str, str]) -> Any:
        """Return the grammar's value with each `@…` replaced by words of the sentence."""
        if isinstance(value, list):
            return [self._put(one, said) for one in value]  # pyright: ignore[reportUnknownVariableType]
        if isinstance(value, dict):
            return {name: self._put(one, said) for name, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
        return self._word(value, said) if isinstance(value, str) and value.startswith("@") else value

    def _word(self, name: str, said: Mapping[str, str]) -> str:
        found = said.get(name[1:], "").strip(' "')
        match name:
            case "@told":
                return str(grammar()["told"][self.given or self.context])
            case "@query":
                return _query(self._thing(said), said)
            case "@to" if ADDRESS.fullmatch(found):
                return found
            case "@to":
                return self._asks_address(
                    "recipient" if "recipient" not in self._fields else "recipient_2", found
                )
            case "@reply" if not found:
                self._fields["reply"] = text_question("What does the reply say?", "Thank you.")
                return "<<reply>>"
            case "@webhook" if not found:
                self._fields["webhook"] = {
                    "type": "string",
                    "title": "By which webhook of Slack? gaia email automations webhook NAME keeps one.",
                    "pattern": "^[a-z][a-z0-9_-]{0,39}$",
                    "examples": ["team"],
                }
                return "<<webhook>>"
            case _:
                return found

    def read(self, name: str) -> SentenceRead:
        """Return the result."""
        definition: JsonObject = {
            "schema_version": 1,
            "name": name[:100],
            "triggers": self._triggers,
            "plan": self._plan,
        }
        if self.context != "clock":
            definition["execution"] = {"concurrency": "queue"}
        return SentenceRead(
            template=AutomationTemplate(definition=definition, fields=self._fields),
            notes=tuple(self._notes),
            unclear=tuple(self._unclear),
        )


def _tells(step: Mapping[str, Any]) -> bool:
    """Return True if a step reports what was found, so that it needs a result."""
    return "@told" in map(str, step.get("config", {}).values())


def sender_condition(who: str) -> JsonObject | None:
    """Return the filter condition for an address or a domain; None if the text is neither."""
    who = who.strip(' "')
    if ADDRESS.fullmatch(who):
        return {"regex": f"(?i)^{_escaped(who)}$"}
    if domain := _DOMAIN.fullmatch(who):
        return {"regex": f"(?i)[@.]{_escaped(domain[1])}$"}
    return None


def _escaped(text: str) -> str:
    """Escape a text so that RE2 takes it literally."""
    return re.sub(r"([^A-Za-z0-9@_-])", r"\\\1", text)


def about_condition(about: str) -> JsonObject:
    """Return the filter condition for words in a subject."""
    words = about.strip(' "')
    return {"regex": f"(?i){_escaped(words)}"}


def _about(said: Mapping[str, str]) -> JsonObject:
    return {"subject": about_condition(said["about"])} if said.get("about") else {}


def _query(thing: Mapping[str, Any], said: Mapping[str, str]) -> str:
    def parts() -> Iterator[str]:
        yield str(thing.get("query", "in:inbox"))
        if who := said.get("who", "").strip(' "'):
            yield f'from:"{who}"' if " " in who else f"from:{who}"
        if about := said.get("about", "").strip(' "'):
            yield f'subject:"{about}"'
        if span := said.get("span", ""):
            count, unit = re.fullmatch(r"(?:(\d+) )?(day|week|month)s?", span).groups()  # type: ignore[union-attr]
            yield f"newer_than:{int(count or 1) * {'day': 1, 'week': 7, 'month': 30}[unit]}d"

    return " ".join(parts()).replace('""', '"')


def _said(match: re.Match[str]) -> dict[str, str]:
    """Return the named groups of a match, without the digits that distinguish synonymous groups."""
    return {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
