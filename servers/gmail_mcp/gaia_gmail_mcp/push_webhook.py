"""Receives Pub/Sub pushes and accepts only Google's. Entries: `GmailPushEndpoint` (ASGI), `PushVerifier`."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError
from gaia_gmail_mcp.push import PATH, Notification, PushTopic, read_notification
from gaia_mail_mcp.web.asgi import PushDoor, read_body
from gaia_mail_mcp.web.json_files import is_object

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from starlette.types import ASGIApp, Receive, Scope

ISSUERS = ("https://accounts.google.com", "accounts.google.com")
LEEWAY_S = 30
CERTS_S = 3600.0
"""Seconds for which keys are cached: Google changes them every few days and announces them a day before."""
REFETCH_S = 60.0
"""Least seconds between requests for an unknown key, so that forged tokens cannot cause a flood of them."""
MAX_BODY = 64_000
MAX_TOKEN = 10_000

FetchKeys = Callable[[str], Awaitable[bytes]]
"""Downloads the body at a URL."""


class PushVerifier:
    """Checks the token of a Pub/Sub push: its signature, audience, account and expiry."""

    def __init__(self, push: PushTopic, fetch: FetchKeys, clock: Callable[[], float] = time.time) -> None:
        self._push, self._fetch, self._clock = push, fetch, clock
        self._keys: dict[str, RSAPublicKey] = {}
        self._fetched = float("-inf")

    async def verify(self, authorization: str) -> None:
        """Check that the request with this `Authorization` header comes from the subscription.

        Raises:
            NeedsAuth: It does not. The message gives no details.
            ProviderError: Google's keys are not available.
        """
        import jwt

        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token or len(token) > MAX_TOKEN or not self._push.audience:
            raise _refusal()
        try:
            kid = jwt.get_unverified_header(token).get("kid")
            key = await self._key(kid) if isinstance(kid, str) else None
            if key is None:
                raise _refusal()
            claims: Mapping[str, object] = jwt.decode(
                token,
                key,
                algorithms=["RS256"],
                audience=self._push.audience,
                issuer=ISSUERS,
                options={
                    "require": ["exp", "iat", "aud", "iss"],
                    "verify_exp": False,
                    "verify_iat": False,
                    "verify_nbf": False,
                },
            )
        except jwt.PyJWTError:
            raise _refusal() from None
        self._check_times(claims)
        if claims.get("email") != self._push.service_account or claims.get("email_verified") is not True:
            raise _refusal()

    def _check_times(self, claims: Mapping[str, object]) -> None:
        """Check the times against our own clock, which tests can set."""
        now = self._clock()
        expires, issued = claims.get("exp"), claims.get("iat")
        if not isinstance(expires, (int, float)) or not isinstance(issued, (int, float)):
            raise _refusal()
        if expires + LEEWAY_S <= now or issued - LEEWAY_S > now:
            raise _refusal()

    async def _key(self, kid: str) -> RSAPublicKey | None:
        now = self._clock()
        age = now - self._fetched
        if not 0 <= age <= CERTS_S or (kid not in self._keys and age > REFETCH_S):
            self._fetched = now
            try:
                self._keys = read_keys(await self._fetch(self._push.certs_url))
            except MailError:
                if kid not in self._keys:
                    raise
        if not self._keys:
            raise ProviderError("Google's keys are not available.")
        return self._keys.get(kid)


def read_keys(body: bytes) -> dict[str, RSAPublicKey]:
    """Return Google's RSA keys by id, from a key set (RFC 7517) or from certificates by id.

    Raises:
        ProviderError: The body is neither.
    """
    import jwt
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.x509 import load_pem_x509_certificate

    keys: dict[str, RSAPublicKey] = {}
    try:
        found: object = json.loads(body)
        if not is_object(found):
            raise ValueError
        listed = found.get("keys")
        if isinstance(listed, list):
            for item in jwt.PyJWKSet.from_dict(found).keys:
                if item.key_id is not None and isinstance(item.key, RSAPublicKey):
                    keys[item.key_id] = item.key
            return keys
        for kid, pem in found.items():
            key = load_pem_x509_certificate(str(pem).encode()).public_key()
            if isinstance(key, RSAPublicKey):
                keys[kid] = key
    except (ValueError, RecursionError, jwt.PyJWTError):
        raise ProviderError("Google's keys cannot be read.") from None
    return keys


class GmailPushEndpoint(PushDoor):
    """ASGI endpoint at `/push/gmail`.

    A verified push is always answered with 204, whatever it contains: otherwise Pub/Sub would send it again.
    """

    def __init__(
        self, app: ASGIApp, verifier: PushVerifier, tell: Callable[[Notification], None], path: str = PATH
    ) -> None:
        super().__init__(app, path)
        self._verifier, self._tell = verifier, tell

    @override
    async def take(self, scope: Scope, receive: Receive) -> tuple[int, str]:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        given = [value for name, value in headers if name == b"authorization"]
        try:
            await self._verifier.verify(given[0].decode("latin-1") if len(given) == 1 else "")
        except NeedsAuth:
            return 401, ""
        except MailError:
            return 503, ""
        body = await read_body(receive, MAX_BODY)
        if body is None:
            return 413, ""
        told = _notification(body)
        if told is not None:
            self._tell(told)
        return 204, ""


def _notification(body: bytes) -> Notification | None:
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    message = found.get("message") if is_object(found) else None
    return read_notification(message.get("data")) if is_object(message) else None


def _refusal() -> NeedsAuth:
    return NeedsAuth("This push is not from the configured subscription.")
