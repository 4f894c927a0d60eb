"""Google's OAuth scopes, in plain language and as capabilities. Entries: `Access`, `read_names`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.mailbox import Capability

_GOOGLE = "https://www.googleapis.com/auth/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One kind of access that a login can allow."""

    scope: str
    """Google's scopes, separated by spaces."""
    words: str
    capabilities: frozenset[Capability] = frozenset()
    wider: tuple[str, ...] = ()
    """Scopes that each include this access."""

    def is_in(self, held: Set[str]) -> bool:
        """Return True if a login with these scopes allows it."""
        return held >= {*self.scope.split()} or any(scope in held for scope in self.wider)


_CALENDAR = f"{_GOOGLE}calendar"

_WRITING = frozenset(
    {
        Capability.MODIFY,
        Capability.LABELS,
        Capability.DRAFTS,
        Capability.SEND,
        Capability.SNOOZE,
        Capability.REPORT_SPAM,
        Capability.UNSUBSCRIBE,
        Capability.SEND_AS,
    }
)

ACCESS: dict[str, Access] = {
    "readonly": Access(scope=f"{_GOOGLE}gmail.readonly", words="read your mail"),
    "modify": Access(
        scope=f"{_GOOGLE}gmail.modify",
        words="read, label, move to Trash and draft mail. Google lets this scope send too: start the server with "
        "--no-send to rule that out",
        capabilities=_WRITING,
    ),
    "settings": Access(
        scope=f"{_GOOGLE}gmail.settings.basic",
        words="read and change filters and the automatic answer",
        capabilities=frozenset({Capability.FILTERS, Capability.VACATION}),
    ),
    "full": Access(
        scope="https://mail.google.com/",
        words="everything, deleting mail for good included",
        capabilities=_WRITING | {Capability.DELETE},
    ),
    "calendar-readonly": Access(
        scope=f"{_CALENDAR}.events.readonly {_CALENDAR}.freebusy",
        words="see your events, and when you and those who share with you are busy",
        capabilities=frozenset({Capability.CALENDAR}),
        wider=(_CALENDAR, f"{_CALENDAR}.readonly"),
    ),
    "calendar": Access(
        scope=f"{_CALENDAR}.events {_CALENDAR}.freebusy",
        words="see and change your events, answer invitations, and invite others",
        capabilities=frozenset({Capability.CALENDAR, Capability.CALENDAR_WRITE}),
        wider=(_CALENDAR,),
    ),
    "push": Access(
        scope="https://www.googleapis.com/auth/pubsub",
        words="fetch news of new mail from your own Cloud Pub/Sub subscription",
    ),
}
"""Kinds of access, by the names that `--scopes` accepts."""

DEFAULT = ("modify", "settings")
READS = frozenset({"readonly", "modify", "full"})
"""Access to read mail, of which every login needs at least one."""


def read_names(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list.

    Raises:
        BadArgument: A name is unknown, or none of them allows reading mail.
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in ACCESS:
            raise BadArgument(
                f"There is no scope {name[:40]!r}; there are {', '.join(ACCESS)}.", argument="scopes"
            )
    if not READS.intersection(names):
        raise BadArgument(
            "--scopes needs readonly, modify or full: without them no mail is seen.", argument="scopes"
        )
    return names


def asked_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names to request: those in `GAIA_GMAIL_SCOPES`, else the default ones.

    Raises:
        BadArgument: A name is unknown, or none of them allows reading mail.
    """
    given = environ.get("GAIA_GMAIL_SCOPES", "").strip()
    return read_names(given) if given else DEFAULT


def names_of(scopes: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the access that Google's scope URLs allow."""
    held = set(scopes)
    return tuple(name for name, access in ACCESS.items() if access.is_in(held))


def capabilities_of(names: Iterable[str]) -> frozenset[Capability]:
    """Return the capabilities of a mailbox with this access."""
    return frozenset[Capability]().union(*(ACCESS[name].capabilities for name in names))


def urls_of(names: Iterable[str]) -> str:
    """Return the scope URLs, in the form that Google's authorization page takes."""
    return " ".join(ACCESS[name].scope for name in names)
