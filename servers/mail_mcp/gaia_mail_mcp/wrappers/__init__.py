"""Mailboxes around another mailbox: passed on as it is, opened late."""

from gaia_mail_mcp.wrappers.base import MailboxWrapper
from gaia_mail_mcp.wrappers.deferred import Deferred

__all__ = ["Deferred", "MailboxWrapper"]
