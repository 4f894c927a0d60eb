"""Resolves references such as "the second one" and "her last mail" to shown messages.

Entry points: `ShownToUser`, `ShownToUser.resolve`.

Code resolves them against the last list and the last opened message, and never guesses: if several messages match, the
user is asked; if none matches, the user is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gaia_email.app.documents.fields import object_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBER = re.compile(
    r"(?:the |number |no\.? |#|message |mail )*(\d{1,3})(?:[snrt][tdh])?(?: one| mail| message)?"
)
_ORDINAL = re.compile(rf"(?:the )?({'|'.join(ORDINALS)}|last|top)(?: one| mail| message| of them)?")
_IT = re.compile(
    r"(?:it|that|this|(?:that|this|the same)(?: one| mail| message| thread)?|the (?:mail|message|thread))"
)
_LAST_OF = re.compile(
    r"(?:(?P<whose>her|his|their|its)|(?P<name>.+?)'s) (?:last|latest|newest|most recent) (?:mail|message|email|one)|"
    r"(?:the )?(?:last|latest|newest|most recent) (?:mail|message|email|one) (?:from|by|of) (?P<from>.+)"
)
_ID = re.compile(r"[\w.:<>@+=-]{6,}")
_FILLER = frozenset(
    {"the", "one", "mail", "message", "email", "thread", "from", "about", "of", "by", "that", "a"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMessage:
    """A message shown to the user."""

    id: str
    name: str
    address: str
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedReference:
    """A resolved reference: a message, a sender's newest message, one of several, or nothing known."""

    id: str = ""
    newest_of: str = ""
    several: tuple[ShownMessage, ...] = ()


@dataclass(slots=True)
class ShownToUser:
    """Messages that the user currently sees: the last list, and the last opened message."""

    listed: list[ShownMessage] = field(default_factory=list["ShownMessage"])
    focus: ShownMessage | None = None

    def show_list(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Record a list that was shown; a single message also becomes the focus."""
        self.listed = [message_of_row(row) for row in rows]
        self.focus = self.listed[0] if len(self.listed) == 1 else None

    def look_at(self, row: Mapping[str, object]) -> None:
        """Record an opened message; the list stays."""
        self.focus = message_of_row(row)

    def resolve(self, text: str) -> ResolvedReference:
        """Resolve a reference; return an empty `ResolvedReference` if it matches nothing that was shown."""
        words = text.strip().casefold()
        if (match := _NUMBER.fullmatch(words)) is not None:
            return self._at(int(match[1]) - 1)
        if (match := _ORDINAL.fullmatch(words)) is not None:
            place = {"last": len(self.listed) - 1, "top": 0}.get(match[1])
            return self._at(ORDINALS.index(match[1]) if place is None else place)
        if not words or _IT.fullmatch(words):
            return ResolvedReference(id=self.focus.id) if self.focus else ResolvedReference()
        if (match := _LAST_OF.fullmatch(words)) is not None:
            return self._newest_of(match["name"] or match["from"] or "")
        found = self._by_words(words)
        if found.id or found.several:
            return found
        return (
            ResolvedReference(id=text.strip())
            if _ID.fullmatch(text.strip()) and any(map(str.isdigit, text))
            else ResolvedReference()
        )

    def _at(self, place: int) -> ResolvedReference:
        return (
            ResolvedReference(id=self.listed[place].id)
            if 0 <= place < len(self.listed)
            else ResolvedReference()
        )

    def _newest_of(self, name: str) -> ResolvedReference:
        if not name or name in ("her", "him", "them"):
            return ResolvedReference(newest_of=self.focus.address) if self.focus else ResolvedReference()
        people = {one.address for one in self.listed if name in one.name.casefold().split()}
        return ResolvedReference(newest_of=people.pop() if len(people) == 1 else name)

    def _by_words(self, words: str) -> ResolvedReference:
        wanted = [word for word in words.split() if word not in _FILLER]
        if not wanted:
            return ResolvedReference()
        fitting = [
            one
            for one in self.listed
            if one.id.casefold().startswith(words)
            or all(word in f"{one.name} {one.address} {one.subject}".casefold() for word in wanted)
        ]
        if len(fitting) == 1:
            return ResolvedReference(id=fitting[0].id)
        return ResolvedReference(several=tuple(fitting))


def message_of_row(row: Mapping[str, object]) -> ShownMessage:
    """Return the message in a row of a tool's answer."""
    person = object_of(row, "from")
    return ShownMessage(
        id=str(row.get("id", "")),
        name=str(person.get("name", "")),
        address=str(person.get("address", "")),
        subject=str(row.get("subject", "")),
    )


def options_of(several: Sequence[ShownMessage]) -> list[str]:
    """Return the options for a question about several messages."""
    return [f"{place}  {one.name or one.address} · {one.subject}" for place, one in enumerate(several, 1)]


def people_of(names: Sequence[str]) -> tuple[ShownMessage, ...]:
    """Return people, each a name with the address in angle brackets, as choices for a question."""
    return tuple(
        ShownMessage(id=one.rpartition("<")[2].rstrip(">"), name=one, address="", subject="") for one in names
    )


def chosen_of(several: Sequence[ShownMessage], answer: str) -> str:
    """Return the id chosen by a whole option, its number, or words from it; empty if none matches."""
    options = options_of(several)
    if answer in options:
        return several[options.index(answer)].id
    meant = ShownToUser(listed=list(several)).resolve(answer).id
    return meant if meant in {one.id for one in several} else ""
