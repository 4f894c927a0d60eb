"""Find action items: a task, the person who is asked, and the due date. Entry: `find_actions`.

An action item is a sentence that asks (see `requests`), or an entry of a list under a heading such as "Action
items:". Courtesies, advertising, quoted questions and messages that say that nothing is needed give none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.dates import FoundDate
from gaia_understanding.prepare.extract.model import ActionItem
from gaia_understanding.prepare.extract.people import shorten_name
from gaia_understanding.prepare.extract.requests import RequestSpan, normalize, subject_requests
from gaia_understanding.prepare.extract.spelling import fold

_TABLE = WordTable("gaia_understanding.prepare.extract", "actions.txt")

MAX_ACTIONS = 50
_LIKELY = 0.5
_LISTED = 0.7
"""The strength of a request that is an entry of a list under a heading."""
_BULK_CHARS = 2_000
"""The characters of a mailing that are searched for action items: obligations are at its top."""

_NOTHING_NEEDED = _TABLE.pattern("nothing_needed", r"\b(?:", r")\b", flags=re.IGNORECASE)
_HEADING = _TABLE.pattern("heading", r"\b(?:", r")\b[^.?!\n]{0,70}:$", flags=re.IGNORECASE)
_ENTRY = lazy_pattern(r"(?:[-*•+–·▪◦☐]|\(?\d{1,2}[.)]|\[ ?\])\s+")
_NAMED = lazy_pattern(
    r"(?:(?:And|Also|Und|Et|Y|En),? )?@?(?P<name>[A-ZÀ-Ý][\w'-]{1,20}+(?: [A-ZÀ-Ý][\w'-]{1,20}+)?)"
    r"(?: (?:and|&|und|et|y|e|en) [A-ZÀ-Ý][\w'-]{1,20}+)?(?:\s?[,:–]| -(?= )| (?=to [a-z]))\s?(?P<to>to (?=[a-z]))?"
)
_HOW_TO_ANSWER = _TABLE.pattern("how_to_answer", r"(?:just |so |simply |please |you can |and )*(?:", r")")
_POLITE = lazy_pattern(
    r"(?:this is an? (?:\w{1,12} )?reminder (?:that|to) )?(?:(?:please|pls|kindly|just|also|bitte"
    r"|por favor|per favore|si us plau|s'il vous plaît|s'il te plaît),? )*"
    r"(?:(?:could|can|would|will) (?:you|someone|one of you|everyone|you all|you guys)(?: all| "
    r"both)?(?: please| kindly| possibly| perhaps| also| just)*"
    r"|(?:i|we)(?:'d| would)? (?:need|want|like|ask|expect) (?:you|everyone|all of you)(?: all)? "
    r"to|you (?:must|need to|have to|should|ought to|will need to|are required to|are requested "
    r"to)"
    r"|(?:everyone|all|team) (?:must|should|needs to|please)|(?:do|would) you mind|would you be "
    r"(?:able|willing|so kind as) to|would it be possible to"
    r"|(?:kannst|könntest|würdest) du(?: bitte| mir bitte)?|(?:können|könnten|würden) sie(?: "
    r"bitte)?|könnt ihr(?: bitte)?|merci de|veuillez|(?:pourriez|pouvez)-vous|(?:pourrais"
    r"|peux)-tu|tu peux|vous pouvez"
    r"|¿?(?:me |nos )?(?:podrías|podría|podrían|puedes|puede|pueden)|(?:mi |ci )?(?:potresti"
    r"|potrebbe|puoi|può|potete)|(?:você )?(?:poderia|pode|podes)|(?:kun|kunt|zou|wil) (?:je|u)"
    r"|(?:don't forget|remember|be sure|make sure) to)?"
    r"(?:,? (?:please|bitte|por favor|per favore|s'il vous plaît|s'il te plaît|kindly|alsjeblieft))?,? ?",
    re.IGNORECASE,
)
_PURPOSE = _TABLE.pattern("purpose", r",? (?:", r")\b.*$", flags=re.IGNORECASE)
_PURPOSE_WORDS = (" so ", " order ", " or ", " damit ", " afin ", " para ", " modo ", " zodat ")
_ADDRESS = lazy_pattern(r"\s*[:(]?\s*<?(?:https?://|www\.)\S+")
_ASKS_BACK = _TABLE.pattern("asks_back")
_PRONOUN_ONLY = lazy_pattern(
    r"(?:\w+ ){1,2}(?:it|this|them|that)(?: (?:now|today|asap|soon|here))*\W*$", re.IGNORECASE
)
_SUBJECT_TASK = lazy_pattern(
    r"(?:(?:re|fwd?|aw): )*(?:\[?(?:action (?:required|needed|item)|reminder|please|urgent|to ?do"
    r"|bitte|rappel|recordatorio|promemoria|lembrete|herinnering)\]?(?::| "
    r"-)?\s+)(?P<task>.{4,120})",
    re.IGNORECASE,
)
_BULK_TASK = _TABLE.pattern("bulk_task", r"\b(?:", r")", flags=re.IGNORECASE)
_QUOTES = '"“„«>|'
_NOT_OWNERS = _TABLE.words("not_owners")


class _Item(NamedTuple):
    """A request and its position in the text, before it becomes an action item."""

    span: RequestSpan
    start: int


@dataclass(slots=True, kw_only=True)
class ActionMail:
    """The message as `find_actions` needs it: `bulk` is True for mailings, `addressees` are display names."""

    text: str
    subject: str
    language: str
    sender: str
    addressees: tuple[str, ...]
    bulk: bool


def find_actions(
    mail: ActionMail,
    sentences: tuple[str, ...],
    starts: tuple[int, ...],
    spans: tuple[RequestSpan, ...],
    dates: tuple[FoundDate, ...],
) -> tuple[ActionItem, ...]:
    """Return action items in order of appearance, at most `MAX_ACTIONS`; `owner` is `user` unless a name is given.

    `starts` are the positions of the sentences in the text.
    """
    for span in spans:
        if span.kind == "courtesy" and _NOTHING_NEEDED.search(span.text):
            return ()
    items = _merge(_items(mail, sentences, starts, spans), mail.text) or _from_subject(mail)
    owners = [_owner(mail, item.span.text) for item in items[:MAX_ACTIONS]]
    actions = [
        _action(mail, item, owner, _without_others(dates, owner, items, owners))
        for item, owner in zip(items, owners, strict=False)
    ]
    return tuple(dict.fromkeys(action for action in actions if action.description))


def _items(
    mail: ActionMail, sentences: tuple[str, ...], starts: tuple[int, ...], spans: tuple[RequestSpan, ...]
) -> list[_Item]:
    rows: Iterable[tuple[int, RequestSpan | None]]
    listed = ":" in mail.text and any(
        sentence[-1] == ":" and _HEADING.search(sentence) for sentence in sentences
    )
    if listed:
        asked = {span.place: span for span in spans}
        rows = [(place, asked.get(place)) for place in range(len(sentences))]
    else:
        rows = [(span.place, span) for span in spans]
    items: list[_Item] = []
    in_list = False
    for place, span in rows:
        sentence, start = sentences[place], starts[place]
        if mail.bulk and start > _BULK_CHARS:
            break
        if listed and sentence[-1] == ":" and _HEADING.search(sentence):
            in_list = True
            continue
        in_list = in_list and _ENTRY.match(sentence) is not None
        if span is None and in_list:
            span = RequestSpan(
                text=sentence,
                normal=normalize(sentence),
                place=place,
                kind="directive",
                strength=_LISTED,
            )
        if span is None or span.strength < _LIKELY or (mail.bulk and not _worth_it(span)):
            continue
        if not _in_quote(mail.text, start):
            items.append(_Item(span, start))
    return items


def _in_quote(text: str, start: int) -> bool:
    """Return True if the sentence at `start` begins with a quotation mark or is in a quoted line."""
    if text[start] in _QUOTES:
        return True
    return ">" in text and text[text.rfind("\n", 0, start) + 1 : start].lstrip()[:1] == ">"


def _worth_it(span: RequestSpan) -> bool:
    """Return True if a request of a mailing looks like an obligation, not like a call to action."""
    return span.kind in ("need", "directive") and span.strength >= 0.7 and bool(_BULK_TASK.search(span.text))


def _merge(items: list[_Item], text: str) -> list[_Item]:
    """Leave out sentences that only say how to answer the request before them."""
    merged: list[_Item] = []
    for item in items:
        last = merged[-1] if merged else None
        if (
            last is not None
            and item.span.place - last.span.place <= 2
            and _HOW_TO_ANSWER.match(item.span.normal)
        ):
            between = text[last.start + len(last.span.text) : item.start]
            if between.count("\n\n") <= (1 if item.span.kind != "need" else 0):
                continue
        merged.append(item)
    return merged


def _from_subject(mail: ActionMail) -> list[_Item]:
    """Return the subject if it asks by itself ("Please sign the contract"), for a body that does not."""
    subject = mail.subject[:200].strip()
    if not subject or mail.bulk or subject.lower().startswith(("re:", "aw:", "sv:")):
        return []
    spans = subject_requests(subject, mail.language)
    if not spans or spans[0].strength < 0.85 or spans[0].kind != "directive":
        return []
    return [_Item(spans[0], -1)]


def _without_others(
    dates: tuple[FoundDate, ...], owner: str, items: list[_Item], owners: list[str]
) -> tuple[FoundDate, ...]:
    """Return the dates except those in sentences that ask other people."""
    if not dates or len(set(owners)) < 2:
        return dates
    taken = [
        (item.start, item.start + len(item.span.text))
        for item, other in zip(items, owners, strict=False)
        if other != owner
    ]
    return tuple(found for found in dates if not any(start <= found.start < end for start, end in taken))


def _action(mail: ActionMail, item: _Item, owner: str, dates: tuple[FoundDate, ...]) -> ActionItem:
    return ActionItem(
        text=item.span.text,
        description=_description(mail, item, owner),
        owner=owner,
        due=_due(mail.text, item, dates),
    )


def _description(mail: ActionMail, item: _Item, owner: str) -> str:
    """Return the task as an order, in the message's own words; for a question, to answer it."""
    core = _core(item.span)
    if core[:1] == "@" or owner != "user":
        named = _NAMED.match(core)
        core = core[named.end() :] if named and named.end() < len(core) else core
    lower = core.lower()
    if item.span.kind == "question" or (core.endswith("?") and _ASKS_BACK.match(lower)):
        return f"Reply to {shorten_name(mail.sender)}: {core}" if mail.sender.strip() else core
    please = lower.rfind("please ")
    if (please > 0 and lower[please - 2] in ",;:-") or (
        please > 0 and lower.startswith(("if ", "to ", "when ", "before ", "after ", "once "))
    ):
        core = core[please:]
    elif ", " in core and lower.startswith(
        ("to ", "if ", "when ", "before ", "after ", "once ", "in order ", "as soon as ")
    ):
        core = core.partition(", ")[2] or core
    core = core[_end_of_politeness(core) :]
    if "://" in core or "www." in lower:
        core = _ADDRESS.sub("", core)
    if any(word in lower for word in _PURPOSE_WORDS):
        core = _PURPOSE.sub("", core)
    core = core.strip(" .,;:!?-–")
    if _PRONOUN_ONLY.match(core):
        task = _SUBJECT_TASK.match(mail.subject[:200])
        if task is not None:
            core = task["task"].strip()
    return core[:1].upper() + core[1:]


def _end_of_politeness(core: str) -> int:
    match = _POLITE.match(core)
    return match.end() if match and match.end() < len(core) else 0


def _core(span: RequestSpan) -> str:
    """Return the sentence on one line without list mark, greeting and vocative, in its own capitals."""
    line, kept = span.text, span.normal
    if len(line) == len(kept) and line.isprintable():
        return line
    line = " ".join(line.split())
    if len(line) == len(kept):
        return line
    return line[len(line) - len(kept) :] if fold(line).endswith(kept) else line


def _owner(mail: ActionMail, sentence: str) -> str:
    """Return the person addressed: `user`, unless the sentence begins with another person's name or one of many."""
    entry = None if sentence[0].isalpha() else _ENTRY.match(sentence)
    match = _NAMED.match(sentence, entry.end() if entry else 0)
    if match is None:
        return "user"
    name = match["name"]
    first = name.split()[0]
    if first.lower() in _NOT_OWNERS or not (match[0].rstrip()[-1:] in ",:-–" or match["to"] or entry):
        return "user"
    firsts = [addressee.split()[0] for addressee in mail.addressees if addressee.split()]
    if match["to"] and first not in firsts and not entry:
        return "user"
    if len(firsts) == 1 and first == firsts[0]:
        return "user"
    return name


def _due(text: str, item: _Item, dates: tuple[FoundDate, ...]) -> str:
    """Return a deadline in the sentence, for a task any date in it, or a deadline elsewhere in the paragraph."""
    if item.start < 0 or not dates:
        return ""
    end = item.start + len(item.span.text)
    inside = [found for found in dates if item.start <= found.start < end]
    for found in inside:
        if found.deadline:
            return found.value
    if len(inside) == 1 and item.span.kind != "question" and not _ASKS_BACK.match(_core(item.span).lower()):
        return inside[0].value
    if _ENTRY.match(item.span.text):
        return ""
    paragraph_start = text.rfind("\n\n", 0, item.start) + 1
    paragraph_end = text.find("\n\n", end)
    if paragraph_end < 0:
        paragraph_end = len(text)
    for found in dates:
        if found.deadline and paragraph_start <= found.start < paragraph_end:
            return found.value
    return ""
