"""Arguments of a run in addition to its mailbox, and their checks. Entry: `TriageArguments`.

Arguments that are null or false are equivalent to missing ones and are not stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gaia_email_registry.errors import BadArgument

Arguments: TypeAlias = Mapping[str, object]
"""Arguments by name, as JSON: numbers, IDs and the program's own texts, never text from mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageArguments:
    """Arguments of a triage.

    Attributes:
        since: Only mail since this time, in epoch seconds.
        again: True to process messages again whose triage the user undid.
    """

    since: float | None = None
    again: bool = False

    @staticmethod
    def of(arguments: Arguments) -> TriageArguments:
        """Parse the arguments.

        Raises:
            BadArgument: An argument is unknown, or has the wrong type.
        """
        since, again = arguments.get("since"), arguments.get("again", False)
        if set(arguments) - {"since", "again"} or not isinstance(again, bool):
            raise unknown_arguments(arguments, "since and again")
        if since is not None and (isinstance(since, bool) or not isinstance(since, int | float)):
            raise BadArgument("since of a triage is a time in epoch seconds.", argument="since")
        return TriageArguments(since=None if since is None else float(since), again=again)

    def to_dict(self) -> dict[str, object]:
        """Return the arguments as stored in a job."""
        return {
            name: value
            for name, value in (("since", self.since), ("again", self.again))
            if value is not None and value is not False
        }


def triage_arguments(arguments: Arguments) -> Arguments:
    """Check the arguments of a triage.

    Raises:
        BadArgument: An argument is invalid.
    """
    return TriageArguments.of(arguments).to_dict()


def no_arguments(arguments: Arguments) -> Arguments:
    """Check that there are no arguments.

    Raises:
        BadArgument: There is one.
    """
    if arguments:
        raise unknown_arguments(arguments, "none")
    return {}


def brief_arguments(arguments: Arguments) -> Arguments:
    """Check the arguments of a brief: `evening` for the evening brief; otherwise, the time of day decides.

    Raises:
        BadArgument: An argument is unknown, or `evening` is not a boolean.
    """
    evening = arguments.get("evening", False)
    if set(arguments) - {"evening"} or not isinstance(evening, bool):
        raise unknown_arguments(arguments, "evening")
    return {"evening": True} if evening else {}


def unknown_arguments(arguments: Arguments, known: str) -> BadArgument:
    """Return the error for arguments that a kind of run does not take; `known` names those that it takes."""
    names = ", ".join(sorted(name[:40] for name in arguments))
    return BadArgument(
        f"Unknown or wrong: {names}. This kind of run takes these arguments: {known}.", argument="arguments"
    )
