"""Errors of a server's `main` as a sentence and an exit code. Entry: `exit_on_error`."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

from gaia_email_registry.errors import MailError

USAGE = 2


@contextmanager
def exit_on_error(program: str) -> Generator[None, None, None]:
    """What goes wrong inside is said on standard error with its next step, and the program ends.

    Raises:
        SystemExit: With code 2, after it was said.
    """
    try:
        yield
    except MailError as error:
        _say(program, error)
    except ImportError as error:
        from gaia_email_registry.extras import missing_extra

        missing = missing_extra(error)
        if missing is None:
            raise
        _say(program, missing)


def _say(program: str, error: MailError) -> None:
    sys.stderr.write(f"{program}: {error.message}\n")
    if error.hint:
        sys.stderr.write(f"Next: {error.hint}\n")
    sys.exit(USAGE)
