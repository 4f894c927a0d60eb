"""Access tokens of an OAuth login, refreshed when needed. Entry: `AccessTokens`.

Several processes may use one login. Refreshing takes a lock and first checks if another process has just refreshed it,
so that a rotated refresh token is never lost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import urlencode

from gaia_email_registry.errors import NeedsAuth, ProviderError
from gaia_mail_mcp.web.http import HttpResponse, LostConnection
from gaia_mail_mcp.web.json_files import parsed_object
from gaia_mail_mcp.web.login_store import LoginStore, OAuthLogin
from gaia_mail_mcp.web.provider import ProviderNames

Post = Callable[[str, bytes], Awaitable[HttpResponse]]
"""Posts a form to a URL."""


class AccessTokens:
    """The access token of one account."""

    def __init__(
        self,
        store: LoginStore,
        token_urls: Sequence[str],
        post: Post,
        provider: ProviderNames,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.provider = store, provider
        self._urls = list(token_urls)
        self._post = post
        self._clock = clock
        self._login: OAuthLogin | None = None
        self._refused = ""
        self._refreshing = asyncio.Lock()

    @property
    def scopes(self) -> tuple[str, ...]:
        """Scopes that the account agreed to, if the login contains them."""
        login = self._login or self.store.login()
        return login.scopes if login is not None else ()

    again = ""
    """Empty: the usual command connects the account again."""

    def distrust(self, token: str) -> None:
        """Stop using this token, which was refused; take another one from the storage or the provider."""
        self._refused = token

    async def access(self) -> str:
        """Return a token that should be accepted.

        Raises:
            NeedsAuth: The account must be connected (again).
            ProviderError: The token endpoint does not work.
        """
        login = self._usable(self._login)
        if login is None:
            async with self._refreshing:
                login = self._usable(self._login) or await self._renew()
                self._login = login
        return login.access_token

    async def exchange(self, form: Mapping[str, str]) -> OAuthLogin:
        """Send `form` and the client's credentials to the token endpoint; store and return the login.

        Raises:
            NeedsAuth: The login is refused.
            ProviderError: The endpoint does not work.
        """
        keys = self.store.keys()
        secret = {"client_secret": keys.client_secret} if keys.client_secret else {}
        full = {"client_id": keys.client_id, **secret, **form}
        body = urlencode(full).encode()
        answer = await self._post(self._urls[0], body)
        while answer.status == 404 and len(self._urls) > 1:
            del self._urls[0]
            answer = await self._post(self._urls[0], body)
        granted = parsed_object(answer.body)
        if answer.status == 200 and granted.get("access_token"):
            self._login = self.store.save(granted, self._clock())
            return self._login
        raise self._refusal(answer.status, granted.get("error"), form)

    def _refusal(self, status: int, error: object, form: Mapping[str, str]) -> NeedsAuth | ProviderError:
        """Return the error for a response without a token (RFC 6749 §5.2)."""
        company = self.provider.company
        if error == "invalid_grant" and form.get("grant_type") == "authorization_code":
            return NeedsAuth(
                f"{company} does not know the answer that came from the browser; run the command again."
            )
        if error == "invalid_grant":
            return self._not_accepted()
        if status in (400, 401, 403):
            reason = str(error or status)[:60]
            reason = reason if reason.isprintable() else repr(reason)
            return NeedsAuth(
                f"{company} refused the login ({reason}).", hint=f"Run: {self.store.storage.connect}"
            )
        return ProviderError(
            f"{company}'s login service does not work right now ({status}); try again later."
        )

    def _not_accepted(self) -> NeedsAuth:
        company, service = self.provider.company, self.provider.service
        return NeedsAuth(
            f"{company} no longer accepts this {service} login: it was revoked or has expired.",
            hint=f"Run: {self.store.storage.connect}",
        )

    def _usable(self, login: OAuthLogin | None) -> OAuthLogin | None:
        if login is None or login.access_token == self._refused or not login.is_fresh(self._clock()):
            return None
        return login

    async def _renew(self) -> OAuthLogin:
        """Return the stored login if another process has renewed it, else renew it with the provider."""
        stored = await asyncio.to_thread(self.store.login)
        if stored is None:
            raise NeedsAuth(
                f"{self.provider.service} is not connected yet.", hint=f"Run: {self.store.storage.connect}"
            )
        if login := self._usable(stored):
            return login
        alone = self.store.storage.alone()
        await asyncio.to_thread(alone.__enter__)
        try:
            stored = self.store.login() or stored
            if login := self._usable(stored):
                return login
            if not stored.refresh_token:
                raise self._not_accepted()
            try:
                return await self.exchange(
                    {"grant_type": "refresh_token", "refresh_token": stored.refresh_token}
                )
            except LostConnection as error:  # the request that needs the token has not been sent
                raise LostConnection(self.provider.company, sent=False, is_final=error.is_final) from None
        finally:
            alone.__exit__(None, None, None)
