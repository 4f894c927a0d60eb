"""Our own page on loopback, which shows one question with two buttons. Entry: `ApprovalPage`.

Its URL is a secret that no tool result contains. Other sites cannot use it: the host must be this listener's (against
DNS rebinding), an answer must be a POST from this page with a second secret that only the page contains, framing is
forbidden, and it needs no script. A question is answered once, here or in the terminal.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from gaia_email_registry.approvals import Approval, Approvals
from gaia_email_registry.private_page import page_leading_to

if TYPE_CHECKING:
    import uvicorn
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
MAX_PAGES = 3
"""Maximum number of waiting pages, so that a caller cannot fill the browser with tabs."""

MAX_BODY = 4096

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #999;border-radius:6px;padding:1rem;"
    "max-height:60vh;overflow:auto;font:14px/1.5 ui-monospace,monospace}"
    "button{font:inherit;padding:.6rem 1.4rem;margin-right:1rem;border:1px solid #666;border-radius:6px;"
    "background:#fff;color:#1a1a1a}"
    "@media(prefers-color-scheme:dark){body,button{color:#eee;background:#161616}}"
)


@dataclass(slots=True, kw_only=True)
class _Page:
    approval_id: str
    form_secret: str
    seen: bool = False
    file: Path | None = None


class ApprovalPage:
    """Serves the questions of one server until it stops; it starts listening with the first one."""

    def __init__(self, store: Approvals) -> None:
        self._store = store
        self._pages: dict[str, _Page] = {}
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self._port = 0

    @property
    def waiting(self) -> int:
        """Number of pages with an unanswered question."""
        return sum(self._is_open(page) for page in self._pages.values())

    async def address(self, approval: Approval) -> str:
        """Return the secret URL of the question's page; each question has one page."""
        await self._listen()
        for secret, page in self._pages.items():
            if page.approval_id == approval.approval_id:
                return self._url(secret)
        for secret in [secret for secret, page in self._pages.items() if not self._is_open(page)]:
            self._forget(secret)
        secret = secrets.token_urlsafe(32)
        self._pages[secret] = _Page(approval_id=approval.approval_id, form_secret=secrets.token_urlsafe(32))
        return self._url(secret)

    async def file(self, approval: Approval, directory: Path) -> Path:
        """Return a file, readable only by its owner, that redirects to the page."""
        url = await self.address(approval)
        page = self._pages[url.rpartition("/")[2]]
        if page.file is None:
            page.file = page_leading_to(url, directory, prefix="approve-", link="Show the question")
        return page.file

    def is_seen(self, approval: Approval) -> bool:
        """Return True if a browser has fetched the question's page."""
        return any(page.seen for page in self._pages.values() if page.approval_id == approval.approval_id)

    async def aclose(self) -> None:
        """Stop listening; unanswered questions can still be answered in the terminal."""
        for secret in list(self._pages):
            self._forget(secret)
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving
        self._server = self._serving = None

    def _url(self, secret: str) -> str:
        return f"http://{HOST}:{self._port}/approve/{secret}"

    def _is_open(self, page: _Page) -> bool:
        found = self._store.get(page.approval_id)
        return found is not None and found.state == "open"

    def _forget(self, secret: str) -> None:
        page = self._pages.pop(secret)
        if page.file is not None:
            with suppress(OSError):
                page.file.unlink()

    async def _listen(self) -> None:
        if self._serving is not None:
            return
        import uvicorn
        from starlette.applications import Starlette
        from starlette.routing import Route

        app = Starlette(
            routes=[
                Route("/approve/{secret}", self._show, methods=["GET"]),
                Route("/approve/{secret}", self._take, methods=["POST"]),
            ]
        )
        listener = socket.create_server((HOST, 0))
        self._port = listener.getsockname()[1]
        config = uvicorn.Config(
            app, log_level="critical", lifespan="off", access_log=False, timeout_graceful_shutdown=1
        )
        self._server = _without_signals(config)
        self._serving = asyncio.create_task(self._server.serve(sockets=[listener]))

    async def _show(self, request: Request) -> Response:
        page = self._page(request)
        if page is None:
            return _plain("There is no such question, or it was answered.", 404)
        page.seen = True
        found = self._store.get(page.approval_id)
        if found is None or found.state != "open":
            return _plain("This was answered already, or has expired. You can close this page.", 410)
        return _html(
            f"<h1>{escape(found.asked.server)} asks</h1>"
            f"<p>A program that uses your mailbox {escape(found.asked.account)} wants to do this. Nothing was done yet."
            f'</p><pre tabindex="0">{escape(found.asked.shown)}</pre>'
            '<form method="post" autocomplete="off">'
            f'<input type="hidden" name="secret" value="{page.form_secret}">'
            '<button name="answer" value="no">No, do nothing</button>'
            '<button name="answer" value="yes">Yes, do exactly this</button></form>'
            "<p>If you did not expect this, say no: mail can talk an assistant into things.</p>"
        )

    async def _take(self, request: Request) -> Response:
        page = self._page(request)
        if page is None or request.headers.get("origin") != f"http://{HOST}:{self._port}":
            return _plain("There is no such question, or it was answered.", 404)
        fields = parse_qs(await _body(request))
        given = fields.get("secret", [""])[0].encode()
        answer = fields.get("answer", [""])
        if not hmac.compare_digest(given, page.form_secret.encode()) or answer not in (["yes"], ["no"]):
            return _plain("That is not an answer of this page; nothing was done.", 403)
        said_yes = answer == ["yes"]
        if not self._store.answer(page.approval_id, "granted" if said_yes else "refused", by="page"):
            return _plain("This was answered already, or has expired. You can close this page.", 410)
        told = "You agreed to exactly this, once." if said_yes else "Nothing is done."
        return _html(f"<h1>{told}</h1><p>You can close this page.</p>")

    def _page(self, request: Request) -> _Page | None:
        if request.headers.get("host") != f"{HOST}:{self._port}":
            return None
        given = str(request.path_params["secret"]).encode()
        for secret, page in self._pages.items():
            if hmac.compare_digest(secret.encode(), given):
                return page
        return None


def _without_signals(config: uvicorn.Config) -> uvicorn.Server:
    """Return a server that leaves signal handling to the program."""
    import uvicorn

    class Listener(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Generator[None, None, None]:
            yield

    return Listener(config)


async def _body(request: Request) -> str:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return ""
    return body.decode("ascii", "replace")


def _html(inner: str, status: int = 200) -> Response:
    from starlette.responses import HTMLResponse

    nonce = secrets.token_urlsafe(16)
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Approve one call</title>'
        '<meta name="viewport" content="width=device-width">'
        f'<style nonce="{nonce}">{_STYLE}</style></head><body>{inner}</body></html>'
    )
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src 'nonce-{nonce}'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        )
    )
    return HTMLResponse(
        text,
        status_code=status,
        headers={
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Cross-Origin-Opener-Policy": "same-origin",
            # Not `no-referrer`: with that, browsers send "null" as the form's origin.
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        },
    )


def _plain(sentence: str, status: int) -> Response:
    return _html(f"<p>{escape(sentence)}</p>", status)
