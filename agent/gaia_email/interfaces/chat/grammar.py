"""The sentences that a conversation understands without a model. Entry points: `parse`, `nearest`.

A small English grammar that ignores case and polite words. It never guesses: for an unknown line it offers the nearest
sentences that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from typing import Literal

from gaia_email.interfaces.chat.plugged import chat_parts

ChatRequestKind = Literal[
    "bucket", "day", "count", "search", "show", "why", "summarise", "draft", "reply", "archive", "undo",
    "answered", "did_i_answer", "more", "remember", "remembered", "forget", "brief",
    "operation", "plugged", "help", "quit",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The request in a line: `about` is a reference, query, person or operation, `extra` a bucket, template or text.

    If `kind` is `plugged`, `extra` is the kind of a plug-in and `about` the user's words.
    """

    kind: ChatRequestKind
    about: str = ""
    extra: str = ""


_RENDERED: Mapping[ChatRequestKind, str] = {
    "show": "message",
    "summarise": "summary",
    "reply": "sent",
    "archive": "archived",
    "undo": "undone",
    "remember": "memory",
    "remembered": "memory",
    "forget": "memory",
    "operation": "table",
}


def render_of(kind: ChatRequestKind) -> str:
    """Return the renderer (see `words`) for answers to this kind of request."""
    return _RENDERED.get(kind, kind)


EXAMPLES: tuple[str, ...] = (
    "what is urgent",
    "what needs me",
    "what is worth knowing",
    "what is low priority",
    "summary of the day",
    "/brief",
    "/brief evening",
    "how many are urgent",
    "how many mails from priya",
    "search invoice",
    "mail from priya",
    "show 1",
    "why 1",
    "summarise 1",
    "draft a reply to 1",
    "draft a reply to 1 saying on my way",
    "reply to 1 with thanks",
    "archive 1",
    "undo",
    "did priya answer",
    "did I answer priya",
    "more",
    "remember that I sign with A.",
    "what do you remember",
    "forget 1",
    "help",
    "quit",
)
"""One example line for each kind of request."""

OWN_WORDS: frozenset[ChatRequestKind] = frozenset({"remember", "draft"})

_BUCKETS = (
    (r"urgent|on fire|today'?s emergencies", "urgent"),
    (r"needs? (?:me|doing|my attention|an answer)|actionable|to ?do", "actionable"),
    (r"worth knowing|informational|for information", "informational"),
    (r"suspicious|fraud|phishing", "suspicious"),
    (r"low[ -]priority|unimportant|can wait", "low_priority"),
)
_BUCKET_WORDS = "|".join(pattern for pattern, _ in _BUCKETS)
_WHOLE = r"(?:mails?|messages?|emails?|threads?)"

_SAYING = r"(?: saying(?: that)? (?P<extra>.+))?"
_ANSWERED = r"(?:answer|answered|reply|replied|respond|responded|written back|write back)"
_HAVE = r"(?:are there|do i have|have i got)"

_RULES: tuple[tuple[str, ChatRequestKind], ...] = (
    (r"(?:help|what can (?:you|i) (?:do|say|ask))", "help"),
    (r"(?:quit|exit|bye|goodbye|that'?s all)", "quit"),
    (r"(?:more|next|show more|the rest)", "more"),
    (r"remember (?:that )?(?P<extra>.+)", "remember"),
    (r"what (?:do|did) you remember(?: about me)?", "remembered"),
    (r"forget (?P<about>(?:number |#)?\d+)", "forget"),
    (r"(?:undo|take (?:that|it) back|revert)(?: (?:that|it|the last one|this))?", "undo"),
    (r"(?:undo|revert) (?P<about>[0-9a-f][0-9a-f-]{3,35})", "undo"),
    (
        rf"how many (?:of them )?(?:are |is )?(?P<extra>{_BUCKET_WORDS})(?: {_WHOLE})?(?: {_HAVE})?",
        "count",
    ),
    (rf"how many {_WHOLE} (?:are |is )?(?P<extra>{_BUCKET_WORDS})", "count"),
    (rf"how many {_WHOLE}(?: {_HAVE})?", "count"),
    (rf"how many {_WHOLE} (?:{_HAVE} )?(?:are )?(?P<by>from|by) (?P<about>.+)", "count"),
    (rf"how many {_WHOLE} (?:{_HAVE} )?(?:mention|about|with|on|are about) (?P<about>.+)", "count"),
    (
        r"(?:(?:(?:show|tell) me )?what(?:'s| is| are)?|show(?: me)?|list|anything)(?: the)?(?: that)? ?(?:are |is )?"
        rf"(?P<extra>{_BUCKET_WORDS})(?: {_WHOLE})?(?: today| now| right now)?",
        "bucket",
    ),
    (r"(?:what(?:'s| is) new|(?:show )?(?:me )?(?:my )?inbox)", "day"),
    (
        r"(?:(?:give me )?(?:a |the )?summary(?: of (?:the |my )?(?:day|inbox|mail))?|"
        r"daily summary|summari[sz]e (?:the |my )?(?:day|inbox))",
        "day",
    ),
    (
        r"(?:/?brief|brief me|(?:give me )?(?:a |the |my )?(?:daily |morning )?brief(?: of (?:the |my )?day)?)",
        "brief",
    ),
    (r"/?brief (?P<about>evening)", "brief"),
    (r"(?:give me )?(?:an |the |my )?(?P<about>evening) brief", "brief"),
    (r"did i (?:answer|reply to|write back to) (?P<about>.+)", "did_i_answer"),
    (rf"(?:did|has|have) (?P<about>.+?) {_ANSWERED}(?: (?:to )?(?:me|yet|my mail))*", "answered"),
    (r"reply to (?P<about>.+?) with (?:template )?(?P<extra>[\w-]+)", "reply"),
    (rf"(?:draft|write)(?: me)?(?: a| an)? (?:reply|answer)(?: to)? (?P<about>.+?){_SAYING}", "draft"),
    (rf"(?:draft|answer|reply to) (?P<about>.+?){_SAYING}", "draft"),
    (r"archive (?P<about>.+)", "archive"),
    (
        r"why(?: is| was| are)? (?P<about>.+?)"
        r"(?: (?:urgent|here|there|important|low priority|in that bucket))?",
        "why",
    ),
    (r"why", "why"),
    (r"(?:summari[sz]e|sum up|(?:a )?summary of) (?P<about>.+)", "summarise"),
    (
        rf"(?:search|find|look for|search for|look up) (?:{_WHOLE} )?(?P<by>from) (?P<about>.+)",
        "search",
    ),
    (rf"(?:search|find|look for|search for|look up) (?:{_WHOLE} )?(?:for |about )?(?P<about>.+)", "search"),
    (
        r"(?:show(?: me)?|list|any|anything|is there)? ?(?:all |the |any )?"
        rf"(?:{_WHOLE} |anything )?(?P<by>from) (?P<about>.+)",
        "search",
    ),
    (rf"(?:show(?: me)?|list|any|is there)? ?(?:all |the |any )?{_WHOLE} about (?P<about>.+)", "search"),
    (r"(?:show|open|read)(?: me)? (?P<about>.+)", "show"),
)
_POLITE = re.compile(
    r"^(?:(?:please|could you|can you|would you|hey|ok|okay|and|now|then|so),? )+|"
    r"(?:,? please|, (?:thanks|thank you))+$",
    re.IGNORECASE,
)


@cache
def _rules() -> tuple[tuple[re.Pattern[str], ChatRequestKind], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in _RULES)


def examples() -> tuple[str, ...]:
    """Return one line of each kind, for the help and for suggestions."""
    from gaia_email.interfaces.chat.operations import phrases

    first = dict.fromkeys(operation.phrases[0] for operation in phrases().values())
    plugged = (part.example for part in chat_parts().values())
    return (*EXAMPLES[:-2], *plugged, *first, *EXAMPLES[-2:])


def parse(line: str) -> Request | None:
    """Parse a line; return None if the grammar does not know it."""
    from gaia_email.interfaces.chat.operations import operation_in

    for part in chat_parts().values():
        if part.is_request(line):
            return Request(kind="plugged", about=line.strip(), extra=part.kind)
    text = _POLITE.sub("", " ".join(line.split())[:500])
    if name := operation_in(text):
        return Request(kind="operation", about=name)
    for part in chat_parts().values():
        if match := re.fullmatch(part.pattern, text, re.IGNORECASE):
            return Request(kind="plugged", about=match["about"].strip(), extra=part.kind)
    for pattern, kind in _rules():
        # Text to remember or to send stays exactly as typed.
        match = pattern.fullmatch(text if kind in OWN_WORDS else text.rstrip("?!. "))
        if match is not None:
            groups = match.groupdict()
            about, extra = (groups.get("about") or "").strip(), (groups.get("extra") or "").strip()
            if groups.get("by"):
                about = f'from:"{about}"' if " " in about else f"from:{about}"
            if kind in ("bucket", "count") and extra:
                extra = _bucket(extra)
            return Request(kind=kind, about=about, extra=extra)
    return None


def may_be_a_question(request: Request) -> bool:
    """Return True if the search text may be a sentence: "mails about invoices, and which is due"."""
    return len(request.about.replace('"', " ").split()) > 3


def _bucket(words: str) -> str:
    for pattern, bucket in _BUCKETS:
        if re.fullmatch(pattern, words, re.IGNORECASE):
            return bucket
    return ""


def nearest(line: str, count: int = 3) -> list[str]:
    """Return the known sentences most similar to the line, by shared words and letters."""
    words = set(line.casefold().split())

    def likeness(example: str) -> float:
        shared = len(words & set(example.casefold().split()))
        return shared + SequenceMatcher(None, line.casefold()[:200], example.casefold()).ratio()

    return sorted(examples(), key=likeness, reverse=True)[:count]


def suggest(line: str) -> str:
    """Return the suggestion of the nearest sentences for a line."""
    return "The nearest I know:\n" + "\n".join(f"  {one}" for one in nearest(line))
