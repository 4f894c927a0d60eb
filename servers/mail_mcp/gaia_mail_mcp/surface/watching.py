"""The tool that has the provider push news: `watch_mailbox`."""

from __future__ import annotations

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import WatchResult
from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.calendar import Watchable
from gaia_mail_mcp.calendar_time import rfc3339
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo


@handles(inputs.WatchMailbox)
async def watch_mailbox(surface: Surface, given: inputs.WatchMailbox) -> ToolReply:
    """Begin, renew or end it."""
    mailbox = surface.mailbox
    if not isinstance(mailbox, Watchable):
        raise BadArgument("This mailbox's provider pushes no news.")
    answer: WatchResult = {"ok": True, "ids": [], "failed": [], "watching": given.watch, "until": None}
    if given.watch:
        answer["until"] = rfc3339(await mailbox.watch())
        answer["undo"] = undo("watch_mailbox", watch=False)
        return ToolReply(text=f"News of this mailbox is pushed until {answer['until']}.", data=answer)
    if await mailbox.unwatch():
        answer["undo"] = undo("watch_mailbox", watch=True)
    return ToolReply(text="News of this mailbox is no longer pushed.", data=answer)
