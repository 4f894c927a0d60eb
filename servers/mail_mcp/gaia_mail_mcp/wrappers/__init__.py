"""Policy as thin wrappers around a `Mailbox`: read-only, no-send, no permanent deletion, opened late."""

from gaia_mail_mcp.wrappers.base import MailboxWrapper
from gaia_mail_mcp.wrappers.deferred import Deferred
from gaia_mail_mcp.wrappers.no_delete import NoPermanentDelete
from gaia_mail_mcp.wrappers.no_send import NoSend
from gaia_mail_mcp.wrappers.read_only import ReadOnly

__all__ = ["Deferred", "MailboxWrapper", "NoPermanentDelete", "NoSend", "ReadOnly"]
