"""The running program's environment, clock, ledger and models, created once in each `main`. Entry: `App`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gaia_email.app.connection_attempts import ConnectionAttempts
from gaia_email_registry import clock
from gaia_email_registry.paths import home

if TYPE_CHECKING:
    from pathlib import Path

    from gaia_email.ledger import Ledger
    from gaia_email.triage.uncertain import UncertainMessages
    from gaia_understanding.cascade.verdict import Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """One running program, passed down from its `main`; nothing below reads the process environment directly.

    Attributes:
        environ: The environment variables it was started with, or those of a test or a sample mailbox.
        clock: Epoch seconds, for records and for the age of mail.
        attempts: Account connections in progress.
    """

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    clock: Callable[[], float] = clock.now
    attempts: ConnectionAttempts = field(default_factory=ConnectionAttempts, repr=False, compare=False)

    @property
    def home(self) -> Path:
        """The data directory (`GAIA_HOME`, else `~/.gaia`)."""
        return home(self.environ)

    def tier(self, *, summaries: bool = True, lessons: bool = True) -> Tier:
        """Return the judge of mail that needs no model server; see `gaia_email.triage.tiers.default_tier`."""
        from gaia_email.triage.tiers import default_tier

        return default_tier(summaries=summaries, lessons=lessons, environ=self.environ)

    def models(
        self,
        *,
        tell: Callable[[str], None] = lambda said: None,
        keep: bool = True,
        interactive: bool = True,
        ask: bool = True,
    ) -> UncertainMessages | None:
        """Return language models for messages the tier is unsure of, or None if the user chose none.

        For the arguments see `gaia_email.triage.tiers.models_for_uncertain`.

        Raises:
            BadArgument: The choice is invalid, or names a server outside this machine.
        """
        from gaia_email.triage.tiers import models_for_uncertain

        return models_for_uncertain(
            tell=tell, keep=keep, interactive=interactive, ask=ask, environ=self.environ
        )

    def ledger(self, *, read_only: bool = False, busy_s: float | None = None) -> Ledger:
        """Open the user's ledger; close it, or use it as a context manager.

        Args:
            read_only: Only for reading; a file that needs no upgrade is then opened without write access.
            busy_s: Seconds to wait for another program's transaction; None for the ledger's own default.

        Raises:
            BadArgument: A newer program wrote the database.
            LedgerDamaged: The file is damaged; it is not changed.
            ProviderError: It cannot be opened or written.
        """
        from gaia_email.ledger import open_ledger
        from gaia_email.ledger.engine import BUSY_S

        return open_ledger(
            clock=self.clock,
            environ=self.environ,
            read_only=read_only,
            busy_s=BUSY_S if busy_s is None else busy_s,
        )
