"""`gaia email serve`: the HTTP interface at an address, until stopped. Entries: `ServeOptions`, `serve`."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app import App
from gaia_email.app.services.api_keys import ApiKeys, api_keys_file
from gaia_email.interfaces.http.announcing import announce
from gaia_email.interfaces.http.answering import Answering, RouteHandler, answering_errors, body_of, document
from gaia_email.interfaces.http.application import (
    create_http_app,
    methods_of,
)
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.contracts import OWN, contract_names, contract_of, prefix_of
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.guard import guard_app
from gaia_email.interfaces.http.listening import server_of
from gaia_email.interfaces.http.opening import entry_address, opening_page
from gaia_email.interfaces.http.plugged import parts_of
from gaia_email.interfaces.http.rates import HttpRate, HttpRates
from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email.interfaces.http.sessions import CODE_S, PersonSessions
from gaia_email.interfaces.scoped import ScopedRoute, check_scopes, scope_of
from gaia_email.interfaces.web.pages import web_pages
from gaia_email_registry import settings
from gaia_email_registry.errors import BadArgument, ProviderError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gaia_email.app.services.source import SourceSpec

PORT = 8767

RATES: Mapping[str, HttpRate] = {
    "POST /v1/email/query": HttpRate(at_once=30, per_s=2.0),
    "POST /v1/chat/completions": HttpRate(at_once=30, per_s=2.0),
    "GET /v1/email/events": HttpRate(at_once=300, per_s=10.0),
    "POST /v1/email/classify": HttpRate(at_once=300, per_s=100.0),
}


WRONG_CODES = HttpRate(at_once=10, per_s=0.2)
"""Rate of wrong codes, all callers together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """The address and audience of a server.

    Attributes:
        host: An address of this machine; any other requires `certificate` and `key`.
        port: 0 for any free port.
        socket: A Unix socket instead of a port; empty for none.
        opens: True to open a person's page in the browser at the start.
        host_approves: True if the API token's yes counts as a person's.
        certificate: A file with the certificate chain (PEM), for other machines.
        key: Its private key (PEM).
        contract: The contract at the root.
        token_file: The file of the API token made by the host that starts this program; empty for our own.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    socket: str = ""
    opens: bool = False
    host_approves: bool = False
    certificate: str = ""
    key: str = ""
    contract: str = OWN
    token_file: str = ""

    @property
    def is_local(self) -> bool:
        """True if only this machine can reach the server."""
        return bool(self.socket) or self.host in ("127.0.0.1", "localhost", "::1")

    @property
    def scheme(self) -> Literal["http", "https"]:
        """Scheme of the server's URLs."""
        return "https" if self.certificate else "http"


class ListeningServer:
    """A listening server with its addresses and credentials."""

    def __init__(
        self, app: App, models: Mapping[str, str], options: ServeOptions, sample: SourceSpec | None
    ) -> None:
        """Start to listen.

        Raises:
            BadArgument: The address is taken or not on this machine, or the token cannot be kept private.
        """
        self._app = app
        self._options = options
        self.listening = _listen(options)
        port = 0 if options.socket else int(self.listening.getsockname()[1])
        host_token = options.token_file
        self.token = ApiToken(Path(host_token or api_token_file(app.environ)), given=bool(host_token))
        self.sessions = PersonSessions(port=port, secure=bool(options.certificate))
        shown = f"[{options.host}]" if ":" in options.host else options.host
        self.address = "" if options.socket else f"{options.scheme}://{shown}:{port}"
        names = ("127.0.0.1", "localhost", "[::1]", *(() if options.is_local else (shown, socket.getfqdn())))
        served = ServedAt.on(port or 80, names, scheme=options.scheme)
        if options.socket:
            served = ServedAt.on_socket()
        self.asgi = http_interface(
            app,
            models,
            served=served,
            credentials=HttpCredentials(
                token=self.token,
                sessions=self.sessions,
                keys=ApiKeys(api_keys_file(app.environ)),
                token_decides=options.host_approves,
            ),
            sample=sample,
            contract=options.contract,
        )

    def link(self) -> str:
        """Return a URL that opens a person's session, once and within a minute."""
        return entry_address(self.address, self.sessions.new_code())

    def open_page(self) -> None:
        """Open a person's page in the browser.

        Raises:
            ProviderError: The file that leads to the page cannot be written.
        """
        import webbrowser

        try:
            path = opening_page(self.address, self.sessions, self._app.home / "email")
        except OSError as error:
            raise ProviderError(f"The page cannot be opened: {error.strerror or error}.") from None
        webbrowser.open(path.as_uri())
        gone = threading.Timer(CODE_S, path.unlink, kwargs={"missing_ok": True})
        gone.daemon = True
        gone.start()

    def announce(self) -> AbstractContextManager[None]:
        """Announce the address to programs of the same user while the context is open, unless it is for other machines.

        Raises:
            ProviderError: The announcement cannot be written.
        """
        if not self._options.is_local or self._options.certificate:
            return nullcontext()
        return announce(
            self._app.environ,
            address=self.address,
            socket=self._options.socket,
            prefix=prefix_of(OWN, self._options.contract),
            token_file=self.token.path,
        )

    async def run(self) -> None:
        """Serve until cancelled, or until SIGTERM or Ctrl-C."""
        server = server_of(self.asgi)
        if self._options.certificate:
            server.config.ssl_certfile = self._options.certificate
            server.config.ssl_keyfile = self._options.key
        try:
            await server.serve(sockets=[self.listening])
        finally:
            self.sessions.close_all()
            self.listening.close()
            if self._options.socket:
                Path(self._options.socket).unlink(missing_ok=True)


def http_interface(
    app: App,
    models: Mapping[str, str],
    *,
    served: ServedAt,
    credentials: HttpCredentials,
    sample: SourceSpec | None = None,
    contract: str = OWN,
) -> ASGIApp:
    """Return the whole interface behind its guard.

    Args:
        app: The running program.
        models: Environment that names the language model.
        served: The names under which it can be addressed.
        credentials: The accepted credentials.
        sample: The sample mailbox, if the server shows nothing else.
        contract: The contract at the root.
    """
    own = prefix_of(OWN, contract)
    application = interface_application(app, models, credentials, sample=sample, contract=contract)
    parts = parts_of(application)
    rates = {
        f"{method} {prefix}{path}": rate
        for (method, _, path), rate in ((name.partition(" "), rate) for name, rate in RATES.items())
        for prefix in (prefix_of(name, contract) for name in contract_names())
    }

    def shape_refusal(refusal: HttpRefusal, path: str) -> bytes:
        other = contract_of(path, contract)
        return other.body(refusal) if other else refusal.body()

    return guard_app(
        application,
        served=served,
        credentials=credentials,
        rates=HttpRates(rates),
        scope_of=lambda scope: scope_of(application.router.routes, scope),
        shaped=shape_refusal,
        methods_of=lambda path: methods_of(application, path),
        agents_at=[f"{own}{part.agents_at}" for part in parts if part.agents_at],
        sockets=[f"{own}{path}" for part in parts for path in part.sockets],
    )


def interface_application(
    app: App,
    models: Mapping[str, str],
    credentials: HttpCredentials,
    *,
    sample: SourceSpec | None = None,
    contract: str = OWN,
) -> Starlette:
    """Return all contracts, the parts of plug-ins and the pages, each route with its scope, without the guard.

    Args:
        app: The running program.
        models: Environment that names the language model.
        credentials: Credentials for sessions and agents.
        sample: The sample mailbox, if the server shows nothing else.
        contract: The contract at the root.

    Raises:
        TypeError: A route does not declare a scope.
    """
    own = prefix_of(OWN, contract)
    answering = Answering(app, sample=sample)
    application = create_http_app(answering, models, credentials.still_holds, contract=contract)
    credentials.agents = [part.agents for part in parts_of(application) if part.agents is not None]
    pages = web_pages(
        answering.perform, answering_errors, own, settings.value("GAIA_LANGUAGE", {}, app.environ) or ""
    )
    application.router.routes += [
        *pages,
        ScopedRoute("/v1/session", answering_errors(_session(credentials)), methods=["POST"], scope="open"),
    ]
    check_scopes(application.router.routes)
    return application


def _session(credentials: HttpCredentials) -> RouteHandler:
    wrong = HttpRates({}, usual=WRONG_CODES)

    async def open_session(request: Request) -> Response:
        code = (await body_of(request)).get("code")
        if not isinstance(code, str) or credentials.sessions is None:
            raise BadArgument("code: the text behind the # of the link.", argument="/code")
        try:
            opened = credentials.sessions.open(code)
        except HttpRefusal:  # only wrong codes are counted, so that nobody can keep the right one out
            wrong.take("", "POST", "/v1/session")
            raise
        answer = document({"key": opened.page_key})
        answer.headers["set-cookie"] = opened.set_cookie
        answer.headers["cache-control"] = "no-store"
        return answer

    return open_session


def _listen(options: ServeOptions) -> socket.socket:
    if not options.is_local and not (options.certificate and options.key):
        raise BadArgument(
            "Other machines reach a server only with a certificate, so that nobody between them reads your mail.",
            argument="bind",
            hint="--certificate FILE --key FILE, and gaia email serve keys add for each program.",
        )
    try:
        if options.socket:
            return _listen_at(Path(options.socket).expanduser())
        family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
        return socket.create_server((options.host, options.port), family=family)
    except OSError as error:
        place = options.socket or f"{options.host}:{options.port}"
        raise BadArgument(
            f"{place} cannot be listened at: {error.strerror or error}.",
            argument="port",
            hint="another program may be there, such as another gaia email serve; --port 0 takes any that is free.",
        ) from None


def _listen_at(path: Path) -> socket.socket:
    """Return a Unix socket that only its owner can reach, replacing one left by a killed server."""
    with suppress(FileNotFoundError):
        probe = socket.socket(socket.AF_UNIX)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
        else:
            raise BadArgument(f"A server listens at {path} already.", argument="socket")
        finally:
            probe.close()
    listening = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o177)
    try:
        listening.bind(str(path))
    finally:
        os.umask(mask)
    listening.listen(128)
    return listening


def serve(
    app: App,
    models: Mapping[str, str],
    options: ServeOptions,
    *,
    sample: SourceSpec | None = None,
    began: Callable[[ListeningServer], None] = lambda server: None,
) -> None:
    """Serve until stopped.

    Args:
        app: The running program.
        models: Environment that names the language model, since a demo's own data directory has none.
        options: The address and audience.
        sample: The sample mailbox, if the server shows nothing else.
        began: Called when the server listens.

    Raises:
        BadArgument: The address cannot be used.
        ProviderError: The certificate or its key cannot be used, or the address cannot be announced.
    """
    server = ListeningServer(app, models, options, sample)
    # uvicorn closes open connections on SIGTERM and then raises the signal again.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    try:
        with server.announce():
            began(server)
            if options.opens and server.address:
                server.open_page()
            asyncio.run(server.run())
    except (OSError, ValueError) as error:
        if not options.certificate:
            raise
        raise ProviderError(f"The certificate or its key cannot be used: {error}.") from None
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
