"""Microsoft sign-in: in the browser with PKCE, or with a code on another device.

Entries: `sign_in`, `SignInRequest`.

The browser returns to a free port of this machine with a POST request, so that the code is not in its history.
"""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from gaia_email_registry.errors import NeedsAuth, ProviderError
from gaia_graph_mcp.login import GraphLogin, application, call_msal, msal_http, opened_cache, scopes_of
from gaia_graph_mcp.refusals import refusal_of

WAIT_S = 300.0
MOST_BODY = 65_536

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInRequest:
    """The account to connect."""

    client_id: str
    tenant: str = "common"
    cloud: str = "global"
    scopes: str = ""
    address: str = ""
    """Address of the expected account; empty for any account."""
    shared: str = ""
    """Address of the shared mailbox; empty for the account's own."""
    device_code: bool = False
    open_browser: Callable[[str], object] = webbrowser.open
    wait_s: float = WAIT_S


async def sign_in(request: SignInRequest, say: Say, http: Any = None) -> GraphLogin:
    """Ask the user to sign in and return the login, without storing it.

    Args:
        request: The account to connect.
        say: Prints a line.
        http: HTTP client for msal; None for the default of `msal_http`.

    Raises:
        MailError: Microsoft or the user declined, or the login is for another account than expected.
    """
    cache = opened_cache("")
    scopes = scopes_of(request.scopes, shared=bool(request.shared))
    with msal_http(http, request.address) as sender:
        app = await asyncio.to_thread(_application, request, cache, sender)
        answer = await (
            _by_device(app, scopes, request, say)
            if request.device_code
            else _by_browser(app, scopes, request, say)
        )
    if "access_token" not in answer:
        raise refusal_of(answer)
    claims: Mapping[str, Any] = answer.get("id_token_claims") or {}
    address = str(claims.get("preferred_username") or claims.get("email") or "")
    if not address:
        raise ProviderError("Microsoft does not say whose account this is; try again later.")
    if request.address and request.address.casefold() != address.casefold():
        raise NeedsAuth(
            f"You signed in as {address[:80]}, but {request.address[:80]} was meant; sign in with that account."
        )
    return GraphLogin(
        client_id=request.client_id,
        tenant=request.tenant,
        cloud=request.cloud,
        address=address,
        granted=" ".join(scopes),
        cache=cache.serialize(),
    )


def _application(request: SignInRequest, cache: Any, http: Any) -> Any:
    return call_msal(lambda: application(request.client_id, request.tenant, request.cloud, cache, http))


async def _by_device(app: Any, scopes: list[str], request: SignInRequest, say: Say) -> Mapping[str, Any]:
    flow = await asyncio.to_thread(call_msal, lambda: app.initiate_device_flow(scopes=scopes))
    if "user_code" not in flow:
        raise refusal_of(flow)
    say(f"Open {flow['verification_uri']} on any device and enter the code {flow['user_code']}.")
    answer: Mapping[str, Any] = await asyncio.to_thread(
        call_msal, lambda: app.acquire_token_by_device_flow(flow)
    )
    return answer


async def _by_browser(app: Any, scopes: list[str], request: SignInRequest, say: Say) -> Mapping[str, Any]:
    async with SignInCallback() as callback:
        flow = await asyncio.to_thread(
            call_msal,
            lambda: app.initiate_auth_code_flow(
                scopes,
                redirect_uri=callback.url,
                response_mode="form_post",
                login_hint=request.address or None,
            ),
        )
        callback.state = str(flow["state"])
        say("Microsoft's page opens in your browser. If it does not, open this address:")
        say(str(flow["auth_uri"]))
        request.open_browser(str(flow["auth_uri"]))
        answered = await callback.answer(request.wait_s)
    answer: Mapping[str, Any] = await asyncio.to_thread(
        call_msal, lambda: app.acquire_token_by_auth_code_flow(flow, answered)
    )
    return answer


class SignInCallback:
    """Waits for the browser on loopback; refuses requests without the state."""

    def __init__(self) -> None:
        self.url = ""
        self.state = ""
        self._server: asyncio.Server | None = None
        self._answer: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def __aenter__(self) -> SignInCallback:
        self._server = await asyncio.start_server(self._serve_visit, "127.0.0.1", 0, limit=MOST_BODY)
        self.url = f"http://localhost:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._answer.cancel()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def answer(self, wait_s: float) -> dict[str, str]:
        """Return the parameters that Microsoft sent through the browser.

        Raises:
            NeedsAuth: Nothing arrived in time.
        """
        try:
            return await asyncio.wait_for(asyncio.shield(self._answer), wait_s)
        except TimeoutError:
            raise NeedsAuth("Nobody signed in in time; run the command again.") from None

    async def _serve_visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(10):
                given = await _form(reader)
            known = bool(self.state) and given.get("state") == self.state
            text = (
                "You can close this page and go back."
                if known
                else "This is not the answer that is waited for."
            )
            status = "200 OK" if known else "400 Bad Request"
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(text)}\r\n"
                f"Cache-Control: no-store\r\nConnection: close\r\n\r\n{text}".encode()
            )
            await writer.drain()
            if known and not self._answer.done():
                self._answer.set_result(given)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()


async def _form(reader: asyncio.StreamReader) -> dict[str, str]:
    """Return the fields of a posted form; empty for any other request."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    size = headers.get("content-length", "0")
    if not first.startswith("POST ") or not size.isascii() or not size.isdigit() or int(size) > MOST_BODY:
        return {}
    return dict(parse_qsl((await reader.readexactly(int(size))).decode("ascii")))
