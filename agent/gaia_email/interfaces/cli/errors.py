"""Converts errors to a sentence and an exit code, in one place. Entry point: `run_guarded`."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable

import click

from gaia_email.interfaces.cli.typed_command import make_runnable
from gaia_email_registry.errors import ErrorKind, MailError
from gaia_email_registry.extras import missing_extra
from gaia_mail.printable import visible_block

OK, FAILURE, USAGE, PARTIAL, NOT_CONNECTED, REFUSED, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

EXIT_CODES: dict[ErrorKind, int] = {
    "bad_argument": USAGE,
    "not_found": FAILURE,
    "needs_auth": NOT_CONNECTED,
    "needs_approval": REFUSED,
    "rate_limited": FAILURE,
    "provider": FAILURE,
    "internal": FAILURE,
}

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def run_guarded(run: Callable[[], int | None]) -> int:
    """Run a command and return its exit code; an error prints at most a sentence and a next step.

    A closed pipe (`gaia email inbox | head`) is a normal end. With `GAIA_DEBUG` set, an unexpected error is shown with
    its traceback, with control characters made visible.
    """
    try:
        return run() or OK
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except MailError as error:
        _say(error.message, error.hint)
        return EXIT_CODES[error.kind]
    except KeyboardInterrupt:
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # Click exits on its own only at a closed pipe. The reader has gone; without this, Python complains again
        # while closing standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except PermissionError as error:
        _say(
            f"{error.filename or 'a file'} cannot be used: permission denied.",
            "give this user the right to it; GAIA_HOME names another data directory.",
        )
        return FAILURE
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _unexpected(error)
        # As for a closed pipe: Python would otherwise retry the failed write at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _say(
            f"the output could not be written ({os.strerror(error.errno)}).", "make room, then run it again."
        )
        return FAILURE
    except Exception as error:
        missing = missing_extra(error)
        if missing is None:
            return _unexpected(error)
        _say(missing.message, missing.hint)
        return EXIT_CODES[missing.kind]


def _say(message: str, hint: str | None) -> None:
    sys.stderr.write(f"Error: {make_runnable(visible_block(message))}\n")
    if hint:
        sys.stderr.write(f"Next: {make_runnable(visible_block(hint))}\n")


def _unexpected(error: Exception) -> int:
    if os.environ.get("GAIA_DEBUG"):
        import traceback

        sys.stderr.write(visible_block("".join(traceback.format_exception(error))))
    _say(
        f"something went wrong inside gaia email ({type(error).__name__}).",
        "gaia email actions lists what was done, if anything was. Run it again with GAIA_DEBUG=1 to see where, "
        "and please report it.",
    )
    return FAILURE
