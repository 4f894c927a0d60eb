"""Times and spans of a command line; invalid ones are option errors. Entry points: `until_epoch`, `since_epoch`."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime

import click

from gaia_email.app.services import time_words
from gaia_email_registry.clock import utc_now
from gaia_email_registry.errors import BadArgument


def until_epoch(text: str, now: datetime) -> float:
    """Parse a time as `gaia_email.app.services.time_words.until_epoch` does.

    Raises:
        click.BadParameter: It is not a future time.
    """
    with _as_option():
        return time_words.until_epoch(text, now)


def since_epoch(text: str | None, now: datetime) -> float | None:
    """Parse a time as `gaia_email.app.services.time_words.since_epoch` does; None for no text.

    Raises:
        click.BadParameter: It is neither a span nor a date.
    """
    with _as_option():
        return time_words.since_epoch(text, now)


def checked_since(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the value of an option after checking it with `since_epoch`.

    Raises:
        click.BadParameter: It is neither a span nor a date.
    """
    since_epoch(value, utc_now())
    return value


def checked_until(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return the value of an option after checking it with `until_epoch`.

    Raises:
        click.BadParameter: It is not a future time.
    """
    until_epoch(value, utc_now().astimezone())
    return value


@contextmanager
def _as_option() -> Generator[None]:
    try:
        yield
    except BadArgument as error:
        raise click.BadParameter(error.message, param_hint=f"--{error.argument}") from None
