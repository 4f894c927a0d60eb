"""The command line and the sample mailbox, as the tests of the command line have them."""

from __future__ import annotations

from tests.cli.conftest import run, sample_maildir

__all__ = ["run", "sample_maildir"]
