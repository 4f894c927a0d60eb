"""The stored parameters of a run: IDs and numbers, never text from mail. Entry point: `Job`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gaia_email.mailbox.ref import MailboxRef
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import RequestOrigin, origin_from_text

_OF_ALL = frozenset({"kind", "run_id", "place", "owner", "scheduled", "origin"})
"""Fields of every kind; arguments are stored next to them under other names."""

RunResult: TypeAlias = "dict[str, bool | int | str | None]"
"""The result of a step: counts, IDs, and sentences of our own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run.

    Attributes:
        kind: The name of its row in `kinds.py`.
        run_id: Its ID, also in the ledger.
        place: The mailbox.
        origin: The asker and its interface; unknown for a run stored by an older program.
        owner: The user's addresses, if given.
        scheduled: True if a schedule started it; then quiet hours apply, and it acts by itself only from L5.
        arguments: Arguments of its kind, without null and false ones.
    """

    kind: str
    run_id: str
    place: MailboxRef
    origin: RequestOrigin
    owner: tuple[str, ...] = ()
    scheduled: bool = False
    arguments: Mapping[str, object] = field(default_factory=dict[str, object])

    def to_json(self) -> dict[str, object]:
        """Return the job as stored."""
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
        """Read what `to_json` wrote, also in an older program; kind and arguments are not checked.

        Raises:
            BadArgument: The value is not a job.
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
    """Return `value` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
