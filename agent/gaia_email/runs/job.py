"""What a run is asked for, as it is kept: ids and numbers, never words of a message. Entry point: `Job`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gaia_email.mailbox.ref import MailboxRef
from gaia_email_registry.errors import BadArgument

JobKind = Literal["triage", "wake", "watch"]
RunResult: TypeAlias = "dict[str, bool | int | str | None]"
"""What a step answers: counts, ids, and sentences of our own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run.

    Attributes:
        kind: What it does.
        run_id: Its id, also that of its flight and of what it does in the ledger.
        place: The mailbox.
        owner: The user's addresses, where they were given.
        since: Only mail from then on, epoch seconds.
        again: What the user took back is gone through once more.
        scheduled: A schedule started it, so quiet hours hold and it acts by itself from L5 only.
    """

    kind: JobKind
    run_id: str
    place: MailboxRef
    owner: tuple[str, ...] = ()
    since: float | None = None
    again: bool = False
    scheduled: bool = False

    def to_json(self) -> dict[str, object]:
        """As it is kept."""
        return {
            "kind": self.kind,
            "run_id": self.run_id,
            "place": self.place.to_json(),
            "owner": list(self.owner),
            "since": self.since,
            "again": self.again,
            "scheduled": self.scheduled,
        }

    @staticmethod
    def from_json(value: Mapping[str, object]) -> Job:
        """From what `to_json` wrote.

        Raises:
            BadArgument: It is something else.
        """
        owner, since = value.get("owner"), value.get("since")
        if not isinstance(owner, list):
            raise BadArgument("That is no run.")
        return Job(
            kind=kind_of(value.get("kind")),
            run_id=str(value.get("run_id")),
            place=MailboxRef.from_json(as_object(value.get("place"))),
            owner=tuple(str(address) for address in owner),  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            since=since if isinstance(since, float) else None,
            again=value.get("again") is True,
            scheduled=value.get("scheduled") is True,
        )


def kind_of(value: object) -> JobKind:
    """`value` where it is a kind of run.

    Raises:
        BadArgument: It is none.
    """
    for kind in get_args(JobKind):
        if value == kind:
            return kind  # type: ignore[no-any-return]
    raise BadArgument(f"{str(value)[:40]!r} is not a kind of run; runs are triage, wake and watch.")


def as_object(value: object) -> dict[str, object]:
    """`value` where it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
