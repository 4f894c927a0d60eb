"""Tools for following a mailbox: `sync_emails`, `wait_for_changes`, `watch_mailbox`, `server_status`."""

from __future__ import annotations

from datetime import UTC, datetime

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import StatusResult, SyncResult, WaitResult, WatchResult
from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.calendar import Watchable
from gaia_mail_mcp.calendar_time import rfc3339
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo
from gaia_mail_mcp.surface.refusals import allowed_capabilities

_WRITING = frozenset((Capability.MODIFY, Capability.DELETE, Capability.DRAFTS, Capability.SEND))


@handles(inputs.SyncEmails)
async def sync_emails(surface: Surface, given: inputs.SyncEmails) -> ToolReply:
    """Return the changes since the cursor."""
    changes = await surface.mailbox.changes(given.cursor, limit=given.limit)
    surface.last_sync = datetime.now(UTC).isoformat(timespec="seconds")
    answer: SyncResult = {
        "cursor": changes.cursor,
        "added": list(changes.added),
        "changed": list(changes.changed),
        "removed": list(changes.removed),
        "reset": changes.reset,
        "more": changes.more,
    }
    if changes.reason:
        answer["reason"] = changes.reason
    text = (
        f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.removed)} removed."
        f"{' Forget what you knew: ' + changes.reason + '.' if changes.reset else ''}"
        f"{' There is more.' if changes.more else ''}\nCursor: {changes.cursor}"
    )
    return ToolReply(text=text, data=answer)


@handles(inputs.WaitForChanges)
async def wait_for_changes(surface: Surface, given: inputs.WaitForChanges) -> ToolReply:
    """Wait until something happens after the cursor, or the time is up."""
    cursor = given.cursor if given.cursor is not None else await surface.mailbox.cursor()
    changed = await surface.mailbox.wait(cursor, timeout_s=given.timeout_s)
    answer: WaitResult = {"changed": changed, "cursor_hint": cursor}
    text = "Something changed; call sync_emails." if changed else "Nothing changed."
    return ToolReply(text=f"{text}\nCursor: {cursor}", data=answer)


@handles(inputs.WatchMailbox)
async def watch_mailbox(surface: Surface, given: inputs.WatchMailbox) -> ToolReply:
    """Start, renew or stop push notifications."""
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


@handles(inputs.ServerStatus)
async def server_status(surface: Surface, given: inputs.ServerStatus) -> ToolReply:
    """Return the state of the server and its account."""
    mailbox = surface.mailbox
    status = await mailbox.status()
    answer: StatusResult = {
        "account": mailbox.account,
        "provider": mailbox.provider,
        "connected": status.connected,
        "scopes": list(status.scopes),
        "read_only": not (allowed_capabilities(surface.settings, mailbox.capabilities) & _WRITING),
        "last_sync": status.last_sync or surface.last_sync,
        "errors": list(status.errors),
    }
    if status.quota is not None:
        answer["quota"] = status.quota
    if status.holds is not None:
        answer["holds"] = status.holds
    connected = "connected" if status.connected else "not connected"
    mode = ", read-only" if answer["read_only"] else ""
    lines = [f"{mailbox.account} ({mailbox.provider}): {connected}{mode}."]
    if status.holds is not None:
        lines.append(f"{status.holds['messages']} messages in {status.holds['threads']} conversations.")
    if status.quota is not None:
        used, limit, window = (status.quota[name] for name in ("used", "limit", "window_s"))
        lines.append(f"Quota: {used:.0f} of {limit:.0f} units used in {window:.0f} s.")
    lines += [f"Last sync: {answer['last_sync']}"] if answer["last_sync"] else []
    lines += [f"Error: {error}" for error in status.errors]
    return ToolReply(text="\n".join(lines), data=answer)
