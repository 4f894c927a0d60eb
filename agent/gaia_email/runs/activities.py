"""Work that plug-ins do on their own, for programs that list or watch all work. Entries: `all_activities`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.plugins import load_parts

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger
    from gaia_email.runs.status import RunStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginActivities:
    """Runs that a plug-in records in its own tables.

    Attributes:
        run_kind: The kind of these runs.
        events: Pattern of the kinds of events about them, such as `automation.run.*`.
        states: State of a run, as in `RunStatus`, after an event of each kind.
        newest: Returns the newest runs of a ledger, at most this many.
    """

    run_kind: str
    events: str
    states: Mapping[str, str]
    newest: Callable[[Ledger, Connection, int], Iterable[RunStatus]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginChannels:
    """Channels outside of mail to which a plug-in posts.

    Attributes:
        platform: Their platform, such as `slack`.
        title: Words for one of them, before its name.
        names: Returns the names of a ledger's channels.
        action_type: Type of the actions that post; their payload has the channel's name as `webhook`.
        posted: Kind of the event about a post that was accepted.
        added: Kind of the event about a new channel; its payload has the `name`.
    """

    platform: str
    title: str
    names: Callable[[Ledger], Sequence[str]]
    action_type: str
    posted: str
    added: str


def all_activities() -> list[PluginActivities]:
    """Return the activities of every plug-in."""
    return load_parts("activities")


def all_channels() -> list[PluginChannels]:
    """Return the channels of every plug-in."""
    return load_parts("channels")
