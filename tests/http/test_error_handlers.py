"""Routes of a framework behind the guard: whatever they raise, and what the router refuses, has the one shape."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials
from gaia_email.interfaces.http.error_handlers import error_handlers
from gaia_email.interfaces.http.guard import guard_app, principal_of
from gaia_email_registry.errors import NeedsApproval, ProviderError, RateLimited
from tests.http.guarding import HOST, ORIGIN, PORT, SECRET_WORDS

RAISED: dict[str, Exception] = {
    "inside": RuntimeError(SECRET_WORDS),
    "reset": ConnectionResetError(SECRET_WORDS),
    "policy": NeedsApproval("The policy refuses.", hint="gaia email policy"),
    "provider": ProviderError("The server is away."),
    "busy": RateLimited("Too fast.", retry_after_s=3.2),
    "teapot": HTTPException(418, SECRET_WORDS),
}


async def show(request: Request) -> Response:
    principal = principal_of(request.scope)
    principal.need("decide" if request.query_params.get("decide") else "read")
    return JSONResponse({"who": principal.name, "body": len(await request.body())})


async def fail(request: Request) -> Response:
    raise RAISED[request.path_params["what"]]


async def break_off(request: Request) -> Response:
    async def parts() -> AsyncGenerator[bytes, None]:
        yield b"first"
        raise RuntimeError(SECRET_WORDS)

    return StreamingResponse(parts())


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    routes = [
        Route("/show", show, methods=["GET", "POST"]),
        Route("/fail/{what}", fail),
        Route("/break", break_off),
    ]
    app = Starlette(routes=routes, exception_handlers=error_handlers())
    token = ApiToken(tmp_path / "token")
    guard = guard_app(app, served=ServedAt.on(PORT), credentials=HttpCredentials(token=token))
    headers = {"host": HOST, "authorization": f"Bearer {token.path.read_text().strip()}"}
    return TestClient(guard, base_url=ORIGIN, headers=headers)


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/fail/inside", 500, "internal"),
        ("/fail/reset", 500, "internal"),
        ("/fail/policy", 403, "needs_approval"),
        ("/fail/provider", 502, "provider"),
        ("/fail/busy", 429, "rate_limited"),
        ("/fail/teapot", 418, "refused"),
        ("/nowhere", 404, "not_found"),
        ("/show?decide=1", 403, "needs_person"),
    ],
)
def test_whatever_a_route_raises_has_the_one_shape(
    client: TestClient, caplog: pytest.LogCaptureFixture, path: str, status: int, kind: str
) -> None:
    caplog.set_level(logging.DEBUG)
    refused = client.get(path)
    assert refused.status_code == status
    assert set(refused.json()) == {"error"}
    error = refused.json()["error"]
    assert {"kind", "message"} <= set(error) <= {"kind", "message", "argument", "retry_after_s", "hint"}
    assert error["kind"] == kind
    assert refused.headers["content-type"] == "application/json"
    assert SECRET_WORDS not in refused.text + caplog.text


def test_a_wrong_method_names_the_right_ones_and_a_wait_is_told(client: TestClient) -> None:
    refused = client.delete("/show")
    assert (refused.status_code, refused.json()["error"]["kind"]) == (405, "bad_method")
    assert {"GET", "POST"} <= set(refused.headers["allow"].split(", "))
    assert client.get("/fail/busy").headers["retry-after"] == "3"


def test_a_body_comes_through_and_who_asks_is_known(client: TestClient) -> None:
    assert client.post("/show", content=b"x" * 70_000).json() == {"who": "token", "body": 70_000}


def test_an_answer_that_breaks_off_tells_nothing_of_why(client: TestClient) -> None:
    with pytest.raises(Exception) as broken:
        client.get("/break")
    assert SECRET_WORDS not in str(broken.value)


def test_no_page_elsewhere_is_told_that_it_may_ask(client: TestClient) -> None:
    asked = client.options(
        "/show", headers={"origin": "https://evil.example", "access-control-request-method": "POST"}
    )
    assert asked.status_code == 403
    assert not [name for name in asked.headers if name.startswith("access-control")]
