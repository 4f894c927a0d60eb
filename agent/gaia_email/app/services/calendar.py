"""The events in a mailbox's calendar. Entry: `calendar_events`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app.services.opening import with_mail
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaia_email.app import App
    from gaia_email.app.services.source import SourceSpec
    from gaia_email_registry.contract.wire import CalendarEvent

MOST = 100
"""Maximum number of events per request."""


def calendar_events(
    app: App, source: SourceSpec, *, start: str = "", end: str = ""
) -> Sequence[CalendarEvent]:
    """Return events by start time; `start` defaults to now, `end` to a week later.

    Raises:
        NotFound: The mailbox has no calendar.
        BadArgument: A time is invalid.
        MailError: The mailbox cannot be reached.
    """
    found = with_mail(
        app, source, lambda mail: mail.calendar_events(start, end, "", limit=MOST), now=app.clock()
    )
    if found is None:
        raise NotFound("This mailbox has no calendar here.")
    return found["events"]
