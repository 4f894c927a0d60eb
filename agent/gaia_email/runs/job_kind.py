"""One kind of run. Entry: `JobKind`.

Its code is referenced as `module:function`, since importing it imports DBOS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from gaia_email.runs.arguments import Arguments

if TYPE_CHECKING:
    from gaia_email.runs.job import RunResult


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """A kind of run.

    Attributes:
        name: Name in storage, listings and schedules, and of its workflow.
        title: Its name in a sentence: `a triage`.
        check: Returns the arguments to store, or raises `BadArgument`.
        workflow: The DBOS workflow with this name, as `module:function`; it takes a job as JSON.
        here: The same without the engine (`here.py`); empty if there is none.
        parallel: True if two runs of a mailbox may overlap.
        endless: True if it runs until cancelled; no schedule starts it, and no caller waits for it.
        scheduled: True if `gaia email schedule` may start it.
        needs_yes: True if scheduling it requires approval while no triage has acted on the mailbox yet.
    """

    name: str
    title: str
    check: Callable[[Arguments], Arguments]
    workflow: str
    here: str = ""
    parallel: bool = False
    endless: bool = False
    needs_yes: bool = False
    scheduled: bool = True

    def load(self) -> Callable[[dict[str, object]], RunResult]:
        """Import the workflow, which registers it with DBOS."""
        found: Callable[[dict[str, object]], RunResult] = resolve_name(self.workflow)
        return found
