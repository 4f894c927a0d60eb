"""The command line for the tests of every plug-in."""

from tests.cli.conftest import run, sample_maildir

__all__ = ["run", "sample_maildir"]
