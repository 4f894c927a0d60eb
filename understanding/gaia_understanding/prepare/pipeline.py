"""Turn a decoded message into its sender's new text, step by step. Entry: `prepare`.

The order is that of the specification: choose the text, remove what is hidden, turn HTML into text, remove
quoted mail, disclaimer and signature, detect the language. Every step reports what it removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import MailboxAddress, ParsedMessage
from gaia_understanding.prepare.alternative import AlternativeChoice, choose
from gaia_understanding.prepare.disclaimer import split_disclaimer
from gaia_understanding.prepare.html.model import HtmlText
from gaia_understanding.prepare.html.read import read_html
from gaia_understanding.prepare.invisible import reveal
from gaia_understanding.prepare.language import detect_language
from gaia_understanding.prepare.model import Link, Prepared, Removal
from gaia_understanding.prepare.quotes import split_quotes
from gaia_understanding.prepare.signature import split_signature
from gaia_understanding.prepare.split import TextSplit
from gaia_understanding.steps import Steps, last

MAX_EVIDENCE = 4_000
"""The characters kept of one removal."""

MAX_HIDDEN = 40_000
REPEATS = frozenset({"title", "mso-conditional", "comment", "attribute", "image-alt"})
"""Places in which mail programs repeat visible text; only text that cannot be seen elsewhere is reported."""

MAX_TEXT = 2_000_000
"""The characters of text that are prepared; the rest is left out and noted as a defect."""

REPLY = lazy_pattern(
    r"\s{0,9}(?:re|aw|sv|vs|antw|odp|ynt|回复|回覆|答复|ответ)\s?(?:\[\d{1,3}\])?\s?[:：]", re.IGNORECASE
)
FORWARD = lazy_pattern(
    r"\s{0,9}(?:fwd?|wg|tr|rv|enc|i|pd|vb|vl|doorst|转发|轉寄|пересл)\s?[:：]", re.IGNORECASE
)

_HEAD = 4_000
_OPENS_PAGE = lazy_pattern(
    r"(?:<!--.{0,400}?-->\s*)*<(?:html|!doctype|head|body|center|div|table|p|font|style|title|meta|b|a|img|br)\b",
    re.DOTALL,
)
_CLOSES = lazy_pattern(r"</(?:html|head|body|center|div|table|p|td|font|style|title|b|a)>|<br ?/?>")


class _Found:
    __slots__ = ("hidden", "removed")

    def __init__(self) -> None:
        self.removed: list[Removal] = []
        self.hidden: list[str] = []

    def add(self, step: str, how: str, text: str, chars: int | None = None) -> None:
        size = len(text) if chars is None else chars
        self.removed.append(Removal(step=step, how=how, text=text[:MAX_EVIDENCE], chars=size))

    def hide(self, how: str, text: str, chars: int | None = None) -> None:
        self.add("hidden", how, text, chars)
        self.hidden.append(text)

    def strip_invisible(self, text: str) -> str:
        """Return `text` without invisible characters, and note those."""
        if text.isascii() and "\x00" not in text and "\x1b" not in text:
            return text
        shown, invisible = reveal(text)
        for one in invisible:
            self.hide(one.how, one.text, one.chars)
        return shown


def prepare(message: ParsedMessage) -> Prepared:
    """Prepare a message's content for all later steps. Never raises on account of the message."""
    return last(preparing(message))


def preparing(message: ParsedMessage) -> Steps[Prepared]:
    """Prepare a message in steps."""
    found = _Found()
    defects: list[str] = []
    if not message.subject.isascii():
        found.strip_invisible(message.subject)
    if message.sender is not None and not message.sender.name.isascii():
        found.strip_invisible(message.sender.name)
    plain, markup = _alternatives(message, defects)
    marked = ":" in message.subject or "：" in message.subject
    reply = bool(message.in_reply_to) or (marked and REPLY.match(message.subject) is not None)
    forward = marked and FORWARD.match(message.subject) is not None
    html = read_html(markup, reply=reply, forward=forward) if markup else None
    yield
    choice = _choose(plain, html)
    if html is not None:
        defects += html.defects
        _report_html(html, message.subject, found)
    if choice.unseen:
        found.hide(choice.how, found.strip_invisible(choice.unseen))
    yield
    if choice.text_from == "html" and html is not None:
        new = _from_html(html, message, found)
    else:
        plain = found.strip_invisible(plain)
        new = _from_plain(plain, message, found)
    yield
    parts = _finish(new, message, found)
    yield
    return Prepared(
        message=message,
        normalized=parts.text,
        quoted=parts.quoted,
        signature=parts.signature,
        disclaimer=parts.disclaimer,
        hidden="\n".join(filter(None, found.hidden))[:MAX_HIDDEN],
        language=detect_language(parts.text),
        links=_links(plain, html),
        json_ld=html.json_ld if html is not None else (),
        removed=tuple(found.removed),
        text_from=choice.text_from,
        defects=(*message.defects, *defects),
    )


def _alternatives(message: ParsedMessage, defects: list[str]) -> tuple[str, str]:
    plain, markup = message.text, message.html
    if len(plain) > MAX_TEXT:
        defects.append(f"the text has {len(plain):,} characters; only the first {MAX_TEXT:,} were prepared")
        plain = plain[:MAX_TEXT]
    if not markup and _is_html(plain):
        defects.append("HTML is sent as plain text")
        return "", plain
    if markup and plain.startswith("<") and "</" in plain:
        defects.append("the plain text is HTML")
        plain = read_html(plain).text
    return plain, markup


def _is_html(plain: str) -> bool:
    """Return True if a text sent as plain is markup: it opens with a tag and closes tags that only pages have."""
    head = plain.lstrip()
    if head[:1] != "<":
        return False
    head = head[:_HEAD].lower()
    return head.startswith(("<html", "<!doctype")) or (
        _OPENS_PAGE.match(head) is not None and _CLOSES.search(head) is not None
    )


def _choose(plain: str, html: HtmlText | None) -> AlternativeChoice:
    if html is None:
        return AlternativeChoice(text_from="plain" if plain.strip() else "none")
    return choose(plain, html.text, html.seen_too)


def _report_html(html: HtmlText, subject: str, found: _Found) -> None:
    for run in html.hidden:
        text = found.strip_invisible(run.text).strip()
        if text and not (run.how in REPEATS and (text in subject or text in html.text)):
            found.hide(run.how, text)
    for tracker in html.trackers:
        found.add("tracker", "pixel", tracker)


class _New(NamedTuple):
    """The text without the quote below it, and the signature that its markup names."""

    text: str
    quoted: str
    signature: str = ""


class _Parts(NamedTuple):
    text: str
    quoted: str
    signature: str
    disclaimer: str


def _from_plain(plain: str, message: ParsedMessage, found: _Found) -> _New:
    text = tidy(plain)
    split = split_quotes(text, subject=message.subject)
    if split.removed:
        text = _closed_up(split.kept)
        found.add("quote", split.how, split.removed)
    return _New(text, split.removed)


def _from_html(html: HtmlText, message: ParsedMessage, found: _Found) -> _New:
    text = found.strip_invisible(html.new)
    # Text laid out in one piece is tidy, except for its edges.
    text = text.strip() if text is html.text and "\r" not in text else tidy(text)
    quoted = tidy(reveal(html.quoted)[0]) if html.quoted else ""
    signature = tidy(reveal(html.signature)[0]) if html.signature else ""
    if quoted:
        found.add("quote", html.quoted_how, quoted)
    if text and not html.whole:
        split = split_quotes(text, subject=message.subject)
        if split.removed:
            text = _closed_up(split.kept)
            found.add("quote", split.how, split.removed)
            quoted = f"{split.removed}\n\n{quoted}".strip()
    if signature:
        found.add("signature", "markup", signature)
    return _New(text, quoted, signature)


def _finish(new: _New, message: ParsedMessage, found: _Found) -> _Parts:
    text = new.text
    disclaimer = split_disclaimer(text)
    if disclaimer.removed:
        found.add("disclaimer", disclaimer.how, disclaimer.removed)
    sender = message.sender
    signed = split_signature(
        disclaimer.kept,
        sender_name=sender.name if sender else "",
        sender_address=sender.address if sender else "",
    )
    if signed.removed and not _strange_name(signed, sender):
        found.add("signature", signed.how, signed.removed)
    else:
        signed = TextSplit(kept=disclaimer.kept, removed="", how="")
    return _Parts(
        text=signed.kept if text.startswith(signed.kept) else _closed_up(signed.kept),
        quoted=new.quoted.strip("\n"),
        signature="\n".join(part for part in (signed.removed.strip(), new.signature) if part),
        disclaimer=disclaimer.removed.strip(),
    )


def _strange_name(signed: TextSplit, sender: MailboxAddress | None) -> bool:
    """Return True if a signature is a bare closing and one first name that is not the sender's.

    Its author is uncertain then, so it stays in the text.
    """
    lines = signed.removed.split()
    if signed.how != "closing" or len(lines) != 2 or len(signed.removed) > 40:
        return False
    name = lines[1].strip(".,-!").lower()
    return sender is None or name not in f"{sender.name} {sender.address}".lower()


def _links(shown: str, html: HtmlText | None) -> tuple[Link, ...]:
    """Return the links of a message; `shown` is the visible part of its plain text."""
    if html is None:
        return find_links(shown)
    if "/" not in html.text or "://" not in html.text:
        return html.links
    known = {link.url for link in html.links}
    shown = " ".join(link.text for link in html.links)
    written = [link for link in find_links(html.text) if link.url not in known and link.text not in shown]
    return (*html.links, *_once(written))


def _once(links: Iterable[Link]) -> list[Link]:
    return list({link.url: link for link in links}.values())


def tidy(text: str) -> str:
    r"""Return `text` with `\n` line ends, no space at the end of a line and at most one blank line in a row."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if (
        " \n" in text
        or ("\t" in text and "\t\n" in text)  # a search for one character is far cheaper than for two
        or ("\xa0" in text and "\xa0\n" in text)
    ):
        text = "\n".join([line.rstrip() for line in text.split("\n")])
    return _closed_up(text)


def _closed_up(text: str) -> str:
    """Return a tidy text from which lines were removed, with at most one blank line in a row."""
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip()


MAX_LINKS = 2_000
MAX_URL = 4_000

_START = lazy_pattern(r"(?i)\b(?:https?://|www\.(?=[a-z0-9])|mailto:(?=\S{1,80}@)|ftp://)")
_BODY = lazy_pattern(r"[^\s<>\"\u201c\u201d\u00ab\u00bb\u3000-\u3002\uff0c]+")
_TRAILING = ".,;:!?'*_\u2026\u3001\u3002"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def find_links(text: str) -> tuple[Link, ...]:
    """Return every address in a text, in order, each as its own visible text. Linear in the text's length."""
    if not _may_hold_address(text):
        return ()
    links: list[Link] = []
    at = 0
    while len(links) < MAX_LINKS and (start := _START.search(text, at)) is not None:
        body = _BODY.match(text, start.end(), start.end() + MAX_URL)
        if body is None:
            at = start.end()
            continue
        written = _trim(text[start.start() : body.end()])
        at = body.end()
        if len(written) > len(start.group()):
            url = f"http://{written}" if start.group().lower() == "www." else written
            links.append(Link(text=written, url=url))
    return tuple(links)


def _may_hold_address(text: str) -> bool:
    if "/" in text and "://" in text:
        return True
    octets = text.encode("utf-8", "replace").lower()  # many times as fast as characters beyond ASCII are
    return b"www." in octets or (b":" in octets and b"mailto:" in octets)


def _trim(url: str) -> str:
    while url:
        last = url[-1]
        opening = _PAIRS.get(last)
        if last in _TRAILING or (opening and url.count(last) > url.count(opening)):
            url = url[:-1]
        else:
            break
    return url
