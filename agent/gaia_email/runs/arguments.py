"""What a kind of run is asked for beyond its mailbox, and how that is checked. Entry: `TriageArguments`.

An argument that is null or false says the same as one that is not there, and is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gaia_email_registry.errors import BadArgument

Arguments: TypeAlias = Mapping[str, object]
"""By name; JSON: numbers, texts of our own and ids, never words of a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageArguments:
    """Of a triage.

    Attributes:
        since: Only mail from then on, epoch seconds.
        again: What the user took back is gone through once more.
    """

    since: float | None = None
    again: bool = False

    @staticmethod
    def of(arguments: Arguments) -> TriageArguments:
        """The arguments with their types.

        Raises:
            BadArgument: There is another one, or one is of another type.
        """
        since, again = arguments.get("since"), arguments.get("again", False)
        if set(arguments) - {"since", "again"} or not isinstance(again, bool):
            raise _unknown(arguments, "since and again")
        if since is not None and (isinstance(since, bool) or not isinstance(since, int | float)):
            raise BadArgument("since of a triage is a time in epoch seconds.", argument="since")
        return TriageArguments(since=None if since is None else float(since), again=again)

    def kept(self) -> dict[str, object]:
        """As a job keeps them."""
        return {
            name: value
            for name, value in (("since", self.since), ("again", self.again))
            if value is not None and value is not False
        }


def triage_arguments(arguments: Arguments) -> Arguments:
    """Those of a triage, checked.

    Raises:
        BadArgument: They are not.
    """
    return TriageArguments.of(arguments).kept()


def no_arguments(arguments: Arguments) -> Arguments:
    """None at all.

    Raises:
        BadArgument: There is one.
    """
    if arguments:
        raise _unknown(arguments, "none")
    return {}


def brief_arguments(arguments: Arguments) -> Arguments:
    """Those of a brief: whether it is the evening's; the one of the hour where that is not said.

    Raises:
        BadArgument: There is another one, or it is no yes or no.
    """
    evening = arguments.get("evening", False)
    if set(arguments) - {"evening"} or not isinstance(evening, bool):
        raise _unknown(arguments, "evening")
    return {"evening": True} if evening else {}


def automation_arguments(arguments: Arguments) -> Arguments:
    """Those of an automation: the id of its run in the ledger.

    Raises:
        BadArgument: That is not all there is.
    """
    if set(arguments) != {"automation_run"} or not isinstance(arguments["automation_run"], str):
        raise _unknown(arguments, "automation_run")
    return dict(arguments)


def _unknown(arguments: Arguments, known: str) -> BadArgument:
    names = ", ".join(sorted(name[:40] for name in arguments))
    return BadArgument(
        f"Unknown or wrong: {names}. This kind of run takes these arguments: {known}.", argument="arguments"
    )
