"""The emulated login: authorization page, token endpoint, PKCE, rotation, expiry. Entry: `OAuth`."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from tests.gmail.emulator.http import Request, Response


@dataclass(kw_only=True)
class Code:
    """An authorization code that was given out."""

    redirect_uri: str
    challenge: str
    scope: str


class OAuth:
    """Gives and checks tokens of one client."""

    def __init__(self, client_id: str, client_secret: str) -> None:
        self.client_id, self.client_secret = client_id, client_secret
        self.refresh_token = "1//refresh-0"
        self.access: dict[str, frozenset[str]] = {}
        """Valid access tokens and their scopes."""
        self.rotates = False
        """Whether a refresh answers a new refresh token, and the old one is no good any more."""
        self.revoked = False
        self.expires_in = 3599
        self.refreshes = 0
        self.scope = "https://www.googleapis.com/auth/gmail.modify"
        self.consents: list[dict[str, str]] = []
        self._codes: dict[str, Code] = {}
        self._made = 0

    def issue(self, scope: str) -> str:
        """A valid access token."""
        self._made += 1
        token = f"ya29.emulated-{self._made}"
        self.access[token] = frozenset(scope.split())
        return token

    def expire(self) -> None:
        """No access token given out so far is good any more."""
        self.access.clear()

    def authorize(self, request: Request) -> Response:
        """The page on which the user agrees, which they do at once."""
        given = dict(request.query)
        self.consents.append(given)
        self._made += 1
        code = f"4/code-{self._made}"
        self._codes[code] = Code(
            redirect_uri=given["redirect_uri"],
            challenge=given.get("code_challenge", ""),
            scope=given["scope"],
        )
        target = given["redirect_uri"] + "?" + urlencode({"code": code, "state": given.get("state", "")})
        return Response(status=302, headers={"Location": target})

    def token(self, request: Request) -> Response:
        """Codes and refresh tokens against access tokens."""
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        if (form.get("client_id"), form.get("client_secret", "")) != (self.client_id, self.client_secret):
            return _refused("invalid_client", "The OAuth client was not found.", 401)
        if form.get("grant_type") == "authorization_code":
            return self._exchange(form)
        if form.get("grant_type") != "refresh_token":
            return _refused("unsupported_grant_type", "Invalid grant_type.")
        if self.revoked or form.get("refresh_token") != self.refresh_token:
            return _refused("invalid_grant", "Token has been expired or revoked.")
        self.refreshes += 1
        answer = self._granted(self.scope)
        if self.rotates:
            self.refresh_token = f"1//refresh-{self.refreshes}"
            answer["refresh_token"] = self.refresh_token
        return Response(body=json.dumps(answer).encode())

    def revoke(self, request: Request) -> Response:
        """RFC 7009, as Google does it: with one token goes the whole grant."""
        token = parse_qs(request.body.decode()).get("token", [""])[0]
        if self.revoked or (token != self.refresh_token and token not in self.access):
            return _refused("invalid_token", "Token expired or revoked")
        self.revoked = True
        self.access.clear()
        return Response(body=b"{}")

    def _exchange(self, form: dict[str, str]) -> Response:
        code = self._codes.pop(form.get("code", ""), None)
        if code is None or code.redirect_uri != form.get("redirect_uri"):
            return _refused("invalid_grant", "Malformed auth code.")
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if code.challenge != base64.urlsafe_b64encode(digest).decode().rstrip("="):
            return _refused("invalid_grant", "Invalid code verifier.")
        self.scope = code.scope
        answer = self._granted(code.scope)
        answer["refresh_token"] = self.refresh_token
        return Response(body=json.dumps(answer).encode())

    def _granted(self, scope: str) -> dict[str, object]:
        return {
            "access_token": self.issue(scope),
            "expires_in": self.expires_in,
            "scope": scope,
            "token_type": "Bearer",
        }


def _refused(error: str, description: str, status: int = 400) -> Response:
    body = json.dumps({"error": error, "error_description": description})
    return Response(status=status, body=body.encode())
