"""The protected set: senders, labels and threads that nothing automated may touch. Entry: `Protected.over`."""

from __future__ import annotations

from bisect import bisect_left
from typing import Literal

from msgspec.structs import replace

from gaia_email.document import Document
from gaia_email.policy.model import MessageFacts
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.domains import domain_of

ProtectedKind = Literal["sender", "label", "thread"]
PROTECTED_KINDS: tuple[ProtectedKind, ...] = ("sender", "label", "thread")
MAX_VALUE, MAX_ENTRIES = 320, 10_000


class Protected(Document, frozen=True, kw_only=True):
    """The protected set; all fields are sorted. `senders` are lower-case addresses or domains with their subdomains.

    A sender is matched by the From address even if it may be forged, because protection only prevents actions.
    """

    senders: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()

    def over(self, facts: MessageFacts) -> str:
        """Return a sentence with the reason why this message is protected; empty if it is not."""
        labels = domain_of(facts.sender).split(".")
        for entry in (facts.sender, *(".".join(labels[start:]) for start in range(len(labels)))):
            if holds(self.senders, entry):
                return f"You protected mail from {entry}."
        for entry in self.labels:
            if entry.casefold() in facts.labels:
                return f"You protected mail with the label {entry}."
        if holds(self.threads, facts.thread_id):
            return "You protected this thread."
        return ""

    def add(self, kind: ProtectedKind, value: str) -> Protected:
        """Return a set with `value` added, unless it is already there.

        Raises:
            BadArgument: `value` cannot be protected.
        """
        value = normalize_value(kind, value)
        return self._with(kind, {*self.entries(kind), value})

    def remove(self, kind: ProtectedKind, value: str) -> Protected:
        """Return a set without `value`.

        Raises:
            NotFound: It is not protected.
        """
        try:
            known = normalize_value(kind, value)
        except BadArgument:
            known = ""  # an invalid value is never in the set
        if known not in self.entries(kind):
            raise NotFound(f"The {kind} {value[:80]!r} is not protected.", argument=kind)
        return self._with(kind, {*self.entries(kind)} - {known})

    def entries(self, kind: ProtectedKind) -> tuple[str, ...]:
        """Return all entries of one kind."""
        return {"sender": self.senders, "label": self.labels, "thread": self.threads}[kind]

    def _with(self, kind: ProtectedKind, values: set[str]) -> Protected:
        entries = tuple(sorted(values))
        if len(entries) > MAX_ENTRIES:
            raise BadArgument(f"At most {MAX_ENTRIES:,} {kind}s can be protected.", argument=kind)
        match kind:
            case "sender":
                return replace(self, senders=entries)
            case "label":
                return replace(self, labels=entries)
            case "thread":
                return replace(self, threads=entries)


def holds(entries: tuple[str, ...], value: str) -> bool:
    """Return True if `value` is one of the sorted `entries`."""
    place = bisect_left(entries, value)
    return place < len(entries) and entries[place] == value


def normalize_value(kind: ProtectedKind, value: str) -> str:
    """Return `value` in its stored form.

    Raises:
        BadArgument: It is empty, too long or not printable, or a sender that is neither an address nor a domain.
    """
    value = " ".join(value.split())
    if kind == "sender":
        value = value.lower().removeprefix("@")
        local, at, domain = value.rpartition("@")
        if " " in value or "." not in domain or (at and not local) or "@" in local:
            raise BadArgument(
                f"{value[:80]!r} is neither an address such as ann@example.org nor a domain.", argument=kind
            )
    if not value or len(value) > MAX_VALUE or not value.isprintable():
        raise BadArgument(f"A {kind} has at most {MAX_VALUE} printable characters.", argument=kind)
    return value
