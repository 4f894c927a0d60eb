"""Shows only those sentences of a model that the tools' answers in this turn support.

Entry: `SentenceChecker`.

A sentence cites its sources, and every number, date, name and amount in it must appear in them. A count is accepted
only if a cited tool counted it. A claim that there is nothing needs a tool that found nothing, or the message's own
words; a claim that something was done needs the message's own words. The program reports its own actions. Only the
program comments on suspect messages, or on whether to trust or follow a message. The check compares words, not meaning
(`models/claims.py`), so the cited messages are always shown with the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gaia_email.app.documents.mail_types import SECTIONS
from gaia_email.interfaces.chat.transcript import Transcript, TranscriptResult
from gaia_email.models.claims import holds
from gaia_email.models.neutral import as_written
from gaia_email.policy.advice import advice_in
from gaia_understanding.cascade.tables import NUMBER_WORDS

UNSUPPORTED = (
    "The language model's words are not shown, since no message bears them out. This is what was found:\n"
)
SUSPECT = (
    "Something about this is suspect, so no language model was shown it. Follow no link and no order in it:"
)

MOST_SENTENCES, MOST_CHARS = 12, 400

_CITES = re.compile(r"\s*[\[⟦(](?=[mr]\d)((?:[mr]\d{1,3}(?:\s*,\s*|\s+and\s+)?)+)[\]⟧)]")
_ONE = re.compile(r"[mr]\d{1,3}")
_SENTENCE = re.compile(
    r"[^\n]+?(?:(?<!\b[A-Za-z])(?<!\ba\.m)(?<!\bp\.m)[.!?][\"')\]]*(?:\s*[\[⟦(][mr]\d[^\n\])⟧]*[\]⟧)][.]?)*(?=\s|$)|(?=\n|$))"
)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_THING = (
    r"(?:mails?|e-?mails?|messages?|threads?|conversations?|repl(?:y|ies)|answers?|results?|urgent|unread)"
)
_WORDS = ("zero", *NUMBER_WORDS)
_DIGITS = re.compile(rf"\d[\d.,]*\d|\d|\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_NUMBER = rf"(?:\d[\d.,]*|{'|'.join(_WORDS)}|dozens?|several|many|few|all|both)"
_CLAUSE = re.compile(r",\s+|;|\band\b|\bbut\b|\bwhile\b|\bof which\b")
_QUALIFIED = re.compile(
    r"\b(?:several|many|few|all|both|dozens?|most|un(?:read|answered|opened)|new|starred|flagged|important|recent|open|"
    r"overdue|late|other|more|only|just)\b",
    re.IGNORECASE,
)
_BUCKET_WORDS = {
    "urgent": re.compile(r"\burgent\b", re.IGNORECASE),
    "actionable": re.compile(r"\bactionable\b|\bneeds? (?:you|doing)\b|\bto do\b", re.IGNORECASE),
    "informational": re.compile(r"\binformational\b|\bworth knowing\b", re.IGNORECASE),
    "suspicious": re.compile(r"\bsuspicious\b|\bfraud\b|\bphishing\b", re.IGNORECASE),
    "low_priority": re.compile(r"\blow[ _-]priority\b", re.IGNORECASE),
}
_COUNT = re.compile(
    rf"\b{_NUMBER}\s+(?:\w+\s+){{0,3}}{_THING}\b|\bin (?:total|all)\b|\btotals?\b", re.IGNORECASE
)
_NONE = re.compile(
    rf"\bno\s+(?:\w+\s+){{0,2}}{_THING}\b|\b(?:none|nothing|nobody|never|neither|no one|no-one|empty|zero)\b|"
    r"\b(?:not|n't|n’t)\b",
    re.IGNORECASE,
)
_TOKEN = r"[\w'’]+"
_SPEAKS_OF_ITSELF = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b")
_CLAIMS_A_DEED = re.compile(
    r"\b(?:has|have|had|is|are|was|were|been|be|got|now|successfully|just)\s+(?:\w+\s+)?"
    r"(?:sent|archived|deleted|trashed|moved|forwarded|replied|answered|marked|labell?ed|unsubscribed|snoozed|saved|"
    r"drafted|scheduled|created|removed|paid|booked|cancel(?:l)?ed|confirmed|done)\b",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence that may be shown, with the ids of the messages it cites."""

    text: str
    ids: tuple[str, ...]

    @property
    def line(self) -> str:
        """Sentence followed by its ids, as shown to the user."""
        return f"{self.text}{''.join(f'  [{one}]' for one in self.ids)}"


@dataclass(slots=True)
class SentenceChecker:
    """Checker for the sentences of one answer, as they arrive."""

    transcript: Transcript
    shown: list[Sentence] = field(default_factory=list[Sentence])
    left_out: int = 0
    _taken: int = 0

    def take(self, text: str, *, whole: bool) -> list[Sentence]:
        """Return the newly completed sentences that may be shown.

        Args:
            text: The answer so far, from its beginning.
            whole: True if the answer is complete; until then, a last sentence that may continue is not checked.
        """
        found = [match for match in _SENTENCE.finditer(text) if match[0].strip()]
        if not whole and found and not (text[-1:].isspace() and _CITES.search(found[-1][0])):
            found = found[:-1]
        fresh: list[Sentence] = []
        for match in found[self._taken : MOST_SENTENCES]:
            held = self._held(match[0])
            if held is None:
                self.left_out += 1
            else:
                fresh.append(held)
        self.left_out += max(0, len(found) - max(MOST_SENTENCES, self._taken))
        self._taken = len(found)
        self.shown += fresh
        return fresh

    def _held(self, said: str) -> Sentence | None:
        names = [name for match in _CITES.finditer(said) for name in _ONE.findall(match[1])]
        text = as_written(" ".join(_BULLET.sub("", _CITES.sub("", said)).split()))
        if not names or not 0 < len(text) <= MOST_CHARS:
            return None
        results = {result.name: result for result in self.transcript.results}
        cited = [results[name] for name in names if name in results]
        messages = [name for name in names if self.transcript.facts_of(name)]
        if len(cited) + len(messages) != len(names):
            return None
        facts = [self.transcript.facts_of(name) for name in messages]
        if any(map(self.transcript.is_shut, messages)) or advice_in(text):
            return None
        if _SPEAKS_OF_ITSELF.search(text) or not _actions_stand(text, facts):
            return None
        if _NONE.search(text) and not _stands_denied(text, facts, cited):
            return None
        if _COUNT.search(text):
            if not cited or not all(count_holds(clause, cited) for clause in _CLAUSE.split(text)):
                return None
        elif any(
            map(self.transcript.is_shut, (name for result in cited for name in result.messages))
        ) or not holds(text, "\n".join([*facts, *(_asked(result) for result in cited)])):
            return None
        ids = [self.transcript.id_of(name) for name in messages]
        return Sentence(text=text, ids=tuple(dict.fromkeys(one for one in ids if one)))


def _actions_stand(text: str, facts: list[str]) -> bool:
    """Return True if a message states every claimed action in the same words."""
    mail = f" {' '.join(re.findall(_TOKEN, ' '.join(facts).casefold()))} "
    return all(
        f" {' '.join(re.findall(_TOKEN, found[0].casefold()))} " in mail
        for found in _CLAIMS_A_DEED.finditer(text)
    )


def _stands_denied(text: str, facts: list[str], cited: list[TranscriptResult]) -> bool:
    """Return True if a tool found nothing, or if the negating words are the message's own."""
    if any(found_nothing(result) for result in cited):
        return True
    mail = " ".join(" ".join(facts).casefold().split())
    return bool(facts) and all(_around(match, text) in mail for match in _NONE.finditer(text))


def _around(match: re.Match[str], text: str) -> str:
    """Return a negating word and the word after it, in the form compared with messages."""
    after = text[match.end() :].split()
    return " ".join([match[0], *after[:1]]).casefold().rstrip(".,;!?")


def found_nothing(result: TranscriptResult) -> bool:
    """Return True if a tool searched everything and found nothing."""
    data = result.data
    if result.tool == "exchange":
        return data.get("they_answered") is False
    if result.tool == "search_mail" and (
        data.get("problem") or data.get("headers_only") or not data.get("total_is_exact")
    ):
        return False
    return data.get("total") == 0


def counts(result: TranscriptResult) -> dict[str, int]:
    """Return a tool's counts, by bucket or by item; the number of rows shown is not a count."""
    data: Mapping[str, object] = result.data
    if result.tool == "search_mail" and not data.get("total_is_exact"):
        return {}
    keys = {"total": str(data.get("bucket") or "total")}
    keys |= {key: key for key in ("threads", "messages", *SECTIONS)}
    return {
        name: value
        for key, name in keys.items()
        if isinstance(value := data.get(key), int) and not isinstance(value, bool)
    }


def count_holds(clause: str, cited: Sequence[TranscriptResult]) -> bool:
    """Return True if a tool counted every number in this clause for exactly this subject."""
    if _QUALIFIED.search(clause):
        return False
    numbers = [_value(found) for found in _DIGITS.findall(clause)]
    if not numbers:
        return holds(clause, "\n".join(_asked(result) for result in cited))
    buckets = {bucket for bucket, words in _BUCKET_WORDS.items() if words.search(clause)}
    known = [counts(result) for result in cited]
    allowed = {
        value
        for counted in known
        for name, value in counted.items()
        if (name in buckets if buckets else name not in SECTIONS)
    }
    words = _DIGITS.sub(" ", clause)
    return set(numbers) <= allowed and holds(words, "\n".join(_asked(result) for result in cited))


def _asked(result: TranscriptResult) -> str:
    """Return the query, name or bucket of a tool's call as plain words."""
    found = [str(result.data[key]) for key in ("query", "name", "bucket") if result.data.get(key)]
    return " ".join(found).replace(":", " ").replace('"', " ")


def _value(text: str) -> int:
    if text.casefold() in _WORDS:
        return _WORDS.index(text.casefold())
    digits = text.replace(",", "")
    return int(digits) if digits.isdigit() and len(digits) < 10 else -1
