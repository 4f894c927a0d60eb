"""Every route states its scope, the guard holds it, and both contracts need the same for the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gaia_email.app import App
from gaia_email.app.services.api_keys import ApiKeys, api_keys_file
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, Principal, api_token_file
from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email.interfaces.http.serving import interface_application
from gaia_email.interfaces.http.sessions import PersonSessions
from gaia_email.interfaces.scoped import (
    RouteScope,
    ScopedRoute,
    ScopedSocket,
    check_scopes,
    scope_of,
)
from tests.http.conftest import Sample
from tests.http.serving import Caller
from tests.plugins.bundled import is_installed, needs_plugin

PREFIXES = ("", "/gaia") if is_installed("gaia") else ("",)
SAME: dict[str, str] = {
    "POST /v1/email/triage": "POST /v1/email/classify",
    "POST /v1/email/triage/batch": "POST /v1/email/classify",
    "POST /v1/email/search": "POST /v1/email/search",
    "POST /v1/email/prescan": "GET /v1/email/inbox",
    "GET /v1/email/briefing": "POST /v1/email/brief",
    "GET /v1/email/attention": "GET /v1/email/followups",
    "GET /v1/email/calendar/events": "GET /v1/email/prep",
    "GET /v1/email/init": "GET /v1/email/models",
    "POST /v1/email/draft": "POST /v1/email/outgoing",
    "POST /v1/email/confirm": "POST /v1/email/outgoing",
    "POST /v1/email/send": "POST /v1/email/send",
    "POST /v1/email/archive": "POST /v1/email/archive",
    "POST /v1/email/unarchive": "POST /v1/email/undo",
    "POST /v1/email/quarantine": "POST /v1/email/spam",
    "POST /v1/email/unquarantine": "POST /v1/email/undo",
    "POST /v1/email/query": "POST /v1/email/query",
    "POST /v1/email/query/{run_id}/cancel": "POST /v1/email/query/{run_id}/cancel",
    "POST /v1/email/query/{run_id}/respond": "POST /v1/email/query/{run_id}/respond",
    "GET /v1/connections": "GET /v1/connections",
    "POST /v1/connections/{provider}": "POST /v1/connections/{provider}",
    "DELETE /v1/connections/{provider}": "DELETE /v1/connections/{provider}",
    "GET /health": "GET /health",
    "GET /version": "GET /version",
    "GET /v1/email/health": "GET /health",
    "GET /v1/email/version": "GET /version",
    "GET /openapi.json": "GET /openapi.json",
}
"""For each endpoint of the peer's contract the route of ours that does the same."""

ONLY_THEIRS = {
    "POST /v1/email/calendar/events",
    "POST /v1/email/calendar/events/preview",
    "POST /v1/email/calendar/events/respond",
}
"""Endpoints that ours has no like of; they are not done here, and would need the scope `act`."""

PERSON_ONLY = (
    "connect",
    "servers",
    "policy",
    "settings",
    "schedules",
    "models/use",
    "models/trust",
    "enable",
)


@pytest.fixture
def routes(demo: tuple[App, Any]) -> list[BaseRoute]:
    return list(interface_application(demo[0], {}, HttpCredentials(sessions=PersonSessions(port=1))).routes)


def scopes_of(routes: list[BaseRoute]) -> dict[str, RouteScope]:
    """The scope of each method and path."""
    return {
        f"{method} {route.path}": route.scope
        for route in routes
        if isinstance(route, ScopedRoute)
        for method in (route.methods or set[str]()) - {"HEAD"}
    }


async def _nothing(request: Request) -> Response:
    return Response()


def test_a_route_without_a_scope_is_not_registered() -> None:
    good = ScopedRoute("/a", _nothing, methods=["GET"], scope="read")
    check_scopes([good])
    with pytest.raises(TypeError, match="/b"):
        check_scopes([good, Route("/b", _nothing)])
    with pytest.raises(TypeError, match="scope"):
        ScopedRoute("/a", _nothing, methods=["GET"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def test_every_route_has_a_scope_and_what_is_open_tells_nothing_of_mail(routes: list[BaseRoute]) -> None:
    assert len(routes) > 150
    assert all(isinstance(one, (ScopedRoute, ScopedSocket)) for one in routes)
    found = scopes_of(routes)
    is_open = {name.partition(" ")[2] for name, scope in found.items() if scope == "open"}
    of_gaia = {
        "/gaia/health", "/gaia/version", "/gaia/v1/email/health", "/gaia/v1/email/version", "/gaia/openapi.json",
    }  # fmt: skip
    assert {one for one in is_open if not one.startswith("/static/")} == {
        "/", "/mail", "/health", "/version", "/docs", "/openapi.json", "/v1/session",
        *(of_gaia if is_installed("gaia") else ()),
    }  # fmt: skip
    own = {name for name, scope in found.items() if scope == "own"}
    of_automations = {
        "POST /v1/automations/{automation_id}/fire",
        "GET /v1/automations/runs/{run_id}/shared/{artifact_id}",
    }
    assert own == (of_automations if is_installed("automations") else set())
    assert all(scope == "decide" for name, scope in found.items() if " /ui/" in name)
    assert all(scope == "control" for name, scope in found.items() if " /control/v1" in name)


@needs_plugin("gaia")
def test_the_same_operation_needs_the_same_scope_in_both_contracts(routes: list[BaseRoute]) -> None:
    found = scopes_of(routes)
    theirs = {name.replace(" /gaia", " ", 1): scope for name, scope in found.items() if " /gaia/" in name}
    assert theirs.keys() == SAME.keys() | ONLY_THEIRS
    different = {
        name: (theirs[name], found[ours]) for name, ours in SAME.items() if theirs[name] != found[ours]
    }
    assert different == {}
    assert {theirs[name] for name in ONLY_THEIRS} == {"act"}


def test_a_path_that_does_not_take_a_method_has_its_routes_scope(routes: list[BaseRoute]) -> None:
    asked = {"type": "http", "method": "DELETE", "path": "/ui/inbox", "root_path": ""}
    assert scope_of(routes, asked) == "decide"
    assert scope_of(routes, {**asked, "path": "/nothing/here"}) is None


@pytest.mark.parametrize("scope", ["open", "own", "control", "read", "draft", "act", "host", "decide"])
def test_no_api_key_does_what_a_host_or_a_person_does(scope: RouteScope) -> None:
    key = Principal(kind="key", name="key 1")
    token = Principal(kind="token", name="token")
    host = Principal(kind="token", name="token", hosts=True)
    person = Principal(kind="person", name="session 1", decides=True)
    agent = Principal(kind="agent", name="agent notes", scopes=frozenset(), agent_id="notes")
    person.need(scope)
    for who, refused in (
        (key, {"host", "decide"}),
        (token, {"host", "decide"}),
        (host, {"decide"}),
        (agent, {"read", "draft", "act", "host", "decide"}),
    ):
        if scope in refused:
            with pytest.raises(HttpRefusal) as refusal:
                who.need(scope)
            assert refusal.value.status == 403
        else:
            who.need(scope)


@pytest.fixture
def key(sample: Sample) -> Iterator[Caller]:
    _, secret = ApiKeys(api_keys_file(sample.app.environ)).add("phone", ["read", "draft", "act"])
    headers = {"authorization": f"Bearer {secret}"}
    with httpx2.Client(base_url=sample.url, timeout=60, headers=headers) as client:
        yield Caller(client)


def test_a_key_with_every_scope_connects_no_mailbox_in_either_contract(sample: Sample, key: Caller) -> None:
    login = {"access_token": "t" * 20, "expires_at": 4e9, "account_email": "eve@evil.example"}
    for caller in (key, sample.program):
        for prefix in PREFIXES:
            answer = caller.answer("POST", f"{prefix}/v1/connections/google", login)
            assert answer.status_code == 403 and "person" in answer.text
            assert caller.answer("DELETE", f"{prefix}/v1/connections/google").status_code == 403
    assert sample.person.ok("GET", "/v1/connections")["connections"] == []


def test_a_key_that_only_reads_asks_no_query_in_either_contract(sample: Sample) -> None:
    _, secret = ApiKeys(api_keys_file(sample.app.environ)).add("reader", ["read"])
    line = {"query": "help", "run_id": "6f1d6f0e-52c4-4a3f-9b59-0d9a1e6b7c10"}
    headers = {"authorization": f"Bearer {secret}"}
    with httpx2.Client(base_url=sample.url, timeout=60, headers=headers) as client:
        for path in (*(f"{prefix}/v1/email/query" for prefix in PREFIXES), "/v1/chat/completions"):
            assert client.post(path, json=line).status_code == 403, path
        assert client.get("/v1/email/inbox/counts").status_code == 200


def test_the_token_that_a_host_made_is_a_host_s(demo: tuple[App, Any]) -> None:
    path = api_token_file(demo[0].environ)
    own = HttpCredentials(token=ApiToken(path))
    given = HttpCredentials(token=ApiToken(path, given=True))
    bearer = [(b"authorization", b"Bearer " + path.read_bytes().strip())]
    for credentials, hosts in ((own, False), (given, True)):
        found = credentials.principal({"type": "http", "headers": bearer})
        assert found is not None and found.hosts is hosts
