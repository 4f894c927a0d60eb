"""A mailbox that can only be read. Entry point: `ReadOnly`."""

from __future__ import annotations

import inspect
from typing import NoReturn

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.wrappers.base import MailboxWrapper

READING = frozenset(
    {
        *("search", "read", "thread", "attachment", "labels", "drafts", "filters", "send_as", "vacation"),
        *("changes", "cursor", "wait", "status", "connect", "aclose"),
        *("calendar_zone", "events", "event", "invitation", "busy", "answering"),
    }
)
"""The methods that change nothing. Any other is refused, one that a protocol gains later among them."""


class ReadOnly(MailboxWrapper):
    """Refuses what is not known to be reading; declares no capability, so that no such tool is listed."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """None: all of them are about changing something."""
        return frozenset()


async def _refuse(*args: object, **named: object) -> NoReturn:
    """Refused."""
    raise NeedsApproval(
        "This server is read-only; nothing was changed.", hint="start it without --read-only to allow changes"
    )


for _name, _method in inspect.getmembers(MailboxWrapper, inspect.isfunction):
    if not _name.startswith("_") and _name not in READING:
        setattr(ReadOnly, _name, _refuse)
