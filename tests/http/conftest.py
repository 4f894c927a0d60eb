"""The HTTP interface on the sample mailbox, asked by a program and by a person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import httpx2
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from gaia_email.app import App
from gaia_email.interfaces.http.application import create_http_app
from gaia_email.interfaces.http.principal import Principal
from gaia_email.services.choosing import sample_source
from gaia_email.services.source import SourceSpec
from tests.http.serving import Caller, served

BY_PERSON = "x-test-person"


class Known:
    """Lets everything through, as the person or the program that a header says."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            is_person = BY_PERSON.encode() in dict(scope["headers"])
            scope["gaia.principal"] = Principal(name="tests", is_person=is_person)
        await self._app(scope, receive, send)


@dataclass(slots=True)
class Sample:
    """The sample mailbox and its server."""

    app: App
    source: SourceSpec
    url: str
    program: Caller
    person: Caller

    def message(self) -> str:
        """The id of a message that needs the user."""
        return str(self.program.ok("GET", "/v1/email/inbox")["buckets"]["actionable"][0]["id"])


@pytest.fixture
def sample() -> Iterator[Sample]:
    with sample_source(App()) as (app, source):
        application = Known(create_http_app(app, app.environ, sample=source))
        with (
            served(application) as url,
            httpx2.Client(base_url=url, timeout=60) as program,
            httpx2.Client(base_url=url, timeout=60, headers={BY_PERSON: "1"}) as person,
        ):
            yield Sample(app, source, url, Caller(program), Caller(person))
