"""The peer's 26 endpoints with their handlers. Entry: `CONTRACT`."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Mapping
from importlib.metadata import version
from typing import Any, Literal, Protocol

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.interfaces.http.answering import Answering, RouteHandler, document
from gaia_email.interfaces.http.connections import ForwardInput, HostConnections
from gaia_email.interfaces.http.contracts import HttpContract
from gaia_email.interfaces.http.conversations import Conversations
from gaia_email.interfaces.http.credentials import Principal
from gaia_email.interfaces.http.events import query_stream
from gaia_email.interfaces.http.guard import principal_of
from gaia_email.interfaces.http.plugged import HttpHost
from gaia_email.interfaces.scoped import RouteScope, ScopedRoute
from gaia_email_gaia import answers, inputs
from gaia_email_gaia.acting import PeerActing
from gaia_email_gaia.approvals import PeerTokens
from gaia_email_gaia.briefing import briefing
from gaia_email_gaia.conversing import PeerConversing
from gaia_email_gaia.endpoints import PeerCall, PeerEndpoint, endpoint
from gaia_email_gaia.errors import NotHere, peer_body, peer_error, read_input
from gaia_email_gaia.judging import triage, triage_batch
from gaia_email_gaia.looking import events, readiness, search
from gaia_email_gaia.mailboxes import PeerMailboxes
from gaia_email_gaia.openapi import peer_openapi
from gaia_email_gaia.overview import attention, prescan
from gaia_email_registry.errors import NotFound
from gaia_email_registry.forwarded import ForwardedLogin

HOST = "the GAIA host"

SERVICE: Literal["gaia-agent-email"] = "gaia-agent-email"
"""Service name that the peer's daemon expects from `health`."""

_NO_EVENTS = "Events are not put into a calendar, and invitations not answered, through this contract here."


class PeerContract:
    """The peer's contract on one server.

    Args:
        answering: Runs the operations on the mailboxes, with limited concurrency.
        conversations: The server's conversations.
        logins: The logins that hosts forward to the server.
        models: Environment that names the language model.
        prefix: The prefix of all paths; empty for the root.
    """

    def __init__(
        self,
        answering: Answering,
        conversations: Conversations,
        logins: HostConnections,
        models: Mapping[str, str],
        *,
        prefix: str = "",
    ) -> None:
        self._answering = answering
        self._app = answering.app
        self._models = models
        self._logins = logins
        self._mailboxes = PeerMailboxes(answering)
        self._acting = PeerActing(answering, self._mailboxes, PeerTokens(answering.app))
        self._conversing = PeerConversing(conversations, self._mailboxes, models, prefix)
        self._prefix = prefix
        self.endpoints = self._table()

    def routes(self) -> list[ScopedRoute]:
        """Return one route for each endpoint, and one for the contract's description."""

        async def describe(request: Request) -> Response:
            return document(peer_openapi(self.endpoints, self._prefix))

        routes = [
            ScopedRoute(
                f"{self._prefix}{one.path}", self._handler(one), methods=[one.method], scope=one.scope
            )
            for one in self.endpoints
        ]
        return [
            *routes,
            ScopedRoute(f"{self._prefix}/openapi.json", describe, methods=["GET"], scope="open"),
        ]

    def _handler(self, one: PeerEndpoint) -> RouteHandler:
        async def handle(request: Request) -> Response:
            try:
                asked = None if one.asked is None else await read_input(request, one.asked)
                found = await one.handle(PeerCall(request=request, asked=asked))
                return found if isinstance(found, Response) else document(found)
            except Exception as error:
                return peer_error(error)

        return handle

    def _table(self) -> tuple[PeerEndpoint, ...]:
        return (*self._reading(), *self._effects(), *self._calendar(), *self._queries(), *self._forwarding())

    def _reading(self) -> tuple[PeerEndpoint, ...]:
        return (
            endpoint("GET /health", _health, answers.HealthAnswer, scope="open"),
            endpoint("GET /version", _version, answers.VersionAnswer, scope="open"),
            endpoint("GET /v1/email/health", _health, answers.HealthAnswer, scope="open"),
            endpoint("GET /v1/email/version", _version, answers.VersionAnswer, scope="open"),
            endpoint("GET /v1/email/init", self._init, answers.InitAnswer, scope="read"),
            endpoint(
                "POST /v1/email/triage",
                self._triage,
                answers.TriageAnswer,
                inputs.PeerTriageInput,
                scope="read",
            ),
            endpoint(
                "POST /v1/email/triage/batch",
                self._batch,
                answers.BatchAnswer,
                inputs.BatchInput,
                scope="read",
            ),
            endpoint(
                "POST /v1/email/search",
                self._search,
                answers.SearchAnswer,
                inputs.PeerSearchInput,
                scope="read",
            ),
            endpoint(
                "POST /v1/email/prescan",
                self._prescan,
                answers.PreScanAnswer,
                inputs.PreScanInput,
                scope="read",
            ),
            endpoint("GET /v1/email/briefing", self._briefing, answers.BriefingAnswer, scope="read"),
            endpoint(
                "GET /v1/email/attention",
                self._attention,
                answers.AttentionAnswer,
                inputs.AttentionInput,
                scope="read",
            ),
        )

    def _effects(self) -> tuple[PeerEndpoint, ...]:
        acting = self._acting
        return (
            _effect("draft", acting.draft, answers.DraftAnswer, inputs.PeerDraftInput, scope="draft"),
            _effect("send", acting.send, answers.SendAnswer, inputs.PeerSendInput),
            _effect("confirm", acting.confirm, answers.ConfirmAnswer, inputs.PeerConfirmInput, scope="draft"),
            _effect("archive", acting.archive, answers.ArchiveAnswer, inputs.PeerArchiveInput),
            _effect("unarchive", acting.unarchive, answers.UnarchiveAnswer, inputs.UnarchiveInput),
            _effect("quarantine", acting.quarantine, answers.QuarantineAnswer, inputs.QuarantineInput),
            _effect(
                "unquarantine", acting.unquarantine, answers.UnquarantineAnswer, inputs.UnquarantineInput
            ),
        )

    def _calendar(self) -> tuple[PeerEndpoint, ...]:
        return (
            endpoint(
                "GET /v1/email/calendar/events",
                self._events,
                answers.EventsAnswer,
                inputs.EventsInput,
                scope="read",
            ),
            endpoint("POST /v1/email/calendar/events", _not_done, None, inputs.EventInput, scope="act"),
            endpoint(
                "POST /v1/email/calendar/events/preview", _not_done, None, inputs.EventInput, scope="act"
            ),
            endpoint(
                "POST /v1/email/calendar/events/respond", _not_done, None, inputs.InvitationInput, scope="act"
            ),
        )

    def _queries(self) -> tuple[PeerEndpoint, ...]:
        return (
            endpoint("POST /v1/email/query", self._query, None, inputs.PeerQueryInput, scope="draft"),
            endpoint(
                "POST /v1/email/query/{run_id}/cancel", self._cancel, answers.CancelAnswer, scope="draft"
            ),
            endpoint(
                "POST /v1/email/query/{run_id}/respond",
                self._respond,
                answers.RespondAnswer,
                inputs.PeerRespondInput,
                scope="draft",
            ),
        )

    def _forwarding(self) -> tuple[PeerEndpoint, ...]:
        return (
            endpoint("GET /v1/connections", self._connections, answers.ConnectionsAnswer, scope="read"),
            endpoint(
                "POST /v1/connections/{provider}",
                self._connect,
                answers.ConnectionAnswer,
                inputs.ConnectionInput,
                scope="host",
            ),
            endpoint(
                "DELETE /v1/connections/{provider}", self._disconnect, answers.WithdrawnAnswer, scope="host"
            ),
        )

    async def _triage(self, call: PeerCall) -> object:
        """What one message or thread is."""
        return await self._answering.turn(lambda: triage(self._app, call.asked))

    async def _batch(self, call: PeerCall) -> object:
        """What up to a hundred messages or threads are."""
        return await self._answering.turn(lambda: triage_batch(self._app, call.asked))

    async def _search(self, call: PeerCall) -> object:
        """Messages that were found, newest first."""
        source = self._mailboxes.one(None)
        return await self._answering.turn(lambda: search(self._app, source, call.asked))

    async def _prescan(self, call: PeerCall) -> object:
        """The inbox at a glance."""
        sources = self._mailboxes.every()
        most, origin = call.asked.max_messages, principal_of(call.request.scope).origin
        return await self._answering.turn(lambda: prescan(self._app, sources, most, origin))

    async def _attention(self, call: PeerCall) -> object:
        """What needs the user, and how much was looked at."""
        sources = self._mailboxes.every()
        most, origin = call.asked.max_messages, principal_of(call.request.scope).origin
        return await self._answering.turn(lambda: attention(self._app, sources, most, origin))

    async def _briefing(self, call: PeerCall) -> object:
        """The last briefing that was scheduled."""
        sources = self._mailboxes.every()
        origin = principal_of(call.request.scope).origin
        return await self._answering.turn(lambda: briefing(self._app, sources, origin))

    async def _events(self, call: PeerCall) -> object:
        """Events of a calendar."""
        source = self._mailboxes.one(call.asked.provider)
        return await self._answering.turn(lambda: events(self._app, source, call.asked))

    async def _query(self, call: PeerCall) -> object:
        """Answer a line of the user as a stream of events."""
        return query_stream(self._conversing.query(call.asked, principal_of(call.request.scope)))

    async def _cancel(self, call: PeerCall) -> object:
        """End a run."""
        return self._conversing.cancel(_run_id(call))

    async def _respond(self, call: PeerCall) -> object:
        """Answer the question of a run."""
        return self._conversing.respond(_run_id(call), call.asked)

    async def _init(self, call: PeerCall) -> object:
        """Whether everything is there that the user chose."""
        found = await readiness(self._models)
        return document(found, 200 if found["ready"] else 503)

    async def _connections(self, call: PeerCall) -> object:
        """Forwarded logins, without their tokens."""
        found: answers.ConnectionsAnswer = {
            "schema_version": inputs.CONTRACT,
            "connections": [_connection(one) for one in self._logins.list_logins()],
        }
        return found

    async def _connect(self, call: PeerCall) -> object:
        """Use a forwarded login until it ends or is withdrawn."""
        asked: inputs.ConnectionInput = call.asked
        given = ForwardInput(
            access_token=asked.access_token,
            expires_at=asked.expires_at,
            account_email=asked.account_email or "",
            scopes=asked.scopes,
            host=HOST,
        )
        return _connection(await self._logins.forward(_provider(call), given))

    async def _disconnect(self, call: PeerCall) -> object:
        """Forget a forwarded login."""
        provider = _provider(call)
        found: answers.WithdrawnAnswer = {
            "provider": provider,
            "withdrawn": await self._logins.withdraw(provider),
        }
        return found


class _Act(Protocol):
    """A handler of an endpoint with effects."""

    def __call__(self, asked: Any, /, *, principal: Principal) -> Awaitable[object]: ...


def _effect(
    name: str, act: _Act, answer: type, asked: type[inputs.PeerInput], *, scope: RouteScope = "act"
) -> PeerEndpoint:
    async def handle(call: PeerCall) -> object:
        return await act(call.asked, principal=principal_of(call.request.scope))

    handle.__doc__ = act.__doc__
    return endpoint(f"POST /v1/email/{name}", handle, answer, asked, scope=scope)


async def _not_done(call: PeerCall) -> object:
    """Not done here."""
    raise NotHere(_NO_EVENTS)


async def _health(call: PeerCall) -> object:
    """Whether it answers."""
    found: answers.HealthAnswer = {"status": "ok", "service": SERVICE}
    return found


async def _version(call: PeerCall) -> object:
    """Of the contract and of the program."""
    found: answers.VersionAnswer = {"apiVersion": inputs.CONTRACT, "agentVersion": version("gaia-email")}
    return found


def _connection(login: ForwardedLogin) -> answers.ConnectionAnswer:
    return {
        "provider": login.provider,
        "account_email": login.address if "@" in login.address else None,
        "expires_at": login.expires_at,
        "scopes": list(login.scopes),
        "forwarded": True,
    }


def _run_id(call: PeerCall) -> str:
    run_id: str = call.request.path_params["run_id"]
    if not re.fullmatch(inputs.RUN_ID, run_id):
        raise NotFound("No run of that id is under way.")
    return run_id


def _provider(call: PeerCall) -> str:
    provider: str = call.request.path_params["provider"]
    if not re.fullmatch(inputs.PROVIDER, provider):
        raise NotFound("There is no such provider.")
    return provider


def _routes(host: HttpHost, prefix: str) -> list[ScopedRoute]:
    return PeerContract(host.answering, host.conversations, host.logins, host.models, prefix=prefix).routes()


CONTRACT = HttpContract(routes=_routes, body=peer_body, answer=peer_error)
