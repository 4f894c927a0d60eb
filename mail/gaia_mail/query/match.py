"""Evaluates a query on a message: `matches`, or `compile_query` to test many messages.

Cheap header terms are tested first, so that `SearchableMessage.body` is called only if no other term decides.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from gaia_mail.query.nodes import Age, And, Date, Field, Near, Node, Not, Or, Query, Size, Text
from gaia_mail.query.words import Finder, fold, near, opening, phrase


def _no_body() -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchableMessage:
    """Searchable content of a message. Address fields are header text: `Ann Example <ann@example.com>, …`.

    `labels` contains label ids and names that differ from them; `UNREAD`, `STARRED`, `SNOOZED` and `MUTED` count as
    labels. `date` is in seconds since the epoch, or None if unknown: then no date term matches. `body` returns the text
    to search; it is called at most once per match, and only if needed.
    """

    sender: str = ""
    to: str = ""
    cc: str = ""
    bcc: str = ""
    delivered_to: str = ""
    subject: str = ""
    body: Callable[[], str] = _no_body
    labels: tuple[str, ...] = ()
    date: float | None = None
    size: int = 0
    filenames: tuple[str, ...] = ()
    message_id: str = ""
    list_id: str = ""
    has_attachment: bool = False


Matcher = Callable[[SearchableMessage], bool]
"""A compiled query."""


def matches(query: Query, document: SearchableMessage, now: dt.datetime, me: tuple[str, ...] = ()) -> bool:
    """Return True if `document` matches at the time `now` (aware). See `compile_query`."""
    return compile_query(query, now, me)(document)


@lru_cache(maxsize=64)
def compile_query(query: Query, now: dt.datetime, me: tuple[str, ...] = ()) -> Matcher:
    """Compile a query to a predicate on messages.

    Spam and Trash are excluded unless the query asks for them (`in:anywhere`, `in:trash`, `label:spam`). `me` lists the
    addresses for `from:me` and `to:me`.
    """
    hidden = hidden_labels(query)
    if query.root is None:
        return lambda document: not _carries(document, hidden)
    _, test = _Compiler(now, me).compile(query.root)
    return lambda document: not _carries(document, hidden) and test(_View(document))


def compile_part(node: Node, now: dt.datetime, me: tuple[str, ...] = ()) -> Matcher:
    """Compile a part of a query; unlike `compile_query`, this does not exclude Spam and Trash."""
    _, test = _Compiler(now, me).compile(node)
    return lambda document: test(_View(document))


def hidden_labels(query: Query) -> tuple[str, ...]:
    """Return the labels (`SPAM`, `TRASH`) that the query excludes."""
    return tuple(sorted({"SPAM", "TRASH"} - _asked_for(query.root)))


@lru_cache(maxsize=4096)
def label_key(label: str) -> str:
    """Return the comparison key of a label: `Work/Big Deals` and `work-big-deals` are the same, as in Gmail."""
    return re.sub(r"[\s/_&-]+", "-", label.casefold())


def _carries(document: SearchableMessage, labels: tuple[str, ...]) -> bool:
    return any(label in document.labels for label in labels)


_SCOPES = {
    "anywhere": frozenset({"SPAM", "TRASH"}),
    "spam": frozenset({"SPAM"}),
    "trash": frozenset({"TRASH"}),
}


def _asked_for(node: Node | None) -> frozenset[str]:
    """Return the labels among Spam and Trash that a query includes; a negated term includes none."""
    if isinstance(node, Field) and node.name in ("in", "label"):
        return _SCOPES.get(node.value.lower(), frozenset())
    if isinstance(node, And | Or):
        return frozenset[str]().union(*(_asked_for(part) for part in node.parts))
    return frozenset()


class _View:
    """A document with its folded texts, each computed on first use."""

    __slots__ = ("_folded", "document")

    def __init__(self, document: SearchableMessage) -> None:
        self.document = document
        self._folded: dict[str, str] = {}

    def text(self, name: str) -> str:
        folded = self._folded.get(name)
        if folded is None:
            folded = self._folded[name] = fold(_SOURCES[name](self.document))
        return folded


_SOURCES: dict[str, Callable[[SearchableMessage], str]] = {
    "from": lambda document: document.sender,
    "to": lambda document: "\n".join((document.to, document.cc, document.bcc)),
    "cc": lambda document: document.cc,
    "bcc": lambda document: document.bcc,
    "deliveredto": lambda document: document.delivered_to,
    "subject": lambda document: document.subject,
    "filename": lambda document: "\n".join(document.filenames),
    "list": lambda document: document.list_id,
    "headers": lambda document: "\n".join(
        (
            document.subject,
            document.sender,
            document.to,
            document.cc,
            document.bcc,
            document.list_id,
            *document.filenames,
        )
    ),
    "body": lambda document: document.body(),
}
"""Text searched by each operator. `to:` covers every kind of recipient, as in Gmail's filters."""

_Test = Callable[[_View], bool]
_CHEAP, _HEADERS, _BODY = 0, 1, 2

ADDRESS_FIELDS = ("from", "to", "cc", "bcc", "deliveredto")
_DOMAIN = re.compile(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,12}")

_IS_LABELS = {
    "unread": "UNREAD",
    "starred": "STARRED",
    "important": "IMPORTANT",
    "snoozed": "SNOOZED",
    "muted": "MUTED",
    "sent": "SENT",
    "draft": "DRAFT",
}
_IN_LABELS = {
    "inbox": "INBOX",
    "sent": "SENT",
    "drafts": "DRAFT",
    "trash": "TRASH",
    "spam": "SPAM",
    "snoozed": "SNOOZED",
    "starred": "STARRED",
    "important": "IMPORTANT",
    "unread": "UNREAD",
}
NOT_ARCHIVED = ("INBOX", "SENT", "DRAFT", "SPAM", "TRASH")
"""Labels that exclude a message from `in:archive`."""

_NOT_USER_LABELS = frozenset(
    {"INBOX", "UNREAD", "STARRED", "IMPORTANT", "SENT", "DRAFT", "SPAM", "TRASH", "SNOOZED", "MUTED", "CHAT"}
)
HAS_FILES = {
    "document": ("doc", "docx", "odt", "gdoc", "rtf"),
    "spreadsheet": ("xls", "xlsx", "ods", "gsheet", "csv"),
    "presentation": ("ppt", "pptx", "odp", "gslides"),
}
"""File extensions that `has:document` and similar terms match."""

HAS_LINKS = {
    "drive": ("drive.google.com/", "docs.google.com/"),
    "document": ("docs.google.com/document/",),
    "spreadsheet": ("docs.google.com/spreadsheets/",),
    "presentation": ("docs.google.com/presentation/",),
    "youtube": ("youtube.com/", "youtu.be/"),
}
"""Links in the text that `has:` terms match."""


class _Compiler:
    """Compiles nodes to tests, each with its cost."""

    def __init__(self, now: dt.datetime, me: tuple[str, ...]) -> None:
        self._now = now
        self._me = me

    def compile(self, node: Node) -> tuple[int, _Test]:
        match node:
            case And():
                cost, tests = self._parts(node.parts)
                return cost, lambda view: all(test(view) for test in tests)
            case Or():
                cost, tests = self._parts(node.parts)
                return cost, lambda view: any(test(view) for test in tests)
            case Not():
                cost, inner = self.compile(node.part)
                return cost, lambda view: not inner(view)
            case Text():
                return _BODY, _anywhere(phrase(node.value))
            case Near():
                return _BODY, _anywhere(near(node.left.value, node.right.value, node.distance))
            case Field():
                return self._field(node)
            case Size():
                return _CHEAP, _size(node)
            case Date():
                return _CHEAP, _since(node.comparison == "after", float(node.instant))
            case Age():
                return _CHEAP, _since(node.comparison == "newer", age_instant(node, self._now))

    def _parts(self, parts: tuple[Node, ...]) -> tuple[int, tuple[_Test, ...]]:
        compiled = sorted((self.compile(part) for part in parts), key=lambda pair: pair[0])
        return compiled[-1][0], tuple(test for _, test in compiled)

    def _field(self, node: Field) -> tuple[int, _Test]:
        name, value = node.name, node.value
        if name == "rfc822msgid":
            return _CHEAP, lambda view: view.document.message_id.strip("<> ") == value
        if name in ("label", "in", "is", "category"):
            return _CHEAP, _membership(node)
        if name == "has":
            return _has(value)
        if name in ADDRESS_FIELDS and value.lower() == "me" and self._me:
            finders = tuple(_address(own) for own in self._me)
            return _HEADERS, lambda view: any(find(view.text(name)) for find in finders)
        find = _address(value) if name in ADDRESS_FIELDS or name == "list" else phrase(value)
        return _HEADERS, lambda view: find(view.text(name))


def _anywhere(find: Finder) -> _Test:
    return lambda view: find(view.text("headers")) or find(view.text("body"))


def is_address(value: str) -> bool:
    """Return True if `from:value` and similar terms match an address or a domain, not words of a display name."""
    folded = fold(value.strip("<> "))
    return "@" in folded or _DOMAIN.fullmatch(folded) is not None


def _address(value: str) -> Finder:
    """Match whole addresses, whole domains (and their subdomains), or words of a display name."""
    if not is_address(value):
        return phrase(value)
    folded = fold(value.strip("<> "))
    left = r"(?<![\w-])"
    if "@" in folded:
        left = "" if folded.startswith("@") else r"(?<![\w.+'-])"
    pattern = rf"{left}{re.escape(folded)}(?![\w-]|\.\w)"
    search = re.compile(pattern).search
    return lambda target: folded in target and search(target) is not None


def _size(node: Size) -> _Test:
    octets = node.octets
    if node.comparison == "larger":
        return lambda view: view.document.size > octets
    return lambda view: view.document.size < octets


def _since(newer: bool, instant: float) -> _Test:
    def test(view: _View) -> bool:
        date = view.document.date
        return date is not None and (date >= instant) == newer

    return test


def age_instant(age: Age, now: dt.datetime) -> float:
    """Return the time `age.amount` units before `now`; month arithmetic keeps the day, or uses the month's last."""
    try:
        if age.unit in ("h", "d"):
            return (now - dt.timedelta(hours=age.amount * (24 if age.unit == "d" else 1))).timestamp()
        months = now.year * 12 + now.month - 1 - age.amount * (12 if age.unit == "y" else 1)
        year, month = divmod(months, 12)
        first = now.replace(year=year, month=month + 1, day=1)
        following = (first + dt.timedelta(days=32)).replace(day=1)
        return first.replace(day=min(now.day, (following - first).days)).timestamp()
    except (OverflowError, ValueError):
        return float("-inf")


def system_label(node: Field) -> str | None:
    """Return the single label id that a term such as `in:inbox` or `is:unread` requires; None for any other term."""
    if node.name == "is":
        return _IS_LABELS.get(node.value)
    return _IN_LABELS.get(node.value.lower()) if node.name in ("in", "label") else None


def _membership(node: Field) -> _Test:
    value = node.value
    if node.name == "is":
        if value == "read":
            return lambda view: "UNREAD" not in view.document.labels
        return _has_label(_IS_LABELS[value])
    if node.name == "category":
        return _category(value)
    lower = value.lower()
    if node.name == "in" and lower == "anywhere":
        return lambda view: True
    if node.name == "in" and lower == "archive":
        return lambda view: not _carries(view.document, NOT_ARCHIVED)
    if lower in _IN_LABELS:
        return _has_label(_IN_LABELS[lower])
    key = label_key(value)
    return lambda view: any(label_key(label) == key for label in view.document.labels)


def _has_label(label: str) -> _Test:
    return lambda view: label in view.document.labels


def _category(value: str) -> _Test:
    """Match a category. Without any category label an inbox message is primary, as if Gmail's tabs were off."""
    name = "CATEGORY_PERSONAL" if value == "primary" else f"CATEGORY_{value.upper()}"
    if value != "primary":
        return _has_label(name)
    return lambda view: (
        name in view.document.labels
        or (
            "INBOX" in view.document.labels
            and not any(label.startswith("CATEGORY_") for label in view.document.labels)
        )
    )


def _has(value: str) -> tuple[int, _Test]:
    if value == "attachment":
        return _CHEAP, lambda view: view.document.has_attachment
    if value in ("userlabels", "nouserlabels"):
        wanted = value == "userlabels"
        return _CHEAP, lambda view: _has_user_label(view.document) == wanted
    endings = tuple(f".{ending}" for ending in HAS_FILES.get(value, ()))
    links = tuple(opening(link) for link in HAS_LINKS[value])

    def test(view: _View) -> bool:
        if endings and any(name.lower().endswith(endings) for name in view.document.filenames):
            return True
        body = view.text("body")
        return any(find(body) for find in links)

    return _BODY, test


def _has_user_label(document: SearchableMessage) -> bool:
    return any(
        label not in _NOT_USER_LABELS and not label.startswith("CATEGORY_") for label in document.labels
    )
