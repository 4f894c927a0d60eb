"""Marks of the program that made a message: its name, haste, markup. Entries: `marks`, `is_publication`.

Newsletters have pictures, many links and a page about one's subscription. A sender of unwanted series writes
a few large lines of markup, marks them as important, and claims a mail program that would have signed.
"""

from __future__ import annotations

from bisect import bisect_right

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.traps.origin import agrees
from gaia_understanding.cascade.view import HEAD
from gaia_understanding.prepare.literal_scanner import LiteralScanner

_CLAIMS = ("outlook express", "outlook imo", "outlook, build")
"""Microsoft programs that also name themselves in X-MimeOLE."""
_CAPITALS, _DIGITS = lazy_pattern(r"[a-z][A-Z]|[A-Z]{2}[a-z]"), lazy_pattern(r"[A-Za-z]\d|\d[A-Za-z]")
_RANDOM = 8
_SUBJECT = 300
_MARKUP = 20_000
_MANY = 8
_LINKS = 12
_RED = (b"ff0000", b'"red"', b"=red", b":red", b": red")
_PICTURE, _FONT = b"<img", b"<font"
_SAYS_SOMETHING = 80
_YOURS, _CAPITAL_SHARES, _FONTS = (0.5, 1.5, 3, 5), (0.05, 0.08, 0.15, 0.3), (1, 4, 12)
_TAGS = (("form", b"<form"), ("centred", b"<center"), ("script", b"<script"), ("styled", b"<style"))
_EDITORS = (b"frontpage", b"namo webeditor", b"mozilla/4")
_EDITOR_CHARS = 2_000
_MARKUP_MARKS = LiteralScanner(_PICTURE, _FONT, *_RED, *(tag for _, tag in _TAGS))
_EDITOR_MARKS = LiteralScanner(*_EDITORS)


def marks(facts: RuleFacts) -> list[str]:
    """Return the names of the marks found, each once; `kind:value`."""
    found = [*_program(facts), *_markup(facts.message.html), *_manner(facts)]
    if facts.lists.discussion:
        found.append(f"posts:{'answer' if facts.is_reply else 'new'}:{facts.prepared.text_from}")
    return found


def _program(facts: RuleFacts) -> list[str]:
    subject, mailer = facts.view.subject[:_SUBJECT], facts.lists.mailer
    found: list[str] = []
    if mailer:
        lowered = mailer[:80].lower()
        if is_random(mailer):
            found.append("made:random")
        elif "x-mimeole" not in facts.message.headers and any(map(lowered.__contains__, _CLAIMS)):
            found.append("made:forged")
    if facts.lists.important:
        found.append("made:important")
    last = subject[subject.rfind(" ") + 1 :]
    if "   " in subject.rstrip() or is_random(last):
        found.append("subject tailed")
    return found


def _manner(facts: RuleFacts) -> list[str]:
    """Return marks of the style: how much it addresses the reader, uses capitals, names sums; and its encoding."""
    text = facts.view.body[:HEAD]
    size = len(text)
    found = [f"sums:{min(3, len(facts.entities.money))}"]
    if size >= _SAYS_SOMETHING:
        folded = facts.view.folded_body[:HEAD]
        found.append(f"yours:{bisect_right(_YOURS, 100 * folded.count(' you') / (1 + folded.count(' ')))}")
        found.append(f"capitals:{bisect_right(_CAPITAL_SHARES, facts.view.capitals() / size)}")
    name = facts.sender.name
    if name:
        found.append("name:capitals" if name.isupper() else "name:small" if name.islower() else "name:mixed")
    if facts.message.headers.get("content-transfer-encoding", "").strip().lower() == "base64":
        found.append("sent:base64")
    return found


def is_random(word: str) -> bool:
    """Return True for capitals, small letters and digits without order, as in counters and keys."""
    return (
        len(word) >= _RANDOM
        and word.isalnum()
        and not word.islower()
        and _DIGITS.search(word) is not None
        and _CAPITALS.search(word) is not None
    )


def is_publication(facts: RuleFacts) -> bool:
    """Return True if shops and papers have this layout: pictures and links, nearly all to the sender's domain."""
    return (
        len(facts.prepared.links) > _LINKS
        and _lower_markup(facts.message.html).count(_PICTURE) >= _MANY
        and agrees(facts)
    )


def _lower_markup(html: str) -> bytes:
    """Return the markup to examine, in lower case; on bytes that takes a fraction of the time."""
    return html[:_MARKUP].encode("utf-8", "replace").lower()


def _markup(html: str) -> list[str]:
    """Return marks of the layout; nothing without markup."""
    if not html:
        return []
    lowered = _lower_markup(html)
    present = _MARKUP_MARKS.found_in(lowered)
    there, pictures = frozenset(present), present.count(_PICTURE)
    found = [f"pictures:{'many' if pictures >= _MANY else 'some' if pictures else 'none'}"]
    if not there.isdisjoint(_RED):
        found.append("markup:red")
    found.append(f"fonts:{bisect_right(_FONTS, present.count(_FONT))}")
    found += [f"markup:{name}" for name, tag in _TAGS if tag in there]
    if _EDITOR_MARKS.found_in(lowered[:_EDITOR_CHARS]):
        found.append("markup:editor")
    return found
