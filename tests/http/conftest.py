"""The HTTP interface on the sample mailbox, asked by a program and by a person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from gaia_email.app import App
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.api_keys import ApiKeys, api_keys_file
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.serving import http_interface
from gaia_email.interfaces.http.sessions import PersonSessions
from tests.http.guarding import Guarded
from tests.http.serving import Caller, free_port, served_at


@pytest.fixture
def served(tmp_path: Path) -> Guarded:
    return Guarded(tmp_path)


@dataclass(slots=True)
class Sample:
    """The sample mailbox and its server."""

    app: App
    source: SourceSpec
    url: str
    token: str
    sessions: PersonSessions
    program: Caller
    person: Caller

    def message(self) -> str:
        """The id of a message that needs the user."""
        return str(self.program.ok("GET", "/v1/email/inbox")["buckets"]["actionable"][0]["id"])


@pytest.fixture
def sample() -> Iterator[Sample]:
    with sample_source(App()) as (app, source), free_port() as (listening, port):
        token = ApiToken(api_token_file(app.environ))
        sessions = PersonSessions(port=port)
        keys = ApiKeys(api_keys_file(app.environ))
        application = http_interface(
            app,
            app.environ,
            served=ServedAt.on(port),
            credentials=HttpCredentials(token=token, sessions=sessions, keys=keys),
            sample=source,
        )
        bearer = token.path.read_text().strip()
        opened = sessions.open(sessions.new_code())
        of_person = {"cookie": opened.set_cookie.partition(";")[0], "x-gaia-key": opened.page_key}
        with (
            served_at(application, listening) as url,
            httpx2.Client(base_url=url, timeout=60, headers={"authorization": f"Bearer {bearer}"}) as program,
            httpx2.Client(base_url=url, timeout=60, headers=of_person) as person,
        ):
            yield Sample(app, source, url, bearer, sessions, Caller(program), Caller(person))
