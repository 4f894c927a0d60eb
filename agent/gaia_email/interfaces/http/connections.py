"""`/v1/connections`: logins that a host forwards; they end with the server at the latest. Entry: `HostConnections`.

Both contracts have these endpoints and share the login.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.documents.accounts import ForwardedDocument, ForwardedLoginsDocument, WithdrawnDocument
from gaia_email.app.documents.accounts import forwarded_row as row
from gaia_email.app.operations.operation import OperationInput, convert_json
from gaia_email.app.services.forwarding import SERVERS, forward_login, withdraw_login
from gaia_email.interfaces.http.answering import Answering, body_of, document
from gaia_email.interfaces.http.conversations import Conversations
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict
from gaia_email_registry.forwarded import ForwardedLogin, forwarded_logins, withdraw_all
from gaia_mail.mime.address import validate_address

AccessToken = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9._~+/=-]{1,20000}$",
        description="As RFC 6750 has it; kept in memory only, never renewed.",
    ),
]
ExpiresAt = Annotated[float, Meta(gt=0, le=253_402_300_799, description="Seconds since 1970.")]
PROVIDER = f"^({'|'.join(SERVERS)})$"


class ForwardInput(OperationInput, frozen=True, kw_only=True):
    """An access token that ends soon, and nothing to renew it with."""

    access_token: AccessToken
    expires_at: ExpiresAt
    account_email: Annotated[
        str,
        Meta(max_length=320, description="Address of its mailbox; without it, the provider is asked."),
    ] = ""
    scopes: Annotated[
        tuple[Annotated[str, Meta(max_length=200)], ...],
        Meta(max_length=200, description="Scope in the provider's words; empty for the usual one."),
    ] = ()
    host: Annotated[
        str,
        Meta(max_length=60, pattern="^[ -~]*$", description="Name of the host, for sentences to people."),
    ] = ""


class HostConnections:
    """Logins that hosts forward to one server.

    Args:
        answering: The server's `Answering`.
        conversations: Conversations, which end with the login that they use.
    """

    def __init__(self, answering: Answering, conversations: Conversations) -> None:
        self._answering = answering
        self._app = answering.app
        self._conversations = conversations

    async def forward(self, provider: str, asked: ForwardInput) -> ForwardedLogin:
        """Use a login in place of the provider's previous one.

        Raises:
            NotFound: No mail server here accepts logins of that provider.
            StateConflict: The login has already expired.
            MailError: As `forward_login`.
        """
        server = SERVERS.get(provider)
        if server is None:
            raise NotFound(
                f"No mail server here takes logins of that provider; {', '.join(SERVERS)} are known."
            )
        if asked.expires_at <= self._app.clock():
            raise StateConflict("This login has ended already; forward a fresh one.", argument="/expires_at")
        login = ForwardedLogin(
            provider=provider,
            account_id=provider,
            address=_address(asked.account_email),
            server=server,
            access_token=asked.access_token,
            expires_at=asked.expires_at,
            scopes=asked.scopes,
            host=asked.host.strip() or "the host",
        )
        look = not self._answering.shows_sample
        return await self._answering.turn(lambda: forward_login(self._app, login, look=look), changes=True)

    async def withdraw(self, provider: str) -> bool:
        """Forget a login and end everything that uses it; return True if there was one."""
        account = await self._answering.turn(lambda: withdraw_login(self._app, provider), changes=True)
        if account is not None:
            self._conversations.end_of(account)
        return account is not None

    def list_logins(self) -> list[ForwardedLogin]:
        """Return all forwarded logins."""
        return forwarded_logins(self._app.environ)

    def close(self) -> None:
        """Forget all logins when the server stops."""
        withdraw_all(self._app.environ)

    async def answer_list(self, request: Request) -> Response:
        """Return all logins without their tokens."""
        found: ForwardedLoginsDocument = {
            "schema_version": 1,
            "connections": [row(one) for one in self.list_logins()],
        }
        return document(found)

    async def answer_forward(self, request: Request) -> Response:
        """Start using a login."""
        asked = convert_json(await body_of(request), ForwardInput)
        login = await self.forward(request.path_params["provider"], asked)
        found: ForwardedDocument = {"schema_version": 1, "connection": row(login)}
        return document(found)

    async def answer_withdraw(self, request: Request) -> Response:
        """Forget a login."""
        provider: str = request.path_params["provider"]
        found: WithdrawnDocument = {
            "schema_version": 1,
            "provider": provider,
            "withdrawn": await self.withdraw(provider),
        }
        return document(found)


def _address(given: str) -> str:
    """Return the address given by a host; empty if it is a display name instead."""
    try:
        validate_address(given)
    except BadArgument:
        return ""
    return given
