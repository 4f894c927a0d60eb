"""`keys add | list | revoke`: a person makes keys, everybody may end one, and a key is shown once."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from gaia_email.app import App
from gaia_email.app.services.api_keys import ApiKeys, api_keys_file
from gaia_email.interfaces.cli import person
from gaia_email.interfaces.cli.http_keys import keys
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from tests.cli.printed import fits, scripts_say_yes


@pytest.fixture
def app(tmp_path: Path) -> App:
    return App(environ={"GAIA_HOME": str(tmp_path)}, clock=lambda: 1_790_000_000.0)


def run(app: App, *arguments: str) -> Result:
    return CliRunner().invoke(keys, arguments, obj=app)


def test_a_key_is_made_listed_without_its_secret_and_revoked(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "scripts_may_answer", scripts_say_yes)
    made = run(app, "add", "my phone", "--scope", "read", "--scope", "draft")
    assert made.exit_code == 0
    key = made.stdout.strip()
    known = ApiKeys(api_keys_file(app.environ)).match(key)
    assert known is not None
    assert (known.name, known.scopes) == ("my phone", ("read", "draft"))
    listed = run(app, "list", "--json").stdout
    fits(json.loads(listed), "serve-keys")
    assert json.loads(listed)["keys"] == [
        {
            "id": known.id,
            "name": "my phone",
            "scopes": ["read", "draft"],
            "created_at": "2026-09-21T14:13:20Z",
        }
    ]
    assert key.split("_", 2)[2] not in listed + made.stderr
    assert run(app, "list").stdout.splitlines()[1].split("\t")[1:3] == ["my phone", "read draft"]
    assert run(app, "revoke", known.id[:5]).exit_code == 0
    assert json.loads(run(app, "list", "--json").stdout)["keys"] == []
    assert isinstance(run(app, "revoke", known.id).exception, NotFound)


def test_nobody_but_a_person_makes_a_key(app: App) -> None:
    assert isinstance(run(app, "add", "phone", "--scope", "act").exception, NeedsApproval)
    assert not api_keys_file(app.environ).exists()


@pytest.mark.parametrize(
    "arguments",
    [("phone",), ("phone", "--scope", "decide"), ("phone", "--scope", "all"), ("--scope", "read")],
)
def test_a_key_needs_a_name_and_scopes_that_there_are(app: App, arguments: tuple[str, ...]) -> None:
    assert run(app, "add", *arguments).exit_code == click.UsageError.exit_code


def test_a_name_that_cannot_be_shown_is_refused(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "scripts_may_answer", scripts_say_yes)
    assert isinstance(run(app, "add", "a\x1b[2J", "--scope", "read").exception, BadArgument)
