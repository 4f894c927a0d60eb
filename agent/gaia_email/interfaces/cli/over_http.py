"""`--via http`: the running `gaia email serve` performs the operations. Entries: `is_over_http`, `ServerClient`.

Answers and errors are printed as if the command had run locally. The API token cannot give a person's consent, so an
operation that needs it is refused as for any other program, with the URL of the page on which the person decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from gaia_email.app import App
from gaia_email_registry.errors import (
    BY_KIND,
    BadArgument,
    InternalError,
    MailError,
    NeedsApproval,
    NeedsAuth,
    ProviderError,
)

if TYPE_CHECKING:
    import httpx2

    from gaia_email.app.operations.operation import Operation, OperationInput
    from gaia_email.interfaces.http.routes import OperationRoute

VIA = "GAIA_EMAIL_VIA"
HTTP = "http"

CONNECT_S = 10.0
"""Seconds for connecting to the server; its answer may take any time."""

OTHER_KINDS: Mapping[str, type[MailError]] = {
    "conflict": BadArgument,
    "needs_person": NeedsApproval,
    "needs_scope": NeedsApproval,
}


def is_over_http(app: App) -> bool:
    """Return True if a server performs the operations."""
    return app.environ.get(VIA) == HTTP


def need_here(app: App, command: str) -> None:
    """Refuse `--via http` for commands that only this program can run.

    Raises:
        BadArgument: A server is requested.
    """
    if not is_over_http(app):
        return
    from gaia_email.interfaces.http.announcing import running_server

    try:
        page = running_server(app.environ).page
    except MailError:
        page = ""
    decide = f"; what takes your word you can also do at {page}" if page else ""
    raise BadArgument(
        f"{command} is not done by a server over HTTP.",
        argument="via",
        hint=f"leave --via http out (and unset {VIA}){decide}.",
    )


class ServerClient:
    """A client of this data directory's running server, authenticated with its API token."""

    def __init__(self, app: App) -> None:
        """Find the server.

        Raises:
            NotFound: None is running.
            ProviderError: This program cannot use it.
        """
        from pathlib import Path

        from gaia_email.interfaces.http.announcing import running_server
        from gaia_email_registry.token_file import token_in_file

        self._server = running_server(app.environ)
        self._token = token_in_file(Path(self._server.token_file))

    def document(
        self, operation: Operation[Any], asked: OperationInput, account: str, tell: Any
    ) -> Mapping[str, Any]:
        """Return an operation's document from the server.

        Args:
            operation: The operation.
            asked: Its input.
            account: The server's name for the mailbox; empty for the only one, or for all.
            tell: Receives the server's notes.

        Raises:
            BadArgument: The operation has no path for this input.
            MailError: The operation failed on the server.
        """
        route, value = _place(operation, asked)
        path = route.path
        for name in route.named:
            path = path.replace(f"{{{name}}}", _quoted(value.pop(name)))
        if account:
            value["account"] = account
        answer = self._answer(route.method, path, value)
        found = _json_object(answer)
        if answer.status_code == 200:
            for said in _notes(answer):
                tell(said)
            return found
        raise _error(answer.status_code, found)

    def _answer(self, method: str, path: str, value: Mapping[str, Any]) -> httpx2.Response:
        import httpx2

        from gaia_email_registry.egress.http import open_blocking_client

        server = self._server
        with open_blocking_client(
            "agent",
            uds=server.socket or None,
            trust_env=False,
            base_url=f"{server.address or 'http://localhost'}{server.prefix}",
            timeout=httpx2.Timeout(None, connect=CONNECT_S),
            headers={"authorization": f"Bearer {self._token}"},
        ) as client:
            try:
                if method in ("GET", "DELETE"):
                    return client.request(method, path, params=_words(value))
                return client.request(method, path, json=value)
            except httpx2.HTTPError as error:
                raise ProviderError(
                    f"The server of process {server.process} does not answer ({type(error).__name__}).",
                    hint="look at what gaia email serve says where it runs.",
                ) from None


def _place(operation: Operation[Any], asked: OperationInput) -> tuple[OperationRoute, dict[str, Any]]:
    """Return the path of an operation, and the input's JSON without default values."""
    import msgspec

    from gaia_email.interfaces.http.routes import OperationRoute

    route = OperationRoute(operation)
    value: dict[str, Any] = msgspec.to_builtins(asked)
    usual = {one.name: one.default for one in msgspec.structs.fields(type(asked))}
    value = {name: one for name, one in value.items() if getattr(asked, name) != usual[name]}
    if operation.lists:
        ids = value.pop(operation.lists)
        if len(ids) != 1:
            raise BadArgument(
                "A server over HTTP takes one of them at a time.", argument=operation.lists, hint="name one."
            )
        value[route.named[0]] = ids[0]
    return route, value


def _quoted(value: object) -> str:
    from urllib.parse import quote

    return quote(str(value), safe="")


def _words(value: Mapping[str, Any]) -> dict[str, str]:
    """Return query values as text."""
    return {name: one if isinstance(one, str) else json.dumps(one) for name, one in value.items()}


def _json_object(answer: httpx2.Response) -> dict[str, Any]:
    try:
        found: object = answer.json()
    except ValueError:
        found = None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _notes(answer: httpx2.Response) -> list[str]:
    """Return the notes in a server's answer."""
    from gaia_email.interfaces.http.routes import NOTES

    found: object = json.loads(answer.headers.get(NOTES, "[]"))
    return [str(one) for one in cast("list[object]", found)] if isinstance(found, list) else []


def _error(status: int, found: Mapping[str, Any]) -> MailError:
    """Return the server's error as it would have been raised locally."""
    told: Mapping[str, Any] = found.get("error") or {}
    kind = str(told.get("kind", ""))
    if status == 401:
        return NeedsAuth(
            "The server does not take the token of this program.", hint="start gaia email serve anew."
        )
    raised = {**BY_KIND, **OTHER_KINDS}.get(kind, BadArgument if status in (413, 414) else InternalError)
    return raised(
        str(told.get("message", f"The server answered {status}.")),
        argument=told.get("argument"),
        retry_after_s=told.get("retry_after_s"),
        hint=told.get("hint"),
    )
