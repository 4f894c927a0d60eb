"""The user's labels: a name and a description, matched against inbox mail. Entries: `labels`, `matches`.

A description is reduced to words. A message has the label if the user gave it, if one of the words occurs in
its sender or subject, or if two occur in its text; a message that the user took the label off never has it.
The same applies to senders: two labelled messages include a sender, two that lost the label exclude it. No
model is asked.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from gaia_email.app import App
from gaia_email.app.documents.fields import rows_of
from gaia_email.app.services.language_tables import EXCEPTING_WORDS, FILLING_WORDS
from gaia_email.app.services.opening import account_of
from gaia_email.app.services.searching import SearchRequest, search_mail
from gaia_email.app.services.source import SourceSpec
from gaia_email.document import Count, Document
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.ledger.search import SearchHit
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict

DOCUMENT = "labels"

MOST_LABELS, MOST_WORDS, MOST_HITS = 30, 12, 500
"""Maximum numbers of labels, of words used from a description, and of messages searched per word."""

HABIT = 2
"""Minimum number of messages to include or exclude their sender."""

RESERVED = frozenset(("inbox", "unread", "starred", "important", "sent", "draft", "drafts", "spam", "trash"))

_TOKEN = re.compile(r'"([^"]{2,60})"|([\w.+-]+@[\w.-]+\w|[\w-]+(?:\.[\w-]+)+|[\w-]{2,})|([.;:!?]|,)')
_ENDINGS = ("es", "s", "en", "e", "n")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRule:
    """The words of a description: any of `words` matches, any of `without` excludes."""

    words: tuple[str, ...]
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOff:
    """A message that the user took a label off."""

    account: str
    message_id: str
    thread_id: str
    sender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UserLabel:
    """A label of the user; its position is its index in the list."""

    id: str
    name: str
    sentence: str
    taken_off: tuple[TakenOff, ...] = ()
    removed: bool = False


class LabelDetails(Document, frozen=True, kw_only=True):
    """A label, the words of its description, and its number of inbox threads, None if not counted.

    `taken_off` counts the messages that the user took it off.
    """

    id: str
    name: str
    sentence: str
    position: Count
    words: tuple[str, ...]
    without: tuple[str, ...]
    taken_off: Count
    threads: Count | None = None
    unread: Count = 0


class LabelList(Document, frozen=True, kw_only=True):
    """Labels in the user's order."""

    labels: list[LabelDetails]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMatches:
    """The threads of one account that have a label, each with the reason: matched words, or the user's own decision."""

    account: str
    threads: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def rule_of(sentence: str) -> LabelRule:
    """Return the words of a description, in their order."""
    words: list[str] = []
    without: list[str] = []
    into = words
    for phrase, word, stop in _TOKEN.findall(sentence.lower()):
        if stop and stop != ",":
            into = words
        elif word in EXCEPTING_WORDS:
            into = without
        elif (phrase or word) and word not in FILLING_WORDS:
            into.append(" ".join((phrase or word).split()))
    found = tuple(dict.fromkeys(words))[:MOST_WORDS]
    return LabelRule(words=found, without=tuple(dict.fromkeys(without))[:MOST_WORDS])


def labels(app: App) -> list[UserLabel]:
    """Return all labels, in the user's order."""
    return [one for one in _all(app) if not one.removed]


def label_of(app: App, named: str) -> UserLabel:
    """Return the label with that id or name.

    Raises:
        NotFound: It does not exist.
        MailError: The ledger cannot be read.
    """
    found = next((one for one in labels(app) if named in (one.id, one.name)), None)
    if found is None:
        raise NotFound(
            f"There is no label {named[:60]!r}.", argument="/id", hint="gaia email labels lists them."
        )
    return found


def add_label(app: App, name: str, sentence: str) -> UserLabel:
    """Create a label at the end of the list.

    Raises:
        BadArgument: The name is taken or invalid, the description has no usable word, or there are too many labels.
        MailError: The ledger cannot be written.
    """
    made = UserLabel(id=secrets.token_hex(4), name=_checked(name), sentence=require_sentence(sentence))

    def change(known: list[UserLabel]) -> list[UserLabel]:
        there = [one for one in known if not one.removed]
        if any(one.name.casefold() == made.name.casefold() for one in there):
            raise StateConflict(f"There is a label {made.name!r} already.", argument="/name")
        if len(there) >= MOST_LABELS:
            raise BadArgument(f"{MOST_LABELS} labels are the most.", hint="remove one first.")
        return [*known, made]

    _change(app, change)
    return made


def change_label(
    app: App, id_: str, *, sentence: str | None = None, position: int | None = None
) -> UserLabel:
    """Change a label's description, or its position (counted from 0).

    Raises:
        NotFound: The label does not exist.
        BadArgument: The description has no usable word.
        MailError: The ledger cannot be written.
    """
    found = label_of(app, id_)
    changed = replace(found, sentence=found.sentence if sentence is None else require_sentence(sentence))

    def change(known: list[UserLabel]) -> list[UserLabel]:
        there = [changed if one.id == found.id else one for one in known if not one.removed]
        if position is not None:
            there.remove(changed)
            there.insert(position, changed)
        return [*there, *(one for one in known if one.removed)]

    _change(app, change)
    return changed


def remove_label(app: App, id_: str, *, back: bool = False) -> UserLabel:
    """Remove a label, or restore it if `back` is True; the provider's label with that name stays.

    Raises:
        NotFound: The label does not exist.
        MailError: The ledger cannot be written.
    """
    found = (
        next((one for one in _all(app) if one.id == id_ and one.removed), None)
        if back
        else label_of(app, id_)
    )
    if found is None:
        raise NotFound("There is no such label to get back.", argument="/id")
    changed = replace(found, removed=not back)
    _change(app, lambda known: [changed if one.id == found.id else one for one in known])
    return changed


def note_taken_off(app: App, id_: str, off: Sequence[TakenOff], *, back: bool = False) -> None:
    """Record that the user took a label off these messages, or delete that record if `back` is True.

    Raises:
        NotFound: The label does not exist.
        MailError: The ledger cannot be written.
    """
    found = label_of(app, id_)
    named = {(one.account, one.message_id) for one in off}
    kept = [one for one in found.taken_off if (one.account, one.message_id) not in named]
    changed = replace(found, taken_off=tuple(kept if back else [*kept, *off])[-1000:])
    _change(app, lambda known: [changed if one.id == found.id else one for one in known])


def matches(app: App, source: SourceSpec, wanted: Sequence[UserLabel]) -> list[LabelMatches]:
    """Return the inbox threads of one mailbox that have each label."""
    if not wanted:
        return []
    account = account_of(app, source)
    fresh = True

    def hits(query: str) -> Sequence[SearchHit]:
        nonlocal fresh
        offline = not fresh and source.kind != "demo"
        asked = SearchRequest(query=query, limit=MOST_HITS, newest=True, offline=offline)
        fresh = False
        return search_mail(app, source, asked).found.hits

    return [_matched(account, one, hits) for one in wanted]


def _matched(account: str, label: UserLabel, hits: Callable[[str], Sequence[SearchHit]]) -> LabelMatches:
    rule = rule_of(label.sentence)
    given = list(hits(f'label:"{label.name}"')) if label.name else []
    taken = label.taken_off
    senders, refused = _habits(given, taken)
    strong: dict[str, list[str]] = defaultdict(list)
    weak: dict[str, list[str]] = defaultdict(list)
    thread_of: dict[str, tuple[str, str]] = {}
    for word in rule.words:
        for hit in hits(f"in:inbox {_query(word)}"):
            message = hit.message
            thread_of[message.message_id] = (message.thread_id, message.sender)
            head = f"{message.sender_name} {message.sender} {message.subject}".lower()
            into = strong if any(form in head for form in _forms(word)) else weak
            into[message.message_id].append(word)
    for sender in senders:
        for hit in hits(f"in:inbox from:{_quoted(sender)}"):
            thread_of[hit.message.message_id] = (hit.message.thread_id, hit.message.sender)
            strong[hit.message.message_id].append(sender)
    against = {hit.message.message_id for word in rule.without for hit in hits(f"in:inbox {_query(word)}")}
    against |= {one.message_id for one in taken}
    enough = 1 if len(rule.words) == 1 else 2
    found: dict[str, tuple[str, ...]] = {}
    for id_, (thread, sender) in thread_of.items():
        words = [*strong[id_], *weak[id_]]
        is_meant = bool(strong[id_]) or len(weak[id_]) >= enough
        if is_meant and id_ not in against and sender not in refused:
            found[thread] = tuple(dict.fromkeys((*found.get(thread, ()), *words)))
    for hit in given:
        if "INBOX" in hit.message.labels:
            found[hit.message.thread_id] = ("you labelled it",)
    return LabelMatches(account=account, threads=found)


def _habits(given: Sequence[SearchHit], taken: Sequence[TakenOff]) -> tuple[set[str], set[str]]:
    """Return the senders whose mail the user repeatedly labelled, and those they took the label off."""
    yes = Counter(hit.message.sender for hit in given)
    no = Counter(one.sender for one in taken)
    often = {sender for sender, times in yes.items() if times >= HABIT and not no[sender]}
    seldom = {sender for sender, times in no.items() if times >= HABIT and not yes[sender]}
    return often, seldom


def _forms(word: str) -> tuple[str, ...]:
    """Return a word with its forms without an ending, so that a plural matches the singular."""
    stems = {word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 4}
    return (word, *sorted(stems))


def _query(word: str) -> str:
    return "{" + " ".join(map(_quoted, _forms(word))) + "}"


def _quoted(word: str) -> str:
    return '"' + word.replace('"', " ") + '"'


def _checked(name: str) -> str:
    found = " ".join(name.split())
    if not 0 < len(found) <= 60 or not found.isprintable() or '"' in found:
        raise BadArgument("A label's name has 1 to 60 characters and no quotation marks.", argument="/name")
    if found.casefold() in RESERVED or found.casefold().startswith("gaia/"):
        raise BadArgument(f"{found!r} is a label of the mail provider or of this program.", argument="/name")
    return found


def require_sentence(sentence: str) -> str:
    """Return a description as one line, after checking that it can be searched for.

    Raises:
        BadArgument: It is too long, or has no usable word.
    """
    found = " ".join(sentence.split())
    if not 0 < len(found) <= 300 or not found.isprintable():
        raise BadArgument("A sentence of 1 to 300 characters says what a label is for.", argument="/sentence")
    if not rule_of(found).words:
        raise BadArgument(
            "No word of this sentence can be looked for.",
            argument="/sentence",
            hint='name what such mail speaks of, such as "flights, hotels and train tickets".',
        )
    return found


def label_details(
    label: UserLabel, position: int, threads: int | None = None, unread: int = 0
) -> LabelDetails:
    """Return a label with the words of its description."""
    rule = rule_of(label.sentence)
    return LabelDetails(
        id=label.id,
        name=label.name,
        sentence=label.sentence,
        position=position,
        words=rule.words,
        without=rule.without,
        taken_off=len(label.taken_off),
        threads=threads,
        unread=unread,
    )


def _all(app: App) -> list[UserLabel]:
    if not has_ledger(app.environ):
        return []
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        document = ledger.documents.read(tx, DOCUMENT)
    return [] if document is None else [_label(row) for row in rows_of(document.value, "labels")]


def _change(app: App, change: Callable[[list[UserLabel]], list[UserLabel]]) -> None:
    with app.ledger() as ledger, ledger.write() as tx:
        document = ledger.documents.read(tx, DOCUMENT)
        known = [] if document is None else [_label(row) for row in rows_of(document.value, "labels")]
        value = {"labels": [asdict(one) for one in change(known)]}
        ledger.documents.write(tx, DOCUMENT, value, document.version if document else 0)


def _label(row: Mapping[str, object]) -> UserLabel:
    return UserLabel(
        id=str(row["id"]),
        name=str(row["name"]),
        sentence=str(row["sentence"]),
        removed=row.get("removed") is True,
        taken_off=tuple(
            TakenOff(
                account=str(one["account"]),
                message_id=str(one["message_id"]),
                thread_id=str(one["thread_id"]),
                sender=str(one["sender"]),
            )
            for one in rows_of(row, "taken_off")
        ),
    )
