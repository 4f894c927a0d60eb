"""Times and spans of a command line: what is none is a wrong option. Entry points: `until_epoch`, `since_epoch`."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from gaia_email.services import time_words
from gaia_email_registry.errors import BadArgument


def until_epoch(text: str, now: datetime) -> float:
    """As `gaia_email.services.time_words.until_epoch`.

    Raises:
        click.BadParameter: It is no time to come.
    """
    with _as_option():
        return time_words.until_epoch(text, now)


def since_epoch(text: str | None, now: datetime) -> float | None:
    """As `gaia_email.services.time_words.since_epoch`; None for no text.

    Raises:
        click.BadParameter: It is neither a span nor a date.
    """
    with _as_option():
        return time_words.since_epoch(text, now)


def check_times(values: Mapping[str, object]) -> None:
    """Whether `since` and `until` are times, as `since_epoch` and `until_epoch` read them.

    Raises:
        click.BadParameter: One is none.
    """
    now = datetime.now(UTC).astimezone()
    if since := values.get("since"):
        since_epoch(str(since), now)
    if until := values.get("until"):
        until_epoch(str(until), now)


@contextmanager
def _as_option() -> Generator[None]:
    try:
        yield
    except BadArgument as error:
        raise click.BadParameter(error.message, param_hint=f"--{error.argument}") from None
