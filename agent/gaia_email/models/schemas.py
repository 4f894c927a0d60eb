"""The schemas of models' answers, and their parsing. Entries: `schema_for`, `read_answers`.

Only enums, booleans, bounded integers and short strings: schema-constrained servers handle those reliably, but often
not bounded fractions and long texts. An answer that is not exactly right is dropped and counted, never repaired.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gaia_email.models.neutral import as_written
from gaia_email.models.wire_values import object_of, objects_of
from gaia_email.policy.advice import advice_in, vouches
from gaia_understanding.cascade.answers import ModelAnswer, ModelPass, UncertainMessage
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES, SPEECH_ACTS, Bucket, Category, SpeechAct

MOST_CHARS = 120
"""Maximum length of a string in an answer, in characters."""

LEAST_EVIDENCE = 8
"""Minimum length of quoted text that can serve as evidence, in characters."""

_Number = Annotated[int, Field(ge=1, le=16)]
_Percent = Annotated[int, Field(ge=0, le=100)]
_Words = Annotated[str, Field(max_length=MOST_CHARS)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class _Kept(_Strict):
    n: _Number
    keep: bool


class _Sorted(_Strict):
    n: _Number
    bucket: Bucket
    act: SpeechAct
    category: Category
    reply: bool
    sure: _Percent
    because: _Words


class _Scored(_Strict):
    score: _Percent
    because: _Words
    why: _Words


_TEXT: dict[str, Any] = {"type": "string", "maxLength": MOST_CHARS}
_PERCENT: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 100}
_FIELDS: dict[ModelPass, dict[str, Any]] = {
    "T1": {"keep": {"type": "boolean"}},
    "T2a": {
        "bucket": {"enum": list(BUCKETS)},
        "act": {"enum": list(SPEECH_ACTS)},
        "category": {"enum": list(CATEGORIES)},
        "reply": {"type": "boolean"},
        "sure": _PERCENT,
        "because": _TEXT,
    },
    "T2b": {"score": _PERCENT, "because": _TEXT, "why": _TEXT},
}


def schema_for(made_in: ModelPass, mails: int) -> dict[str, Any]:
    """Return the JSON Schema of an answer about that many mails."""
    fields = _FIELDS[made_in]
    if made_in == "T2b":
        return _object(fields)
    entry = _object({"n": {"type": "integer", "minimum": 1, "maximum": mails}, **fields})
    return _object({"mails": {"type": "array", "items": entry, "minItems": mails, "maxItems": mails}})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def read_answers(
    made_in: ModelPass, text: str, messages: Sequence[UncertainMessage], *, model: str, prompt: str
) -> list[ModelAnswer | None]:
    """Return one answer per mail, in order; None if it has a wrong form, number or evidence."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return [None] * len(messages)
    made = _Maker(made_in=made_in, model=model, prompt=prompt)
    if made_in == "T2b":
        return [made.read_scored(told, one) for one in messages]
    entries = objects_of(object_of(told).get("mails"))
    by_number: dict[object, list[dict[str, object]]] = {}
    for entry in entries:
        number = entry.get("n")
        if isinstance(number, int):
            by_number.setdefault(number, []).append(entry)
    found: list[ModelAnswer | None] = []
    for number, one in enumerate(messages, start=1):
        about = by_number.get(number, [])
        # With two answers about one mail, it is unclear which is meant.
        found.append(made.read_listed(about[0], one) if len(about) == 1 else None)
    return found


class _Maker:
    """Makes answers of one pass of one model."""

    def __init__(self, *, made_in: ModelPass, model: str, prompt: str) -> None:
        self._made_in: ModelPass = made_in
        self._model, self._prompt = model, prompt

    def read_listed(self, told: object, one: UncertainMessage) -> ModelAnswer | None:
        """Return the answer of T1 or T2a for a message; None if it is invalid."""
        try:
            if self._made_in == "T1":
                return self._answer(keep=_Kept.model_validate(told).keep)
            said = _Sorted.model_validate(told)
        except ValidationError:
            return None
        evidence = evidence_in(said.because, one)
        if evidence is None:
            return None
        return self._answer(
            bucket=said.bucket,
            act=said.act,
            category=said.category,
            needs_reply=said.reply,
            sure=said.sure,
            evidence=evidence,
        )

    def read_scored(self, told: object, one: UncertainMessage) -> ModelAnswer | None:
        """Return the answer of T2b for a message; None if it is invalid."""
        try:
            said = _Scored.model_validate(told)
        except ValidationError:
            return None
        evidence = evidence_in(said.because, one)
        if evidence is None:
            return None
        return self._answer(score=said.score, evidence=evidence, sentence=_plain(said.why))

    def _answer(self, **said: Any) -> ModelAnswer:
        return ModelAnswer(made_in=self._made_in, model=self._model, prompt=self._prompt, **said)


def evidence_in(words: str, one: UncertainMessage) -> str | None:
    """Return the quoted words as in the message's subject or text.

    None if they do not occur there, are too few, or vouch for the message.
    """
    wanted = " ".join(as_written(words).split())
    if len(wanted) < LEAST_EVIDENCE or vouches(wanted):
        return None
    for text in (one.subject, one.text):
        plain = " ".join(text.split())
        place = plain.casefold().find(wanted.casefold())
        if place >= 0 and len(plain.casefold()) == len(plain):
            return plain[place : place + len(wanted)]
    return None


def _plain(sentence: str) -> str:
    """Return a model's own sentence if it is printable ASCII without addresses or advice; otherwise an empty text."""
    text = " ".join(sentence.split())
    usable = text.isascii() and text.isprintable() and "://" not in text and "@" not in text
    return text if usable and "www." not in text.lower() and not advice_in(text) else ""
