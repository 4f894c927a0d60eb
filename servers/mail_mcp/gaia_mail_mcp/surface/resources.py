"""Messages as MCP resources: the inbox, a message, a conversation. Entries: `resources`, `templates`.

URIs: `mailbox://{account}/inbox`, `email://{account}/{id}`, `thread://{account}/{id}`. Account and id are
percent-encoded, because ids are opaque and an account is usually an address.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, unquote

from fastmcp.exceptions import ResourceError
from fastmcp.resources.base import Resource
from fastmcp.resources.template import ResourceTemplate

from gaia_email_registry.errors import MailError, NotFound
from gaia_mail_mcp.surface.accounts import LazySurface
from gaia_mail_mcp.surface.reading import get_thread, list_emails, read_email


def inbox_uri(account: str) -> str:
    """Return the URI of an account's inbox."""
    return f"mailbox://{quote(account, safe='')}/inbox"


def email_uri(account: str, message_id: str) -> str:
    """Return the URI of a message."""
    return f"email://{quote(account, safe='')}/{quote(message_id, safe='')}"


def thread_uri(account: str, thread_id: str) -> str:
    """Return the URI of a conversation."""
    return f"thread://{quote(account, safe='')}/{quote(thread_id, safe='')}"


def resources(surface: LazySurface) -> Sequence[Resource]:
    """Return the only resource with a fixed URI: the inbox."""

    async def inbox() -> str:
        """The newest messages of the inbox."""
        try:
            reply = await list_emails.bind(surface.get(), {"label": "INBOX"}).run()
        except MailError as error:
            raise ResourceError(error.message) from None
        return reply.text

    uri = inbox_uri(surface.source.account)
    return [Resource.from_function(inbox, uri, name="inbox", mime_type="text/plain")]


def templates(surface: LazySurface) -> Sequence[ResourceTemplate]:
    """Return the resource templates for a message and a conversation."""

    async def email(account: str, id: str) -> str:
        """One message."""
        _require_account(surface, account)
        try:
            reply = await read_email.bind(surface.get(), {"messageId": unquote(id)}).run()
        except MailError as error:
            raise ResourceError(error.message) from None
        return reply.text

    async def thread(account: str, id: str) -> str:
        """A conversation, oldest message first."""
        _require_account(surface, account)
        try:
            reply = await get_thread.bind(surface.get(), {"thread_id": unquote(id)}).run()
        except MailError as error:
            raise ResourceError(error.message) from None
        return reply.text

    return [
        ResourceTemplate.from_function(email, "email://{account}/{id}", name="email", mime_type="text/plain"),
        ResourceTemplate.from_function(
            thread, "thread://{account}/{id}", name="thread", mime_type="text/plain"
        ),
    ]


def _require_account(surface: LazySurface, account: str) -> None:
    if unquote(account) != surface.source.account:
        raise ResourceError(NotFound(f"This server is for {surface.source.account}.").message)
