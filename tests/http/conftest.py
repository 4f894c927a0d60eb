"""The HTTP interface on the sample mailbox, asked by a program and by a person."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from gaia_email.app import App
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.sample.mailbox import SAMPLE_OWNER, write_sample
from gaia_email.app.services.api_keys import ApiKeys, api_keys_file
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.serving import http_interface
from gaia_email.interfaces.http.sessions import PersonSessions
from tests.http.guarding import Guarded
from tests.http.serving import Caller, free_port, served_at
from tests.maildirs import link_mail
from tests.origins import PERSON


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


@pytest.fixture(scope="session")
def seen_sample(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], tuple[App, SourceSpec]]:
    """Puts the sample mailbox and what was understood of it back to one place, as they were after a first look.

    Its place is a mailbox's name, so what was kept of it holds at no other.
    """
    place = tmp_path_factory.mktemp("served") / "sample"
    kept = place.with_name("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAIA_HOME", str(place / "home"))
        for name in [name for name in os.environ if name.startswith("GAIA_") and name != "GAIA_HOME"]:
            patch.delenv(name)
        app = App()
        source = SourceSpec(kind="maildir", path=str(place / "Mail"), user=(SAMPLE_OWNER,), is_sample=True)
        write_sample(place / "Mail", now=app.clock())
        call = OperationCall(asked=OPERATIONS["inbox"].read({}), origin=PERSON, sources=(source,))
        OPERATIONS["inbox"].run(app, call)
        shutil.copytree(place, kept)

    def put_back() -> tuple[App, SourceSpec]:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(kept, place, copy_function=link_mail)
        return app, source

    return put_back


@pytest.fixture
def demo(
    seen_sample: Callable[[], tuple[App, SourceSpec]], monkeypatch: pytest.MonkeyPatch
) -> tuple[App, SourceSpec]:
    """The sample mailbox, untouched, and the program with a data directory beside it."""
    app, source = seen_sample()
    monkeypatch.setenv("GAIA_HOME", str(app.home))
    return app, source


@pytest.fixture
def is_hosted() -> bool:
    """Whether a host started the server, with a token that it made for it."""
    return False


@pytest.fixture
def sample(demo: tuple[App, SourceSpec], is_hosted: bool) -> Iterator[Sample]:
    app, source = demo
    with free_port() as (listening, port):
        token = ApiToken(ApiToken(api_token_file(app.environ)).path, given=is_hosted)
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
