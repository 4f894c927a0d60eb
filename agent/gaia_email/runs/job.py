"""What a run is asked for, as it is kept: ids and numbers, never words of a message. Entry point: `Job`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gaia_email.mailbox.ref import MailboxRef
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import RequestOrigin, origin_from_text

_OF_ALL = frozenset({"kind", "run_id", "place", "owner", "scheduled", "origin"})
"""What every kind has; arguments stand beside them, under other names."""

RunResult: TypeAlias = "dict[str, bool | int | str | None]"
"""What a step answers: counts, ids, and sentences of our own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run.

    Attributes:
        kind: What it does: the name of a row of `kinds.py`.
        run_id: Its id, also that of its flight and of what it does in the ledger.
        place: The mailbox.
        origin: The asker and its interface; unknown for a run that an older program kept.
        owner: The user's addresses, where they were given.
        scheduled: A schedule started it, so quiet hours hold and it acts by itself from L5 only.
        arguments: What its kind is asked for beyond that; null and false ones are left out.
    """

    kind: str
    run_id: str
    place: MailboxRef
    origin: RequestOrigin
    owner: tuple[str, ...] = ()
    scheduled: bool = False
    arguments: Mapping[str, object] = field(default_factory=dict[str, object])

    def to_json(self) -> dict[str, object]:
        """As it is kept."""
        return {
            **self.arguments,
            "kind": self.kind,
            "run_id": self.run_id,
            "place": self.place.to_json(),
            "owner": list(self.owner),
            "scheduled": self.scheduled,
            "origin": self.origin.to_text(),
        }

    @staticmethod
    def from_json(value: Mapping[str, object]) -> Job:
        """From what `to_json` wrote, now or in an older program; neither its kind nor its arguments are checked.

        Raises:
            BadArgument: It is something else.
        """
        owner = value.get("owner")
        if not isinstance(owner, list):
            raise BadArgument("That is no run.")
        return Job(
            kind=str(value.get("kind")),
            run_id=str(value.get("run_id")),
            place=MailboxRef.from_json(as_object(value.get("place"))),
            origin=origin_from_text(str(value.get("origin", ""))),
            owner=tuple(str(address) for address in owner),  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            scheduled=value.get("scheduled") is True,
            arguments={
                name: given
                for name, given in value.items()
                if name not in _OF_ALL and given is not None and given is not False
            },
        )


def as_object(value: object) -> dict[str, object]:
    """`value` where it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
