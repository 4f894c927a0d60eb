"""What schemathesis finds in both contracts: nothing. With `pytest -m fuzz`, in an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http import rates, serving
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.rates import HttpRate, HttpRates
from gaia_email.interfaces.http.sessions import PersonSessions
from tests.http.conftest import demo, seen_sample
from tests.http.serving import free_port, served_at

__all__ = ["demo", "seen_sample"]

ROOT = Path(__file__).parents[2]
EXAMPLES = 5
"""Generated requests of each operation, beside those of the coverage of its schema."""

NEVER = HttpRate(at_once=10**6, per_s=10**6)

CONFIG = """
[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "501"]
negative_data_rejection.expected-statuses = [
  400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 428, 429, 431, "5xx",
]

[[operations]]
include-path = [
  "/v1/automations",
  "/v1/automations/drafts",
  "/v1/automations/drafts/{draft_id}/refine",
  "/v1/automations/drafts/{draft_id}/save",
  "/v1/automations/import",
  "/v1/email/connect",
  "/v1/email/connect/plan",
  "/v1/email/policy/quiet_hours",
  "/v1/email/schedules",
  "/v1/email/servers",
  "/v1/email/webhooks/{name}",
]
checks.positive_data_acceptance.enabled = false
"""
"""What the peer's contract has and this program does not do is answered with 501 and a sentence. No schema tells which
files, addresses and providers a machine knows (`connect`), which time zones, commands and addresses of webhooks, or
which sentences make an automation; a definition of one has a schema of its own, and so have answers to a draft.
"""

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(3_600)]


def _never(routes: object) -> HttpRates:
    return HttpRates({}, usual=NEVER)


@pytest.fixture(scope="session")
def schemathesis(runners: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, in the version of requirements/fuzz.txt."""
    folder, uv = tmp_path_factory.mktemp("fuzz") / "venv", str(runners / "uv")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    pinned = [uv, "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    there = ["--python", str(folder / "bin" / "python"), "-r", str(ROOT / "requirements" / "fuzz.txt")]
    subprocess.run([*pinned, *there], check=True)
    return folder / "bin" / "schemathesis"


@pytest.mark.parametrize("decides", [False, True], ids=["token", "host"])
@pytest.mark.parametrize("prefix", ["", "/gaia"], ids=["own", "gaia"])
def test_schemathesis_finds_nothing(
    prefix: str,
    decides: bool,
    schemathesis: Path,
    demo: tuple[App, SourceSpec],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rates, "FAILED", NEVER)
    monkeypatch.setattr(serving, "HttpRates", _never)
    app, source = demo
    with free_port() as (listening, port):
        token = ApiToken(api_token_file(app.environ))
        asgi = serving.http_interface(
            app,
            app.environ,
            served=ServedAt.on(port),
            credentials=HttpCredentials(
                token=token, sessions=PersonSessions(port=port), token_decides=decides
            ),
            sample=source,
        )
        bearer = f"Authorization: Bearer {token.path.read_text().strip()}"
        (tmp_path / "schemathesis.toml").write_text(CONFIG)
        with served_at(asgi, listening) as url:
            command = [
                *(str(schemathesis), "run", f"{url}{prefix}/openapi.json", "--url", url, "-H", bearer),
                *("--phases", "examples,coverage,fuzzing", "-n", str(EXAMPLES), "--continue-on-failure"),
                *("--request-timeout", "60", "--no-color", "--seed", "1"),
            ]
            clean = {name: value for name, value in os.environ.items() if not name.startswith("GAIA_")}
            ran = subprocess.run(
                command, capture_output=True, text=True, cwd=tmp_path, env=clean, check=False
            )
    assert ran.returncode == 0, ran.stdout[-20_000:]
