"""The command line and a served sample mailbox for the tests of every plug-in."""

from tests.cli.conftest import run, sample_maildir
from tests.http.conftest import demo, is_hosted, sample, seen_sample, served

__all__ = ["demo", "is_hosted", "run", "sample", "sample_maildir", "seen_sample", "served"]
