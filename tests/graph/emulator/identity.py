"""Microsoft's sign-in as msal talks to it, in memory: PKCE, device code, refresh. Entry: `Identity`.

It stands in for the HTTP client that msal takes, because msal refuses any authority that is not https. Requests and
answers are those of https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

CLIENT = "11111111-2222-3333-4444-555555555555"


@dataclass(kw_only=True)
class Reply:
    """An answer as msal reads it."""

    status_code: int
    text: str
    headers: dict[str, str] = field(default_factory=dict[str, str])

    def raise_for_status(self) -> None:
        """As requests has it."""
        if self.status_code >= 400:
            raise OSError(self.status_code)


class Identity:
    """Signs `address` in; `refusal` answers every request for a token with that error instead."""

    def __init__(self, address: str = "me@example.org") -> None:
        self.address = address
        self.refusal: tuple[str, str] | None = None
        self.asked: list[str] = []
        """The grants that were asked for."""
        self.issued: list[str] = []
        self.secrets: set[str] = set()
        """Codes, verifiers and tokens: nothing that a log may hold."""
        self.down = False
        self.expires_in = 900
        """Seconds for which the code of another device holds."""
        self.tenants = True
        """Whether there is the tenant that is asked for."""
        self.access_token = ""
        """What to give out; empty for a new one each time."""
        self._codes: dict[str, Mapping[str, str]] = {}
        self._refresh = ""
        self._device = ""

    def authorize(self, url: str) -> tuple[str, dict[str, str]]:
        """What the browser would bring: where it goes by POST, and the form."""
        query = dict(parse_qsl(urlsplit(url).query))
        assert query["response_mode"] == "form_post" and query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        code = self._secret()
        self._codes[code] = query
        return query["redirect_uri"], {"code": code, "state": query["state"]}

    def get(self, url: str, **_: Any) -> Reply:
        """The description of an authority."""
        self._check_up()
        assert url.endswith("/v2.0/.well-known/openid-configuration"), url
        if not self.tenants:
            return _reply(
                {"error": "invalid_tenant", "error_description": "AADSTS90002: Tenant not found."}, 400
            )
        root = url.removesuffix("/v2.0/.well-known/openid-configuration")
        return _reply(
            {
                "authorization_endpoint": f"{root}/oauth2/v2.0/authorize",
                "token_endpoint": f"{root}/oauth2/v2.0/token",
                "device_authorization_endpoint": f"{root}/oauth2/v2.0/devicecode",
                "issuer": f"{root}/v2.0",
            }
        )

    def post(self, url: str, data: Any = None, **_: Any) -> Reply:
        """Tokens, and codes for other devices."""
        self._check_up()
        form: dict[str, str] = dict(parse_qsl(data)) if isinstance(data, str) else dict(data)
        assert form["client_id"] == CLIENT
        if url.endswith("/devicecode"):
            self._device = self._secret()
            return _reply(
                {
                    "device_code": self._device,
                    "user_code": "ABCD1234",
                    "verification_uri": "https://microsoft.com/devicelogin",
                    "expires_in": self.expires_in,
                    "interval": 1,
                    "message": "Sign in.",
                }
            )
        self.asked.append(form["grant_type"])
        if self.refusal is not None:
            return _reply({"error": self.refusal[0], "error_description": self.refusal[1]}, 400)
        return self._granted(form)

    def close(self) -> None:
        """Nothing is open."""

    def _granted(self, form: Mapping[str, str]) -> Reply:
        nonce = ""
        match form["grant_type"]:
            case "authorization_code":
                asked = self._codes.pop(form["code"])
                self.secrets.add(form["code_verifier"])
                digest = hashlib.sha256(form["code_verifier"].encode()).digest()
                assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["code_challenge"]
                nonce = asked.get("nonce", "")
            case "refresh_token":
                if form["refresh_token"] != self._refresh:
                    return _reply({"error": "invalid_grant", "error_description": "AADSTS70000: used."}, 400)
            case _:
                assert form["device_code"] == self._device
        self._refresh = self._secret()
        token = self.access_token or self._secret()
        self.issued.append(token)
        return _reply(
            {
                "token_type": "Bearer",
                "scope": form.get("scope", "Mail.ReadWrite"),
                "expires_in": 3600,
                "access_token": token,
                "refresh_token": self._refresh,
                "id_token": self._id_token(nonce),
                "client_info": _encoded({"uid": "user-1", "utid": "tenant-1"}),
            }
        )

    def _id_token(self, nonce: str) -> str:
        claims = {
            "aud": CLIENT,
            "iss": "https://login.microsoftonline.com/tenant-1/v2.0",
            "exp": int(time.time()) + 3600,
            "iat": int(time.time()),
            "preferred_username": self.address,
            "oid": "user-1",
            "tid": "tenant-1",
            "sub": "subject",
            "nonce": nonce,
        }
        return f"{_encoded({'alg': 'none'})}.{_encoded(claims)}.x"

    def _secret(self) -> str:
        made = secrets.token_urlsafe(24)
        self.secrets.add(made)
        return made

    def _check_up(self) -> None:
        if self.down:
            raise ConnectionError("no route")


def _encoded(content: Mapping[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def _reply(content: Mapping[str, object], status: int = 200) -> Reply:
    return Reply(status_code=status, text=json.dumps(content))
